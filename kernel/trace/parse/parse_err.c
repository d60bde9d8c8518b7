// SPDX-License-Identifier: GPL-2.0
/*
 * parse_err.c - texts of the parsers' errors [P]
 */
#include "parse_err.h"
#include <linux/kernel.h>

static const char *const texts[] = {
#define X(code, text) [PE_ERR_##code] = text,
	PE_PARSE_ERRORS(X)
#undef X
};

int pe_parse_fail(struct pe_parse_err *err, enum pe_parse_errno code,
		  unsigned int pos, int ret)
{
	if (err->code == PE_ERR_NONE) {
		err->code = code;
		err->pos = pos;
	}
	return ret;
}

const char *pe_parse_err_text(enum pe_parse_errno code)
{
	return code < ARRAY_SIZE(texts) ? texts[code] : "";
}
