// SPDX-License-Identifier: GPL-2.0
/*
 * parse_err.c - texts of the parsers' errors [P]
 */
#include "parse_err.h"
#include <linux/errno.h>
#include <linux/kernel.h>

static const char *const pe_parse_err_texts[] = {
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
	return code < ARRAY_SIZE(pe_parse_err_texts) ? pe_parse_err_texts[code] : "";
}

const char *pe_errno_text(int ret)
{
	switch (-ret) {
	case EINVAL:
		return "it is no value for this file";
	case ERANGE:
		return "the number is too large";
	case ENODEV:
		return "the event, its group or the instance is gone";
	case ENOENT:
		return "there is none";
	case EEXIST:
		return "there is one";
	case ENOMEM:
		return "no memory";
	case ENOSPC:
		return "no number is left";
	case EBUSY:
		return "it is in use";
	case E2BIG:
		return "it is too long";
	case EOPNOTSUPP:
		return "this kernel has no means for it";
	case EPERM:
		return "not permitted";
	default:
		return NULL;
	}
}
