// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * Filters on any bytes: the first 64 are a record (its string's word may point
 * anywhere), the others are the expression.
 *
 *   - nothing is read after the text or the record, nothing is written after the
 *     program or the stack (each is memory of its own size);
 *   - an error has an errno, and its caret is at most two after the text;
 *   - a program ends, only goes forward, and gives the same answer again;
 *   - the opposite of an accepted expression is accepted and gives the opposite answer.
 */
#include "kernel/trace/hit/filter_hit.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/filter.h"
#include "kernel/trace/parse/filter_parse.h"
#include "kernel/trace/parse/parse_err.h"
#include "tests/fuzz/check.h"

#define RECORD	64

static struct pe_arg args[6];
static const char *text;

static void make_layout(struct pe_layout *layout)
{
	static const struct {
		const char *name, *type;
		u8 offset, count;
	} fields[] = {
		{ "a", "u64", 16, 0 }, { "b", "s32", 24, 0 }, { "c", "u8", 28, 0 },
		{ "s", "string", 32, 0 }, { "t", "s16", 36, 0 }, { "d", "u32", 40, 3 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		strscpy(args[i].name, fields[i].name, sizeof(args[i].name));
		args[i].type = pe_type_find(fields[i].type, strlen(fields[i].type));
		args[i].offset = fields[i].offset;
		args[i].count = fields[i].count;
		args[i].size = args[i].type->size * (fields[i].count ? fields[i].count : 1);
	}
	*layout = (struct pe_layout){ .name = "e", .nargs = ARRAY_SIZE(fields), .args = args };
}

static void check_program(const struct pe_filter *filter)
{
	unsigned int i;

	CHECK(filter->nr_tests);
	for (i = 0; i < filter->nr_tests; i++) {
		const struct pe_filter_test *t = &filter->tests[i];

		CHECK(t->on_true > i && (t->on_true < filter->nr_tests ||
					 t->on_true >= PE_FILTER_REJECT));
		CHECK(t->on_false > i && (t->on_false < filter->nr_tests ||
					  t->on_false >= PE_FILTER_REJECT));
	}
}

/* 1, 0, or a negative errno. */
static int run(const char *expr, const void *rec)
{
	struct pe_parse_err err = { 0 };
	struct pe_filter_plan plan;
	struct pe_filter *filter;
	struct pe_layout layout;
	void *work;
	int ret;

	make_layout(&layout);
	ret = pe_filter_measure(expr, &plan, &err);
	if (!ret) {
		filter = calloc(1, plan.program);
		work = malloc(plan.work);
		ret = pe_filter_compile(filter, work, &plan, expr, &layout, &err);
		free(work);
		if (!ret) {
			check_program(filter);
			ret = pe_filter_match(filter, rec, RECORD, 3);
			CHECK(ret == pe_filter_match(filter, rec, RECORD, 3));
		}
		free(filter);
	}
	if (ret < 0) {
		CHECK(ret != -12);	/* the plan was enough */
		CHECK(err.code < PE_NR_PARSE_ERRORS);
		CHECK(err.pos <= strlen(expr) + 2);
	} else {
		CHECK(err.code == PE_ERR_NONE);
	}
	return ret;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char *copy, *opposite;
	u8 *rec;
	int ret;

	if (size < RECORD || size - RECORD > PE_FILTER_MAX_TEXT - 3)
		return 0;
	rec = malloc(RECORD);
	memcpy(rec, data, RECORD);
	size -= RECORD;
	copy = malloc(size + 1);
	memcpy(copy, data + RECORD, size);
	copy[size] = 0;
	text = copy;
	ret = run(copy, rec);
	if (ret >= 0) {
		size = strlen(copy) + 5;
		opposite = malloc(size);
		/* The blank ends a function's name. */
		scnprintf(opposite, size, "!(%s )", copy);
		CHECK(run(opposite, rec) == !ret);
		free(opposite);
	}
	free(copy);
	free(rec);
	return 0;
}
