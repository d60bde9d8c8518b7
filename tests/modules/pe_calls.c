// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_calls.c - functions whose calls are known: how many, when, with which
 * arguments, and which of them have not returned yet.
 *
 * Parameters, with what a write calls:
 *   fast N      pe_calls_fast(i) for i below N; returns 3 * i
 *   clobber 1   pe_calls_clobber() with 0x1111111111111111 to 0x88..., which
 *               overwrites all of them, and the first one's memory
 *   recurse N   pe_calls_recurse(N), which calls itself down to 0; reading gives
 *               "DEPTH NANOSECONDS" of each body
 *   sleep N     N threads, thread i in pe_calls_sleep(i), which returns 1000 + i
 *   never N     N threads that end in pe_calls_never()
 *   never_notrace N  the same in pe_calls_never_notrace(), which ftrace does not know
 *   wake 1      the sleepers return; this write returns after they are gone
 *   asleep      (read) how many are inside pe_calls_sleep()
 *   unblock 1   calls of pe_calls_block() return: each read of /proc/pe_calls_block is
 *               one, with its number from 0.  It returns 1000 + number, or -ERESTARTSYS
 *               if its task is killed
 *   blocks      (read) "ENTERED RETURNED KILLED" of pe_calls_block(); killed ones return
 *   late ADDR   a thread keeps ADDR on its stack until "wake", and then calls it with 5, as
 *               a BPF trampoline does with the function's address.  Reading gives "ADDR
 *               WORD RESULT IBT": what is on the stack by then, the first four bytes
 *               there, what the call returned, and whether it must be an ENDBR64
 *   spin 1|0    a thread that runs, except for preemption, until 0 is written
 *   hold_cpu 1  a CPU that goes offline waits on its way until 0 is written; (read) a CPU waits
 *   unwatched N pe_calls_unwatched() N times; it returns where RCU is not watching
 *   dump 1      pe_calls_outer(), which calls pe_calls_inner(): each has its stack written
 *               to the kernel's log
 *
 * block_read() calls pe_calls_via(), which jumps to pe_calls_block().
 */
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/context_tracking.h>
#include <linux/cpuhotplug.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/printk.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/wait.h>
#include "kernel/know/compat.h"

#define DEPTH_MAX	200
#define LEVEL_USECS	20

unsigned long pe_calls_fast(unsigned long i);
unsigned long pe_calls_clobber(unsigned long *a, unsigned long b, unsigned long c,
			       unsigned long d, unsigned long e, unsigned long f,
			       unsigned long g, unsigned long h);
unsigned long pe_calls_recurse(unsigned long depth);
long pe_calls_sleep(long i);
void pe_calls_never(void);
void pe_calls_never_notrace(void);
void pe_calls_late(unsigned long addr);
long pe_calls_block(long i);
long pe_calls_via(long i);
void pe_calls_unwatched(void);
unsigned long pe_calls_outer(unsigned long i);
unsigned long pe_calls_inner(unsigned long i);

noinline __noclone unsigned long pe_calls_fast(unsigned long i)
{
	barrier();
	return 3 * i;
}

noinline __noclone
unsigned long pe_calls_clobber(unsigned long *a, unsigned long b, unsigned long c,
			       unsigned long d, unsigned long e, unsigned long f,
			       unsigned long g, unsigned long h)
{
	*a = 0xabcd;
	*(volatile unsigned long *)&g = 0xdead;
	*(volatile unsigned long *)&h = 0xdead;
	asm volatile("mov $0xdead, %%edi; mov %%rdi, %%rsi; mov %%rdi, %%rdx\n"
		     "mov %%rdi, %%rcx; mov %%rdi, %%r8; mov %%rdi, %%r9\n"
		     : : : "rdi", "rsi", "rdx", "rcx", "r8", "r9", "memory");
	return 0xfeedfacecafebeef;
}

static u64 starts[DEPTH_MAX + 1], ends[DEPTH_MAX + 1];
static u64 *start_of = starts, *end_of = ends;
static unsigned long deepest;

/* The depth of the call that returns: for probes that save no argument. */
extern unsigned long pe_calls_depth;
unsigned long pe_calls_depth;

static unsigned long sum_to(unsigned long n)
{
	return n * (n + 1) / 2;
}

