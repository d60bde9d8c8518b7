// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_functions.c - available_filter_functions: the functions that ftrace can
 * trace.
 *
 * Tools look here whether a function exists before they put a probe on it.  The
 * list is made when the file is opened; functions that have since been unloaded
 * are left out.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <pe/symbols.h>
#include "files.h"
#include "kernel/know/compat.h"

struct functions {
	unsigned long *addrs;
	size_t nr;
};

static void *pe_functions_start(struct seq_file *m, loff_t *pos)
{
	const struct functions *functions = m->private;

	return *pos < functions->nr ? &functions->addrs[*pos] : NULL;
}

static void *pe_functions_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return pe_functions_start(m, pos);
}

static void pe_functions_stop(struct seq_file *m, void *v)
{
}

/*
 * The entry of a weak function that another has replaced is still there, in the
 * middle of the symbol before it.  Skip it.
 */
static int pe_functions_show(struct seq_file *m, void *v)
{
	unsigned long addr = *(unsigned long *)v, start, size;
	char name[KSYM_SYMBOL_LEN];

	if (!pe_symbol_at(addr, &start, &size) || addr - start > FTRACE_MCOUNT_MAX_OFFSET)
		return SEQ_SKIP;
	sprint_symbol_no_offset(name, addr);
	seq_printf(m, "%s\n", name);
	return 0;
}

static const struct seq_operations pe_functions_sops = {
	.start = pe_functions_start,
	.next = pe_functions_next,
	.stop = pe_functions_stop,
	.show = pe_functions_show,
};

static int pe_functions_open(struct inode *inode, struct file *file)
{
	struct functions *functions;
	unsigned long *addrs;
	size_t nr;

	addrs = pe_traceable_functions(&nr);
	if (IS_ERR(addrs))
		return PTR_ERR(addrs);
	functions = __seq_open_private(file, &pe_functions_sops, sizeof(*functions));
	if (!functions) {
		kvfree(addrs);
		return -ENOMEM;
	}
	functions->addrs = addrs;
	functions->nr = nr;
	return 0;
}

static int pe_functions_release(struct inode *inode, struct file *file)
{
	const struct functions *functions = ((struct seq_file *)file->private_data)->private;

	kvfree(functions->addrs);
	return seq_release_private(inode, file);
}

const struct file_operations pe_functions_fops = {
	.owner = THIS_MODULE,
	.open = pe_functions_open,
	.read_iter = seq_read_iter,
	.splice_read = pe_splice_read,
	.llseek = seq_lseek,
	.release = pe_functions_release,
};
