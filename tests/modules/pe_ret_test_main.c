// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_ret_test_main.c - return probes, used as another module would: the cases of
 * pe_ret_test.ko.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/wait.h>
#include <pe/kretprobe.h>
#include "pe_cases.h"
#include "pe_ret_looker.h"
#include "pe_ret_target.h"

/* A plain probe. */
struct counter {
	struct pe_kprobe kp;
	unsigned long hits;
};

static void count(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	container_of(kp, struct counter, kp)->hits++;
}

/* ---- cases ---- */

static bool values(void)
{
	struct pe_kretprobe_stat s;
	struct looker l;
	long i;

	at(&l, "pe_ret_test:ret_sum");
	CHECK(!reg(&l));
	CHECK(pe_kprobe_mechanism(&l.rp.kp) == ENTRY_MECHANISM);
	for (i = 0; i < 1000; i++) {
		CHECK(ret_sum(i, -7) == i - 7);
		CHECK((long)l.value == i - 7);
	}
	CHECK(balanced(&l, 1000));
	unreg(&l);
	CHECK(ret_sum(1, 1) == 2 && atomic_long_read(&l.returned) == 1000);
	/* Of a probe that is gone, nothing is counted any more. */
	pe_kretprobe_stat(&l.rp, &s);
	CHECK(!s.entries && !s.returns && !pe_kprobe_missed(&l.rp.kp));
	return true;
}

/* By a breakpoint, alone and with a probe on the same instruction. */
static bool by_breakpoint(void)
{
	struct counter c = { .kp = { .symbol = "pe_ret_test:ret_product", .handler = count } };
	struct looker l;
	long i;

	at(&l, "pe_ret_test:ret_product");
	CHECK(!reg(&l));
	CHECK(pe_kprobe_mechanism(&l.rp.kp) == PE_MECH_BREAKPOINT);
	for (i = 0; i < 1000; i++)
		CHECK(ret_product(i, -7) == i * -7 && (long)l.value == i * -7);
	CHECK(balanced(&l, 1000));
	CHECK(!case_register_one(&c.kp));
	for (i = 0; i < 100; i++)
		CHECK(ret_product(i, 3) == i * 3);
	CHECK(balanced(&l, 1100) && c.hits == 100);
	unreg(&l);
	CHECK(ret_product(6, 7) == 42 && c.hits == 101);
	case_unregister_one(&c.kp);
	CHECK(ret_product(6, 7) == 42 && c.hits == 101);
	return true;
}

/* The first instruction is a branch: without a probe on it, and with one. */
static bool by_branch(void)
{
	struct counter c = { .kp = { .symbol = "pe_ret_test:ret_begins_call", .handler = count } };
	struct looker jmp, jcc, call;
	long i;

	at(&jmp, "pe_ret_test:ret_begins_jmp");
	at(&jcc, "pe_ret_test:ret_begins_jcc");
	at(&call, "pe_ret_test:ret_begins_call");
	CHECK(case_register_one(&jcc.rp.kp) == -EINVAL);
	CHECK(!strcmp(jcc.rp.kp.reason,
		      "the function begins with a conditional branch or an indirect call"));
	CHECK(!reg(&call));
	CHECK(pe_kprobe_mechanism(&call.rp.kp) == PE_MECH_BREAKPOINT);
	for (i = 0; i < 100; i++) {
		CHECK(ret_begins_jcc(i) == i + 8);
		CHECK(ret_begins_call(i) == i + 6 && (long)call.value == i + 6);
	}
	CHECK(balanced(&call, 100));
	CHECK(!reg(&jmp) && !case_register_one(&c.kp));
	for (i = 0; i < 100; i++)
		CHECK(ret_begins_call(i) == i + 6 && (long)jmp.value == i + 5);
	CHECK(balanced(&jmp, 100) && balanced(&call, 200) && c.hits == 100);
	unreg(&call);
	CHECK(ret_begins_call(1) == 7 && balanced(&jmp, 101) && c.hits == 101);
	unreg(&jmp);
	case_unregister_one(&c.kp);
	CHECK(ret_begins_call(1) == 7);
	return true;
}