/*
 * The function uses as little stack as possible: 200 levels with a return probe must fit.
 * It keeps only the depth over calls.
 */
noinline __noclone unsigned long pe_calls_recurse(unsigned long depth)
{
	unsigned long below = 0;
	u64 now = ktime_get_mono_fast_ns();

	READ_ONCE(start_of)[depth] = now;
	if (depth)
		below = pe_calls_recurse(depth - 1) + 1;
	OPTIMIZER_HIDE_VAR(depth);
	if (depth && below != sum_to(depth - 1) + 1)
		return -1UL;
	udelay(LEVEL_USECS);
	now = ktime_get_mono_fast_ns();
	OPTIMIZER_HIDE_VAR(depth);	/* newer compilers would keep what they can compute before */
	READ_ONCE(end_of)[depth] = now;
	pe_calls_depth = depth;
	return sum_to(depth);
}

static DECLARE_WAIT_QUEUE_HEAD(waiting);
static DECLARE_WAIT_QUEUE_HEAD(leaving);
static bool awake;
static atomic_t inside = ATOMIC_INIT(0);
static atomic_t threads = ATOMIC_INIT(0);

noinline __noclone long pe_calls_sleep(long i)
{
	atomic_inc(&inside);
	wait_event_idle(waiting, READ_ONCE(awake));
	atomic_dec(&inside);
	return 1000 + i;
}

/* A function that does not return. */
noinline __noclone void pe_calls_never(void)
{
	atomic_dec(&threads);
	wake_up(&leaving);
	module_put_and_kthread_exit(0);
}

/* The same, without a call of ftrace: entries under a breakpoint. */
noinline __noclone notrace void pe_calls_never_notrace(void)
{
	atomic_dec(&threads);
	wake_up(&leaving);
	module_put_and_kthread_exit(0);
}

static unsigned long late_addr, late_result;
static u32 late_word;

noinline __noclone void pe_calls_late(unsigned long addr)
{
	volatile unsigned long word = addr;

	wait_event_idle(waiting, READ_ONCE(awake));
	addr = word;
	late_addr = addr;
	late_word = *(const u32 *)addr;
	late_result = ((unsigned long (*)(unsigned long))addr)(5);
}

static DECLARE_WAIT_QUEUE_HEAD(blocking);
static bool unblocked;
static atomic_t block_entered, block_returned, block_killed;

noinline __noclone long pe_calls_block(long i)
{
	int err;

	atomic_inc(&block_entered);
	err = wait_event_killable(blocking, READ_ONCE(unblocked));
	atomic_inc(&block_returned);
	if (err)
		atomic_inc(&block_killed);
	return err ?: 1000 + i;
}

/* At -O2 it ends with a jump: pe_calls_block() returns to our caller. */
noinline __noclone long pe_calls_via(long i)
{
	barrier();
	return pe_calls_block(i);
}

/* Not inlined: for probes. */
static noinline ssize_t block_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	static atomic_long_t number;
	long i = atomic_long_fetch_inc(&number);
	long ret = pe_calls_via(i);

	if (ret < 0)
		return ret;
	return ret == 1000 + i ? 0 : -EIO;
}

static const struct proc_ops block_ops = { .proc_read = block_read };

noinline __noclone unsigned long pe_calls_inner(unsigned long i)
{
	dump_stack();
	barrier();
	return i + 1;
}

noinline __noclone unsigned long pe_calls_outer(unsigned long i)
{
	dump_stack();
	i = pe_calls_inner(i);
	barrier();
	return i + 2;
}

/* As on the way into the idle loop.  Interrupts are off; its caller calls ct_idle_exit(). */
noinline __noclone void pe_calls_unwatched(void)
{
	ct_idle_enter();
	barrier();
}

static bool spinning;

static int sleeper(void *i)
{
	pe_calls_sleep((long)i);
	atomic_dec(&threads);
	wake_up(&leaving);
	module_put_and_kthread_exit(0);
}

static int goner(void *unused)
{
	pe_calls_never();
	return 0;
}

static int goner_notrace(void *unused)
{
	pe_calls_never_notrace();
	return 0;
}

