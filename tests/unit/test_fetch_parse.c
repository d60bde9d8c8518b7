// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* Fetch arguments, and every command of tests/data/good_commands.txt. */
#include <linux/errno.h>
#include <linux/ptrace.h>
#include "harness.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/limits.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/parse/spec.h"
#include "table.h"

static struct pe_spec spec;
static struct pe_placed placed;
static struct pe_parse_err err;
static struct table table;

static int parse(const char *text)
{
	struct pe_parse_env env = {
		.dentry_name_off = 0x28,
		.file_dentry_off = 0x48,
	};
	int ret;

	memset(&err, 0, sizeof(err));
	memset(&spec, 0xa5, sizeof(spec));	/* as memory that was used before */
	ret = pe_cmd_parse(&spec, text, &placed, &err);
	if (ret)
		return ret;
	env.on_entry = !strcmp(spec.place.symbol, "vfs_read") && !spec.place.offset;
	return pe_args_parse(&placed, &env, &err);
}

static size_t show(char *buf, size_t size)
{
	char name[PE_MAX_EVENT_NAME_LEN];
	unsigned int i;
	size_t n;

	pe_placed_default_name(&placed, name);
	n = scnprintf(buf, size, "%c", spec.cmd == PE_CMD_RETURN ? 'r' : 'p');
	if (spec.maxactive)
		n += scnprintf(buf + n, size - n, "%u", spec.maxactive);
	n += scnprintf(buf + n, size - n, ":%s/%s %s",
		       spec.group[0] ? spec.group : PE_DEFAULT_GROUP,
		       spec.event[0] ? spec.event : name, spec.place.symbol);
	if (!spec.place.symbol[0])
		n += scnprintf(buf + n, size - n, "0x%016lx", spec.place.addr);
	else if (spec.place.offset)
		n += scnprintf(buf + n, size - n, "+%lu", spec.place.offset);
	for (i = 0; i < placed.nargs; i++)
		n += scnprintf(buf + n, size - n, " %s=%s", placed.args[i].name,
			       placed.args[i].expr);
	return n;
}

static void show_fields(char *buf, size_t size)
{
	unsigned int i;
	size_t n = 0;

	buf[0] = 0;
	for (i = 0; i < placed.nargs; i++) {
		const struct pe_arg *a = &placed.args[i];
		char array[8] = "";

		if (a->count && pe_type_is_string(a->type))
			scnprintf(array, sizeof(array), "[%u]", a->count);
		else if (a->count)
			scnprintf(array, sizeof(array), "[]");
		n += scnprintf(buf + n, size - n, "%s%s%s %s %u %u %u",
			       i ? "|" : "", a->type->c_name, array, a->name,
			       a->offset, a->size, a->type->is_signed);
	}
}

static void good_commands(void)
{
	static char text[sizeof(table.text)], want[sizeof(table.text)];
	static char buf[sizeof(table.text)];
	unsigned int n = 0;
	int caret, ret;

	if (table_open(&table, "../data/good_commands.txt"))
		return;
	while (table_next(&table)) {
		n++;
		table_decode(table.col[0], text, &caret);
		ret = parse(text);
		if (ret) {
			printf("%s:%u: %s: %d \"%s\" at %u\n", table.path,
			       table.line, text, ret,
			       pe_parse_err_text(err.code), err.pos);
			pe_test_failures++;
			continue;
		}
		table_decode(table.col[1], want, &caret);
		show(buf, sizeof(buf));
		if (strcmp(want, "-"))
			EXPECT_STR(buf, want);
		table_decode(table.col[2], want, &caret);
		show_fields(buf, sizeof(buf));
		EXPECT_STR(buf, want);
	}
	printf("# %u accepted commands\n", n);
	EXPECT(n >= 150);
}

#define REG(r)	.load = PE_LOAD_REG, .reg = offsetof(struct pt_regs, r)