static noinline bool return_address_here(struct looker *l)
{
	char name[KSYM_SYMBOL_LEN];

	ret_sum(1, 2);
	sprint_symbol_no_offset(name, l->ip);
	CHECK(strstarts(name, "return_address_here"));
	return true;
}

static bool return_address(void)
{
	struct looker l;

	at(&l, "pe_ret_test:ret_sum");
	CHECK(!reg(&l));
	CHECK(return_address_here(&l));
	unreg(&l);
	return true;
}

static bool shapes(void)
{
	struct looker many, two, st, val, fmt;
	struct many m = { { 1, 2, 3, 4, 5, 6, 7 } };
	struct two t;
	char buf[128];

	at(&many, "pe_ret_test:ret_many");
	at(&two, "pe_ret_test:ret_two");
	at(&st, "pe_ret_test:ret_struct");
	at(&val, "pe_ret_test:ret_by_value");
	at(&fmt, "pe_ret_test:ret_format");
	CHECK(!reg(&many) && !reg(&two) && !reg(&st) && !reg(&val) && !reg(&fmt));
	CHECK(ret_many(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1) == 105);
	CHECK(ret_many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14) == 1015);
	CHECK(many.value == 1015);
	t = ret_two(77);
	CHECK(t.a == 77 && t.b == ~77UL && two.value == 77 && two.dx == ~77UL);
	m = ret_struct(5);
	CHECK(m.v[0] == 5 && m.v[6] == 11);
	CHECK(ret_by_value(m, 1000) == 1000 + 5 + 12 + 21 + 32 + 45 + 60 + 77);
	CHECK(val.value == 1252);
	CHECK(ret_format(buf, sizeof(buf), "%d %d %d %d %d %d %d %s", 1, 2, 3, 4, 5, 6, 7,
			 "eight") == 19);
	CHECK(!strcmp(buf, "1 2 3 4 5 6 7 eight"));
	CHECK(balanced(&many, 2) && balanced(&two, 1) && balanced(&st, 1) && balanced(&val, 1) &&
	      balanced(&fmt, 1));
	unreg(&many);
	unreg(&two);
	unreg(&st);
	unreg(&val);
	unreg(&fmt);
	return true;
}

#define FORMAT_9	"%d %d %d %d %d %d %d %d %d "
#define FORMAT_45	FORMAT_9 FORMAT_9 FORMAT_9 FORMAT_9 FORMAT_9
#define ARGS_45		1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, \
			19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, \
			35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45
#define TEXT_45		"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 " \
			"19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 " \
			"35 36 37 38 39 40 41 42 43 44 45 "

/* Many words of arguments, of a module's function and of the kernel's. */
static bool many_words(void)
{
	struct looker fmt, kernel;
	char buf[160] = "";
	struct seq_file m = { .buf = buf, .size = sizeof(buf) };

	at(&fmt, "pe_ret_test:ret_format");
	at(&kernel, "seq_printf");
	CHECK(!reg(&fmt));
	CHECK(ret_format(buf, sizeof(buf), FORMAT_45, ARGS_45) == strlen(TEXT_45));
	CHECK(!strcmp(buf, TEXT_45) && balanced(&fmt, 1));
	unreg(&fmt);
	CHECK(!reg(&kernel));
	seq_printf(&m, FORMAT_45, ARGS_45);
	unreg(&kernel);
	CHECK(m.count == strlen(TEXT_45) && !memcmp(buf, TEXT_45, m.count));
	CHECK(atomic_long_read(&kernel.entered) && !atomic_long_read(&kernel.bad));
	return true;
}

/* The last word that is copied. */
static bool all_words(void)
{
#define NUMBER(n)	1##n
	long want = ret_widest(WIDEST(NUMBER));
	struct looker l;

	at(&l, "pe_ret_test:ret_widest");
	CHECK(!reg(&l));
	CHECK(ret_widest(WIDEST(NUMBER)) == want);
	CHECK(balanced(&l, 1));
	unreg(&l);
	return true;
}

