// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_sysctl - debug.kprobes-optimization as a module other than ours has it, with a value that
 * ours never has.  For kernels without kprobes, where the name is free.
 */
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/sysctl.h>
#include "kernel/know/compat.h"

static int value = 7;
static struct ctl_table_header *header;

static struct ctl_table table[] = {
	{
		.procname = "kprobes-optimization", .mode = 0644, .data = &value,
		.maxlen = sizeof(value), .proc_handler = proc_dointvec,
	},
	{ }
};

static int __init test_sysctl_init(void)
{
	header = pe_register_sysctl("debug", table, 1);
	return header ? 0 : -ENOMEM;
}

static void __exit sysctl_exit(void)
{
	unregister_sysctl_table(header);
}

module_init(test_sysctl_init);
module_exit(sysctl_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Test: another module has the name of a sysctl");
