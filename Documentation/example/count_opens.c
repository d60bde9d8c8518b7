// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * count_opens.c - count the files that are opened, by a kprobe of probe-events' engine.
 *
 * The source knows nothing of probe-events: without its directories it is built for the kernel's
 * own kprobes.
 */
#include <linux/atomic.h>
#include <linux/kprobes.h>
#include <linux/module.h>

static atomic_long_t opens;

static int count(struct kprobe *p, struct pt_regs *regs)
{
	atomic_long_inc(&opens);
	return 0;
}

static struct kprobe probe = {
	.symbol_name = "do_sys_openat2",
	.pre_handler = count,
};

static int __init count_opens_init(void)
{
	return register_kprobe(&probe);
}

static void __exit count_opens_exit(void)
{
	unregister_kprobe(&probe);
	pr_info("%ld files were opened\n", atomic_long_read(&opens));
}

module_init(count_opens_init);
module_exit(count_opens_exit);

MODULE_DESCRIPTION("Counts opens, by a kprobe");
MODULE_LICENSE("GPL");
