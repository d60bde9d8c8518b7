// SPDX-License-Identifier: GPL-2.0
/*
 * fs_kprobes.c - kprobes/: the engine's own view, as debugfs has it for the
 * kernel's kprobes, and hits that belong to no event.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <pe/kprobe.h>
#include <pe/kretprobe.h>
#include "kernel/trace/event/compile.h"
#include "kernel/trace/event/event_probe.h"
#include "kernel/trace/event/event_set.h"
#include "kernel/trace/event/mirror.h"
#include "files.h"
#include "kernel/trace/probefs/fs.h"

static int list_show(struct seq_file *m, void *v)
{
	pe_kprobes_show_list(m);
	pe_event_probes_show_waiting(m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(list);

static int blacklist_show(struct seq_file *m, void *v)
{
	pe_kprobes_show_blacklist(m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(blacklist);

static int refused_show(struct seq_file *m, void *v)
{
	pe_event_sets_show_refused(m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(refused);

static int unwatched_show(struct seq_file *m, void *v)
{
	seq_printf(m, "%lu\n", pe_kprobes_unwatched());
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(unwatched);

/* Documentation/kprobe-events.md says what each line counts. */
static int memory_show(struct seq_file *m, void *v)
{
	struct pe_event_memory events;
	struct pe_memory engine;
	size_t bytes;

	pe_event_probes_memory(&events);
	pe_kprobes_memory(&engine);
	bytes = events.events + events.probes + events.counters + engine.sites +
		engine.counters + engine.returns + engine.copies + engine.detours +
		engine.slots + engine.compiled;
	seq_printf(m, "probes\t\t%zu\n", engine.probes);
	seq_printf(m, "bytes\t\t%zu\n", bytes);
	seq_printf(m, "bytes/probe\t%zu\n", engine.probes ? bytes / engine.probes : 0);
	seq_printf(m, "events\t\t%zu\n", events.events);
	seq_printf(m, "programs\t%zu\n", events.probes);
	seq_printf(m, "counters\t%zu\n", events.counters + engine.counters);
	seq_printf(m, "sites\t\t%zu\n", engine.sites);
	seq_printf(m, "returns\t\t%zu\n", engine.returns);
	seq_printf(m, "copies\t\t%zu\n", engine.copies);
	seq_printf(m, "detours\t\t%zu\n", engine.detours);
	seq_printf(m, "slots\t\t%zu\n", engine.slots);
	seq_printf(m, "compiled\t%zu\n", engine.compiled);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(memory);

static ssize_t read_switch(bool on, char __user *buf, size_t count, loff_t *ppos)
{
	const char text[] = { on ? '1' : '0', '\n' };

	return simple_read_from_buffer(buf, count, ppos, text, sizeof(text));
}

static ssize_t enabled_read(struct file *file, char __user *buf, size_t count,
			    loff_t *ppos)
{
	return read_switch(pe_kprobes_armed(), buf, count, ppos);
}

static ssize_t enabled_write(struct file *file, const char __user *buf, size_t count,
			     loff_t *ppos)
{
	bool on;
	int ret;

	ret = kstrtobool_from_user(buf, count, &on);
	if (!ret)
		ret = pe_kprobes_arm_all(on);
	if (ret && on)
		pe_event_probes_log_refusals();
	return ret ?: count;
}

static const struct file_operations enabled_fops = {
	.owner = THIS_MODULE,
	.read = enabled_read,
	.write = enabled_write,
	.llseek = default_llseek,
};

static int detours_show(struct seq_file *m, void *v)
{
	pe_kprobes_show_detours(m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(detours);

static int optimized_show(struct seq_file *m, void *v)
{
	pe_kprobes_show_optimized(m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(optimized);

static ssize_t optimization_read(struct file *file, char __user *buf, size_t count,
				 loff_t *ppos)
{
	return read_switch(pe_kprobes_optimized(), buf, count, ppos);
}

static ssize_t optimization_write(struct file *file, const char __user *buf, size_t count,
				  loff_t *ppos)
{
	bool on;
	int ret = kstrtobool_from_user(buf, count, &on);

	if (ret)
		return ret;
	pe_kprobes_optimize(on);
	return count;
}

static const struct file_operations optimization_fops = {
	.owner = THIS_MODULE,
	.read = optimization_read,
	.write = optimization_write,
	.llseek = default_llseek,
};

static int compiled_show(struct seq_file *m, void *v)
{
	pe_compile_show(m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(compiled);

static ssize_t compile_read(struct file *file, char __user *buf, size_t count, loff_t *ppos)
{
	return read_switch(pe_compile_is_on(), buf, count, ppos);
}

static ssize_t compile_write(struct file *file, const char __user *buf, size_t count,
			     loff_t *ppos)
{
	bool on;
	int ret = kstrtobool_from_user(buf, count, &on);

	if (ret)
		return ret;
	pe_compile_switch(on);
	return count;
}

static const struct file_operations compile_fops = {
	.owner = THIS_MODULE,
	.read = compile_read,
	.write = compile_write,
	.llseek = default_llseek,
};

#if PE_HAVE_TRACING
static ssize_t mirror_read(struct file *file, char __user *buf, size_t count, loff_t *ppos)
{
	return read_switch(pe_mirror_is_new(), buf, count, ppos);
}

static ssize_t mirror_write(struct file *file, const char __user *buf, size_t count,
			    loff_t *ppos)
{
	bool on;
	int ret = kstrtobool_from_user(buf, count, &on);

	if (ret)
		return ret;
	pe_mirror_set_new(on);
	return count;
}

static const struct file_operations mirror_fops = {
	.owner = THIS_MODULE,
	.read = mirror_read,
	.write = mirror_write,
	.llseek = default_llseek,
};
#endif

static const struct pe_fs_file files[] = {
	{ "list",	0400,	&list_fops },
	{ "enabled",	0600,	&enabled_fops },
	{ "optimization", 0600,	&optimization_fops },
	{ "optimized",	0400,	&optimized_fops },
	{ "detours",	0400,	&detours_fops },
	{ "blacklist",	0400,	&blacklist_fops },
	{ "refused",	0400,	&refused_fops },
	{ "compile",	0600,	&compile_fops },
	{ "compiled",	0400,	&compiled_fops },
	{ "unwatched",	0400,	&unwatched_fops },
	{ "memory",	0400,	&memory_fops },
	{ "btf",	0600,	&pe_btf_fops },
#if PE_HAVE_TRACING
	{ "mirror",	0600,	&mirror_fops },
#endif
	{ }
};

int pe_fs_kprobes_init(void)
{
	struct pe_node *dir = pe_fs_mkdir(NULL, "kprobes", PE_FS_DIR);

	if (IS_ERR(dir))
		return PTR_ERR(dir);
	return pe_fs_create_files(dir, files, NULL);
}
