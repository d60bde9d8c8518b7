// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_patched.c - probes at each instruction that the kernel may patch: they are refused.
 *
 * The places are those of the kernel's own tables: all, or one in @part of them.  The kernel
 * searches each table from end to end for each place.  The module is a livepatch that patches
 * nothing: its text is of that kind, too.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/jump_label.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/static_call_types.h>
#include <linux/string.h>
#include <pe/kprobe.h>
#include <pe/symbols.h>
#include "pe_cases.h"

static unsigned int part = 1, first;
module_param(part, uint, 0400);
MODULE_PARM_DESC(part, "one place in so many");
module_param(first, uint, 0400);
MODULE_PARM_DESC(first, "the first of them, below part");

static void nothing(struct pe_kprobe *kp, const struct pe_hit *hit)
{
}

/* It is removed at once if it is not refused.  Return: the error, @reason its reason. */
static int probe_at(unsigned long addr, const char **reason)
{
	struct pe_kprobe kp = { .addr = addr, .handler = nothing };
	int err = case_register_one(&kp);

	*reason = kp.reason ?: "";
	if (!err)
		case_unregister_one(&kp);
	return err;
}

/* What has been asked for. */
struct sums {
	unsigned int refused, owned, accepted;
};

/* @owned: the reason of most; others may come before it */
static void count_one(struct sums *sums, unsigned long addr, const char *owned)
{
	const char *reason;

	cond_resched();
	if (!probe_at(addr, &reason)) {
		pr_err("%pS is not refused\n", (void *)addr);
		sums->accepted++;
	} else if (!strcmp(reason, owned)) {
		sums->owned++;
	} else {
		sums->refused++;
	}
}

static bool all_are_refused(const struct sums *sums, const char *what)
{
	pr_info("%s: %u refused as such, %u for other reasons, %u accepted\n", what, sums->owned,
		sums->refused, sums->accepted);
	CHECK(!sums->accepted && sums->owned > 10);
	return true;
}

#ifdef CONFIG_JUMP_LABEL
static bool jump_labels(void)
{
	struct sums sums = {};
	const struct jump_entry *e = (void *)pe_symbol_lookup("__start___jump_table");
	const struct jump_entry *end = (void *)pe_symbol_lookup("__stop___jump_table");

	CHECK(e && e < end);
	for (e += first; e < end; e += part)
		count_one(&sums, jump_entry_code(e), "a jump label owns the bytes");
	return all_are_refused(&sums, "jump labels");
}
#endif

#ifdef CONFIG_HAVE_STATIC_CALL_INLINE
static bool static_calls(void)
{
	const struct static_call_site *s = (void *)pe_symbol_lookup("__start_static_call_sites");
	const struct static_call_site *end = (void *)pe_symbol_lookup("__stop_static_call_sites");
	struct sums sums = {};

	CHECK(s && s < end);
	for (s += first; s < end; s += part)
		count_one(&sums, (unsigned long)&s->addr + s->addr, "a static call owns the bytes");
	return all_are_refused(&sums, "static calls");
}
#endif

#ifdef CONFIG_LIVEPATCH
static noinline __used int patched_function(int x)
{
	barrier();
	return x + 1;
}

/* Each instruction, but for the entry that is ftrace's. */
static bool livepatch(void)
{
	unsigned long addr = (unsigned long)patched_function, start, size, at;
	unsigned int refused = 0;
	const char *reason;

	CHECK(pe_symbol_at(addr, &start, &size));
	for (at = addr + 5; at < start + size; at++) {
		CHECK(probe_at(at, &reason));
		refused += !strcmp(reason, "a livepatch's code, which may be relocated");
	}
	CHECK(refused > 1);
	CHECK(!probe_at(addr, &reason));
	return true;
}
#endif

static const struct pe_case cases[] = {
#ifdef CONFIG_JUMP_LABEL
	CASE(jump_labels),
#endif
#ifdef CONFIG_HAVE_STATIC_CALL_INLINE
	CASE(static_calls),
#endif
#ifdef CONFIG_LIVEPATCH
	CASE(livepatch),
#endif
};

PE_CASES_MODULE(cases);
#ifdef CONFIG_LIVEPATCH
MODULE_INFO(livepatch, "Y");
#endif
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Test of probes on text that the kernel patches");
