// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
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
#include <linux/seq_file.h>
#include "files.h"
#include "kernel/trace/event/instance.h"
#include "kernel/trace/event/marker.h"
#include "kernel/trace/hit/record.h"
#include "kernel/trace/print/print.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/ring/rb_buffer.h"
#include "kernel/trace/ring/rb_page.h"
#include "kernel/trace/trace_instance.h"
#include "link_file.h"
#include "small_file.h"

#define TEXT_MAX	512

static void pe_header_page_show(struct seq_file *m, const struct pe_view *view)
{
	unsigned int size = 1U << READ_ONCE(pe_instance_buffer(view->inst)->page_shift);
	char text[TEXT_MAX];

	pe_rb_header_page_text(text, sizeof(text), size);
	seq_puts(m, text);
}

static void pe_header_event_show(struct seq_file *m)
{
	char text[TEXT_MAX];

	pe_rb_header_event_text(text, sizeof(text));
	seq_puts(m, text);
}

static void pe_print_id_show(struct seq_file *m)
{
	seq_printf(m, "%u\n", PE_PRINT_ID);
}

static const struct pe_small_file pe_header_page_file = { .show = pe_header_page_show };
static const struct pe_small_file pe_header_event_file = { .print = pe_header_event_show };
static const struct pe_small_file pe_print_format = { .print = pe_format_print_marker };
static const struct pe_small_file pe_stack_format = { .print = pe_format_print_stack };
static const struct pe_small_file pe_raw_data_format = { .print = pe_format_print_raw_data };
static const struct pe_small_file pe_print_id_file = { .print = pe_print_id_show };
/* Our records refer to no text by its address: the list has no entries. */
const struct pe_small_file pe_printk_formats_file = { .text = "" };

static const struct pe_fs_file pe_raw_data_files[] = {
	{ "format",		PE_FS_RO,	&pe_small_fops, &pe_raw_data_format },
	{}
};

static const struct pe_fs_file pe_stack_files[] = {
	{ "format",		PE_FS_RO,	&pe_small_fops, &pe_stack_format },
	{}
};

static const struct pe_fs_file pe_ftrace_files[] = {
	{ "enable",		PE_FS_RW,	&pe_small_fops, &pe_none_enable_file },
	{ "raw_data",		PE_FS_EVENTS,	.files = pe_raw_data_files },
	{ "kernel_stack",	PE_FS_EVENTS,	.files = pe_stack_files },
	{}
};

static const struct pe_fs_file pe_events_files[] = {
	{ "enable",		PE_FS_RW,	&pe_small_fops, &pe_all_enable_file },
	{ "header_page",	PE_FS_RO,	&pe_small_fops, &pe_header_page_file },
	{ "header_event",	PE_FS_RO,	&pe_small_fops, &pe_header_event_file },
	{}
};

static const struct pe_fs_file pe_print_files[] = {
	{ "format",		PE_FS_RO,	&pe_small_fops, &pe_print_format },
	{ "id",			PE_FS_RO,	&pe_small_fops, &pe_print_id_file },
	{}
};

static const struct pe_fs_file pe_print_link_files[] = {
	{ "trigger",		PE_FS_RW,	&pe_link_fops, &pe_event_trigger_file },
	{ "hist",		PE_FS_RO,	&pe_table_fops, &pe_hist_format },
	{ "table",		PE_FS_RW,	&pe_table_fops, &pe_table_format },
	{}
};

/* Its triggers are those of trace_marker. */
static int pe_add_print(struct pe_node *ftrace, struct pe_instance *inst)
{
	struct pe_event_link *link = pe_marker_link(inst);
	struct pe_node *dir;

	if (IS_ERR(link))
		return PTR_ERR(link);
	inst->marker = link;
	dir = pe_fs_create_dir(ftrace, "print", PE_FS_EVENTS, pe_print_files, &inst->views[0]);
	return IS_ERR(dir) ? PTR_ERR(dir) : pe_fs_create_files(dir, pe_print_link_files, link);
}

int pe_fs_events_add(struct pe_instance *inst)
{
	struct pe_view *view = &inst->views[0];
	struct pe_node *dir;

	dir = pe_fs_create_dir(inst->dir, "events", PE_FS_EVENTS, pe_events_files, view);
	if (IS_ERR(dir))
		return PTR_ERR(dir);
	inst->events = dir;
	dir = pe_fs_create_dir(dir, "ftrace", PE_FS_EVENTS, pe_ftrace_files, view);
	return IS_ERR(dir) ? PTR_ERR(dir) : pe_add_print(dir, inst);
}