/* A breakpoint hides the instruction that shows that there is a word. */
static bool hidden_word(void)
{
	struct counter c = {
		.kp = { .symbol = "pe_ret_test:ret_one_word", .offset = 2, .handler = count },
	};
	struct looker l;
	int i;

	CHECK(!case_register_one(&c.kp));
	at(&l, "pe_ret_test:ret_one_word");
	CHECK(!reg(&l));
	for (i = 0; i < 100; i++)
		CHECK(ret_one_word(i, 2, 3, 4, 5, 6, 7) == i + 7 && (int)l.value == i + 7);
	CHECK(balanced(&l, 100) && c.hits == 100);
	unreg(&l);
	case_unregister_one(&c.kp);
	return true;
}

/* One function with a probe on its entry and two return probes. */
static bool together(void)
{
	struct counter c = { .kp = { .symbol = "pe_ret_test:ret_sum", .handler = count } };
	struct looker a, b;
	struct pe_kprobe *kps[] = { &a.rp.kp, &c.kp, &b.rp.kp };
	long i;

	at(&a, "pe_ret_test:ret_sum");
	at(&b, "pe_ret_test:ret_sum");
	b.skip_odd = true;
	CHECK(!case_register(kps, 3));
	for (i = 0; i < 100; i++)
		CHECK(ret_sum(i, i) == 2 * i);
	CHECK(balanced(&a, 100) && balanced(&b, 50));
	CHECK(c.hits == 100);
	pe_disable_kprobe(&a.rp.kp);
	ret_sum(2, 2);
	CHECK(balanced(&a, 100) && balanced(&b, 51) && c.hits == 101);
	CHECK(!pe_enable_kprobe(&a.rp.kp));
	case_unregister_one(&c.kp);
	ret_sum(3, 2);
	CHECK(balanced(&a, 101) && balanced(&b, 51) && c.hits == 101);
	case_unregister_one(&a.rp.kp);
	ret_sum(2, 2);
	CHECK(balanced(&b, 52));
	case_unregister_one(&b.rp.kp);
	ret_sum(2, 2);
	CHECK(atomic_long_read(&b.returned) == 52);
	return true;
}

/* A call made by a handler is not served, but counted. */
static bool within_handler(void)
{
	struct looker l;

	at(&l, "pe_ret_test:ret_sum");
	l.recurse = true;
	CHECK(!reg(&l));
	CHECK(ret_sum(4, 4) == 8);
	CHECK(atomic_long_read(&l.entered) == 1 && atomic_long_read(&l.returned) == 1);
	CHECK(pe_kprobe_missed(&l.rp.kp) == 2);
	unreg(&l);
	return true;
}

static noinline bool stack_trace_here(void)
{
	unsigned int i, here = 0, above = 0;
	char name[KSYM_SYMBOL_LEN];

	ret_look(3);
	for (i = 0; i < ret_trace_len; i++) {
		sprint_symbol_no_offset(name, ret_trace[i]);
		if (strstarts(name, "stack_trace_here"))
			here = i;
		if (strstarts(name, "do_one_initcall"))
			above = i;
	}
	CHECK(here && above > here);
	return true;
}

static bool stack_trace(void)
{
	struct looker l;

	at(&l, "pe_ret_test:ret_look");
	CHECK(!reg(&l));
	CHECK(stack_trace_here());
	CHECK(balanced(&l, 1));
	unreg(&l);
	return true;
}

static int sleeper(void *arg)
{
	struct completion *done = arg;

	if (ret_sleep(14) != 42)
		pr_err("FAIL sleeper: wrong value\n");
	complete(done);
	return 0;
}

#define SLEEPERS	100

static bool start_sleepers(struct completion *done)
{
	unsigned int i;

	ret_wake = false;
	atomic_set(&ret_asleep, 0);
	init_completion(done);
	for (i = 0; i < SLEEPERS; i++)
		CHECK(!IS_ERR(kthread_run(sleeper, done, "pe_ret_sleeper")));
	while (atomic_read(&ret_asleep) < SLEEPERS)
		msleep(20);
	return true;
}

static void end_sleepers(struct completion *done)
{
	unsigned int i;

	WRITE_ONCE(ret_wake, true);
	wake_up_all(&ret_sleepers);
	for (i = 0; i < SLEEPERS; i++)
		wait_for_completion(done);
}