static const struct {
	const char *arg, *str;
	struct pe_fetch fetch;
	u8 count, width, shift;
	const char *type;
	bool on_return;
} programs[] = {
	{ "%di", NULL, { REG(di) }, .type = "x64" },
	{ "%orig_ax", NULL, { REG(orig_ax) }, .type = "x64" },
	{ "$stack", NULL, { .load = PE_LOAD_STACKP }, .type = "x64" },
	{ "$stack7", NULL, { .load = PE_LOAD_STACK, .index = 7 }, .type = "x64" },
	{ "$stack2048", NULL, { .load = PE_LOAD_STACK, .index = 2048 },
	  .type = "x64" },
	{ "$arg1", NULL, { .load = PE_LOAD_ARG, .index = 0 }, .type = "x64" },
	{ "$arg7:s8", NULL, { .load = PE_LOAD_ARG, .index = 6 }, .type = "s8" },
	{ "$arg2", NULL, { .load = PE_LOAD_SAVED, .index = 0 }, .type = "x64",
	  .on_return = true },
	{ "$retval", NULL, { .load = PE_LOAD_RETVAL }, .type = "x64",
	  .on_return = true },
	{ "$elapsed", NULL, { .load = PE_LOAD_SAVED }, .type = "u64",
	  .on_return = true },
	{ "$elapsed:u32", NULL, { .load = PE_LOAD_SAVED }, .type = "u32",
	  .on_return = true },
	{ "$since", NULL, { .load = PE_LOAD_SAVED }, .type = "u64" },
	{ "$since:s32", NULL, { .load = PE_LOAD_SAVED }, .type = "s32" },
	{ "$since", NULL, { .load = PE_LOAD_SAVED }, .type = "u64", .on_return = true },
	{ "$current", NULL, { .load = PE_LOAD_CURRENT }, .type = "x64" },
	{ "+4($current):u8", NULL,
	  { .load = PE_LOAD_CURRENT, .nr_derefs = 1, .deref = { { 4 } } }, .type = "u8" },
	{ "this_cpu_ptr(@sym)", "sym",
	  { .load = PE_LOAD_SYM, .nr_derefs = 1, .deref = { { .cpu = true } } }, .type = "x64" },
	{ "this_cpu_ptr(@0x10)", NULL,
	  { .load = PE_LOAD_IMM, .imm = 16, .nr_derefs = 1, .deref = { { .cpu = true } } },
	  .type = "x64" },
	{ "this_cpu_read(@sym+8):u32", "sym",
	  { .load = PE_LOAD_SYM, .imm = 8, .nr_derefs = 2, .deref = { { .cpu = true } } },
	  .type = "u32" },
	{ "+16(this_cpu_ptr(@sym)):string", "sym",
	  { .load = PE_LOAD_SYM, .nr_derefs = 2, .deref = { { .cpu = true }, { 16 } } },
	  .type = "string" },
	{ "this_cpu_read(+8(%di)):u8[4]", NULL,
	  { REG(di), .nr_derefs = 3, .deref = { { 8 }, { .cpu = true } } },
	  .count = 4, .type = "u8" },
	{ "this_cpu_read(this_cpu_read(@sym))", "sym",
	  { .load = PE_LOAD_SYM, .nr_derefs = 4,
	    .deref = { { .cpu = true }, { 0 }, { .cpu = true } } }, .type = "x64" },
	{ "this_cpu_ptr(%si):b4@8/32", NULL,
	  { REG(si), .nr_derefs = 1, .deref = { { .cpu = true } } },
	  .width = 4, .shift = 8, .type = "u32" },
	{ "$comm", NULL, { .load = PE_LOAD_COMM }, .type = "string" },
	{ "\\\"hi\"", "hi", { .load = PE_LOAD_STR }, .type = "string" },
	{ "\\\"\"", "", { .load = PE_LOAD_STR }, .type = "string" },
	{ "\\-5:s32", NULL, { .load = PE_LOAD_IMM, .imm = -5ULL }, .type = "s32" },
	{ "\\0x10", NULL, { .load = PE_LOAD_IMM, .imm = 16 }, .type = "x64" },
	{ "\\4096:string", NULL, { .load = PE_LOAD_IMM, .imm = 4096 },
	  .type = "string" },
	{ "@0x1000", NULL, { .load = PE_LOAD_IMM, .imm = 0x1000, .nr_derefs = 1 },
	  .type = "x64" },
	{ "@jiffies", "jiffies", { .load = PE_LOAD_SYM, .nr_derefs = 1 },
	  .type = "x64" },
	{ "@sym-8:u8", "sym", { .load = PE_LOAD_SYM, .nr_derefs = 1, .imm = -8ULL },
	  .type = "u8" },
	{ "+8(%di)", NULL, { REG(di), .nr_derefs = 1, .deref = { { 8 } } },
	  .type = "x64" },
	{ "-8(%di):char", NULL, { REG(di), .nr_derefs = 1, .deref = { { -8 } } },
	  .type = "char" },
	{ "+-8(%di)", NULL, { REG(di), .nr_derefs = 1, .deref = { { -8 } } },
	  .type = "x64" },
	{ "+u16(%di):ustring", NULL,
	  { REG(di), .nr_derefs = 1, .deref = { { 16, true } } },
	  .type = "ustring" },
	{ "-u16(+4(+u-2($stack3))):string", NULL,
	  { .load = PE_LOAD_STACK, .index = 3, .nr_derefs = 3,
	    .deref = { { -2, true }, { 4 }, { -16, true } } },
	  .type = "string" },
	{ "+2147483647(-2147483648(@5))", NULL,
	  { .load = PE_LOAD_IMM, .imm = 5, .nr_derefs = 3,
	    .deref = { { 0 }, { -2147483647 - 1 }, { 2147483647 } } },
	  .type = "x64" },
	{ "+0(%di):u16[5]", NULL, { REG(di), .nr_derefs = 1 }, .count = 5,
	  .type = "u16" },
	{ "+0(%di):string[64]", NULL, { REG(di), .nr_derefs = 1 }, .count = 64,
	  .type = "string" },
	{ "%si:b4@2/8", NULL, { REG(si) }, .width = 4, .shift = 2, .type = "u8" },
	{ "+0(%di):b0x21@3/64[2]", NULL, { REG(di), .nr_derefs = 1 }, .count = 2,
	  .width = 33, .shift = 3, .type = "u64" },
	{ "%di:symstr", NULL, { REG(di) }, .type = "symstr" },
	{ "%di:task", NULL, { REG(di) }, .type = "task" },
	{ "$current:task", NULL, { .load = PE_LOAD_CURRENT }, .type = "task" },
	{ "+8(%di):task", NULL, { REG(di), .nr_derefs = 1, .deref = { { 8 } } }, .type = "task" },
	{ "+0(%di):symstr", NULL, { REG(di), .nr_derefs = 1 }, .type = "symstr" },
};

