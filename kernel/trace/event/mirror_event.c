// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * mirror_event.c - an event as the kernel sees it: its name, its fields, its records as text.
 *
 * A record is the same bytes in our buffers and in the kernel's, except for common_type.  So
 * the texts of format and of records come from the functions that our own files use.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/trace_events.h>
#include <linux/trace_seq.h>
#include "event.h"
#include "kernel/trace/hit/mirror_hit.h"
#include "kernel/trace/hit/record.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/print/print.h"
#include "kernel/trace/trace.h"
#include "mirror.h"

/* "__data_loc char[][64]" */
#define TYPE_LEN	24

#define FMT_FIRST	PAGE_SIZE
#define FMT_MAX		(1024 * 1024)

static struct pe_mirror *pe_mirror_of(struct trace_event_call *call)
{
	return container_of(call, struct pe_mirror, call);
}

/* ---- fields ---- */

static int pe_define_place(struct trace_event_call *call, bool is_return)
{
	int ret;

	if (!is_return)
		return trace_define_field(call, "unsigned long", "__probe_ip", 8, 8, false,
					  FILTER_OTHER);
	ret = trace_define_field(call, "unsigned long", "__probe_func", 8, 8, false, FILTER_OTHER);
	return ret ?: trace_define_field(call, "unsigned long", "__probe_ret_ip", 16, 8, false,
					 FILTER_OTHER);
}

static int pe_define_fields(struct trace_event_call *call)
{
	const struct pe_event *event = pe_mirror_of(call)->event;
	const char *types = pe_mirror_of(call)->types;
	int ret = pe_define_place(call, event->is_return);
	const struct pe_arg *arg;
	const char *type;
	unsigned int i;

	for (i = 0; i < event->nargs && !ret; i++) {
		arg = &event->args[i];
		type = arg->count ? types + i * TYPE_LEN : arg->type->c_name;
		ret = trace_define_field(call, type, arg->name, arg->offset, arg->size,
					 arg->type->is_signed, FILTER_OTHER);
	}
	return ret;
}

static char *pe_array_types(const struct pe_event *event)
{
	char *types = kvcalloc(event->nargs, TYPE_LEN, GFP_KERNEL_ACCOUNT);
	unsigned int i;

	for (i = 0; types && i < event->nargs; i++)
		snprintf(types + i * TYPE_LEN, TYPE_LEN, "%s[%u]", event->args[i].type->c_name,
			 event->args[i].count);
	return types;
}

/* ---- texts ---- */

/* A seq_file that writes to given memory: as much as fits. */
static struct seq_file pe_to_memory(char *buf, size_t size)
{
	return (struct seq_file){ .buf = buf, .size = size };
}

static char *pe_print_fmt(const struct pe_event *event)
{
	struct pe_layout layout;
	struct seq_file m;
	size_t size;
	char *buf;

	pe_event_layout(event, &layout);
	for (size = FMT_FIRST; size <= FMT_MAX; size *= 2) {
		buf = kvmalloc(size, GFP_KERNEL_ACCOUNT);
		if (!buf)
			return NULL;
		m = pe_to_memory(buf, size);
		pe_format_print_fmt(&m, &layout);
		if (m.count < size) {
			buf[m.count] = '\0';
			return buf;
		}
		kvfree(buf);
	}
	return NULL;
}

/*
 * The line of a record in the kernel's trace.  Its reader has a buffer for parts of lines, which is
 * free here.
 */
static enum print_line_t pe_print_line(struct trace_iterator *iter, int flags,
				       struct trace_event *trace_event)
{
	struct trace_event_call *call = container_of(trace_event, struct trace_event_call, event);
	struct seq_file m = pe_to_memory(iter->tmp_seq.buffer, sizeof(iter->tmp_seq.buffer));
	struct pe_layout layout;

	pe_event_layout(pe_mirror_of(call)->event, &layout);
	pe_record_print(&m, &layout, iter->ent, iter->ent_size);
	trace_seq_putmem(&iter->seq, m.buf, m.count);
	return trace_handle_return(&iter->seq);
}

/* Not constant: the kernel fills in the others. */
static struct trace_event_functions pe_line_funcs = { .trace = pe_print_line };

int pe_mirror_describe(struct pe_mirror *mirror)
{
	const struct pe_event *event = mirror->event;
	struct trace_event_call *call = &mirror->call;

	mirror->types = pe_array_types(event);
	call->print_fmt = pe_print_fmt(event);
	if (!mirror->types || !call->print_fmt)
		return -ENOMEM;
	mirror->define[0].type = TRACE_FUNCTION_TYPE;
	mirror->define[0].define_fields = pe_define_fields;
	mirror->class.system = event->group;
	mirror->class.fields_array = mirror->define;
	INIT_LIST_HEAD(&mirror->class.fields);
	mirror->tp.name = event->name;
	call->tp = &mirror->tp;
	call->class = &mirror->class;
	call->event.funcs = &pe_line_funcs;
	call->flags = TRACE_EVENT_FL_DYNAMIC | TRACE_EVENT_FL_TRACEPOINT;
	return 0;
}

void pe_mirror_undescribe(struct pe_mirror *mirror)
{
	kvfree(mirror->call.print_fmt);
	kvfree(mirror->types);
}
