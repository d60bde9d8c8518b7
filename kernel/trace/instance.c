// SPDX-License-Identifier: GPL-2.0
/*
 * instance.c - a buffer, its switches, and the table of its files.
 *
 * The top instance lives as long as the module, so its files need no
 * reference on it.
 */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include "clock.h"
#include "fs.h"
#include "rb_buffer.h"
#include "reader.h"
#include "trace.h"

struct pe_instance pe_top;

static const struct pe_fs_file files[] = {
	{ "available_tracers",		PE_FS_RO, &pe_tracers_fops },
	{ "current_tracer",		PE_FS_RW, &pe_tracer_fops },
	{ "trace_options",		PE_FS_RW, &pe_options_fops },
	{ "trace",			PE_FS_RW, &pe_trace_fops },
	{ "trace_pipe",			PE_FS_RO, &pe_pipe_fops },
	{ "buffer_size_kb",		PE_FS_RW, &pe_size_fops },
	{ "buffer_total_size_kb",	PE_FS_RO, &pe_total_size_fops },
	{ "trace_clock",		PE_FS_RW, &pe_clock_fops },
	{ "tracing_on",			PE_FS_RW, &pe_tracing_on_fops },
	{}
};

static const struct pe_fs_file cpu_files[] = {
	{ "trace",			PE_FS_RW, &pe_trace_fops },
	{ "trace_pipe",			PE_FS_RO, &pe_pipe_fops },
	{ "stats",			PE_FS_RO, &pe_stats_fops },
	{ "buffer_size_kb",		PE_FS_RW, &pe_size_fops },
	{}
};

static int per_cpu_files(struct pe_instance *inst)
{
	struct pe_node *dir, *per_cpu = pe_fs_mkdir(inst->dir, "per_cpu");
	unsigned int cpu;
	char name[16];
	int ret;

	if (IS_ERR(per_cpu))
		return PTR_ERR(per_cpu);
	for_each_possible_cpu(cpu) {
		snprintf(name, sizeof(name), "cpu%u", cpu);
		dir = pe_fs_mkdir(per_cpu, name);
		if (IS_ERR(dir))
			return PTR_ERR(dir);
		ret = pe_fs_create_files(dir, cpu_files, &inst->views[1 + cpu]);
		if (ret)
			return ret;
	}
	return 0;
}

int pe_instance_files(struct pe_instance *inst)
{
	int ret = pe_fs_create_files(inst->dir, files, &inst->views[0]);

	if (!ret)
		ret = pe_options_files(inst);
	return ret ? ret : per_cpu_files(inst);
}

static struct pe_view *alloc_views(struct pe_instance *inst)
{
	struct pe_view *views = kvcalloc(1 + nr_cpu_ids, sizeof(*views), GFP_KERNEL);
	unsigned int i;

	for (i = 0; views && i <= nr_cpu_ids; i++) {
		views[i].inst = inst;
		views[i].cpu = i ? i - 1 : PE_ALL_CPUS;
	}
	return views;
}

static int init_instance(struct pe_instance *inst)
{
	INIT_LIST_HEAD(&inst->links);
	inst->tracing_on = true;
	inst->clock_id = PE_CLOCK_LOCAL;
	inst->options = BIT(PE_OPT_ANNOTATE) | BIT(PE_OPT_CONTEXT_INFO);
	inst->views = alloc_views(inst);
	inst->buffer = pe_buffer_create();
	if (inst->views && inst->buffer)
		return 0;
	kvfree(inst->views);
	if (inst->buffer)
		pe_buffer_destroy(inst->buffer);
	return -ENOMEM;
}

int pe_instance_init(void)
{
	pe_top.dir = pe_fs_root();
	return init_instance(&pe_top);
}

void pe_instance_exit(void)
{
	pe_buffer_destroy(pe_top.buffer);
	kvfree(pe_top.views);
}
