// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_cmdlines.c - saved_cmdlines, saved_cmdlines_size and saved_tgids: the
 * names and thread groups of the pids in records.
 *
 * A position in the lists is a slot of the table, so a reader may read them in
 * pieces while entries come and go.
 */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include "files.h"
#include "kernel/trace/event/instance.h"
#include "kernel/trace/hit/cmdlines.h"
#include "kernel/trace/print/safe_text.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/trace_instance.h"
#include "small_file.h"

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
	return seq_open_private(file, pe_fs_how(inode), sizeof(struct pe_cmdline));
}

static int pe_cmdlines_size_show(struct seq_file *m, void *v)
{
	seq_printf(m, "%u\n", pe_cmdlines_size());
	return 0;
}

static int pe_cmdlines_size_store(struct pe_view *view, unsigned long size)
{
	return pe_cmdlines_resize(size);
}

static const struct pe_small_file pe_cmdlines_size_file = {
	.show = pe_cmdlines_size_show,
	.number = pe_cmdlines_size_store,
};

static const struct file_operations pe_cmdlines_fops = {
	.owner = THIS_MODULE,
	.open = pe_cmdlines_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = seq_release_private,
};

static const struct pe_fs_file pe_fs_cmdlines_files[] = {
	{ "saved_cmdlines",		PE_FS_RO, &pe_cmdlines_fops, &pe_cmdlines_sops },
	{ "saved_cmdlines_size",	PE_FS_RW, &pe_small_fops, &pe_cmdlines_size_file },
	{ "saved_tgids",		PE_FS_RO, &pe_cmdlines_fops, &pe_tgids_sops },
	{}
};

int pe_fs_cmdlines_init(void)
{
	return pe_fs_create_files(NULL, pe_fs_cmdlines_files, &pe_top.views[0]);
}
