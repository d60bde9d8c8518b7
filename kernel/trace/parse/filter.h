/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * filter.h - filter expressions: compiled to a program that runs on records.
 *
 *   filter_parse.c		the structure: parentheses, !, &&, ||; the program
 *   filter_pred.c		one comparison: field, operator, value
 *   filter_env.c		the kernel's answers to the pure files
 *   ../hit/filter_hit.c	running a program on a record
 *   ../event/event_filter.c	the filters of events in instances
 *
 * A program is a list of tests.  Each test names a target for each result, true
 * or false: a later test, or one of two ends.  Targets never go back, so a
 * program ends.
 */
#ifndef PE_FILTER_H
#define PE_FILTER_H

#include <linux/types.h>

#define PE_FILTER_MAX_TEXT	4095	/* of an expression */
#define PE_FILTER_MAX_PATTERN	255	/* of a text in quotes */

enum pe_filter_op {
	PE_FILTER_GLOB,
	PE_FILTER_NE,
	PE_FILTER_EQ,
	PE_FILTER_LE,
	PE_FILTER_LT,
	PE_FILTER_GE,
	PE_FILTER_GT,
	PE_FILTER_AND,
	PE_FILTER_NR_OPS,
};

/* The kind of a field. */
enum pe_filter_kind {
	PE_FIELD_NUMBER,	/* or an array: only its size counts */
	PE_FIELD_STRING,	/* a data_loc word in the record */
	PE_FIELD_TEXT,		/* the record's last bytes */
	PE_FIELD_COMM,		/* the current task's name */
	PE_FIELD_CPU,		/* the CPU that records */
	PE_FIELD_STACK,		/* for histograms; no filter matches it */
};

/**
 * struct pe_filter_field - a field as filters see it
 * @kind: enum pe_filter_kind
 * @is_signed: its comparisons are signed
 * @offset: in the record; of PE_FIELD_NUMBER, PE_FIELD_STRING and PE_FIELD_TEXT
 * @size: bytes; a number of a size other than 1, 2, 4, 8 never matches
 */
struct pe_filter_field {
	u8 kind;
	bool is_signed;
	u16 offset;
	u16 size;
};

/* How a test is made. */
enum pe_filter_what {
	PE_TEST_NEVER,		/* false, whatever the operator */
	PE_TEST_UNSIGNED,	/* number of .size bytes, op, .val */
	PE_TEST_SIGNED,
	PE_TEST_CPU,		/* CPU, op, .val */
	PE_TEST_NUMBER_SET,	/* number, op, set of CPUs at .text */
	PE_TEST_CPU_SET,	/* CPU, op, set of CPUs at .text */
	PE_TEST_RANGE,		/* number of 8 bytes in [.val, .end), or not */
	PE_TEST_STRING,		/* data_loc, pattern at .text */
	PE_TEST_TEXT,		/* the record's last bytes, up to a NUL; pattern at .text */
	PE_TEST_COMM,
};

/* How a pattern is compared. */
enum pe_filter_match {
	PE_MATCH_FULL,
	PE_MATCH_FRONT,
	PE_MATCH_MIDDLE,
	PE_MATCH_END,
	PE_MATCH_GLOB,
};

#define PE_FILTER_ACCEPT	0xffffu
#define PE_FILTER_REJECT	0xfffeu

/**
 * struct pe_filter_test - one comparison
 * @what: enum pe_filter_what
 * @op: enum pe_filter_op
 * @match: enum pe_filter_match; of patterns
 * @invert: a pattern that must not match
 * @offset: of the field in the record
 * @size: of the field, or of the number tested against a set of CPUs
 * @on_true: next test, or PE_FILTER_ACCEPT, PE_FILTER_REJECT
 * @on_false: likewise
 * @text: offset in struct pe_filter of the pattern or the set
 * @val: the value compared with
 * @end: end of the range of PE_TEST_RANGE
 * @len: bytes of a pattern
 */
struct pe_filter_test {
	u8 what;
	u8 op;
	u8 match;
	bool invert;
	u16 offset;
	u16 size;
	u16 on_true;
	u16 on_false;
	u32 text;
	u64 val;
	union {
		u64 end;
		u64 len;
	};
};

/**
 * struct pe_filter - a compiled expression; constant once it is compiled
 * @nr_tests: at least 1
 * @used: bytes used after this struct
 * @tests: the first one is run first
 *
 * After the tests: sets of CPUs (words of long), then patterns (with NUL).
 */
struct pe_filter {
	u32 nr_tests;
	u32 used;
	struct pe_filter_test tests[];
};

#endif
