// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_pure_main.c - functions of the kernel, called without probes, under breakpoints, by jumps.
 *
 *   echo SYM+OFF > add	a probe there
 *   echo > clear		no probes
 *   cat functions	what is called
 *   cat compare	"SYM+OFF jump|int3|none HITS ok", or in place of ok what differs
 *
 * The functions depend on their arguments alone.  Each call is made with the same registers, flags,
 * memory and stack pointer in all three ways.  All three must leave the same registers, flags and
 * memory.  Breakpoint and jump must have the same hits, with the same registers and flags.
 */
#include <linux/clocksource.h>
#include <linux/delay.h>
#include <linux/gcd.h>
#include <linux/inet.h>
#include <linux/irqflags.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/lcm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/nls.h>
#include <linux/ptrace.h>
#include <linux/rtc.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/stringhash.h>
#include <linux/sysfs.h>
#include <linux/time.h>
#include <net/checksum.h>
#include <pe/kprobe.h>
#include "pe_exact.h"

struct exact_state exact_seen, exact_next;	/* of exact_target(), which is not used here */

#define PROBES_MAX	100	/* their lines fit into a page */
#define RF		0x10000UL	/* set in what an exception saves */
#define OFF		0x002		/* flags: interrupts are off */

/* What calls read and write; set before each. */
static struct {
	u8 out[128];
	wchar_t wide[32];
	unsigned long word[8];
	unicode_t unicode;
	u32 mult, shift;
	struct timespec64 time;
	struct tm tm;
	struct rtc_time rtc;
} mem;

static const char utf8[] = "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\xa7 end";

#define A(x)	((unsigned long)(x))
#define CALL(fn, ...)	{ A(fn), { __VA_ARGS__ } }

static const struct call {
	unsigned long fn, arg[6];
} calls[] = {
	CALL(gcd, 123456 * 35, 123456 * 91),
	CALL(lcm, 360, 84),
	CALL(int_sqrt, 1234567890),
	CALL(int_pow, 7, 11),
	CALL(mktime64, 2024, 2, 29, 23, 59, 58),
	CALL(time64_to_tm, 1709251198, -3600, A(&mem.tm)),
	CALL(rtc_time64_to_tm, 1709251198, A(&mem.rtc)),
	CALL(rtc_valid_tm, A(&mem.rtc)),
	CALL(rtc_tm_to_time64, A(&mem.rtc)),
	CALL(rtc_month_days, 1, 2024),
	CALL(rtc_year_days, 29, 1, 2024),
	CALL(ns_to_timespec64, A(-1234567890123)),
	CALL(set_normalized_timespec64, A(&mem.time), 5, A(-3500000000)),
	CALL(timespec64_to_jiffies, A(&mem.time)),
	CALL(jiffies_to_timespec64, 123456, A(&mem.time)),
	CALL(nsecs_to_jiffies64, 98765432109),
	CALL(jiffies_64_to_clock_t, 7654321),
	CALL(clocks_calc_mult_shift, A(&mem.mult), A(&mem.shift), 2400000000, 1000000000, 600),
	CALL(csum_partial, A(utf8), sizeof(utf8), 0x1234),
	CALL(csum_partial, A(mem.out), 101, 0),
	CALL(full_name_hash, 77, A("a name of some bytes"), 20),
	CALL(hashlen_string, 0, A("another name")),
	CALL(utf8_to_utf32, A(utf8 + 3), 4, A(&mem.unicode)),
	CALL(utf32_to_utf8, 0x1f427, A(mem.out), 6),
	CALL(utf8s_to_utf16s, A(utf8), sizeof(utf8) - 1, UTF16_LITTLE_ENDIAN, A(mem.wide), 30),
	CALL(utf16s_to_utf8s, A(mem.wide), 12, UTF16_HOST_ENDIAN, A(mem.out), 100),
#if IS_ENABLED(CONFIG_NET)
	CALL(in_aton, A("192.168.17.4")),
	CALL(in4_pton, A("10.20.30.40/8"), A(-1), A(mem.out), '/', A(mem.word)),
	CALL(in6_pton, A("2001:db8::ff:10.0.0.1%"), A(-1), A(mem.out), '%', A(mem.word)),
#endif
};

