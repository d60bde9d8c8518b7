// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * filter_parse.c, filter_pred.c, filter_hit.c: accepted expressions, the error and column of
 * refused ones, and the records that pass.  Logic is compared with a naive evaluation of
 * random expressions.
 */
#include <linux/errno.h>
#include "fakes.h"
#include "harness.h"
#include "kernel/trace/hit/filter_hit.h"
#include "kernel/trace/hit/record.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/filter.h"
#include "kernel/trace/parse/filter_parse.h"
#include "kernel/trace/parse/parse_err.h"

static struct pe_arg args[10];
static struct pe_layout layout = { .name = "ev", .args = args };

static struct {
	struct pe_record_head head;
	u64 u64;
	s64 s64;
	u32 u32;
	s32 s32;
	u16 u16;
	s16 s16;
	u8 u8;
	s8 s8;
	u32 str;
	u32 arr[3];
	char text[32];
} __attribute__((packed)) rec;

static void add_arg(const char *name, const char *type, unsigned int offset,
		    unsigned int count)
{
	struct pe_arg *arg = &args[layout.nargs++];

	strscpy(arg->name, name, sizeof(arg->name));
	arg->type = pe_type_find(type, strlen(type));
	arg->offset = offset;
	arg->count = count;
	arg->size = arg->type->size * (count ? count : 1);
}

static void set_string(const char *s)
{
	unsigned int len = s ? strlen(s) + 1 : 0;

	memset(rec.text, 'x', sizeof(rec.text));
	if (s)
		memcpy(rec.text, s, len);
	rec.str = len << 16 | offsetof(typeof(rec), text);
}

static void set_up(void)
{
	if (!layout.nargs) {
		add_arg("u64", "u64", offsetof(typeof(rec), u64), 0);
		add_arg("s64", "s64", offsetof(typeof(rec), s64), 0);
		add_arg("u32", "x32", offsetof(typeof(rec), u32), 0);
		add_arg("s32", "s32", offsetof(typeof(rec), s32), 0);
		add_arg("u16", "u16", offsetof(typeof(rec), u16), 0);
		add_arg("s16", "s16", offsetof(typeof(rec), s16), 0);
		add_arg("u8", "u8", offsetof(typeof(rec), u8), 0);
		add_arg("s8", "s8", offsetof(typeof(rec), s8), 0);
		add_arg("str", "string", offsetof(typeof(rec), str), 0);
		add_arg("arr", "u32", offsetof(typeof(rec), arr), 3);
	}
	layout.is_return = false;
	rec.head = (struct pe_record_head){ 60000, 1, 2, 1234, PE_FAKE_TEXT + 8 };
	rec.u64 = 0xffffffffffffff00;
	rec.s64 = -5;
	rec.u32 = 0x80000000;
	rec.s32 = -1;
	rec.u16 = 0xffff;
	rec.s16 = -300;
	rec.u8 = 200;
	rec.s8 = -100;
	set_string("hello");
}

struct compiled {
	int ret;
	struct pe_parse_err err;
	struct pe_filter *filter;
};

static struct compiled compile(const char *text)
{
	struct compiled c = { 0 };
	struct pe_filter_plan plan;
	void *work;

	c.ret = pe_filter_measure(text, &plan, &c.err);
	if (c.ret)
		return c;
	c.filter = calloc(1, plan.program);
	work = malloc(plan.work);
	c.ret = pe_filter_compile(c.filter, work, &plan, text, &layout, &c.err);
	free(work);
	if (c.ret) {
		free(c.filter);
		c.filter = NULL;
	}
	return c;
}

/* 1: passes, 0: does not, -1: refused. */
static int passes(const char *text, unsigned int cpu)
{
	struct compiled c = compile(text);
	int ret;

	if (!c.filter) {
		printf("%s: refused, %d %s at %u\n", text, c.ret,
		       pe_parse_err_text(c.err.code), c.err.pos);
		return -1;
	}
	ret = pe_filter_match(c.filter, &rec, sizeof(rec), cpu);
	free(c.filter);
	return ret;
}

