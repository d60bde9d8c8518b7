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
#include "kernel/trace/event/event_probe.h"
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

static int unwatched_show(struct seq_file *m, void *v)
{
	seq_printf(m, "%lu\n", pe_kprobes_unwatched());
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(unwatched);

static ssize_t enabled_read(struct file *file, char __user *buf, size_t count,
			    loff_t *ppos)
{
	const char text[] = { pe_kprobes_armed() ? '1' : '0', '\n' };

	return simple_read_from_buffer(buf, count, ppos, text, sizeof(text));
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

static const struct pe_fs_file files[] = {
	{ "list",	0400,	&list_fops },
	{ "enabled",	0600,	&enabled_fops },
	{ "blacklist",	0400,	&blacklist_fops },
	{ "unwatched",	0400,	&unwatched_fops },
	{ }
};

int pe_fs_kprobes_init(void)
{
	struct pe_node *dir = pe_fs_mkdir(NULL, "kprobes", PE_FS_DIR);

	if (IS_ERR(dir))
		return PTR_ERR(dir);
	return pe_fs_create_files(dir, files, NULL);
}
