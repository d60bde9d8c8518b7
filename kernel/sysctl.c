// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * sysctl.c - /proc/sys/debug/kprobes-optimization, where the kernel has none.
 *
 * The kernel has a file of this name if its own kprobes can become jumps.  That file is about
 * the kernel's kprobes and is left alone.  On other kernels the name is free, and the file is the
 * same switch as kprobes/optimization.  It belongs to the engine, as the switch does: it is
 * there for users of the engine that do not load probe_events.
 *
 * unregister_sysctl_table() waits until no call of the handler runs.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kconfig.h>
#include <linux/namei.h>
#include <linux/path.h>
#include <linux/printk.h>
#include <linux/sysctl.h>
#include <pe/kprobe.h>
#include "kernel/know/compat.h"
#include "kernel/sysctl.h"

#define DIR	"debug"
#define NAME	"kprobes-optimization"

/* Reads and refuses as the kernel's file does: proc_dointvec_minmax() parses, for both. */
static int pe_sysctl_optimization(PE_CTL_TABLE *table, int write, void *buffer, size_t *lenp,
				  loff_t *ppos)
{
	int ret, on = pe_kprobes_optimized();
	struct ctl_table value = {
		.data = &on, .maxlen = sizeof(on),
		.extra1 = SYSCTL_ZERO, .extra2 = SYSCTL_ONE,
	};

	ret = proc_dointvec_minmax(&value, write, buffer, lenp, ppos);
	if (!ret && write)
		ret = pe_kprobes_optimize(on);
	return ret;
}

/* The last one ends the table on older kernels. */
static struct ctl_table pe_sysctl_table[] = {
	{ .procname = NAME, .mode = 0644, .proc_handler = pe_sysctl_optimization },
	{ }
};

static struct ctl_table_header *pe_sysctl_header;

/*
 * Registering a name twice fails, with a stack in the kernel's log.  The file is not seen
 * where /proc is not mounted, so the configuration is asked, too.
 */
static bool pe_kernel_has_one(void)
{
	struct path path;

	if (IS_ENABLED(CONFIG_OPTPROBES))
		return true;
	if (kern_path("/proc/sys/" DIR "/" NAME, 0, &path))
		return false;
	path_put(&path);
	return true;
}

void pe_sysctl_init(void)
{
	if (!IS_ENABLED(CONFIG_SYSCTL) || pe_kernel_has_one())
		return;
	pe_sysctl_header = pe_register_sysctl(DIR, pe_sysctl_table, 1);
	if (!pe_sysctl_header)
		pr_warn("no sysctl " DIR "." NAME "\n");
}

void pe_sysctl_exit(void)
{
	if (pe_sysctl_header)
		unregister_sysctl_table(pe_sysctl_header);
}
