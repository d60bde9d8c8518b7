// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* format_print.c: format files, as a 6.12 kernel prints them for the same probes. */
#include <linux/seq_file.h>
#include "harness.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/limits.h"
#include "kernel/trace/print/print.h"

#define COMMON								\
	"format:\n"							\
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"	\
	"\n"
#define PROBE_IP							\
	"\tfield:unsigned long __probe_ip;\toffset:8;\tsize:8;\tsigned:0;\n"

static struct pe_arg args[8];
static struct pe_layout event;

static void begin(const char *name, u16 id, bool is_return)
{
	memset(&event, 0, sizeof(event));
	event.name = name;
	event.id = id;
	event.is_return = is_return;
	event.args = args;
}

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
	if (event.nargs)
		arg->offset = before->offset + before->size;
	else
		arg->offset = event.is_return ? 24 : PE_RECORD_ARGS;
	event.nargs++;
}

static const char *format(void)
{
	static char text[8192];
	struct seq_file m = { .buf = text, .size = sizeof(text) };

	text[0] = 0;
	pe_format_print(&m, &event);
	return text;
}

static void test_no_args(void)
{
	begin("noargs", 1634, false);
	EXPECT_STR(format(), "name: noargs\nID: 1634\n" COMMON PROBE_IP
		   "\nprint fmt: \"(%lx)\", REC->__probe_ip\n");
}

static void test_numbers(void)
{
	begin("n", 60000, false);
	add("a", "u8", 0);
	add("b", "s16", 0);
	add("c", "x32", 0);
	add("d", "x64", 0);
	add("e", "s64", 0);
	add("f", "u64", 0);
	add("g", "char", 0);
	add("h", "symbol", 0);
	EXPECT_STR(format(), "name: n\nID: 60000\n" COMMON PROBE_IP
		   "\tfield:u8 a;\toffset:16;\tsize:1;\tsigned:0;\n"
		   "\tfield:s16 b;\toffset:17;\tsize:2;\tsigned:1;\n"
		   "\tfield:u32 c;\toffset:19;\tsize:4;\tsigned:0;\n"
		   "\tfield:u64 d;\toffset:23;\tsize:8;\tsigned:0;\n"
		   "\tfield:s64 e;\toffset:31;\tsize:8;\tsigned:1;\n"
		   "\tfield:u64 f;\toffset:39;\tsize:8;\tsigned:0;\n"
		   "\tfield:u8 g;\toffset:47;\tsize:1;\tsigned:0;\n"
		   "\tfield:u64 h;\toffset:48;\tsize:8;\tsigned:0;\n"
		   "\nprint fmt: \"(%lx) a=%u b=%d c=0x%x d=0x%Lx e=%Ld f=%Lu g='%c' h=%pS\""
		   ", REC->__probe_ip, REC->a, REC->b, REC->c, REC->d, REC->e, REC->f"
		   ", REC->g, REC->h\n");
}

/* A bitfield's line is its container's. */
static void test_bitfields(void)
{
	begin("bitarray", 7, false);
	add("a", "b4@4/8", 8);
	add("b", "b3@1/32", 4);
	add("c", "b33@7/64", 0);
	EXPECT_STR(format(), "name: bitarray\nID: 7\n" COMMON PROBE_IP
		   "\tfield:u8 a[];\toffset:16;\tsize:8;\tsigned:0;\n"
		   "\tfield:u32 b[];\toffset:24;\tsize:16;\tsigned:0;\n"
		   "\tfield:u64 c;\toffset:40;\tsize:8;\tsigned:0;\n"
		   "\nprint fmt: \"(%lx) a={%u,%u,%u,%u,%u,%u,%u,%u} b={%u,%u,%u,%u} c=%Lu\""
		   ", REC->__probe_ip, REC->a[0], REC->a[1], REC->a[2], REC->a[3]"
		   ", REC->a[4], REC->a[5], REC->a[6], REC->a[7]"
		   ", REC->b[0], REC->b[1], REC->b[2], REC->b[3], REC->c\n");
}

static void test_strings(void)
{
	begin("strings", 7, false);
	add("a", "string", 0);
	add("n", "s8", 0);
	add("b", "ustring", 0);
	add("c", "symstr", 0);
	add("d", "string", 2);
	add("e", "task", 0);
	EXPECT_STR(format(), "name: strings\nID: 7\n" COMMON PROBE_IP
		   "\tfield:__data_loc char[] a;\toffset:16;\tsize:4;\tsigned:1;\n"
		   "\tfield:s8 n;\toffset:20;\tsize:1;\tsigned:1;\n"
		   "\tfield:__data_loc char[] b;\toffset:21;\tsize:4;\tsigned:1;\n"
		   "\tfield:__data_loc char[] c;\toffset:25;\tsize:4;\tsigned:1;\n"
		   "\tfield:__data_loc char[][2] d;\toffset:29;\tsize:8;\tsigned:1;\n"
		   "\tfield:__data_loc char[] e;\toffset:37;\tsize:4;\tsigned:1;\n"
		   "\nprint fmt: \"(%lx) a=\\\"%s\\\" n=%d b=\\\"%s\\\" c=\\\"%s\\\""
		   " d={\\\"%s\\\",\\\"%s\\\"} e=%s\", REC->__probe_ip, __get_str(a), REC->n"
		   ", __get_str(b), __get_str(c), __get_str(d[0]), __get_str(d[1])"
		   ", __get_str(e)\n");
}

static void test_array_of_one(void)
{
	begin("one", 7, false);
	add("a", "s16", 1);
	EXPECT_STR(format(), "name: one\nID: 7\n" COMMON PROBE_IP
		   "\tfield:s16 a[];\toffset:16;\tsize:2;\tsigned:1;\n"
		   "\nprint fmt: \"(%lx) a={%d}\", REC->__probe_ip, REC->a[0]\n");
}

static void test_return(void)
{
	begin("r", 7, true);
	add("ret", "x64", 0);
	EXPECT_STR(format(), "name: r\nID: 7\n" COMMON
		   "\tfield:unsigned long __probe_func;\toffset:8;\tsize:8;\tsigned:0;\n"
		   "\tfield:unsigned long __probe_ret_ip;\toffset:16;\tsize:8;\tsigned:0;\n"
		   "\tfield:u64 ret;\toffset:24;\tsize:8;\tsigned:0;\n"
		   "\nprint fmt: \"(%lx <- %lx) ret=0x%Lx\""
		   ", REC->__probe_func, REC->__probe_ret_ip, REC->ret\n");
}

static void test_stack(void)
{
	char text[2048] = "";
	struct seq_file m = { .buf = text, .size = sizeof(text) };

	pe_format_print_stack(&m);
	EXPECT_STR(text, "name: kernel_stack\nID: 4\n" COMMON
		   "\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n"
		   "\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n"
		   "\nprint fmt: \"\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n\""
		   " \"\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n\" \"\\t=> %ps\\n\\t=> %ps\\n\""
		   ", (void *)REC->caller[0], (void *)REC->caller[1]"
		   ", (void *)REC->caller[2], (void *)REC->caller[3]"
		   ", (void *)REC->caller[4], (void *)REC->caller[5]"
		   ", (void *)REC->caller[6], (void *)REC->caller[7]\n");
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "no arguments", test_no_args },
		{ "numbers", test_numbers },
		{ "bitfields", test_bitfields },
		{ "strings", test_strings },
		{ "array of one", test_array_of_one },
		{ "return event", test_return },
		{ "stack", test_stack },
	};

	return PE_RUN(tests);
}