#define PASS(text)	EXPECT_EQ(passes(text, 3), 1)
#define STOP(text)	EXPECT_EQ(passes(text, 3), 0)

static void refused(const char *text, int ret, enum pe_parse_errno code, unsigned int pos)
{
	struct compiled c = compile(text);

	if (c.ret != ret || c.err.code != code || c.err.pos != pos) {
		printf("%s: %d \"%s\" at %u, expected %d \"%s\" at %u\n", text, c.ret,
		       pe_parse_err_text(c.err.code), c.err.pos, ret,
		       pe_parse_err_text(code), pos);
		pe_test_failures++;
	}
	free(c.filter);
}

static void test_numbers(void)
{
	set_up();
	PASS("u64 == 0xffffffffffffff00");
	STOP("u64 != 0xffffffffffffff00");
	PASS("u64 > 1");
	PASS("s64 < 0");
	PASS("s64 == -5");
	PASS("s64<=-5");
	STOP("s64 > -5");
	PASS("u32 > 1");
	PASS("u32 == 0x80000000");
	PASS("u32 & 0x80000001");
	STOP("u32 & 0x7fffffff");
	PASS("s32 == -1");
	STOP("s32 > 0");
	PASS("s32 & 1");
	PASS("u16 >= 65535");
	PASS("s16 < -299");
	PASS("u8 == 200");
	PASS("u8 == 0310");
	PASS("s8 == -100");
	PASS("s8 < 0");
	/* Cut to the field's size. */
	PASS("u8 == 456");
	PASS("s8 == 156");
	PASS("u16 & 0x18000");
	STOP("u16 & 0x10000");
	PASS("common_pid == 1234 && common_type == 60000 && common_flags & 1");
	PASS("common_preempt_count == 2");
	PASS("__probe_ip > 0");
	/* An array of 12 bytes is no number. */
	STOP("arr == 0");
	STOP("arr != 0");
	STOP("stacktrace == 0 || STACKTRACE != 0");
}

static void test_strings(void)
{
	set_up();
	PASS("str == \"hello\"");
	PASS("str == 'hello'");
	STOP("str == \"hell\"");
	STOP("str == \"hellox\"");
	PASS("str != \"hell\"");
	STOP("str != \"hello\"");
	PASS("str ~ \"hel*\"");
	PASS("str ~ \"*llo\"");
	PASS("str ~ \"*ell*\"");
	PASS("str ~ \"h*o\"");
	PASS("str ~ \"h?l[k-m]o\"");
	PASS("str ~ \"*\"");
	PASS("str ~ \"**\"");
	STOP("str ~ \"!*\"");
	STOP("str ~ \"!h*\"");
	PASS("str ~ \"!x*\"");
	STOP("str ~ \"*hell\"");
	STOP("str ~ \"ello*\"");
	PASS("str.ustring == \"hello\"");
	PASS("comm == \"" PE_FAKE_COMM "\"");
	PASS("COMM ~ \"*test\"");
	PASS("COMM ~ \"unit*\" && comm != \"x\"");
	set_string("1*");
	PASS("str ~ \"1*\"");
	set_string("1x");
	STOP("str ~ \"1*\"");
	set_string("");
	PASS("str == \"\"");
	PASS("str ~ \"*\"");
	/* The string could not be read: no byte after it is looked at. */
	set_string(NULL);
	PASS("str == \"\"");
	STOP("str ~ \"x*\"");
	/* A string that is not in the record never matches. */
	rec.str = 100 << 16 | offsetof(typeof(rec), text);
	STOP("str ~ \"*\"");
	rec.str = 1 << 16 | 0xffff;
	STOP("str ~ \"*\"");
}

