// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* marker_print.c: records of trace_marker and trace_marker_raw as lines. */
#include <linux/seq_file.h>
#include "fakes.h"
#include "harness.h"
#include "kernel/trace/hit/record.h"
#include "kernel/trace/print/print.h"

static char text[4096];

/* Prints from an exact copy, so that ASan sees a read after the end. */
static const char *print(void (*how)(struct seq_file *, const void *, unsigned int),
			 const void *rec, unsigned int len)
{
	struct seq_file m = { .buf = text, .size = sizeof(text) };
	u8 *copy = malloc(len ? len : 1);

	memcpy(copy, rec, len);
	memset(text, 0, sizeof(text));
	how(&m, copy, len);
	free(copy);
	return text;
}

static const char *print_text(const char *words, unsigned int len)
{
	struct pe_record_head head = { .ip = PE_FAKE_TEXT + 4 };
	u8 rec[64];

	memcpy(rec, &head, sizeof(head));
	memcpy(rec + sizeof(head), words, len);
	return print(pe_marker_print, rec, sizeof(head) + len);
}

static void test_text(void)
{
	unsigned int len;

	EXPECT_STR(print_text("hello\n\0", 7), "text_start: hello\n");
	EXPECT_STR(print_text("hello", 5), "text_start: hello\n");
	EXPECT_STR(print_text("hel\0lo\n", 7), "text_start: hel\n");
	EXPECT_STR(print_text("a\nb\n", 4), "text_start: a\nb\n");
	EXPECT_STR(print_text("\n", 1), "text_start:\x20\n");
	EXPECT_STR(print_text("", 0), "text_start:\x20\n");
	for (len = 0; len < 16; len++)
		EXPECT_STR(print(pe_marker_print, text, len), "(fault)\n");
}

static void test_raw(void)
{
	static const u8 rec[] = { 0, 0, 0, 0, 0, 0, 0, 0, 0x21, 0x43, 0, 0, 0xff, 0, 0x7a };
	unsigned int len;

	EXPECT_STR(print(pe_marker_raw_print, rec, 15), "# 4321 buf: ff 00 7a\n");
	EXPECT_STR(print(pe_marker_raw_print, rec, 12), "# 4321 buf:\n");
	for (len = 0; len < 12; len++)
		EXPECT_STR(print(pe_marker_raw_print, rec, len), "(fault)\n");
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "text", test_text },
		{ "raw", test_raw },
	};

	return PE_RUN(tests);
}
