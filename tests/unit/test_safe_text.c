// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* Texts that others have chosen make no lines. */
#include <linux/seq_file.h>
#include "harness.h"
#include "kernel/trace/print/safe_text.h"

static void safe_texts(void)
{
	static const char *const t[][2] = {
		{ "", "" },
		{ "p:x vfs_read \\\"a\\1\"~", "p:x vfs_read \\\"a\\1\"~" },
		{ "a\nb", "a\\x0ab" },
		{ "\x1b[31m", "\\x1b[31m" },
		{ "\xc3\xa9\x7f\x9b", "\\xc3\\xa9\\x7f\\x9b" },
	};
	char to[64], shown[64];
	unsigned int i;
	size_t size;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		struct seq_file m = { .buf = shown, .size = sizeof(shown) };

		EXPECT_EQ(pe_safe_text(to, sizeof(to), t[i][0]), strlen(t[i][1]));
		EXPECT_STR(to, t[i][1]);
		shown[0] = 0;
		pe_seq_safe_text(&m, t[i][0]);
		EXPECT_STR(shown, t[i][1]);
		EXPECT_EQ(pe_safe_columns(t[i][0], strlen(t[i][0])), strlen(t[i][1]));
	}
	EXPECT_EQ(pe_safe_columns("a\nb", 2), 5);
	EXPECT_EQ(pe_safe_columns("ab", 5), 5);		/* a caret may be past the text */
	for (size = 1; size < 8; size++) {
		to[size] = '!';
		EXPECT(pe_safe_text(to, size, "a\nb") < size);
		EXPECT_EQ(to[size], '!');
		EXPECT_STR(to, size == 1 ? "" : size < 6 ? "a" : size == 6 ? "a\\x0a" : "a\\x0ab");
	}
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "safe texts", safe_texts },
	};

	return PE_RUN(tests);
}