static void test_cpus(void)
{
	set_up();
	EXPECT_EQ(passes("cpu == 3", 3), 1);
	EXPECT_EQ(passes("CPU < 3", 3), 0);
	EXPECT_EQ(passes("common_cpu != 3", 4), 1);
	EXPECT_EQ(passes("cpu & 3", 3), 0);
	EXPECT_EQ(passes("cpu & CPUS{1-4,69}", 3), 1);
	EXPECT_EQ(passes("cpu & CPUS{1-4,69}", 69), 1);
	EXPECT_EQ(passes("cpu & CPUS{1-4,69}", 5), 0);
	EXPECT_EQ(passes("cpu == CPUS{1-4}", 3), 0);
	EXPECT_EQ(passes("cpu != CPUS{1-4}", 3), 1);
	EXPECT_EQ(passes("cpu & CPUS{3}", 3), 1);
	EXPECT_EQ(passes("cpu == CPUS{3}", 3), 1);
	EXPECT_EQ(passes("cpu != CPUS{3}", 3), 0);
	rec.s32 = 65;
	rec.u8 = 70;
	EXPECT_EQ(passes("s32 & CPUS{64-66} && str == 'hello' && s32 != CPUS{1,2}", 0), 1);
	EXPECT_EQ(passes("s32 == CPUS{65} && s32 & CPUS{65}", 0), 1);
	/* No CPU at all. */
	EXPECT_EQ(passes("u8 & CPUS{64-66}", 0), 0);
	EXPECT_EQ(passes("u8 != CPUS{64-66}", 0), 0);
	EXPECT_EQ(passes("arr != CPUS{64-66}", 0), 0);
	EXPECT_EQ(passes("arr != CPUS{64}", 0), 0);
}

static void test_functions(void)
{
	set_up();
	PASS("__probe_ip.function == text_start");
	STOP("__probe_ip.function != text_start");
	PASS("__probe_ip.function != mod_fn");
	PASS("__probe_ip.function == 0xffffffff81000010 && u8 == 200");
	PASS("(__probe_ip.function == text_start )");
	rec.head.ip = PE_FAKE_TEXT + 0x100;
	STOP("__probe_ip.function == text_start");
	layout.is_return = true;
	PASS("__probe_func > 1 && __probe_ret_ip > 0");
	refused("__probe_ip == 1", -EINVAL, PE_ERR_FILT_NO_FIELD, 11);
	layout.is_return = false;
}

/* The record of trace_marker ends with a text. */
static void test_marker(void)
{
	set_up();
	layout.is_marker = true;
	memcpy((char *)&rec + sizeof(rec.head), "a mark\n", 8);
	PASS("ip > 1 && common_pid == 1234");
	PASS("buf ~ \"*mark*\"");
	PASS("buf ~ \"a *\" && buf != \"a mark\"");
	STOP("buf == \"a mark\"");
	STOP("buf ~ \"mark*\"");
	refused("buf == 3", -EINVAL, PE_ERR_FILT_EXPECT_STRING, 8);
	refused("buf < \"a\"", -EINVAL, PE_ERR_FILT_ILLEGAL_OP, 7);
	refused("ip ~ \"a\"", -EINVAL, PE_ERR_FILT_EXPECT_DIGIT, 6);
	refused("__probe_ip == 1", -EINVAL, PE_ERR_FILT_NO_FIELD, 11);
	layout.is_marker = false;
	refused("buf ~ \"a\"", -EINVAL, PE_ERR_FILT_NO_FIELD, 4);
}

static void test_logic(void)
{
	set_up();
	PASS("u8 == 200 && s8 == -100");
	STOP("u8 == 200 && s8 == 1");
	PASS("u8 == 1 || s8 == -100");
	PASS("u8 == 200 || s8 == 1 && s32 == 7");
	STOP("(u8 == 200 || s8 == 1) && s32 == 7");
	STOP("!u8 == 200");
	PASS("!!u8 == 200");
	PASS("!(u8 == 200 && s8 == 1)");
	STOP("!(u8 == 200 || s8 == 1)");
	PASS("!(u8 == 1 || !(s8 == -100))");
	PASS("((((u8 == 200))))");
	PASS("((str ~ \"h*\"))&&(common_pid<302||common_pid>303)");
	PASS("((u8==200)||(u8==1))&&((common_pid!=1)&&(common_pid!=2))");
}

