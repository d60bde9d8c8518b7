// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_hits.c - a hit as a line and as an object: no text and no array is cut.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "expect.h"
#include "hits.h"

#define AT 32		/* of the text in the record */
#define LONGEST 4095	/* of a text that the modules record */

static const char format[] =
	"name: trace\nID: 9\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:unsigned long __probe_ip;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc char[] file;\toffset:16;\tsize:4;\tsigned:1;\n"
	"\tfield:int comm;\toffset:20;\tsize:4;\tsigned:1;\n\n"
	"print fmt: \"(%lx)\", REC->__probe_ip\n";
static const char array_format[] =
	"name: trace\nID: 9\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:unsigned long __probe_ip;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:u16 words[2032];\toffset:32;\tsize:4064;\tsigned:0;\n\n"
	"print fmt: \"(%lx)\", REC->__probe_ip\n";

/* A hit of an event, shown: for free(). */
static char *shown(const char *of, struct request *r, bool json, char *data)
{
	static const struct naming no_names;
	struct recipe recipe = { .trigger = "" };
	struct records rs = { .tep = tep_alloc() };
	const struct record record = { .at = 1000000000, .data = data };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct hits h = { .r = r, .recipe = &recipe, .rs = &rs, .naming = &no_names, .json = json,
			  .out = out };

	tep_set_long_size(rs.tep, 8);
	EXPECT(!tep_parse_format(rs.tep, &rs.event, of, strlen(of), "s1"));
	EXPECT(rs.event && hits_show(&h, &record));
	hits_free(&h);
	tep_free(rs.tep);
	fclose(out);
	return text;
}

/* @wanted is in both forms; @end: after it in the one for people */
static void check(const char *of, const char *key, char *data, const char *wanted)
{
	struct request r = { .what = "f", .keys = { (char *)key }, .nr_keys = 1 };
	size_t len = strlen(wanted);
	char *text = shown(of, &r, false, data);
	const char *at;

	EXPECT(strlen(text) > len && !strncmp(text + strlen(text) - len - 1, wanted, len));
	free(text);
	text = shown(of, &r, true, data);
	at = strstr(text, "\"args\":{\"");
	at = at ? at + 9 + strlen(key) : "";
	EXPECT(!strncmp(at, "\":\"", 3) && !strncmp(at + 3, wanted, len));
	EXPECT(strlen(at) > len + 3 && !strcmp(at + 3 + len, "\"}}\n"));
	free(text);
}

static void check_text(const char *unit, size_t bytes)
{
	char data[AT + LONGEST + 1] = "", *text = data + AT;
	unsigned int loc;

	while (bytes && strlen(text) + strlen(unit) <= bytes)
		strcat(text, unit);
	loc = (strlen(text) + 1) << 16 | AT;
	memcpy(data + 16, &loc, sizeof(loc));
	check(format, "file", data, text);
}

int main(void)
{
	static char data[4096], wanted[4 * 4096] = "ARRAY[";
	size_t i;

	check_text("", 0);
	check_text("x", 599);
	check_text("x", 600);
	check_text("0123456789", LONGEST);
	/* Characters of two and of three bytes: no length is a multiple of both. */
	check_text("\u00e9", 601);
	check_text("\u20ac", 599);
	check_text("\u20ac", LONGEST);
	/* Each byte is four characters. */
	memset(data + AT, 0xab, sizeof(data) - AT);
	for (i = AT; i < sizeof(data); i++)
		strcat(wanted, i > AT ? ", ab" : "ab");
	strcat(wanted, "]");
	check(array_format, "words", data, wanted);
	return failed;
}
