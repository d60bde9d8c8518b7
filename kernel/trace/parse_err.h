/* SPDX-License-Identifier: GPL-2.0 */
/*
 * parse_err.h - why a command was refused: a code and a column.
 *
 * The texts are the interface's, as the kernel's error_log prints them.
 */
#ifndef PE_PARSE_ERR_H
#define PE_PARSE_ERR_H

#include <linux/types.h>

/*
 * X(code, text): the table to complete in parse_err.c's header part below.  The
 * event layer uses codes of the same table for what only it can find out.
 */
#define PE_PARSE_ERRORS(X)						\
	X(NONE,			"")					\
	X(BAD_PROBE_ADDR,	"Invalid probed address or symbol")	\
	X(NON_UNIQ_SYMBOL,	"The symbol is not unique")		\
	X(BAD_INSN_BNDRY,	"Probe point is not an instruction boundary") \
	X(FAIL_REG_PROBE,	"Failed to register probe event")	\
	X(DIFF_PROBE_TYPE,	"Probe type is different from existing probe") \
	X(DIFF_ARG_TYPE,	"Probe argument type or name is different from existing probe") \
	X(SAME_PROBE,		"There is already the exact same probe event")

enum pe_parse_errno {
#define X(code, text) PE_ERR_##code,
	PE_PARSE_ERRORS(X)
#undef X
	PE_NR_PARSE_ERRORS,
};

/**
 * struct pe_parse_err - the first error of a command
 * @code: PE_ERR_*
 * @pos: column in the command text, from 0: where the caret goes
 * @detail: more than the code says, or NULL; a constant string
 */
struct pe_parse_err {
	enum pe_parse_errno code;
	unsigned int pos;
	const char *detail;
};

/* Keeps the first error; returns @ret so that callers can return it at once. */
int pe_parse_fail(struct pe_parse_err *err, enum pe_parse_errno code,
		  unsigned int pos, int ret);
const char *pe_parse_err_text(enum pe_parse_errno code);

#endif
