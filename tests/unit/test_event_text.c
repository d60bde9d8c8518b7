// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* event_text.c, text_print.c: the texts of static events, checked, and as records and formats. */
#include <linux/errno.h>
#include <linux/seq_file.h>
#include "fakes.h"
#include "harness.h"
#include "kernel/trace/hit/record.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/event_text.h"
#include "kernel/trace/parse/limits.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/print/print.h"

static char out[4096];
static struct pe_arg args[8];
static struct pe_layout event;

static void add(const char *name, const char *type, unsigned int count)
{
	struct pe_arg *arg = &args[event.nargs], *before = arg - 1;

	memset(arg, 0, sizeof(*arg));
	strscpy(arg->name, name, sizeof(arg->name));
	arg->type = pe_type_find(type, strlen(type));
	if (!arg->type)
		abort();
	arg->count = count;
	arg->size = arg->type->size * (count ? count : 1);
	arg->offset = event.nargs ? before->offset + before->size : PE_RECORD_ARGS;
	event.nargs++;
}

/* "comm", "pid", "state", "cpu", "place", "list", "big" */
static void begin(void)
{
	memset(&event, 0, sizeof(event));
	event.name = "switch";
	event.args = args;
	add("comm", "string", 0);
	add("pid", "s32", 0);
	add("state", "u8", 0);
	add("cpu", "s16", 0);
	add("place", "symbol", 0);
	add("list", "u8", 2);
	add("big", "x64", 0);
}

static const char *cut(const char *line)
{
	struct pe_event_text text;
	static char copy[256];

	strscpy(copy, line, sizeof(copy));
	pe_event_text_cut(copy, &text);
	if (text.text)
		snprintf(out, sizeof(out), "%s|%s|%d", copy, text.text, text.is_line);
	else
		snprintf(out, sizeof(out), "%s", copy);
	return out;
}

static void test_cut(void)
{
	EXPECT_STR(cut("t:a/b c d=e print \"x {d}\""), "t:a/b c d=e |x {d}|0");
	EXPECT_STR(cut("t:a/b c line \"y\" \t"), "t:a/b c |y|1");
	EXPECT_STR(cut("t:a/b c line \"a print \"\""), "t:a/b c |a print \"|1");
	EXPECT_STR(cut("t:a/b c print \"a line \"x\""), "t:a/b c |a line \"x|0");
	EXPECT_STR(cut("t:a/b c print \"\""), "t:a/b c ||0");
	EXPECT_STR(cut("t:a/b c print"), "t:a/b c print");
	EXPECT_STR(cut("t:a/b c print \""), "t:a/b c print \"");
	EXPECT_STR(cut("t:a/b c print \"x"), "t:a/b c print \"x");
	EXPECT_STR(cut("t:a/b c reprint \"x\""), "t:a/b c reprint \"x\"");
	EXPECT_STR(cut("print \"x\""), "print \"x\"");
	EXPECT_STR(cut("p c print=\\\"x\""), "p c print=\\\"x\"");
	EXPECT_STR(cut(""), "");
}

/* "OK", or "COLUMN why" of a text at column 10 */
static const char *check(const char *text)
{
	struct pe_parse_err err = {};
	int ret = pe_event_text_check(text, event.nargs, args, 10, &err);

	if (!ret && err.code == PE_ERR_NONE)
		return "OK";
	EXPECT_EQ(ret, -EINVAL);
	EXPECT_EQ(err.code, PE_ERR_BAD_TEXT);
	snprintf(out, sizeof(out), "%u %s", err.pos, err.detail);
	return out;
}

static void test_check(void)
{
	begin();
	EXPECT_STR(check(""), "OK");
	EXPECT_STR(check("words } and ==> (more), $x"), "OK");
	EXPECT_STR(check("{comm}{pid}{state}{cpu}{place}{list}{big}"), "OK");
	EXPECT_STR(check("{pid:d} {pid:03d} {pid:20u} {big:016x} {state:0d}"), "OK");
	EXPECT_STR(check("{state:0=R,1=S,0x40=P}"), "OK");
	EXPECT_STR(check("a {nope} b"), "13 no such argument");
	EXPECT_STR(check("{}"), "11 no such argument");
	EXPECT_STR(check("{"), "11 no such argument");
	EXPECT_STR(check("x{pid"), "12 its brace is not closed");
	EXPECT_STR(check("x{pid:d"), "12 its brace is not closed");
	EXPECT_STR(check("{pid:21d}"), "15 its value cannot be shown so");
	EXPECT_STR(check("{pid:99999999999999999999d}"), "15 its value cannot be shown so");
	EXPECT_STR(check("{pid:s}"), "15 its value cannot be shown so");
	EXPECT_STR(check("{pid:dd}"), "15 its value cannot be shown so");
	EXPECT_STR(check("{pid:3}"), "15 its value cannot be shown so");
	EXPECT_STR(check("{pid:-3d}"), "15 its value cannot be shown so");
	EXPECT_STR(check("{pid:1}"), "15 its value cannot be shown so");
	EXPECT_STR(check("{pid:0=,1=+}"), "OK");
	EXPECT_STR(check("{pid:1=a,}"), "OK");
	EXPECT_STR(check("{pid:1=a,b}"), "15 its value cannot be shown so");
	EXPECT_STR(check("{pid:x=a}"), "15 its value cannot be shown so");
	EXPECT_STR(check("{comm:d}"), "16 its value cannot be shown so");
	EXPECT_STR(check("{list:d}"), "16 its value cannot be shown so");
	EXPECT_STR(check("{place:x}"), "17 its value cannot be shown so");
	EXPECT_STR(check("50%"), "12 not a character for a text");
	EXPECT_STR(check("a\\n"), "11 not a character for a text");
	EXPECT_STR(check("a\"b"), "11 not a character for a text");
	EXPECT_STR(check("a\tb"), "11 not a character for a text");
	EXPECT_STR(check("\xc3\xa4"), "10 not a character for a text");
}