static void test_errors(void)
{
	set_up();
	refused("", -EINVAL, PE_ERR_NONE, 0);
	refused("()", -EINVAL, PE_ERR_NONE, 0);
	refused("!", -EINVAL, PE_ERR_FILT_NO_FILTER, 1);
	refused("nope == 1", -EINVAL, PE_ERR_FILT_NO_FIELD, 5);
	refused("u8 == 1 && nope == 1", -EINVAL, PE_ERR_FILT_NO_FIELD, 16);
	refused("u8 = 1", -EINVAL, PE_ERR_FILT_INVALID_OP, 4);
	refused("u8 == x", -EINVAL, PE_ERR_FILT_INVALID_VALUE, 7);
	refused("u8 == 1x", -EINVAL, PE_ERR_FILT_ILLEGAL_INTVAL, 7);
	refused("u8 == -1", -EINVAL, PE_ERR_FILT_ILLEGAL_INTVAL, 7);
	refused("u8 == \"1\"", -EINVAL, PE_ERR_FILT_EXPECT_DIGIT, 7);
	refused("str == 1", -EINVAL, PE_ERR_FILT_EXPECT_STRING, 8);
	refused("str < \"a\"", -EINVAL, PE_ERR_FILT_ILLEGAL_OP, 7);
	refused("u8 ~ 1", -EINVAL, PE_ERR_FILT_ILLEGAL_OP, 6);
	refused("str == \"a", -3, PE_ERR_FILT_MISSING_QUOTE, 7);
	refused("(u8 == 1", -2, PE_ERR_FILT_TOO_MANY_OPEN, 0);
	refused("u8 == 1 && (u8 == 2", -2, PE_ERR_FILT_TOO_MANY_OPEN, 11);
	refused("u8 == 1)", -1, PE_ERR_FILT_TOO_MANY_CLOSE, 7);
	refused("u8 == 1 &&", -EINVAL, PE_ERR_FILT_INVALID_FILTER, 10);
	refused("u8 == 1 u8 == 2", -1, PE_ERR_FILT_TOO_MANY_PREDS, 8);
	refused("u8 == 1 & u8 == 2", -1, PE_ERR_FILT_TOO_MANY_PREDS, 8);
	refused("&& u8 == 1", -1, PE_ERR_NONE, 0);
	refused("cpu < CPUS{1-2}", -EINVAL, PE_ERR_FILT_ILLEGAL_OP, 7);
	refused("cpu == CPUS1", -EINVAL, PE_ERR_FILT_NO_BRACE_OPEN, 13);
	refused("cpu == CPUS{1", -EINVAL, PE_ERR_FILT_NO_BRACE_CLOSE, 14);
	refused("cpu == CPUS{}", -EINVAL, PE_ERR_FILT_INVALID_CPULIST, 13);
	refused("cpu == CPUS{70}", -EINVAL, PE_ERR_FILT_INVALID_CPULIST, 15);
	refused("str == CPUS{1}", -EINVAL, PE_ERR_FILT_ILLEGAL_OP, 8);
	refused("__probe_ip.function == none", -EINVAL, PE_ERR_FILT_NO_FUNCTION, 28);
	refused("__probe_ip.function < mod_fn", -EINVAL, PE_ERR_FILT_INVALID_OP, 23);
	refused("u8.function == mod_fn", -EINVAL, PE_ERR_FILT_ILLEGAL_OP, 16);
}

