// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_dying.c - a task that sleeps in a function while it is off the list of tasks.
 *
 *   echo NAME > start		a kernel thread ends; in release_task(), after it has left all
 *				lists, it comes to NAME and first calls dying_wait()
 *   cat state			while it is there: "none", "listed", "unlisted" or "awake";
 *				then "ok", or "wrong" if dying_wait() has returned a wrong value
 *   echo 1 > wake		lets it go on
 *
 * NAME must take no more than one argument; proc_flush_pid() is called right after
 * the task has been taken off the list.  A kprobe of the kernel there sends the task
 * to a detour.  This module does not need the engine, which can be unloaded while
 * the task sleeps.
 */
#include <linux/completion.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/wait.h>
#include "kernel/know/compat.h"

static DEFINE_MUTEX(lock);
static DECLARE_WAIT_QUEUE_HEAD(sleepers);
static struct task_struct *dying;
static bool redirected, wake;
static const char *state = "none";
static char name[64];
static unsigned long (*flush)(unsigned long arg);

static bool is_listed(const struct task_struct *task)
{
	struct task_struct *group, *t;
	bool found = false;

	rcu_read_lock();
	for_each_process_thread(group, t)
		found |= t == task;
	rcu_read_unlock();
	return found;
}

/* A function to probe. */
unsigned long dying_wait(unsigned long arg);
noinline __noclone unsigned long dying_wait(unsigned long arg)
{
	WRITE_ONCE(state, is_listed(current) ? "listed" : "unlisted");
	wait_event(sleepers, READ_ONCE(wake));
	return arg * 3;
}

/* Runs in place of the probed function's call, and makes that call again. */
static unsigned long detour(unsigned long arg)
{
	bool ok = dying_wait(14) == 42;

	arg = flush(arg);
	WRITE_ONCE(state, ok ? "ok" : "wrong");
	return arg;
}

static int on_call(struct kprobe *kp, struct pt_regs *regs)
{
	if (current != READ_ONCE(dying) || redirected)
		return 0;
	redirected = true;
	flush = (void *)kp->addr;
	regs->ip = (unsigned long)detour;
	return 1;
}

static struct kprobe probe = { .symbol_name = name, .pre_handler = on_call };
static bool probed;

static int end(void *unused)
{
	return 0;
}

/* When the task is gone for good, it has left this module's code. */
static void forget(void)
{
	WRITE_ONCE(wake, true);
	wake_up_all(&sleepers);
	while (dying && pe_task_state(dying) != TASK_DEAD)
		schedule_timeout_uninterruptible(1);
	if (dying)
		put_task_struct(dying);
	dying = NULL;
	if (probed)
		unregister_kprobe(&probe);
	probed = false;
}

static int start(const char *where)
{
	int err;

	forget();
	strscpy(name, where, sizeof(name));
	probe = (struct kprobe) { .symbol_name = name, .pre_handler = on_call };
	err = register_kprobe(&probe);
	if (err)
		return err;
	probed = true;
	redirected = false;
	wake = false;
	state = "none";
	dying = kthread_create(end, NULL, "pe_dying");
	if (IS_ERR(dying)) {
		err = PTR_ERR(dying);
		dying = NULL;
		return err;
	}
	get_task_struct(dying);
	wake_up_process(dying);
	return 0;
}

static int start_set(const char *val, const struct kernel_param *param)
{
	char text[64];
	int err;

	strscpy(text, val, sizeof(text));
	mutex_lock(&lock);
	err = start(strim(text));
	mutex_unlock(&lock);
	return err;
}

static int wake_set(const char *val, const struct kernel_param *param)
{
	WRITE_ONCE(wake, true);
	wake_up_all(&sleepers);
	return 0;
}

static int state_get(char *buf, const struct kernel_param *param)
{
	return sysfs_emit(buf, "%s\n", READ_ONCE(state));
}

static const struct kernel_param_ops start_ops = { .set = start_set };
module_param_cb(start, &start_ops, NULL, 0200);
static const struct kernel_param_ops wake_ops = { .set = wake_set };
module_param_cb(wake, &wake_ops, NULL, 0200);
static const struct kernel_param_ops state_ops = { .get = state_get };
module_param_cb(state, &state_ops, NULL, 0400);

static int __init dying_init(void)
{
	return 0;
}

static void __exit dying_exit(void)
{
	forget();
}

module_init(dying_init);
module_exit(dying_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A task that sleeps while it is off the list of tasks, for tests");
