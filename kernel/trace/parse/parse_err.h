/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * parse_err.h - the reason why a command was refused: a code and a column.
 *
 * The texts are those that the kernel's error_log prints.  It says nothing of some refusals; we do.
 */
#ifndef PE_PARSE_ERR_H
#define PE_PARSE_ERR_H

#include <linux/types.h>

#define PE_TEXT_VAR_SEVERAL						\
	"Variable name not unique, need to use fully qualified name (subsys.event.var) for variable"

/*
 * X(code, text).  Only the event layer can find the errors of its own group.
 */
#define PE_PARSE_ERRORS(X)						\
	X(NONE,			"")					\
	/* the head of the command */					\
	X(BAD_MAXACT_TYPE,	"Maxactive is only for function exit")	\
	X(BAD_MAXACT,		"Invalid maxactive number")		\
	X(MAXACT_TOO_BIG,	"Maxactive is too big")			\
	X(BAD_PROBE_ADDR,	"Invalid probed address or symbol")	\
	X(BAD_ADDR_SUFFIX,	"Invalid probed address suffix")	\
	X(BAD_TP_NAME,		"Invalid character in tracepoint name")	\
	X(NO_TRACEPOINT,	"Tracepoint is not found")		\
	X(NO_GROUP_NAME,	"Group name is not specified")		\
	X(GROUP_TOO_LONG,	"Group name is too long")		\
	X(BAD_GROUP_NAME,						\
	  "Group name must follow the same rules as C identifiers")	\
	X(NO_EVENT_NAME,	"Event name is not specified")		\
	X(EVENT_TOO_LONG,	"Event name is too long")		\
	X(BAD_EVENT_NAME,						\
	  "Event name must follow the same rules as C identifiers")	\
	/* fetch arguments */						\
	X(RETVAL_ON_PROBE,	"$retval is not available on probe")	\
	X(BAD_STACK_NUM,	"Invalid stack number")			\
	X(BAD_ARG_NUM,		"Invalid argument number")		\
	X(BAD_VAR,		"Invalid $-variable specified")		\
	X(BAD_REG_NAME,		"Invalid register name")		\
	X(BAD_MEM_ADDR,		"Invalid memory address")		\
	X(BAD_IMM,		"Invalid immediate value")		\
	X(IMMSTR_NO_CLOSE,	"String is not closed with '\"'")	\
	X(FILE_ON_KPROBE,	"File offset is not available with kprobe") \
	X(TOO_MANY_OPS,		"Dereference is too much nested")	\
	X(DEREF_NEED_BRACE,	"Dereference needs a brace")		\
	X(BAD_DEREF_OFFS,	"Invalid dereference offset")		\
	X(DEREF_OPEN_BRACE,	"Dereference brace is not closed")	\
	X(COMM_CANT_DEREF,	"$comm can not be dereferenced")	\
	X(BAD_FETCH_ARG,	"Invalid fetch argument")		\
	X(ARRAY_NO_CLOSE,	"Array is not closed")			\
	X(BAD_ARRAY_SUFFIX,	"Array has wrong suffix")		\
	X(BAD_ARRAY_NUM,	"Invalid array size")			\
	X(ARRAY_TOO_BIG,	"Array number is too big")		\
	X(BAD_TYPE,		"Unknown type is specified")		\
	X(BAD_STRING,		"String accepts only memory argument")	\
	X(BAD_SYMSTRING,	"Symbol String doesn't accept data/userdata") \
	X(BAD_BITFIELD,		"Invalid bitfield")			\
	X(ARG_NAME_TOO_LONG,	"Argument name is too long")		\
	X(NO_ARG_NAME,		"Argument name is not specified")	\
	X(BAD_ARG_NAME,							\
	  "Argument name must follow the same rules as C identifiers")	\
	X(USED_ARG_NAME,	"This argument name is already used")	\
	X(ARG_TOO_LONG,		"Argument expression is too long")	\
	X(NO_ARG_BODY,		"No argument expression")		\
	X(NOSUP_BTFARG,		"BTF is not available or not supported") \
	X(NO_RETVAL,		"This function returns 'void' type")	\
	X(NO_BTFARG,							\
	  "This variable is not found at this probe point")		\
	X(NO_BTF_ENTRY,		"No BTF entry for this probe point")	\
	X(ARGS_2LONG,							\
	  "$arg* failed because the argument list is too long")		\
	X(NO_PTR_STRCT,							\
	  "This is not a pointer to union/structure.")			\
	X(NOSUP_DAT_ARG,						\
	  "Non pointer structure/union argument is not supported.")	\
	X(BAD_HYPHEN,							\
	  "Failed to parse single hyphen. Forgot '>'?")			\
	X(NO_BTF_FIELD,		"This field is not found.")		\
	X(BAD_BTF_TID,		"Failed to get BTF type info.")		\
	X(NO_ELEMENTS,		"This is neither an array nor a pointer.") \
	X(BAD_INDEX,		"Invalid array index")			\
	X(BAD_TYPE4STR,		"This type does not fit for string.")	\
	X(TYPECAST_REQ_FIELD,	"Typecast requires a field access")	\
	X(TOO_MANY_NESTED,						\
	  "Too many nested typecasts/dereferences")			\
	X(TYPECAST_SYM_OFFSET,						\
	  "@SYM+/-OFFSET with typecast needs parentheses")		\
	X(TYPECAST_NOT_ALIGNED,						\
	  "Typecast field option is not byte-aligned")			\
	X(TYPECAST_BAD_ARROW,						\
	  "Typecast field option does not support -> operator")		\
	X(NOFENTRY_ARGS,						\
	  "$arg* can be used only on function entry or exit")		\
	X(DOUBLE_ARGS,							\
	  "$arg* can be used only once in the parameters")		\
	X(NEED_STRING_TYPE,						\
	  "$comm and immediate-string only accepts string type")	\
	X(EVENT_TOO_BIG,	"Event too big (too many fields?)")	\
	/* the event layer */					\
	X(NON_UNIQ_SYMBOL,	"The symbol is not unique")		\
	X(BAD_RETPROBE,		"Retprobe address must be an function entry") \
	X(BAD_INSN_BNDRY,	"Probe point is not an instruction boundary") \
	X(FAIL_REG_PROBE,	"Failed to register probe event")	\
	X(EVENT_EXIST,							\
	  "Given group/event name is already used by another event")	\
	X(DIFF_PROBE_TYPE,	"Probe type is different from existing probe") \
	X(DIFF_ARG_TYPE,						\
	  "Argument type or name is different from existing probe")	\
	X(SAME_PROBE,		"There is already the exact same probe event") \
	/* filters */							\
	X(FILT_INVALID_OP,	"Invalid operator")			\
	X(FILT_TOO_MANY_OPEN,	"Too many '('")				\
	X(FILT_TOO_MANY_CLOSE,	"Too few '('")				\
	X(FILT_MISSING_QUOTE,	"Missing matching quote")		\
	X(FILT_NO_BRACE_OPEN,	"Missing '{'")				\
	X(FILT_NO_BRACE_CLOSE,	"Missing '}'")				\
	X(FILT_OPERAND_LONG,	"Operand too long")			\
	X(FILT_EXPECT_STRING,	"Expecting string field")		\
	X(FILT_EXPECT_DIGIT,	"Expecting numeric field")		\
	X(FILT_ILLEGAL_OP,	"Illegal operation for field type")	\
	X(FILT_NO_FIELD,	"Field not found")			\
	X(FILT_ILLEGAL_INTVAL,	"Illegal integer value")		\
	X(FILT_BAD_GROUP,						\
	  "Couldn't find or set field in one of a subsystem's events")	\
	X(FILT_TOO_MANY_PREDS,						\
	  "Too many terms in predicate expression")			\
	X(FILT_INVALID_FILTER,	"Meaningless filter expression")	\
	X(FILT_INVALID_CPULIST,	"Invalid cpulist")			\
	X(FILT_INVALID_VALUE,						\
	  "Invalid value (did you forget quotes)?")			\
	X(FILT_NO_FUNCTION,	"Function not found")			\
	X(FILT_ERRNO,		"Error")				\
	X(FILT_NO_FILTER,	"No filter found")			\
	/* triggers */							\
	X(TRIG_UNKNOWN,		"Unknown trigger")			\
	X(TRIG_LATER,							\
	  "onmatch(), trace() and synthetic events are not supported")	\
	X(TRIG_BAD_COUNT,	"Invalid count")			\
	X(TRIG_NO_IF,		"A filter must begin with 'if '")		\
	X(TRIG_NO_EVENT,	"Event not found")			\
	X(TRIG_EXIST,		"The event already has such a trigger")	\
	/* histogram triggers */					\
	X(HIST_NAMED_MISMATCH,						\
	  "Named hist trigger doesn't match existing named trigger (includes variables)") \
	X(HIST_EXIST,		"Hist trigger already exists")		\
	X(HIST_NONE,							\
	  "Can't clear or continue a nonexistent hist trigger")		\
	X(HIST_BAD_CLOCK,	"Couldn't set trace_clock")		\
	X(HIST_BAD_MODIFIER,	"Invalid field modifier")		\
	X(HIST_NO_FIELD,	"Couldn't find field")			\
	X(HIST_EMPTY,		"Empty assignment")			\
	X(HIST_BAD_ORDER,	"Invalid sort modifier")		\
	X(HIST_EMPTY_SORT,	"Empty sort field")			\
	X(HIST_MANY_SORTS,	"Too many sort fields (Max = 2)")	\
	X(HIST_BAD_SORT,	"Sort field must be a key or a val")	\
	X(HIST_STRING,							\
	  "String type can not be an operand in expression")		\
	X(HIST_NO_VALUE,						\
	  "Non-hitcount value is required for 'nohitcount'")		\
	X(HIST_VAR_EXIST,	"Variable already defined")		\
	X(HIST_VAR_SEVERAL,						\
	  PE_TEXT_VAR_SEVERAL)						\
	X(HIST_MANY_VARS,	"Too many variables defined")		\
	X(HIST_ASSIGNMENT,	"Malformed assignment")			\
	X(HIST_MANY_OPERATORS,	"Too many subexpressions (3 max)")	\
	X(HIST_UNITS,		"Timestamp units in expression don't match") \
	X(HIST_NEW_VAR,		"Couldn't create or find variable")	\
	X(HIST_NO_TRACK,						\
	  "For onmax(x) or onchange(x), x must be a variable")		\
	X(HIST_TRACK_VAR,	"Couldn't find onmax or onchange variable") \
	X(HIST_NEW_TRACK,						\
	  "Couldn't create onmax or onchange variable")			\
	X(HIST_MANY_PARAMS,	"Too many action params")		\
	X(HIST_BAD_PARAM,	"Invalid action param")			\
	X(HIST_NO_ACTION,	"No action found")			\
	X(HIST_MANY_SAVES,						\
	  "Can't have more than one save() action per hist")		\
	X(HIST_NO_PAREN,	"No closing paren found")		\
	X(HIST_REF_KEY,							\
	  "Using variable references in keys not supported")		\
	X(HIST_NO_VAR,		"Couldn't find variable")		\
	X(HIST_NUMBER,		"Expecting numeric literal")		\
	X(HIST_MINUS,							\
	  "Unary minus not supported in sub-expressions")		\
	X(HIST_BY_ZERO,		"Division by zero")			\
	/* of those the kernel does not log the reason */		\
	X(HIST_EXPR,		"Not an expression")			\
	X(HIST_LONG_EXPR,	"The expressions are too long")		\
	X(HIST_VAR_TEXT,	"A variable is a number")		\
	X(HIST_MANY_ACTIONS,	"Too many actions (Max = 8)")		\
	X(HIST_REFERRED,	"Another trigger refers to its variables") \
	X(HIST_VARS_LARGE,	"Variables and actions take more than 64 MB: a smaller size") \
	X(HIST_SNAPSHOTS,	"The instance already has such a snapshot()") \
	X(HIST_PART,		"Not a part of a hist trigger")		\
	X(HIST_NO_KEYS,		"No keys are specified")		\
	X(HIST_MANY_KEYS,	"Too many keys (Max = 3)")		\
	X(HIST_MANY_VALS,	"Too many values (Max = 3)")		\
	X(HIST_LONG_KEY,						\
	  "A key has one text and one stack at most")			\
	X(HIST_BAD_SIZE,						\
	  "A field of 1, 2, 4 or 8 bytes is required")			\
	X(HIST_SIZE,		"Invalid size (65 to 131072)")		\
	/* mirrors */							\
	X(MIRROR_BUSY,		"The event's mirror is in use")		\
	X(MIRROR_EXIST,		"The kernel already has an event of this name")	\
	X(MIRROR_NONE,		"The kernel's events cannot be accessed") \
	/* sessions */							\
	X(SESSION_UNKNOWN,	"Unknown session command")		\
	X(SESSION_INVALID,	"Invalid session command")		\
	X(EVENT_OWNED,		"Event belongs to a session")		\
	X(EVENT_NOT_OWNED,	"Event does not belong to the session")	\
	/* limits */							\
	X(LIMIT_INVALID,	"Invalid limit")			\
	X(LIMIT_REACHED,	"Stopped by its limit")			\
	/* trace_options */						\
	X(OPTION_FIXED,		"This option cannot be changed")		\
	/* kprobes/btf */						\
	X(BTF_FILE,		"Failed to load type data")		\
	/* the kernel does not log these; suggest.c */			\
	X(NO_COMMAND,		"No such command")			\
	X(NO_PLACE,		"Place is not specified")		\
	X(NO_EVENT,		"Event is not found")			\
	X(NOT_HERE,		"Cannot be defined here")		\
	X(TOO_MANY_ARGS,	"Too many arguments are specified")	\
	X(BAD_TEXT,		"Invalid text of an event")		\
	X(LINE_TOO_LONG,	"Command is too long")			\
	X(IN_USE,		"In use")				\
	X(MODULE_AWAITED,	"Waiting for its module")		\
	X(REFUSED,		"Refused")

