// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_event.c - events/ of each instance: enable files, format, trigger and id;
 * files of a group are in fs_group.c, mirror is in fs_mirror.c.
 *
 * Every open file of an event holds a reference to the event's link, and one of
 * a group to the group's directory, and so to the instance.  Another event may
 * have the name of a removed one.  So each operation checks that its own event
 * or group still exists.
 */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include "files.h"
#include "kernel/know/tracing.h"
#include "kernel/trace/event/event.h"
#include "kernel/trace/event/event_dir.h"
#include "kernel/trace/event/event_enable.h"
#include "kernel/trace/event/event_filter.h"
#include "kernel/trace/event/event_trigger.h"
#include "kernel/trace/event/limit.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/print/print.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/probefs/fs_dir.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "link_file.h"
#include "refusal.h"
#include "small_file.h"

/* Files of one event in an instance. */

static void pe_show_enable(struct seq_file *m, const struct pe_event_link *link)
{
	seq_printf(m, "%d%s\n", pe_link_enabled(link), link->soft ? "*" : "");
}

/* Arming tells itself what it refuses. */
static int pe_set_enable(struct pe_event_link *link, bool on)
{
	return pe_event_enable(link->event, link->instance, on);
}

static const struct pe_link_file pe_event_enable_file = {
	.show = pe_show_enable,
	.set = pe_set_enable,
};

static void pe_show_id(struct seq_file *m, const struct pe_event_link *link)
{
	seq_printf(m, "%u\n", link->event->id);
}

static const struct pe_link_file pe_event_id_file = { .show = pe_show_id };

static void pe_show_format(struct seq_file *m, const struct pe_event_link *link)
{
	struct pe_layout layout;

	pe_event_layout(link->event, &layout);
	pe_format_print(m, &layout);
}

static const struct pe_link_file pe_event_format_file = { .show = pe_show_format };

/* Take an empty text for no trigger, as the kernel does. */
static int pe_store_trigger(struct pe_event_link *link, char *text)
{
	return *text ? pe_trigger_write(link, text) : 0;
}

const struct pe_link_file pe_event_trigger_file = {
	.show = pe_link_show_triggers,
	.store = pe_store_trigger,
};

static const struct pe_link_file pe_event_filter_file = {
	.show = pe_link_show_filter,
	.store = pe_link_set_filter,
};

static const struct pe_link_file pe_event_limit_file = {
	.show = pe_link_show_limit,
	.store = pe_link_set_limit,
};

/* The enable file of all events of an instance. */

static int pe_all_enable_show(struct seq_file *m)
{
	const struct pe_view *view = m->private;

	return pe_several_show(m, NULL, view->inst);
}

static ssize_t pe_all_enable_write(struct file *file, const char __user *buf, size_t count)
{
	return pe_several_write(file, NULL, pe_small_view(file)->inst, buf, count);
}

const struct pe_small_file pe_all_enable_file = {
	.try_show = pe_all_enable_show,
	.write = pe_all_enable_write,
	.tells = true,
};

/*
 * The enable file of ftrace/, whose records belong to no event.  The kernel has
 * no such file.  But libtracefs takes only directories that have one for
 * groups, and treats having no group as an error.
 */

static ssize_t pe_none_enable_write(struct file *file, const char __user *buf, size_t count)
{
	bool on;
	int ret = pe_parse_switch(buf, count, &on);

	if (!ret && on)
		ret = -EINVAL;
	return pe_refused_why(pe_small_view(file)->inst, file, buf, count, ret ?: count,
			      "these records belong to no event");
}

const struct pe_small_file pe_none_enable_file = {
	.text = "?\n",
	.write = pe_none_enable_write,
	.tells = true,
};

static const struct pe_fs_file pe_event_files[] = {
	{ "enable",	PE_FS_RW,	&pe_link_fops, &pe_event_enable_file },
	{ "filter",	PE_FS_RW,	&pe_link_fops, &pe_event_filter_file },
	{ "format",	PE_FS_RO,	&pe_link_fops, &pe_event_format_file },
	{ "trigger",	PE_FS_RW,	&pe_link_fops, &pe_event_trigger_file },
	{ "id",		PE_FS_RO,	&pe_link_fops, &pe_event_id_file },
	{ "limit",	PE_FS_RW,	&pe_link_fops, &pe_event_limit_file },
	{ "hist",	PE_FS_RO,	&pe_table_fops, &pe_hist_format },
	{ "table",	PE_FS_RW,	&pe_table_fops, &pe_table_format },
	{ "inside",	PE_FS_RO,	&pe_link_fops, &pe_event_inside_file },
#if PE_HAVE_TRACING
	{ "mirror",	PE_FS_RW,	&pe_mirror_fops },
#endif
	{ }
};
static_assert(ARRAY_SIZE(pe_event_files) - 1 <= PE_FS_MAX_ROWS);

static const struct pe_fs_file pe_group_files[] = {
	{ "enable",	PE_FS_RW,	&pe_group_fops, &pe_group_enable_file },
	{ "filter",	PE_FS_RW,	&pe_group_fops, &pe_group_filter_file },
	{ }
};
static_assert(ARRAY_SIZE(pe_group_files) - 1 <= PE_FS_MAX_ROWS);

void pe_fs_event_tables_set(void)
{
	static const struct pe_event_tables tables = { pe_event_files, pe_group_files };

	pe_event_tables_set(&tables);
}