static void test_globs(void)
{
	static const struct {
		const char *pattern, *text;
		bool match;
	} t[] = {
		{ "a*b", "ab", true }, { "a*b", "axxb", true }, { "a*b", "axxc", false },
		{ "*a*b*", "xxaybz", true }, { "*aab", "aaaaab", true },
		{ "a?c", "abc", true }, { "a?c", "ac", false }, { "?", "", false },
		{ "[abc]", "b", true }, { "[!abc]", "b", false }, { "[!abc]", "d", true },
		{ "[a-c]x", "bx", true }, { "[]a]", "]", true }, { "[!]a]", "]", false },
		{ "[a-]", "-", true }, { "[abc", "[abc", true }, { "[abc", "a", false },
		{ "a\\*", "a*", true }, { "a\\*", "ab", false }, { "a\\", "a", true },
		{ "", "", true }, { "", "a", false }, { "***", "", true },
		{ "[!", "[!", true }, { "[a-", "[a-", true }, { "*[0-9]", "a1b2", true },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++)
		if (pe_glob_match(t[i].pattern, t[i].text, strlen(t[i].text)) != t[i].match) {
			printf("%s against %s\n", t[i].pattern, t[i].text);
			pe_test_failures++;
		}
}

/* A random expression and its value, evaluated while it is made. */
static u64 seed;
static char expr[4000];
static size_t expr_len;

static void put(const char *s)
{
	expr_len += scnprintf(expr + expr_len, sizeof(expr) - expr_len, "%s", s);
}

static bool random_or(unsigned int depth);

static bool random_term(unsigned int depth)
{
	bool val, invert = pe_test_random(&seed) >> 33 & 1;

	if (invert)
		put("!");
	if (depth && pe_test_random(&seed) >> 40 & 1) {
		put("(");
		val = random_or(depth - 1);
		put(")");
	} else {
		val = pe_test_random(&seed) >> 50 & 1;
		put(val ? "u8 == 200" : "str == 'no'");
	}
	return val != invert;
}

static bool random_and(unsigned int depth)
{
	bool val = random_term(depth);

	while (pe_test_random(&seed) >> 20 & 1) {
		put(" && ");
		val &= random_term(depth);
	}
	return val;
}

static bool random_or(unsigned int depth)
{
	bool val = random_and(depth);

	while (pe_test_random(&seed) >> 20 & 1) {
		put("||");
		val |= random_and(depth);
	}
	return val;
}

static void test_random_logic(void)
{
	unsigned int i;
	bool val;

	set_up();
	seed = pe_test_seed();
	for (i = 0; i < 20000; i++) {
		expr_len = 0;
		expr[0] = 0;
		val = random_or(5);
		if (expr_len >= sizeof(expr) - 1)
			continue;
		if (passes(expr, 0) == val)
			continue;
		printf("%s: expected %d\n", expr, val);
		pe_test_failures++;
		return;
	}
}

/* As long and as deep as possible. */
static void test_limits(void)
{
	static char text[PE_FILTER_MAX_TEXT + 1];
	unsigned int i;

	set_up();
	memset(text, 0, sizeof(text));
	for (i = 0; i < 2000; i++) {
		text[i] = '(';
		text[2000 + 7 + i] = ')';
	}
	memcpy(text + 2000, "u8==200", 7);
	PASS(text);
	for (i = 0; i + 7 < sizeof(text); i += 7)
		memcpy(text + i, "u8==1||", 7);
	text[i - 2] = 0;
	STOP(text);
	memcpy(text + i - 7, "u8>9", 5);
	PASS(text);
}

static const struct pe_test tests[] = {
	{ "numbers", test_numbers },
	{ "strings", test_strings },
	{ "sets of CPUs", test_cpus },
	{ "functions", test_functions },
	{ "marker", test_marker },
	{ "logic", test_logic },
	{ "errors", test_errors },
	{ "globs", test_globs },
	{ "random logic", test_random_logic },
	{ "limits", test_limits },
};

int main(void)
{
	return PE_RUN(tests);
}
