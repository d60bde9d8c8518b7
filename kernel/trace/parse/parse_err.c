// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * parse_err.c - texts and numbers of the parsers' errors, and where the caret is [P]
 *
 * A parser says where it stands, and what it has found.  The kernel's tracefs mostly answers just
 * that, with -EINVAL.  The two tables below have all that it answers otherwise.
 */
#include "parse_err.h"
#include <linux/errno.h>
#include <linux/kernel.h>

static const char *const pe_parse_err_texts[] = {
#define X(code, text) [PE_ERR_##code] = text,
	PE_PARSE_ERRORS(X)
#undef X
};

/* The number of each error that is not EINVAL. */
static const u8 pe_parse_errnos[PE_NR_PARSE_ERRORS] = {
	[PE_ERR_ARG_TOO_LONG] = E2BIG,
	[PE_ERR_NOSUP_BTFARG] = EOPNOTSUPP,
	[PE_ERR_NO_RETVAL] = ENOENT,
	[PE_ERR_NO_BTFARG] = ENOENT,
	[PE_ERR_NO_BTF_ENTRY] = ENOENT,
	[PE_ERR_ARGS_2LONG] = E2BIG,
	[PE_ERR_NOSUP_DAT_ARG] = EOPNOTSUPP,
	[PE_ERR_NO_BTF_FIELD] = ENOENT,
	[PE_ERR_TOO_MANY_NESTED] = E2BIG,
	[PE_ERR_EVENT_TOO_BIG] = E2BIG,
};

#define ANY_ERROR	PE_NR_PARSE_ERRORS
#define MOVED		127

/*
 * The kernel's odd answers.  @columns: how far its caret is from where the parser stands; MOVED: as
 * far as the parser has moved since it was there.  @error: if not that of the code.  The first row
 * that fits counts.
 */
static const struct odd {
	enum pe_part part;
	enum pe_parse_errno code;
	s8 columns;
	u8 error;
} pe_odds[] = {
	/* It does not count the letter of "+u8(": carets below what is inside are left of it. */
	{ PE_IN_USER_DEREF,	ANY_ERROR,			-1 },
	/* The same with a plus sign before a minus sign. */
	{ PE_IN_PLUS_MINUS,	ANY_ERROR,			-1 },
	/* It adds the type's offset to where the fetch ended: what is before that counts twice. */
	{ PE_IN_TYPE,		PE_ERR_BAD_STRING,		MOVED },
	{ PE_IN_TYPE,		PE_ERR_BAD_SYMSTRING,		MOVED },
	{ PE_IN_TYPE,		PE_ERR_BAD_BITFIELD,		MOVED },
	/* Elsewhere these are EINVAL. */
	{ PE_IN_TYPE_DATA,	PE_ERR_TOO_MANY_OPS,		0,	E2BIG },
	{ PE_IN_ARRAY,		PE_ERR_TOO_MANY_OPS,		0,	E2BIG },
	/* Whatever is no parameter is not found, even what cannot be one. */
	{ PE_IN_PARAMS,		PE_ERR_BAD_VAR,			0,	ENOENT },
	/* It says that type data is not supported, and means that it is no use here. */
	{ PE_IN_NO_FUNCTION,	PE_ERR_NOSUP_BTFARG,		0,	EINVAL },

	/* Its filters tell some errors by numbers of their own, from 1, which the writer gets. */
	{ PE_IN_BRACKETS,	PE_ERR_FILT_TOO_MANY_CLOSE,	0,	1 },
	{ PE_IN_BRACKETS,	PE_ERR_FILT_TOO_MANY_OPEN,	0,	2 },
	{ PE_IN_BRACKETS,	PE_ERR_FILT_MISSING_QUOTE,	0,	3 },
	/* It has stepped over the bracket, or over the end. */
	{ PE_IN_EXPRESSION,	PE_ERR_FILT_TOO_MANY_CLOSE,	1,	1 },
	{ PE_IN_EXPRESSION,	PE_ERR_FILT_TOO_MANY_OPEN,	1,	1 },
	{ PE_IN_EXPRESSION,	PE_ERR_FILT_TOO_MANY_PREDS,	0,	1 },
	/* Nothing where a comparison must be: it tells no error. */
	{ PE_IN_COMPARISON,	PE_ERR_NONE,			0,	1 },
	/* It counts the brace that is missing. */
	{ PE_IN_COMPARISON,	PE_ERR_FILT_NO_BRACE_OPEN,	2 },
	/* It counts from 1 in a comparison. */
	{ PE_IN_COMPARISON,	ANY_ERROR,			1 },
};

static const struct odd *pe_odd_find(enum pe_part part, enum pe_parse_errno code)
{
	static const struct odd none = {};
	const struct odd *odd;

	for (odd = pe_odds; odd < pe_odds + ARRAY_SIZE(pe_odds); odd++)
		if (odd->part == part && (odd->code == code || odd->code == ANY_ERROR))
			return odd;
	return &none;
}

int pe_odd_columns(enum pe_part part)
{
	return pe_odd_find(part, ANY_ERROR)->columns;
}

int pe_parse_fail_in(struct pe_parse_err *err, enum pe_part part, enum pe_parse_errno code,
		     unsigned int pos, unsigned int moved)
{
	const struct odd *odd = pe_odd_find(part, code);

	if (code != PE_ERR_NONE)
		pe_parse_fail(err, code, pos + (odd->columns == MOVED ? moved : odd->columns), 0);
	return -(odd->error ?: pe_parse_errnos[code] ?: EINVAL);
}

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
	static const struct {
		int error;
		const char *text;
	} texts[] = {
		{ EINVAL, "not a valid value for this file" },
		{ ERANGE, "the number is too large" },
		{ ENODEV, "the event, its group or the instance is gone" },
		{ ENOENT, "it does not exist" },
		{ EEXIST, "it already exists" },
		{ ENOMEM, "no memory" },
		{ ENOSPC, "no free number is left" },
		{ EBUSY, "it is in use" },
		{ E2BIG, "it is too long" },
		{ EOPNOTSUPP, "this kernel does not support it" },
		{ EPERM, "not permitted" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(texts); i++)
		if (ret == -texts[i].error)
			return texts[i].text;
	return NULL;
}
