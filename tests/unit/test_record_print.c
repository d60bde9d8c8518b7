// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* record_print.c: lines of the trace file, as a 6.12 kernel prints them. */
#include <linux/seq_file.h>
#include "fakes.h"
#include "harness.h"
#include "kernel/trace/hit/record.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/limits.h"
#include "kernel/trace/print/print.h"

static struct pe_arg args[8];
static struct pe_layout event;
static u8 rec[512];
static unsigned int used;
static char text[4096];

static void begin(bool is_return)
{
	u64 ip = PE_FAKE_TEXT + 4;

	memset(&event, 0, sizeof(event));
	memset(rec, 0, sizeof(rec));
	event.name = "ev";
	event.args = args;
	event.is_return = is_return;
	memcpy(rec + 8, &ip, 8);
	used = is_return ? 24 : PE_RECORD_ARGS;
}

/* An argument with its bytes in the fixed part. */
static void add(const char *name, const char *type, unsigned int count, const void *value)
{
	struct pe_arg *arg = &args[event.nargs++];

	memset(arg, 0, sizeof(*arg));
	strscpy(arg->name, name, sizeof(arg->name));
	arg->type = pe_type_find(type, strlen(type));
	if (!arg->type)
		abort();
	arg->count = count;
	arg->size = arg->type->size * (count ? count : 1);
	arg->offset = used;
	memmove(rec + used, value, arg->size);
	used += arg->size;
}

/* Prints from an exact copy, so that ASan sees a read after the end. */
static const char *print(unsigned int len)
{
	struct seq_file m = { .buf = text, .size = sizeof(text) };
	u8 *copy = malloc(len ? len : 1);

	memcpy(copy, rec, len);
	memset(text, 0, sizeof(text));
	pe_record_print(&m, &event, copy, len);
	free(copy);
	return text;
}

static const char *print_stack(unsigned int len)
{
	struct seq_file m = { .buf = text, .size = sizeof(text) };
	u8 *copy = malloc(len ? len : 1);

	memcpy(copy, rec, len);
	memset(text, 0, sizeof(text));
	pe_record_print_stack(&m, copy, len);
	free(copy);
	return text;
}

/* Only the callers within the record are printed, whatever its size field says. */
static void test_stack(void)
{
	u64 callers[] = { PE_FAKE_TEXT + 4, PE_FAKE_MOD + 8, 5 };
	s32 size = 1000;

	begin(false);
	memcpy(rec + 8, &size, sizeof(size));
	memcpy(rec + 16, callers, sizeof(callers));
	EXPECT_STR(print_stack(40), "<stack trace>\n => text_start\n => mod_fn\n => 0x5\n");
	EXPECT_STR(print_stack(39), "<stack trace>\n => text_start\n => mod_fn\n");
	EXPECT_STR(print_stack(16), "<stack trace>\n");
	EXPECT_STR(print_stack(3), "<stack trace>\n");
}

static void test_numbers(void)
{
	s64 neg = -2;
	u64 pos = 1ULL << 63;

	begin(false);
	EXPECT_STR(print(used), "ev: (text_start+0x4/0x100)\n");
	add("a", "u8", 0, &neg);
	add("b", "s8", 0, &neg);
	add("c", "u32", 0, &neg);
	add("d", "s32", 0, &neg);
	add("e", "u64", 0, &pos);
	add("f", "s64", 0, &pos);
	add("g", "x16", 0, &neg);
	add("h", "x64", 0, &neg);
	EXPECT_STR(print(used), "ev: (text_start+0x4/0x100) a=254 b=-2 c=4294967294 d=-2"
		   " e=9223372036854775808 f=-9223372036854775808 g=0xfffe"
		   " h=0xfffffffffffffffe\n");
}

static void test_chars_and_symbols(void)
{
	u64 sym = PE_FAKE_MOD + 8, none = 5;

	begin(false);
	add("a", "char", 0, "x");
	add("b", "char", 3, "a B");
	add("c", "symbol", 0, &sym);
	add("d", "symbol", 0, &none);
	EXPECT_STR(print(used), "ev: (text_start+0x4/0x100) a='x' b={'a',' ','B'}"
		   " c=mod_fn+0x8/0x40 [mod] d=0x5\n");
}

static void test_arrays(void)
{
	s32 words[3] = { 305419896, -2147483647 - 1, -1 };

	begin(false);
	add("a", "s32", 3, words);
	add("b", "x32", 1, words);
	EXPECT_STR(print(used), "ev: (text_start+0x4/0x100) a={305419896,-2147483648,-1}"
		   " b={0x12345678}\n");
}

static u32 put_string(const char *s, unsigned int len)
{
	u32 loc = len << 16 | used;

	memcpy(rec + used, s, len);
	used += len;
	return loc;
}