/* Calls of a function with a probe sleep, while another probe there goes and one comes. */
static bool sleeping(void)
{
	struct looker stays, goes, comes;
	struct completion done;

	at(&stays, "pe_ret_test:ret_sleep");
	at(&goes, "pe_ret_test:ret_sleep");
	at(&comes, "pe_ret_test:ret_sleep");
	CHECK(!reg(&stays) && !reg(&goes));
	CHECK(start_sleepers(&done));
	unreg(&goes);
	CHECK(!reg(&comes));
	CHECK(atomic_long_read(&stays.entered) == SLEEPERS);
	end_sleepers(&done);
	CHECK(balanced(&stays, SLEEPERS) && balanced(&comes, 0));
	CHECK(atomic_long_read(&goes.returned) == 0);
	unreg(&stays);
	unreg(&comes);
	return true;
}

/* A probe is removed and freed while calls sleep: they must not use its memory. */
static bool removed_with_sleepers(void)
{
	struct looker *l = kmalloc(sizeof(*l), GFP_KERNEL);
	struct completion done;

	CHECK(l);
	at(l, "pe_ret_test:ret_sleep");
	CHECK(!reg(l));
	CHECK(start_sleepers(&done));
	unreg(l);
	CHECK(atomic_long_read(&l->entered) == SLEEPERS);
	memset(l, 0x5a, sizeof(*l));
	kfree(l);
	end_sleepers(&done);
	return true;
}

static bool refusals(void)
{
	struct looker l;
	int err;

	at(&l, "pe_ret_test:ret_recurse");
	l.rp.kp.offset = 9;
	err = case_register_one(&l.rp.kp);	/* may be inside an instruction */
	CHECK((err == -EINVAL || err == -EILSEQ) && l.rp.kp.reason);
	at(&l, "__switch_to");
	CHECK(case_register_one(&l.rp.kp) == -EINVAL && l.rp.kp.reason);
	at(&l, "pe_ret_test:ret_sum");
	l.rp.data_size = PE_KRETPROBE_DATA_MAX + 1;
	CHECK(case_register_one(&l.rp.kp) == -EINVAL);
	at(&l, "preempt_schedule_notrace");
	err = case_register_one(&l.rp.kp);	/* only preemptible kernels have it */
	if (IS_ENABLED(CONFIG_PREEMPTION))
		CHECK(err == -EINVAL && l.rp.kp.reason);
	else
		CHECK(err == -ENOENT);
	return true;
}

/* Five times 256 bytes of data, with the words that belong to them, are too much. */
static bool much_data(void)
{
	struct looker l[5];
	unsigned int i, n;
	char frame[40];
	int err = 0;

	for (n = 0; n < ARRAY_SIZE(l) && !err; n++) {
		at(&l[n], "pe_ret_test:ret_sum");
		l[n].rp.data_size = 256;
		err = case_register_one(&l[n].rp.kp);
	}
	n--;	/* the refused one; with arguments it may be the fourth */
	CHECK(err == -ENOSPC && n >= 3 && ret_sum(3, 4) == 7);
	snprintf(frame, sizeof(frame), "of %u bytes, more than 1280", n == 3 ? 1424 : 1296);
	CHECK(l[n].rp.kp.reason && strstr(l[n].rp.kp.reason, frame));
	for (i = 0; i < n; i++) {
		CHECK(balanced(&l[i], 1));
		unreg(&l[i]);
	}
	return true;
}

static const struct pe_case cases[] = {
	CASE(values), CASE(by_breakpoint), CASE(by_branch), CASE(return_address),
	CASE(shapes), CASE(many_words), CASE(all_words), CASE(hidden_word), CASE(together), CASE(recursion),
	CASE(recursion_with_large_frames), CASE(recursion_with_frames),
	CASE(recursion_in_interrupt), CASE(within_handler),
	CASE(tail_call), CASE(tail_call_bad_rbp), CASE(stack_trace), CASE(sleeping),
	CASE(removed_with_sleepers), CASE(refusals), CASE(much_data),
};

PE_CASES_MODULE(cases);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Tests of return probes");
