// SPDX-License-Identifier: GPL-2.0
/*
 * fs_cmdlines.c - saved_cmdlines, saved_cmdlines_size and saved_tgids: the
 * names and thread groups of the pids in records.
 *
 * A position in the lists is a slot of the table, so a reader may read them in
 * pieces while entries come and go.
 */
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include "files.h"
#include "kernel/trace/event/instance.h"
#include "kernel/trace/hit/cmdlines.h"
#include "kernel/trace/print/safe_text.h"
#include "kernel/trace/probefs/fs.h"
#include "refusal.h"

static void *pe_fs_cmdlines_find(struct seq_file *m, loff_t *pos)
{
	struct pe_cmdline *line = m->private;
	unsigned long i = *pos;
	bool found = pe_cmdline_next(&i, line);

	*pos = i;
	return found ? line : NULL;
}

static void *pe_lines_start(struct seq_file *m, loff_t *pos)
{
	pe_cmdlines_lock();
	return pe_fs_cmdlines_find(m, pos);
}

static void *pe_lines_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return pe_fs_cmdlines_find(m, pos);
}

static void pe_lines_stop(struct seq_file *m, void *v)
{
	pe_cmdlines_unlock();
}

static int pe_cmdline_show(struct seq_file *m, void *v)
{
	const struct pe_cmdline *line = v;

	seq_printf(m, "%d ", line->pid);
	pe_seq_safe_text(m, line->comm);
	seq_putc(m, '\n');
	return 0;
}

static int pe_tgid_show(struct seq_file *m, void *v)
{
	const struct pe_cmdline *line = v;

	seq_printf(m, "%d %d\n", line->pid, line->tgid);
	return 0;
}

static const struct seq_operations pe_cmdlines_sops = {
	.start = pe_lines_start,
	.next = pe_lines_next,
	.stop = pe_lines_stop,
	.show = pe_cmdline_show,
};

static const struct seq_operations pe_tgids_sops = {
	.start = pe_lines_start,
	.next = pe_lines_next,
	.stop = pe_lines_stop,
	.show = pe_tgid_show,
};

static int pe_cmdlines_open(struct inode *inode, struct file *file)
{
	return seq_open_private(file, &pe_cmdlines_sops, sizeof(struct pe_cmdline));
}

static int pe_tgids_open(struct inode *inode, struct file *file)
{
	return seq_open_private(file, &pe_tgids_sops, sizeof(struct pe_cmdline));
}

static ssize_t pe_size_read(struct file *file, char __user *buf, size_t count, loff_t *ppos)
{
	char text[16];
	int len = scnprintf(text, sizeof(text), "%u\n", pe_cmdlines_size());

	return simple_read_from_buffer(buf, count, ppos, text, len);
}

static ssize_t pe_size_write(struct file *file, const char __user *buf, size_t count,
			     loff_t *ppos)
{
	unsigned long size;
	int ret = kstrtoul_from_user(buf, count, 10, &size);

	if (!ret)
		ret = pe_cmdlines_resize(size);
	return pe_refused(&pe_top, file, buf, count, ret ? ret : count);
}

static const struct file_operations pe_cmdlines_fops = {
	.owner = THIS_MODULE,
	.open = pe_cmdlines_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = seq_release_private,
};

static const struct file_operations pe_tgids_fops = {
	.owner = THIS_MODULE,
	.open = pe_tgids_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = seq_release_private,
};

static const struct file_operations pe_size_fops = {
	.owner = THIS_MODULE,
	.read = pe_size_read,
	.write = pe_size_write,
	.llseek = default_llseek,
};

static const struct pe_fs_file pe_fs_cmdlines_files[] = {
	{ "saved_cmdlines",		PE_FS_RO, &pe_cmdlines_fops },
	{ "saved_cmdlines_size",	PE_FS_RW, &pe_size_fops },
	{ "saved_tgids",		PE_FS_RO, &pe_tgids_fops },
	{}
};

int pe_fs_cmdlines_init(void)
{
	return pe_fs_create_files(NULL, pe_fs_cmdlines_files, NULL);
}