static void test_strings(void)
{
	u32 loc[3];

	begin(false);
	used = 200;
	loc[0] = put_string("first", 6);
	loc[1] = put_string("", 1);
	loc[2] = 300;
	used = PE_RECORD_ARGS;
	add("a", "string", 0, &loc[0]);
	add("b", "ustring", 3, loc);
	add("c", "symstr", 0, &loc[2]);
	EXPECT_STR(print(207), "ev: (text_start+0x4/0x100) a=\"first\""
		   " b={\"first\",\"\",(fault)} c=(fault)\n");
}

/* A task's name may have any byte, and is no text in quotes. */
static void test_tasks(void)
{
	u32 loc[3];

	begin(false);
	used = 100;
	loc[0] = put_string("rsync-4211", 11);
	loc[1] = put_string("a\nb\033 c-1", 9);
	loc[2] = put_string("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 40);
	used = PE_RECORD_ARGS;
	add("a", "task", 0, &loc[0]);
	add("b", "task", 0, &loc[1]);
	add("c", "task", 0, &loc[2]);
	EXPECT_STR(print(161), "ev: (text_start+0x4/0x100) a=rsync-4211 b=a\\x0ab\\x1b c-1"
		   " c=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n");
	EXPECT_STR(print(101), "ev: (text_start+0x4/0x100) a=(fault) b=(fault) c=(fault)\n");
}

/* A string without its NUL ends with its length. */
static void test_unterminated(void)
{
	u32 loc;

	begin(false);
	used = 100;
	loc = put_string("first", 5);
	used = PE_RECORD_ARGS;
	add("a", "string", 0, &loc);
	EXPECT_STR(print(105), "ev: (text_start+0x4/0x100) a=\"first\"\n");
	EXPECT_STR(print(104), "ev: (text_start+0x4/0x100) a=(fault)\n");
}

static void test_place(void)
{
	u64 ip = 0, func = PE_FAKE_MOD;

	begin(false);
	memcpy(rec + 8, &ip, 8);
	EXPECT_STR(print(used), "ev: (0)\n");

	begin(true);
	memcpy(rec + 8, &func, 8);
	ip = PE_FAKE_TEXT + 0x20;
	memcpy(rec + 16, &ip, 8);
	add("ret", "x64", 0, &ip);
	EXPECT_STR(print(used), "ev: (text_start+0x20/0x100 <- mod_fn)"
		   " ret=0xffffffff81000020\n");
}

/* Any bytes, any length: nothing is read after the end. */
static void test_garbage(void)
{
	u64 state = pe_test_seed();
	unsigned int i, n, len;

	begin(false);
	add("a", "string", 0, rec);
	add("b", "u64", 4, rec);
	add("c", "string", 8, rec);
	add("d", "symbol", 2, rec);
	add("e", "s16", 0, rec);
	for (n = 0; n < 20000; n++) {
		for (i = 0; i < sizeof(rec); i++)
			rec[i] = pe_test_random(&state);
		/* Mostly small numbers, which make likely offsets and lengths. */
		for (i = 0; i < sizeof(rec); i += 2)
			if (n & 1)
				rec[i + 1] = 0;
		len = pe_test_random(&state) % sizeof(rec);
		event.is_return = n & 2;
		print(len);
		EXPECT(strlen(text) > 0);
	}
}

static const char *head(u8 flags, u8 preempt, s32 pid, const char *comm, unsigned int cpu,
			u64 ts, bool in_ns)
{
	struct seq_file m = { .buf = text, .size = sizeof(text) };
	struct pe_record_head h = { 1, flags, preempt, pid, 0 };
	struct pe_record_origin origin = {
		.comm = comm, .cpu = cpu, .ts = ts, .in_ns = in_ns, .columns = PE_COLUMN_FLAGS,
	};

	memset(text, 0, sizeof(text));
	pe_record_print_head(&m, &h, &origin);
	return text;
}

/* The comment lines, and one line after them. */
static const char *columns(unsigned int columns, s32 tgid)
{
	struct seq_file m = { .buf = text, .size = sizeof(text) };
	struct pe_record_head h = { 1, 0, 0, 168, 0 };
	struct pe_record_origin origin = {
		.comm = "bash", .tgid = tgid, .cpu = 3, .ts = 15738402000ULL, .in_ns = true,
		.columns = columns,
	};

	memset(text, 0, sizeof(text));
	pe_record_print_columns(&m, columns);
	pe_record_print_head(&m, &h, &origin);
	return text;
}

#define FLAGS_LINES(indent)						\
	"#" indent "  _-----=> irqs-off/BH-disabled\n"			\
	"#" indent " / _----=> need-resched\n"				\
	"#" indent "| / _---=> hardirq/softirq\n"			\
	"#" indent "|| / _--=> preempt-depth\n"				\
	"#" indent "||| / _-=> migrate-disable\n"			\
	"#" indent "|||| /     delay\n"

static void test_columns(void)
{
	EXPECT_STR(columns(PE_COLUMN_FLAGS, 167),
		   FLAGS_LINES("                              ")
		   "#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
		   "#              | |         |   |||||     |         |\n"
		   "            bash-168     [003] .....    15.738402: ");
	EXPECT_STR(columns(PE_COLUMN_FLAGS | PE_COLUMN_TGID, 167),
		   FLAGS_LINES("                                        ")
		   "#           TASK-PID       TGID    CPU#  |||||  TIMESTAMP  FUNCTION\n"
		   "#              | |           |       |   |||||     |         |\n"
		   "            bash-168     (    167) [003] .....    15.738402: ");
	EXPECT_STR(columns(0, 167),
		   "#           TASK-PID     CPU#     TIMESTAMP  FUNCTION\n"
		   "#              | |         |         |         |\n"
		   "            bash-168     [003]     15.738402: ");
	EXPECT_STR(columns(PE_COLUMN_TGID, 0),
		   "#           TASK-PID       TGID    CPU#     TIMESTAMP  FUNCTION\n"
		   "#              | |           |       |         |         |\n"
		   "            bash-168     (-------) [003]     15.738402: ");
}

static void test_head(void)
{
	EXPECT_STR(head(0, 0, 168, "<...>", 0, 15738402000ULL, true),
		   "           <...>-168     [000] .....    15.738402: ");
	EXPECT_STR(head(0, 0, 1234567, "fifteen letters", 12, 123456789000001ULL, true),
		   " fifteen letters-1234567 [012] ..... 123456.789000: ");
	EXPECT_STR(head(0, 0, 0, "<idle>", 1, 499, true),
		   "          <idle>-0       [001] .....     0.000000: ");
	EXPECT_STR(head(0, 0, 0, "<idle>", 1, 500, true),
		   "          <idle>-0       [001] .....     0.000001: ");
	EXPECT_STR(head(0, 0, 0, "<idle>", 1, 1999999500ULL, true),
		   "          <idle>-0       [001] .....     2.000000: ");
	EXPECT_STR(head(0, 0, 1, "init", 0, 1234, false),
		   "            init-1       [000] .....         1234: ");
	EXPECT_STR(head(0, 0, 1, "init", 0, 1234567890123456ULL, false),
		   "            init-1       [000] ..... 1234567890123456: ");
}

static void test_flags(void)
{
	static const struct {
		u8 flags;
		u8 preempt;
		const char *want;
	} cases[] = {
		{ 0, 0, "....." },
		{ PE_FLAG_IRQS_OFF, 0, "d...." },
		{ PE_FLAG_BH_OFF, 0, "b...." },
		{ PE_FLAG_IRQS_OFF | PE_FLAG_BH_OFF, 0, "D...." },
		{ PE_FLAG_NEED_RESCHED, 0, ".n..." },
		{ PE_FLAG_PREEMPT_RESCHED, 0, ".p..." },
		{ PE_FLAG_NEED_RESCHED | PE_FLAG_PREEMPT_RESCHED, 0, ".N..." },
		{ PE_FLAG_RESCHED_LAZY, 0, ".l..." },
		{ PE_FLAG_RESCHED_LAZY | PE_FLAG_PREEMPT_RESCHED, 0, ".L..." },
		{ PE_FLAG_RESCHED_LAZY | PE_FLAG_NEED_RESCHED, 0, ".b..." },
		{ PE_FLAG_HARDIRQ, 1, "..h1." },
		{ PE_FLAG_SOFTIRQ, 1, "..s1." },
		{ PE_FLAG_HARDIRQ | PE_FLAG_SOFTIRQ, 0, "..H.." },
		{ PE_FLAG_NMI, 0, "..z.." },
		{ PE_FLAG_NMI | PE_FLAG_SOFTIRQ, 0, "..z.." },
		{ PE_FLAG_NMI | PE_FLAG_HARDIRQ, 0, "..Z.." },
		{ 0, 0x0f, "...f." },
		{ 0, 0x10, "....1" },
		{ 0xff, 0xff, "DBZff" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		head(cases[i].flags, cases[i].preempt, 7, "comm", 0, 0, true);
		text[36] = 0;
		EXPECT_STR(text + 31, cases[i].want);
	}
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "numbers", test_numbers },
		{ "characters and symbols", test_chars_and_symbols },
		{ "arrays", test_arrays },
		{ "strings", test_strings },
		{ "tasks", test_tasks },
		{ "unterminated string", test_unterminated },
		{ "place", test_place },
		{ "garbage", test_garbage },
		{ "stack", test_stack },
		{ "head", test_head },
		{ "columns", test_columns },
		{ "flags", test_flags },
	};

	return PE_RUN(tests);
}
