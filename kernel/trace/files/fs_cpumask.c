// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_cpumask.c - tracing_cpumask: the CPUs on which an instance records.
 *
 * A CPU that is not in the mask has its ring disabled, and that of the
 * snapshot.  So the mask costs the hit path nothing.  The CPU's hits are
 * counted as PE_LOSS_OFF.
 */
#include <linux/cpumask.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include "files.h"
#include "kernel/trace/event/buffers.h"
#include "kernel/trace/trace_instance.h"
#include "small_file.h"

/* Serialises writers; outside the buffer's locks. */
static DEFINE_MUTEX(pe_mask_mutex);

static void pe_cpumask_show(struct seq_file *m, const struct pe_view *view)
{
	mutex_lock(&pe_mask_mutex);
	seq_printf(m, "%*pb\n", cpumask_pr_args(view->inst->cpumask));
	mutex_unlock(&pe_mask_mutex);
}

static bool pe_fs_cpumask_lacks(struct cpumask *diff, const struct cpumask *in,
				const struct cpumask *not_in)
{
	cpumask_andnot(diff, in, not_in);
	return cpumask_and(diff, diff, cpu_possible_mask);
}

/* There is one wait for the writers of all CPUs that are disabled. */
static int pe_set_cpumask(struct pe_instance *inst, const struct cpumask *mask)
{
	cpumask_var_t diff;

	if (!alloc_cpumask_var(&diff, GFP_KERNEL))
		return -ENOMEM;
	mutex_lock(&pe_mask_mutex);
	if (pe_fs_cpumask_lacks(diff, mask, inst->cpumask))
		pe_buffers_record_enable(inst, diff);
	if (pe_fs_cpumask_lacks(diff, inst->cpumask, mask))
		pe_buffers_record_disable(inst, diff);
	cpumask_copy(inst->cpumask, mask);
	mutex_unlock(&pe_mask_mutex);
	free_cpumask_var(diff);
	return 0;
}

static ssize_t pe_cpumask_write(struct file *file, const char __user *buf, size_t count)
{
	cpumask_var_t mask;
	int ret;

	if (!count || count > PAGE_SIZE)
		return -EINVAL;
	if (!zalloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;
	ret = cpumask_parse_user(buf, count, mask);
	if (!ret)
		ret = pe_set_cpumask(pe_small_view(file)->inst, mask);
	free_cpumask_var(mask);
	return ret ? ret : count;
}

const struct pe_small_file pe_cpumask_file = { .show = pe_cpumask_show, .write = pe_cpumask_write };