static void fetch_programs(void)
{
	char text[128];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(programs); i++) {
		struct pe_fetch f;
		const char *str;

		scnprintf(text, sizeof(text), "%s vfs_read x=%s",
			  programs[i].on_return ? "r" : "p", programs[i].arg);
		EXPECT_EQ(parse(text), 0);
		EXPECT_EQ(placed.nargs, 1);
		f = placed.args[0].fetch;
		str = placed.pool + f.str;
		f.str = 0;
		if (memcmp(&f, &programs[i].fetch, sizeof(f))) {
			printf("%s: not the program expected\n", text);
			pe_test_failures++;
		}
		if (programs[i].str)
			EXPECT_STR(str, programs[i].str);
		EXPECT_STR(placed.args[0].expr, programs[i].arg);
		EXPECT_STR(placed.args[0].type->name, programs[i].type);
		EXPECT_EQ(placed.args[0].count, programs[i].count);
		EXPECT_EQ(placed.args[0].bf_width, programs[i].width);
		EXPECT_EQ(placed.args[0].bf_shift, programs[i].shift);
	}
}

static void registers(void)
{
	static const char *const names[] = {
		"r15", "r14", "r13", "r12", "bp", "bx", "r11", "r10", "r9", "r8",
		"ax", "cx", "dx", "si", "di", "orig_ax", "ip", "cs", "flags",
		"sp", "ss",
	};
	char text[32];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		scnprintf(text, sizeof(text), "p f %%%s", names[i]);
		EXPECT_EQ(parse(text), 0);
		EXPECT_EQ(placed.args[0].fetch.reg, i * sizeof(long));
	}
}

static void type_table(void)
{
	EXPECT(pe_type_find("b3@0/16", 7) == pe_type_find("u16", 3));
	EXPECT(pe_type_find("u16", 3) != pe_type_find("x16", 3));
	EXPECT(pe_type_find("u16x", 3) == pe_type_find("u16", 3));
	EXPECT(!pe_type_find("u1", 2));
	EXPECT(!pe_type_find("", 0));
	EXPECT(!pe_type_find("b", 1));
	EXPECT(!pe_type_find("b1@0/", 5));
	EXPECT(!pe_type_find("b1@0/24", 7));
}

/*
 * The kernel has parameters and return values only if a symbol was given; but a symbol
 * that is not unique leaves only the address.
 */
