/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * table.h - reads the tables of commands in tests/data: tab-separated columns,
 * "#" for comments, {HH} for a byte.
 */
#ifndef PE_TEST_TABLE_H
#define PE_TEST_TABLE_H

#include "harness.h"

#define TABLE_COLUMNS	6

void *fopen(const char *path, const char *mode);
char *fgets(char *buf, int size, void *f);
int fclose(void *f);

struct table {
	void *file;
	const char *path;
	unsigned int line;
	char text[16384];
	char *col[TABLE_COLUMNS];	/* "" if there is none */
};

static inline int table_open(struct table *t, const char *path)
{
	memset(t, 0, sizeof(*t));
	t->path = path;
	t->file = fopen(path, "r");
	EXPECT(t->file);
	return t->file ? 0 : -1;
}

static inline bool table_next(struct table *t)
{
	char *p;
	int i;

	do {
		if (!fgets(t->text, sizeof(t->text), t->file)) {
			fclose(t->file);
			return false;
		}
		t->line++;
	} while (t->text[0] == '#');
	t->text[strlen(t->text) - 1] = 0;	/* the newline */
	for (i = 0, p = t->text; i < TABLE_COLUMNS; i++) {
		char *tab = strchr(p, '\t');

		t->col[i] = p;
		if (tab)
			*tab = 0;
		p = tab ? tab + 1 : p + strlen(p);
	}
	return true;
}

static inline int table_hex(char c)
{
	return c >= 'a' ? c - 'a' + 10 : c - '0';
}

/*
 * Decodes {HH} and removes the caret: *@caret is its column in the words
 * joined by single blanks, or -1.  @out is as large as @in.
 */
static inline void table_decode(const char *in, char *out, int *caret)
{
	unsigned char c;
	int col = 0;

	*caret = -1;
	while (*in) {
		if (*in == '^') {
			*caret = col;
			in++;
			continue;
		}
		c = *in;
		if (c == '{') {
			c = table_hex(in[1]) * 16 + table_hex(in[2]);
			in += 3;
		}
		in++;
		*out++ = c;
		col++;
	}
	*out = 0;
}

#endif