static int late(void *addr)
{
	pe_calls_late((unsigned long)addr);
	atomic_dec(&threads);
	wake_up(&leaving);
	module_put_and_kthread_exit(0);
}

/* While it runs, no tasks-RCU grace period ends; all others do. */
static int spinner(void *unused)
{
	while (READ_ONCE(spinning))
		cond_resched();
	atomic_dec(&threads);
	wake_up(&leaving);
	module_put_and_kthread_exit(0);
}

static int new_thread(int (*fn)(void *), unsigned long arg)
{
	struct task_struct *task;

	__module_get(THIS_MODULE);
	atomic_inc(&threads);
	task = kthread_run(fn, (void *)arg, "pe_calls");
	if (!IS_ERR(task))
		return 0;
	atomic_dec(&threads);
	module_put(THIS_MODULE);
	return PTR_ERR(task);
}

static int start_threads(const char *val, int (*fn)(void *))
{
	unsigned long n, i;
	int ret = kstrtoul(val, 0, &n);

	for (i = 0; i < n && !ret; i++)
		ret = new_thread(fn, i);
	return ret;
}

static int fast_set(const char *val, const struct kernel_param *kp)
{
	unsigned long n, i;
	int ret = kstrtoul(val, 0, &n);

	for (i = 0; i < n && !ret; i++)
		if (pe_calls_fast(i) != 3 * i)
			ret = -EIO;
	return ret;
}

static int clobber_set(const char *val, const struct kernel_param *kp)
{
	static unsigned long word;

	word = 0x1234;
	if (pe_calls_clobber(&word, 0x2222222222222222, 0x3333333333333333,
			     0x4444444444444444, 0x5555555555555555, 0x6666666666666666,
			     0x7777777777777777, 0x8888888888888888) != 0xfeedfacecafebeef)
		return -EIO;
	return 0;
}

static int recurse_set(const char *val, const struct kernel_param *kp)
{
	unsigned long n;
	int ret = kstrtoul(val, 0, &n);

	if (ret || n > DEPTH_MAX)
		return ret ?: -ERANGE;
	deepest = n;
	return pe_calls_recurse(n) == sum_to(n) ? 0 : -EIO;
}

static int recurse_get(char *buf, const struct kernel_param *kp)
{
	unsigned long i;
	int len = 0;

	for (i = 0; i <= deepest; i++)
		len += sysfs_emit_at(buf, len, "%lu %llu\n", i, ends[i] - starts[i]);
	return len;
}

static int sleep_set(const char *val, const struct kernel_param *kp)
{
	WRITE_ONCE(awake, false);
	return start_threads(val, sleeper);
}

static int never_set(const char *val, const struct kernel_param *kp)
{
	int ret = start_threads(val, goner);

	wait_event(leaving, !atomic_read(&threads));
	return ret;
}

static int never_notrace_set(const char *val, const struct kernel_param *kp)
{
	int ret = start_threads(val, goner_notrace);

	wait_event(leaving, !atomic_read(&threads));
	return ret;
}

static int late_set(const char *val, const struct kernel_param *kp)
{
	unsigned long addr;
	int ret = kstrtoul(val, 16, &addr);

	WRITE_ONCE(awake, false);
	return ret ?: new_thread(late, addr);
}

static int late_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%lx %08x %lu %d\n", late_addr, late_word, late_result,
			  IS_ENABLED(CONFIG_X86_KERNEL_IBT));
}

static int spin_set(const char *val, const struct kernel_param *kp)
{
	bool on;
	int ret = kstrtobool(val, &on);

	if (ret)
		return ret;
	WRITE_ONCE(spinning, on);
	if (on)
		return new_thread(spinner, 0);
	wait_event(leaving, !atomic_read(&threads));
	return 0;
}

static DECLARE_WAIT_QUEUE_HEAD(holding);
static bool hold, held;
static int hold_state;

static int hold_down(unsigned int cpu)
{
	WRITE_ONCE(held, true);
	wait_event(holding, !READ_ONCE(hold));
	WRITE_ONCE(held, false);
	return 0;
}

static int hold_cpu_set(const char *val, const struct kernel_param *kp)
{
	bool on;
	int ret = kstrtobool(val, &on);

	if (ret)
		return ret;
	WRITE_ONCE(hold, on);
	wake_up_all(&holding);
	if (!on || hold_state)
		return 0;
	ret = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "pe_calls:hold", NULL, hold_down);
	hold_state = max(ret, 0);
	return min(ret, 0);
}