static void by_address(void)
{
	struct pe_parse_env env = { .on_entry = true };

	EXPECT_EQ(parse("p 0x1000 a=$arg1"), -EINVAL);
	EXPECT_EQ(err.code, PE_ERR_NOFENTRY_ARGS);
	memset(&err, 0, sizeof(err));
	EXPECT_EQ(pe_cmd_parse(&spec, "p 0x1000 a=$arg1 $arg2", &placed, &err), 0);
	EXPECT_EQ(pe_args_parse(&placed, &env, &err), 0);
	EXPECT_EQ(parse("r 0x1000 a=$arg1 $arg2 $retval $elapsed"), 0);
	EXPECT_EQ(placed.nargs, 4);
}

/* A return probe saves each word at the entry once. */
static void saved_at_entry(void)
{
	char text[PE_MAX_COMMAND_LEN];
	unsigned int i;
	size_t n;

	EXPECT_EQ(parse("r f a=$arg3 $retval b=$arg1 $elapsed c=+8($arg3):string "
			"d=$arg3:u8 e=$elapsed:u16 f=$arg2048 g=%di"), 0);
	EXPECT_EQ(placed.nr_saved, 4);
	EXPECT_EQ(placed.saved[0], 2);
	EXPECT_EQ(placed.saved[1], 0);
	EXPECT_EQ(placed.saved[2], PE_SAVE_TIME);
	EXPECT_EQ(placed.saved[3], 2047);
	EXPECT_EQ(placed.args[4].fetch.index, 0);
	EXPECT_EQ(placed.args[5].fetch.index, 0);
	EXPECT_EQ(placed.args[6].fetch.index, 2);
	EXPECT_EQ(placed.args[7].fetch.index, 3);
	EXPECT_EQ(parse("p vfs_read a=$arg3 b=$arg1"), 0);
	EXPECT_EQ(placed.nr_saved, 0);
	EXPECT_EQ(placed.args[1].fetch.load, PE_LOAD_ARG);

	/* So does any probe the time since the last hit. */
	EXPECT_EQ(parse("p vfs_read+5 $since a=%di b=$since:u32"), 0);
	EXPECT_EQ(placed.nr_saved, 1);
	EXPECT_EQ(placed.saved[0], PE_SAVE_SINCE);
	EXPECT_EQ(placed.args[2].fetch.load, PE_LOAD_SAVED);
	EXPECT_EQ(placed.args[2].fetch.index, 0);
	EXPECT_STR(placed.args[0].name, "arg1");
	EXPECT_EQ(parse("t kfree s=$since"), 0);
	EXPECT_EQ(placed.nr_saved, 1);
	EXPECT_EQ(parse("f vfs_* s=$since"), 0);
	EXPECT_EQ(parse("r f $arg2 $elapsed $since"), 0);
	EXPECT_EQ(placed.nr_saved, 3);

	/* There is room for this many, twice each, and not for one more. */
	n = scnprintf(text, sizeof(text), "r f");
	for (i = 0; i < 2 * PE_MAX_SAVED; i++)
		n += scnprintf(text + n, sizeof(text) - n, " $arg%u", i % PE_MAX_SAVED + 1);
	EXPECT_EQ(parse(text), 0);
	EXPECT_EQ(placed.nr_saved, PE_MAX_SAVED);
	scnprintf(text + n, sizeof(text) - n, " x=$elapsed");
	EXPECT_EQ(parse(text), -E2BIG);
	EXPECT_EQ(err.code, PE_ERR_EVENT_TOO_BIG);
	EXPECT_EQ(err.pos, n + 3);
}

/* only the arguments decide their layout */
static void layout(void)
{
	EXPECT_EQ(parse("p f"), 0);
	EXPECT_EQ(placed.record_fixed, PE_RECORD_ARGS);
	EXPECT_EQ(parse("r f"), 0);
	EXPECT_EQ(placed.record_fixed, PE_RECORD_ARGS_RETURN);
	EXPECT_EQ(parse("r f %di:u8 %si:u64 $comm +0(%di):u16[3]"), 0);
	EXPECT_EQ(placed.args[0].offset, 24);
	EXPECT_EQ(placed.args[1].offset, 25);
	EXPECT_EQ(placed.args[2].offset, 33);
	EXPECT_EQ(placed.args[3].offset, 37);
	EXPECT_EQ(placed.args[3].size, 6);
	EXPECT_EQ(placed.record_fixed, 43);
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "good commands", good_commands },
		{ "fetch programs", fetch_programs },
		{ "registers", registers },
		{ "type table", type_table },
		{ "by address", by_address },
		{ "saved at entry", saved_at_entry },
		{ "layout", layout },
	};

	return PE_RUN(tests);
}
