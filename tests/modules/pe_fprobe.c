// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_fprobe.c - the kernel's own probe on all functions of a pattern, for measuring.
 *
 * Writing a pattern to the parameter `filter` registers one fprobe for it, whose handler counts;
 * writing an empty text removes it.  `hits` is what it has counted.
 */
#include <linux/fprobe.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include "kernel/know/compat.h"

static DEFINE_PER_CPU(unsigned long, counts);
static char pattern[64];

static int count(struct fprobe *fp, unsigned long ip, unsigned long ret_ip,
		 struct pe_fprobe_regs *regs, void *data)
{
	this_cpu_inc(counts);
	return 0;
}

static struct fprobe probe;

/* Writes to a module's parameters come one at a time. */
static int filter_set(const char *val, const struct kernel_param *kp)
{
	char wanted[sizeof(pattern)];
	int err;

	if (strscpy(wanted, val, sizeof(wanted)) < 0)
		return -E2BIG;
	strim(wanted);
	if (pattern[0]) {
		err = unregister_fprobe(&probe);
		if (err)
			return err;
		pattern[0] = 0;
	}
	if (!wanted[0])
		return 0;
	probe = (struct fprobe){ .entry_handler = count };
	err = register_fprobe(&probe, wanted, NULL);
	if (!err)
		strscpy(pattern, wanted, sizeof(pattern));
	return err;
}

static const struct kernel_param_ops filter_ops = { .set = filter_set };
module_param_cb(filter, &filter_ops, NULL, 0200);
MODULE_PARM_DESC(filter, "written: the functions to probe, or none");

static int hits_get(char *buf, const struct kernel_param *kp)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += per_cpu(counts, cpu);
	return sysfs_emit(buf, "%lu\n", sum);
}

static const struct kernel_param_ops hits_ops = { .get = hits_get };
module_param_cb(hits, &hits_ops, NULL, 0400);
MODULE_PARM_DESC(hits, "what has been counted");

static int __init fprobe_init(void)
{
	return 0;
}
module_init(fprobe_init);

static void __exit fprobe_exit(void)
{
	if (pattern[0])
		unregister_fprobe(&probe);
}
module_exit(fprobe_exit);

MODULE_DESCRIPTION("The kernel's fprobe on the functions of a pattern");
MODULE_LICENSE("GPL");