static int hold_cpu_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%d\n", READ_ONCE(held));
}

static int wake_set(const char *val, const struct kernel_param *kp)
{
	WRITE_ONCE(awake, true);
	wake_up_all(&waiting);
	wait_event(leaving, !atomic_read(&threads));
	return 0;
}

static int asleep_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%d\n", atomic_read(&inside));
}

static int unblock_set(const char *val, const struct kernel_param *kp)
{
	WRITE_ONCE(unblocked, true);
	wake_up_all(&blocking);
	return 0;
}

static int blocks_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%d %d %d\n", atomic_read(&block_entered),
			  atomic_read(&block_returned), atomic_read(&block_killed));
}

static int unwatched_set(const char *val, const struct kernel_param *kp)
{
	unsigned long n, flags;
	int ret = kstrtoul(val, 0, &n);

	if (ret)
		return ret;
	while (n--) {
		local_irq_save(flags);
		pe_calls_unwatched();
		ct_idle_exit();
		local_irq_restore(flags);
	}
	return 0;
}

static int dump_set(const char *val, const struct kernel_param *kp)
{
	return pe_calls_outer(10) == 13 ? 0 : -EIO;
}

static const struct kernel_param_ops fast_ops = { .set = fast_set };
static const struct kernel_param_ops clobber_ops = { .set = clobber_set };
static const struct kernel_param_ops recurse_ops = { .set = recurse_set, .get = recurse_get };
static const struct kernel_param_ops sleep_ops = { .set = sleep_set };
static const struct kernel_param_ops never_ops = { .set = never_set };
static const struct kernel_param_ops never_notrace_ops = { .set = never_notrace_set };
static const struct kernel_param_ops late_ops = { .set = late_set, .get = late_get };
static const struct kernel_param_ops spin_ops = { .set = spin_set };
static const struct kernel_param_ops hold_cpu_ops = { .set = hold_cpu_set, .get = hold_cpu_get };
static const struct kernel_param_ops wake_ops = { .set = wake_set };
static const struct kernel_param_ops asleep_ops = { .get = asleep_get };
static const struct kernel_param_ops unblock_ops = { .set = unblock_set };
static const struct kernel_param_ops blocks_ops = { .get = blocks_get };
static const struct kernel_param_ops unwatched_ops = { .set = unwatched_set };
static const struct kernel_param_ops dump_ops = { .set = dump_set };

module_param_cb(fast, &fast_ops, NULL, 0200);
module_param_cb(clobber, &clobber_ops, NULL, 0200);
module_param_cb(recurse, &recurse_ops, NULL, 0600);
module_param_cb(sleep, &sleep_ops, NULL, 0200);
module_param_cb(never, &never_ops, NULL, 0200);
module_param_cb(never_notrace, &never_notrace_ops, NULL, 0200);
module_param_cb(late, &late_ops, NULL, 0600);
module_param_cb(spin, &spin_ops, NULL, 0200);
module_param_cb(hold_cpu, &hold_cpu_ops, NULL, 0600);
module_param_cb(wake, &wake_ops, NULL, 0200);
module_param_cb(asleep, &asleep_ops, NULL, 0400);
module_param_cb(unblock, &unblock_ops, NULL, 0200);
module_param_cb(blocks, &blocks_ops, NULL, 0400);
module_param_cb(unwatched, &unwatched_ops, NULL, 0200);
module_param_cb(dump, &dump_ops, NULL, 0200);

static int __init pe_calls_init(void)
{
	return proc_create("pe_calls_block", 0400, NULL, &block_ops) ? 0 : -ENOMEM;
}
module_init(pe_calls_init);

/* Threads hold references, so none is left.  procfs waits for readers. */
static void __exit pe_calls_exit(void)
{
	if (hold_state)
		cpuhp_remove_state_nocalls(hold_state);
	remove_proc_entry("pe_calls_block", NULL);
}
module_exit(pe_calls_exit);

MODULE_DESCRIPTION("Functions whose calls are known");
MODULE_LICENSE("GPL");