enum pe_parse_errno {
#define X(code, text) PE_ERR_##code,
	PE_PARSE_ERRORS(X)
#undef X
	PE_NR_PARSE_ERRORS,
};

/**
 * struct pe_parse_err - the first error of a command
 * @code: PE_ERR_*; PE_ERR_NONE beside an errno means that the kernel does not log this error
 * @pos: column in the text of pe_placed_join(), from 0: the place of the caret
 * @detail: more than the code says, or NULL; error_log makes a copy
 *
 * The caller zeroes it before the first call.
 */
struct pe_parse_err {
	enum pe_parse_errno code;
	unsigned int pos;
	const char *detail;
};

/*
 * The part that is being read when an error is found: the first column of the table of odd answers.
 */
enum pe_part {
	PE_IN_COMMAND,		/* nothing that is odd */
	PE_IN_PARAMS,		/* $argN, where names of parameters are put in */
	PE_IN_NO_FUNCTION,	/* a name, and no function is entered or left there */
	PE_IN_USER_DEREF,	/* inside "+u8(" */
	PE_IN_PLUS_MINUS,	/* inside "+-8(" */
	PE_IN_TYPE_DATA,	/* the argument's type, by the fetch's */
	PE_IN_TYPE,		/* the argument's type, and the fetch is known */
	PE_IN_ARRAY,
	PE_IN_BRACKETS,		/* a filter's brackets and quotes, before all else */
	PE_IN_EXPRESSION,	/* what is between a filter's comparisons */
	PE_IN_COMPARISON,
};

/* Columns to add to the place of a parser of this part, before it tells errors. */
int pe_odd_columns(enum pe_part part);

/**
 * pe_parse_fail_in() - tell an error as the kernel does
 * @err: keeps the first error
 * @part: what is being read
 * @code: the error, or PE_ERR_NONE if the kernel tells none
 * @pos: column of the place where the parser stands
 * @moved: how far the parser has moved since the text at @pos
 *
 * Return: -errno
 */
int pe_parse_fail_in(struct pe_parse_err *err, enum pe_part part, enum pe_parse_errno code,
		     unsigned int pos, unsigned int moved);

/* Keeps the first error; returns @ret so that callers can return it at once. */
int pe_parse_fail(struct pe_parse_err *err, enum pe_parse_errno code,
		  unsigned int pos, int ret);
const char *pe_parse_err_text(enum pe_parse_errno code);

/* An errno in a few words, for the writer of a file; NULL: no such errno. */
const char *pe_errno_text(int ret);

#endif