/* 64 bits that depend on all that is added, and on its order. */
static unsigned long add_hash(unsigned long hash, const void *data, size_t size)
{
	const u8 *byte = data;
	size_t i;

	for (i = 0; i < size; i++)
		hash = (hash ^ byte[i]) * 0x100000001b3UL;
	return hash ^ hash >> 29;
}

/*
 * What a run shows of a probe.  @last: registers of its last hit.  Words of the stack may be rubbish
 * that others have left there.
 */
struct seen {
	unsigned long hits, regs;
	struct pt_regs last;
};

struct probe {
	struct pe_kprobe kp;
	char place[96];
	struct seen now, trapped;
};

static DEFINE_MUTEX(mutex);
static struct probe *probes;
static struct pe_kprobe *kps[PROBES_MAX];	/* of them */
static unsigned int nr;
static struct task_struct *caller;	/* while it calls, with interrupts off */
static unsigned long results[ARRAY_SIZE(calls)], bare[ARRAY_SIZE(calls)];
static struct exact_state left[ARRAY_SIZE(calls)], left_bare[ARRAY_SIZE(calls)];

static void on_hit(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	struct probe *probe = container_of(kp, struct probe, kp);
	struct seen *seen = &probe->now;

	if (READ_ONCE(caller) != current)
		return;
	seen->hits++;
	seen->last = *hit->regs;
	seen->last.flags &= ~RF;
	seen->regs = add_hash(seen->regs, &seen->last, sizeof(seen->last));
}

static void set_memory(void)
{
	unsigned int i;

	memset(&mem, 0x5a, sizeof(mem));
	for (i = 0; i < ARRAY_SIZE(mem.wide); i++)
		mem.wide[i] = i % 3 ? 'A' + i : 0x20ac + i;
	mem.time = (struct timespec64){ 12, 345678901 };
	mem.rtc = (struct rtc_time){
		.tm_sec = 58, .tm_min = 59, .tm_hour = 23, .tm_mday = 29, .tm_mon = 1,
		.tm_year = 124,
	};
}

static noinline void call_all(void)
{
	static struct exact_state in, out;
	unsigned long flags;
	unsigned int i;

	for (i = 0; i < nr; i++)
		probes[i].now = (struct seen){};
	local_irq_save(flags);
	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		const unsigned long *arg = calls[i].arg;

		set_memory();
		in = (struct exact_state){ .flags = OFF };
		in.reg[DI] = arg[0];
		in.reg[SI] = arg[1];
		in.reg[DX] = arg[2];
		in.reg[CX] = arg[3];
		in.reg[R8] = arg[4];
		in.reg[R9] = arg[5];
		WRITE_ONCE(caller, current);
		exact_call(&in, &out, calls[i].fn);
		WRITE_ONCE(caller, NULL);
		left[i] = out;
		results[i] = add_hash(add_hash(0, &out, sizeof(out)), &mem, sizeof(mem));
	}
	local_irq_restore(flags);
}

static void show_words(const void *words, size_t size)
{
	print_hex_dump(KERN_INFO, "", DUMP_PREFIX_OFFSET, 32, 8, words, size, false);
}

/* Is anything other than in the calls without probes?  The log says what. */
static bool differ(const char *where)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		if (results[i] == bare[i])
			continue;
		pr_info("%ps has another result at %s: without, with\n", (void *)calls[i].fn, where);
		show_words(&left_bare[i], sizeof(left_bare[i]));
		show_words(&left[i], sizeof(left[i]));
		return true;
	}
	return false;
}

static unsigned int count_jumps(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < nr; i++)
		n += pe_kprobe_mechanism(&probes[i].kp) == PE_MECH_JUMP;
	return n;
}

/* Some sites never become jumps: wait until their number has not grown for a while. */
static void wait_for_jumps(void)
{
	unsigned int before = 0, same, i;

	for (i = same = 0; i < 100 && same < 10; i++) {
		msleep(100);
		same = count_jumps() == before ? same + 1 : 0;
		before = count_jumps();
	}
}

