// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * safe_text.c - text that a user has chosen, in our lines [P]
 */
#include <linux/seq_file.h>
#include <linux/string.h>
#include "safe_text.h"

/* The kernel's isprint() has Latin-1 as well. */
static bool pe_is_safe(char c)
{
	return c >= ' ' && c <= '~';
}

static unsigned int pe_put_safe(char *to, char c)
{
	static const char digits[] = "0123456789abcdef";

	to[0] = c;
	if (pe_is_safe(c))
		return 1;
	to[0] = '\\';
	to[1] = 'x';
	to[2] = digits[(c >> 4) & 0xf];
	to[3] = digits[c & 0xf];
	return PE_SAFE_CHAR;
}

size_t pe_safe_text(char *to, size_t size, const char *from)
{
	char text[PE_SAFE_CHAR];
	size_t used = 0;

	for (; *from; from++) {
		unsigned int n = pe_put_safe(text, *from);

		if (used + n >= size)
			break;
		memcpy(to + used, text, n);
		used += n;
	}
	to[used] = '\0';
	return used;
}

size_t pe_safe_columns(const char *text, size_t len)
{
	size_t columns = 0;

	for (; len && *text; len--, text++)
		columns += pe_is_safe(*text) ? 1 : PE_SAFE_CHAR;
	return columns + len;
}

void pe_seq_safe_text(struct seq_file *m, const char *text)
{
	char one[PE_SAFE_CHAR];

	for (; *text; text++)
		seq_write(m, one, pe_put_safe(one, *text));
}
