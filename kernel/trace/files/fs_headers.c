// SPDX-License-Identifier: GPL-2.0
/*
 * fs_headers.c - files that a program needs to read raw pages, with facts that
 * it finds nowhere else: header_page, header_event and ftrace/ in events/, and
 * printk_formats.
 *
 * events/ftrace/ also exists because trace-cmd expects files in it.  And with it, events/
 * has a group before the first probe.
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
#include "kernel/trace/event/marker.h"
#include "link_file.h"
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

static const struct pe_small_file header_page_file = { .show = header_page_show };
static const struct pe_small_file header_event_file = { .show = header_event_show };
static const struct pe_small_file print_format_file = { .show = print_format_show };
static const struct pe_small_file stack_format_file = { .show = stack_format_show };
static const struct pe_small_file print_id_file = { .show = print_id_show };
static const struct pe_small_file raw_data_format_file = { .show = raw_data_format_show };
static const struct pe_small_file printk_formats_file = { .show = printk_formats_show };

static const struct pe_fs_file events_files[] = {
	{ "header_page",	PE_FS_RO,	&pe_small_ro_fops, &header_page_file },
	{ "header_event",	PE_FS_RO,	&pe_small_ro_fops, &header_event_file },
	{}
};

static const struct pe_fs_file ftrace_files[] = {
	{ "enable",		PE_FS_RW,	&pe_none_enable_fops },
	{}
};

static const struct pe_fs_file print_files[] = {
	{ "format",		PE_FS_RO,	&pe_small_ro_fops, &print_format_file },
	{ "id",			PE_FS_RO,	&pe_small_ro_fops, &print_id_file },
	{}
};

static const struct pe_fs_file print_link_files[] = {
	{ "trigger",		PE_FS_RW,	&pe_link_fops, &pe_event_trigger_file },
	{}
};

static const struct pe_fs_file raw_data_files[] = {
	{ "format",		PE_FS_RO,	&pe_small_ro_fops, &raw_data_format_file },
	{}
};

static const struct pe_fs_file stack_files[] = {
	{ "format",		PE_FS_RO,	&pe_small_ro_fops, &stack_format_file },
	{}
};

static const struct pe_fs_file top_files[] = {
	{ "printk_formats",	PE_FS_RO,	&pe_small_ro_fops, &printk_formats_file },
	{}
};

static int add_format(struct pe_node *ftrace, const char *name,
		      const struct pe_fs_file *files, struct pe_view *view)
{
	struct pe_node *dir = pe_fs_mkdir(ftrace, name, PE_FS_EVENTS);

	return IS_ERR(dir) ? PTR_ERR(dir) : pe_fs_create_files(dir, files, view);
}

/* Its triggers are those of trace_marker. */
static int add_print(struct pe_node *ftrace, struct pe_instance *inst)
{
	struct pe_event_link *link = pe_marker_link(inst);
	struct pe_node *dir;
	int ret;

	if (IS_ERR(link))
		return PTR_ERR(link);
	inst->marker = link;
	dir = pe_fs_mkdir(ftrace, "print", PE_FS_EVENTS);
	if (IS_ERR(dir))
		return PTR_ERR(dir);
	ret = pe_fs_create_files(dir, print_files, &inst->views[0]);
	return ret ?: pe_fs_create_files(dir, print_link_files, link);
}

int pe_fs_headers_add(struct pe_instance *inst)
{
	struct pe_view *view = &inst->views[0];
	struct pe_node *ftrace;
	int ret;

	ret = pe_fs_create_files(inst->events, events_files, view);
	if (ret)
		return ret;
	ftrace = pe_fs_mkdir(inst->events, "ftrace", PE_FS_EVENTS);
	if (IS_ERR(ftrace))
		return PTR_ERR(ftrace);
	ret = pe_fs_create_files(ftrace, ftrace_files, view);
	if (!ret)
		ret = add_print(ftrace, inst);
	if (!ret)
		ret = add_format(ftrace, "raw_data", raw_data_files, view);
	if (!ret)
		ret = add_format(ftrace, "kernel_stack", stack_files, view);
	if (!ret && inst == &pe_top)
		ret = pe_fs_create_files(inst->dir, top_files, view);
	return ret;
}