static int show(char *buf, int len, const struct probe *probe, const char *what)
{
	static const char * const how[] = { "none", "ftrace", "jump", "int3" };

	if (!what && probe->now.hits != probe->trapped.hits)
		what = "another number of hits";
	if (!what && probe->now.regs != probe->trapped.regs) {
		what = "other registers at the site";
		pr_info("%s: at a breakpoint, at a jump\n", probe->place);
		show_words(&probe->trapped.last, sizeof(probe->trapped.last));
		show_words(&probe->now.last, sizeof(probe->now.last));
	}
	return sysfs_emit_at(buf, len, "%s %s %lu %s\n", probe->place,
			     how[pe_kprobe_mechanism(&probe->kp)], probe->now.hits, what ?: "ok");
}

/* The probes stay armed. */
static int compare(char *buf)
{
	const char *what = NULL;
	unsigned int i;
	int err, len = 0;

	call_all();
	memcpy(bare, results, sizeof(bare));
	memcpy(left_bare, left, sizeof(left_bare));
	pe_kprobes_optimize(false);
	err = pe_enable_kprobes(kps, nr);
	if (!err) {
		call_all();
		if (differ("breakpoints"))
			what = "other results";
		for (i = 0; i < nr; i++)
			probes[i].trapped = probes[i].now;
	}
	pe_kprobes_optimize(true);
	if (err)
		return err;
	wait_for_jumps();
	call_all();
	if (differ("jumps"))
		what = "other results";
	for (i = 0; i < nr; i++)
		len += show(buf, len, &probes[i], what);
	return len;
}

static int compare_get(char *buf, const struct kernel_param *param)
{
	int ret;

	mutex_lock(&mutex);
	ret = nr ? compare(buf) : -EINVAL;
	mutex_unlock(&mutex);
	return ret;
}

static const struct kernel_param_ops compare_ops = { .get = compare_get };
module_param_cb(compare, &compare_ops, NULL, 0400);

static int add(const char *place)
{
	struct probe *probe = &probes[nr];
	char *plus;
	int err;

	if (nr == PROBES_MAX)
		return -ENOSPC;
	memset(probe, 0, sizeof(*probe));
	if (strscpy(probe->place, place, sizeof(probe->place)) < 0)
		return -E2BIG;
	strim(probe->place);
	plus = strchr(probe->place, '+');
	if (!plus || kstrtoul(plus + 1, 0, &probe->kp.offset))
		return -EINVAL;
	probe->kp.symbol = kstrndup(probe->place, plus - probe->place, GFP_KERNEL);
	if (!probe->kp.symbol)
		return -ENOMEM;
	probe->kp.handler = on_hit;
	probe->kp.flags = PE_KPROBE_DISABLED;
	err = pe_register_kprobe(&probe->kp);
	if (err) {
		kfree(probe->kp.symbol);
		return err;
	}
	kps[nr++] = &probe->kp;
	return 0;
}

static int add_set(const char *place, const struct kernel_param *param)
{
	int err;

	mutex_lock(&mutex);
	err = add(place);
	mutex_unlock(&mutex);
	return err;
}

static const struct kernel_param_ops add_ops = { .set = add_set };
module_param_cb(add, &add_ops, NULL, 0200);

static void clear(void)
{
	unsigned int i;

	mutex_lock(&mutex);
	if (nr)
		pe_unregister_kprobes(kps, nr);
	for (i = 0; i < nr; i++)
		kfree(probes[i].kp.symbol);
	nr = 0;
	mutex_unlock(&mutex);
}

static int clear_set(const char *val, const struct kernel_param *param)
{
	clear();
	return 0;
}

static const struct kernel_param_ops clear_ops = { .set = clear_set };
module_param_cb(clear, &clear_ops, NULL, 0200);

/* A line for each function: those that are called, for who chooses sites. */
static int functions_get(char *buf, const struct kernel_param *param)
{
	unsigned int i;
	int len = 0;

	for (i = 0; i < ARRAY_SIZE(calls); i++)
		len += sysfs_emit_at(buf, len, "%ps\n", (void *)calls[i].fn);
	return len;
}

static const struct kernel_param_ops functions_ops = { .get = functions_get };
module_param_cb(functions, &functions_ops, NULL, 0400);

static int __init pure_init(void)
{
	probes = kvcalloc(PROBES_MAX, sizeof(*probes), GFP_KERNEL);
	return probes ? 0 : -ENOMEM;
}

static void __exit pure_exit(void)
{
	clear();
	kvfree(probes);
}

module_init(pure_init);
module_exit(pure_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Functions of the kernel that calls compare under probes, for tests");