struct fake_record {
	struct pe_record_head head;
	u32 comm;
	s32 pid;
	u8 state;
	s16 cpu;
	u64 place;
	u8 list[2];
	u64 big;
	char text[6];
} __packed;

static const struct fake_record record = {
	.comm = 6 << 16 | offsetof(struct fake_record, text),
	.pid = -7,
	.state = 64,
	.cpu = 3,
	.place = PE_FAKE_TEXT + 4,
	.list = { 1, 2 },
	.big = 0xffffffffffffff9cULL,
	.text = "a b c",
};

/* From an exact copy, so that ASan sees a read after the end. */
static const char *print(const char *text, bool is_line, unsigned int len)
{
	struct seq_file m = { .buf = out, .size = sizeof(out) };
	u8 *copy = malloc(len ? len : 1);

	EXPECT_STR(check(text), "OK");
	memcpy(copy, &record, len);
	memset(out, 0, sizeof(out));
	event.text = text;
	event.text_is_line = is_line;
	pe_record_print(&m, &event, copy, len);
	free(copy);
	return out;
}

static void test_print(void)
{
	static const char all[] = "{comm} {pid} {state} {cpu} {list} {big:x}";
	unsigned int len = sizeof(record);

	begin();
	EXPECT_STR(print("comm={comm} pid={pid}", false, len), "switch: comm=a b c pid=-7\n");
	EXPECT_STR(print("comm={comm} pid={pid}", true, len), "comm=a b c pid=-7\n");
	EXPECT_STR(print("", false, len), "switch:\x20\n");
	EXPECT_STR(print(all, true, len), "a b c -7 64 3 {1,2} ffffffffffffff9c\n");
	EXPECT_STR(print("{pid:d} {pid:u} {pid:x} {cpu:03d} {cpu:3d}|", true, len),
		   "-7 4294967289 fffffff9 003   3|\n");
	EXPECT_STR(print("{big:d} {big:20x} {big}", true, len),
		   "-100     ffffffffffffff9c 0xffffffffffffff9c\n");
	EXPECT_STR(print("{state:0=R,64=P} {state:0x40=Q} {state:0=R}{state:64=,1=+}", true, len), "P Q 0x40\n");
	EXPECT_STR(print("{place}", true, len), "text_start+0x4/0x100\n");
	/* The fields are inside, the string is not. */
	len = offsetof(struct fake_record, text) + 5;
	EXPECT_STR(print(all, true, len), "(fault) -7 64 3 {1,2} ffffffffffffff9c\n");
	EXPECT_STR(print(all, true, 0), "(fault) (fault) (fault) (fault) {(fault),(fault)} (fault)\n");
	while (len--)
		print(all, true, len);
}

static const char *format(const char *text)
{
	struct seq_file m = { .buf = out, .size = sizeof(out) };

	EXPECT_STR(check(text), "OK");
	out[0] = 0;
	event.text = text;
	pe_format_print_fmt(&m, &event);
	return out;
}

static void test_format(void)
{
	begin();
	EXPECT_STR(format("comm={comm} pid={pid} {big}"),
		   "\"comm=%s pid=%d 0x%Lx\", __get_str(comm), REC->pid, REC->big");
	EXPECT_STR(format("{cpu:03d} {big:x} {pid:5u}"),
		   "\"%03d %lx %5u\", REC->cpu, REC->big, REC->pid");
	EXPECT_STR(format("{state:0=R,0x40=P}."),
		   "\"%s.\", __print_symbolic(REC->state, { 0, \"R\" }, { 64, \"P\" })");
	EXPECT_STR(format("no fields"), "\"no fields\"");
	EXPECT_STR(format("{pid} l={list}"),
		   "\"%d l={%u,%u}\", REC->pid, REC->list[0], REC->list[1]");
	add("words", "string", 2);
	EXPECT_STR(format("{words};{comm}"),
		   "\"{\\\"%s\\\",\\\"%s\\\"};%s\", __get_str(words[0]), __get_str(words[1])"
		   ", __get_str(comm)");
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "cut", test_cut },
		{ "check", test_check },
		{ "print", test_print },
		{ "format", test_format },
	};

	return PE_RUN(tests);
}
