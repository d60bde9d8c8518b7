// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* What is said of refused commands beyond what the kernel says. */
#include <linux/errno.h>
#include "harness.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/parse/spec.h"
#include "kernel/trace/parse/suggest.h"

static struct pe_spec spec;
static struct pe_placed placed;
static struct pe_parse_err err;
static char hint[PE_HINT_LEN];

/* "TEXT@COLUMN (DETAIL)", or "ok" */
static const char *answer(const char *text)
{
	struct pe_parse_env env = { .on_entry = true };
	static char to[1024];
	int ret;

	memset(&err, 0, sizeof(err));
	memset(&spec, 0xa5, sizeof(spec));
	ret = pe_cmd_parse(&spec, text, &placed, &err);
	if (!ret && spec.cmd == PE_CMD_DELETE)
		ret = -ENOENT;
	if (!ret)
		ret = pe_args_parse(&placed, &env, &err);
	if (!ret)
		return "ok";
	pe_cmd_explain(&spec, ret, &err, hint, sizeof(hint));
	scnprintf(to, sizeof(to), err.detail ? "%s@%u (%s)" : "%s@%u", pe_parse_err_text(err.code),
		  err.pos, err.detail);
	return to;
}

static void no_commands(void)
{
	static const char *const t[][2] = {
		{ "vfs_read", "No such command@0 (did you mean p vfs_read?)" },
		{ "vfs_read a=%di", "No such command@0 (did you mean p vfs_read?)" },
		{ "vfs_read:mine", "No such command@0 (did you mean p:mine vfs_read?)" },
		{ "kprobe:vfs_read", "No such command@0 (did you mean p vfs_read?)" },
		{ "kretprobe:vfs_read", "No such command@0 (did you mean r vfs_read?)" },
		{ "+", "No such command@0 (a command begins with p, r, f, t or -:NAME)" },
		{ "\x01p vfs_read", "No such command@0 (a command begins with p, r, f, t or -:NAME)" },
		{ "-", "No such command@0 (-:[GRP/]EVENT removes an event)" },
		{ "-:nothere", "Event is not found@2" },
		{ "!p:nothere", "Event is not found@3" },
		{ "p", "Place is not specified@2 (p[:NAME] PLACE)" },
		{ "p:mine", "Place is not specified@7 (p[:NAME] PLACE)" },
		{ "r10", "Place is not specified@4 (r[:NAME] PLACE)" },
		{ "tcp_v4_connect", "Place is not specified@15 (did you mean p tcp_v4_connect?)" },
		{ "fexit:vfs_read", "Place is not specified@15 (did you mean f vfs_read%return?)" },
		{ "tracepoint:sched:sched_switch",
		  "Place is not specified@30 (did you mean t sched_switch?)" },
		{ "e:m sched/sched_switch", "Cannot be defined here@0 (define probes on events in the kernel's tracefs)" },
		{ "s:m u32 a", "Cannot be defined here@0 (define synthetic events in the kernel's tracefs)" },
		{ "p:m /bin/sh:0x10", "Cannot be defined here@4 (define user-space probes in the kernel's tracefs)" },
		{ "udelay", "No such command@0 (did you mean p udelay?)" },
	};
	static char many[1024] = "p f";
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++)
		EXPECT_STR(answer(t[i][0]), t[i][1]);
	for (i = 0; i < 129; i++)
		memcpy(many + 3 + 4 * i, " %di", 5);
	EXPECT_STR(answer(many), "Too many arguments are specified@516");
}

static void order_of_words(void)
{
	static const char *const t[][2] = {
		{ "p:udp_send_skb si=%si",
		  "Invalid probed address suffix@18 (the place comes before the arguments: did you mean p udp_send_skb?)" },
		{ "p %di", "Invalid probed address suffix@2 (the place comes before the arguments)" },
		{ "read_pages a=%di", "Invalid probed address suffix@13 (did you mean p read_pages?)" },
		{ "p :mine vfs_read x=%nope",
		  "BTF is not available or not supported@8 (did you mean p:mine vfs_read?)" },
		{ "r :mine %di:nope",
		  "Unknown type is specified@12 (the name follows the letter: p:NAME PLACE)" },
		/* The error says it all. */
		{ "p vfs_read%retur", "Invalid probed address suffix@10" },
		{ "p10 vfs_read", "Maxactive is only for function exit@1" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++)
		EXPECT(!strncmp(answer(t[i][0]), t[i][1], strlen(t[i][1])) ||
		       (printf("%s: %s\n", t[i][0], answer(t[i][0])), false));
	EXPECT_STR(answer("p vfs_read a=%di"), "ok");
}

static void arguments(void)
{
	static const char *const t[][2] = {
		{ "%rsi", "did you mean %si?" },
		{ "+0(%eax):u8", "did you mean %ax?" },
		{ "%r9d", "did you mean %r9?" },
		{ "%rflags", "did you mean %flags?" },
		{ "%x1", "here, argument 2 of a function is in %si, or $arg2" },
		{ "%a5", "here, argument 6 of a function is in %r9, or $arg6" },
		{ "%x6", "arguments are in %di, %si, %dx, %cx, %r8 and %r9" },
		{ "%", "arguments are in %di, %si, %dx, %cx, %r8 and %r9" },
		{ "$ret", "did you mean $retval?" },
		{ "$retval", "use r, or PLACE%return, for a return probe" },
		{ "$elapsed", "$elapsed is only available on return probes" },
		{ "$con", "variables: $argN, $stack, $stackN, $retval, $elapsed, $since, $comm, $current" },
		{ "$sinc", "did you mean $since?" },
		{ "$comn", "did you mean $comm?" },
		{ "$rdi", "did you mean %di?" },
		{ "$args", "use $arg1, $arg2, ... or, as a whole word, $arg*" },
		{ "%si:string", "did you mean +0(%si):string?" },
		{ "x=$arg1:ustring", "did you mean +0($arg1):ustring?" },
	};
	char text[80];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		scnprintf(text, sizeof(text), "p f %s", t[i][0]);
		answer(text);
		EXPECT_STR(err.detail ?: "", t[i][1]);
	}
	answer("p f %di:int");
	EXPECT(err.detail && strstr(err.detail, "did you mean s32? types: "));
	answer("p f %di:uint32_t");
	EXPECT(err.detail && strstr(err.detail, "did you mean u32? types: "));
	answer("p f %di:zz");
	EXPECT(err.detail && !strncmp(err.detail, "types: ", 7));
	/* Only the first error counts. */
	EXPECT_STR(answer("p f %di %rsi %rdi:int"), "Invalid register name@8 (did you mean %si?)");
}

static void errnos(void)
{
	unsigned int i;

	for (i = 1; i < 200; i++)
		EXPECT(!pe_errno_text(-i) || pe_errno_text(-i)[0]);
	EXPECT_STR(pe_errno_text(-ENOMEM), "no memory");
	EXPECT(!pe_errno_text(0));
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "no commands", no_commands },
		{ "order of words", order_of_words },
		{ "arguments", arguments },
		{ "errnos", errnos },
	};

	return PE_RUN(tests);
}
