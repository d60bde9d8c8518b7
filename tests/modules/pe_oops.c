// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_oops - what happens in a crash, without one.
 *
 *   how=oops    a thread on CPU @cpu reads from a null pointer, and dies of it
 *   how=panic   the panic notifiers are called as panic() does
 *
 * The kernel is told beforehand that it should survive an oops.
 */
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/sched.h>
#include <linux/string.h>
#include "kernel/know/compat.h"

static char *how = "";
module_param(how, charp, 0);
static int cpu;
module_param(cpu, int, 0);

static int *volatile nowhere;

static int pe_oops_die(void *unused)
{
	return *nowhere;
}

static int __init pe_oops_init(void)
{
	struct task_struct *task;

	if (!strcmp(how, "panic")) {
		atomic_notifier_call_chain(&panic_notifier_list, 0, "pe_oops");
		return 0;
	}
	if (strcmp(how, "oops"))
		return -EINVAL;
	task = kthread_create(pe_oops_die, NULL, "pe_oops");
	if (IS_ERR(task))
		return PTR_ERR(task);
	kthread_bind(task, cpu);
	wake_up_process(task);
	return 0;
}

static void __exit pe_oops_exit(void)
{
}

module_init(pe_oops_init);
module_exit(pe_oops_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Test: an oops, and a panic's notifiers");
