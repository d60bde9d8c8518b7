// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_cmdlines.c - saved_cmdlines, saved_cmdlines_size and saved_tgids: the
 * names and thread groups of the pids in records.
 *
 * A position in the lists is a slot of the table, so a reader may read them in
 * pieces while entries come and go.
 */
#include <linux/seq_file.h>
#include "files.h"
#include "kernel/trace/hit/cmdlines.h"
#include "kernel/trace/print/safe_text.h"
#include "small_file.h"

static struct pe_cmdline pe_cmdline_shown;	/* pe_cmdlines_lock() */

static void *pe_fs_cmdlines_find(loff_t *pos)
{
	unsigned long i = *pos;
	bool found = pe_cmdline_next(&i, &pe_cmdline_shown);

	*pos = i;
	return found ? &pe_cmdline_shown : NULL;
}

static void *pe_lines_start(struct seq_file *m, loff_t *pos)
{
	pe_cmdlines_lock();
	return pe_fs_cmdlines_find(pos);
}

static void *pe_lines_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return pe_fs_cmdlines_find(pos);
}

static void pe_lines_stop(struct seq_file *m, void *v)
{
	pe_cmdlines_unlock();
}

static int pe_lines_show(struct seq_file *m, void *v)
{
	const struct pe_cmdline *line = v;

	seq_printf(m, "%d ", line->pid);
	if (pe_small_how(m->file) == &pe_tgids_file)
		seq_printf(m, "%d", line->tgid);
	else
		pe_seq_safe_text(m, line->comm);
	seq_putc(m, '\n');
	return 0;
}

static const struct seq_operations pe_lines_list = {
	.start = pe_lines_start,
	.next = pe_lines_next,
	.stop = pe_lines_stop,
	.show = pe_lines_show,
};

const struct pe_small_file pe_cmdlines_file = { .list = &pe_lines_list };
const struct pe_small_file pe_tgids_file = { .list = &pe_lines_list };

static void pe_cmdlines_size_show(struct seq_file *m)
{
	seq_printf(m, "%u\n", pe_cmdlines_size());
}

static int pe_cmdlines_size_store(struct pe_view *view, unsigned long size)
{
	return pe_cmdlines_resize(size);
}

const struct pe_small_file pe_cmdlines_size_file = {
	.print = pe_cmdlines_size_show,
	.number = pe_cmdlines_size_store,
};
