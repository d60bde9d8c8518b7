// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * Words of a limit, of any bytes:
 *
 *   - nothing is read after the text;
 *   - an error has a reason and a caret that is not past the end;
 *   - what is accepted is within its bounds, and its text is read back as the same.
 */
#include "kernel/trace/parse/limit_words.h"
#include "kernel/trace/parse/parse_err.h"
#include "tests/fuzz/check.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char *text = malloc(size + 1), again[PE_LIMIT_TEXT];
	struct pe_limit_words words, same;
	struct pe_parse_err err = { 0 };
	int ret;

	memcpy(text, data, size);
	text[size] = '\0';
	ret = pe_limit_parse(&words, text, &err);
	CHECK(ret <= 0 && !ret == (err.code == PE_ERR_NONE) && err.pos <= strlen(text));
	CHECK(!ret || err.detail);
	if (!ret) {
		CHECK(words.hits <= PE_LIMIT_MAX_HITS && words.rate <= PE_LIMIT_MAX_RATE);
		CHECK(words.ttl <= 3650UL * 86400);
		CHECK(words.cpu <= PE_LIMIT_WHOLE && words.one <= PE_LIMIT_WHOLE);
		pe_limit_print(again, &words);
		CHECK(strlen(again) < PE_LIMIT_TEXT - 1);
		CHECK(!pe_limit_parse(&same, again, &err));
		CHECK(!memcmp(&words, &same, sizeof(words)));
	}
	free(text);
	return 0;
}
