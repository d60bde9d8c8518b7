// SPDX-License-Identifier: GPL-2.0
/*
 * fs_headers.c - what a program needs to read raw pages and knows from nowhere else:
 * header_page, header_event and ftrace/ in events/, and printk_formats.
 *
 * events/ftrace/ is also there because trace-cmd does not expect it to be empty, and
 * it makes events/ a directory with a group in it before the first probe.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include "kernel/compat.h"
#include "files.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/event/instance.h"
#include "kernel/trace/print/print.h"
#include "kernel/trace/ring/rb_buffer.h"
#include "kernel/trace/ring/rb_page.h"
#include "kernel/trace/hit/record.h"
#include "small_file.h"
#include "kernel/trace/trace_instance.h"

#define TEXT_MAX	512

static int header_page_show(struct seq_file *m, void *v)
{
	const struct pe_view *view = m->private;
	unsigned int size = 1U << READ_ONCE(pe_instance_buffer(view->inst)->page_shift);
	char text[TEXT_MAX];

	pe_rb_header_page_text(text, sizeof(text), size);
	seq_puts(m, text);
	return 0;
}

static int header_event_show(struct seq_file *m, void *v)
{
	char text[TEXT_MAX];

	pe_rb_header_event_text(text, sizeof(text));
	seq_puts(m, text);
	return 0;
}

static int print_format_show(struct seq_file *m, void *v)
{
	pe_format_print_marker(m);
	return 0;
}

static int raw_data_format_show(struct seq_file *m, void *v)
{
	pe_format_print_raw_data(m);
	return 0;
}

static int stack_format_show(struct seq_file *m, void *v)
{
	pe_format_print_stack(m);
	return 0;
}

static int print_id_show(struct seq_file *m, void *v)
{
	seq_printf(m, "%u\n", PE_PRINT_ID);
	return 0;
}

/* Our records refer to no text by its address: the list has no entries. */
static int printk_formats_show(struct seq_file *m, void *v)
{
	return 0;
}

PE_STATIC_TEXT_FILE(header_page, header_page_fops);
PE_STATIC_TEXT_FILE(header_event, header_event_fops);
PE_STATIC_TEXT_FILE(print_format, print_format_fops);
PE_STATIC_TEXT_FILE(stack_format, stack_format_fops);
PE_STATIC_TEXT_FILE(print_id, print_id_fops);
PE_STATIC_TEXT_FILE(raw_data_format, raw_data_format_fops);
PE_STATIC_TEXT_FILE(printk_formats, printk_formats_fops);

static const struct pe_fs_file events_files[] = {
	{ "header_page",	PE_FS_RO,	&header_page_fops },
	{ "header_event",	PE_FS_RO,	&header_event_fops },
	{}
};

static const struct pe_fs_file ftrace_files[] = {
	{ "enable",		PE_FS_RW,	&pe_none_enable_fops },
	{}
};

static const struct pe_fs_file print_files[] = {
	{ "format",		PE_FS_RO,	&print_format_fops },
	{ "id",			PE_FS_RO,	&print_id_fops },
	{}
};

static const struct pe_fs_file raw_data_files[] = {
	{ "format",		PE_FS_RO,	&raw_data_format_fops },
	{}
};

static const struct pe_fs_file stack_files[] = {
	{ "format",		PE_FS_RO,	&stack_format_fops },
	{}
};

static const struct pe_fs_file top_files[] = {
	{ "printk_formats",	PE_FS_RO,	&printk_formats_fops },
	{}
};

static int add_format(struct pe_node *ftrace, const char *name,
		      const struct pe_fs_file *files, struct pe_view *view)
{
	struct pe_node *dir = pe_fs_mkdir(ftrace, name, PE_FS_EVENTS);

	return IS_ERR(dir) ? PTR_ERR(dir) : pe_fs_create_files(dir, files, view);
}

int pe_fs_headers_add(struct pe_instance *inst, struct pe_node *events)
{
	struct pe_view *view = &inst->views[0];
	struct pe_node *ftrace;
	int ret;

	ret = pe_fs_create_files(events, events_files, view);
	if (ret)
		return ret;
	ftrace = pe_fs_mkdir(events, "ftrace", PE_FS_EVENTS);
	if (IS_ERR(ftrace))
		return PTR_ERR(ftrace);
	ret = pe_fs_create_files(ftrace, ftrace_files, view);
	if (!ret)
		ret = add_format(ftrace, "print", print_files, view);
	if (!ret)
		ret = add_format(ftrace, "raw_data", raw_data_files, view);
	if (!ret)
		ret = add_format(ftrace, "kernel_stack", stack_files, view);
	if (!ret && inst == &pe_top)
		ret = pe_fs_create_files(inst->dir, top_files, view);
	return ret;
}
