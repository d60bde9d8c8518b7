// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_error_log.c - error_log: the reasons why the last commands were refused.
 *
 * Three lines per entry, as tools expect them: time, place and reason; the
 * command; a caret under the column.  Whatever a command or a task's name has, it stays three.
 */
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <pe/listing.h>
#include "files.h"
#include "kernel/trace/event/error_log.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/print/safe_text.h"
#include "kernel/trace/trace_instance.h"
#include "small_file.h"

#define COMMAND_PREFIX	"  Command: "

static struct pe_error_list *pe_log_of(struct seq_file *m)
{
	const struct pe_view *view = m->private;

	return &view->inst->errors;
}

static void *pe_log_start(struct seq_file *m, loff_t *pos)
{
	mutex_lock(&pe_error_log_mutex);
	return seq_list_start(&pe_log_of(m)->entries, *pos);
}

static void *pe_log_next(struct seq_file *m, void *v, loff_t *pos)
{
	return seq_list_next(v, &pe_log_of(m)->entries, pos);
}

static void pe_log_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&pe_error_log_mutex);
}

static void pe_show_command(struct seq_file *m, const struct pe_error_entry *entry)
{
	pe_seq_safe_text(m, entry->command);
	if (entry->address)
		seq_puts(m, pe_show_addresses(m) ? entry->address : entry->hashed);
}

static int pe_log_show(struct seq_file *m, void *v)
{
	const struct pe_error_entry *entry = list_entry(v, struct pe_error_entry, list);
	const struct pe_parse_err *err = &entry->err;
	u32 ns;
	u64 sec = div_u64_rem(entry->ts, NSEC_PER_SEC, &ns);

	seq_printf(m, "[%5llu.%06u] ", sec, ns / (u32)NSEC_PER_USEC);
	pe_seq_safe_text(m, entry->subsystem);
	seq_printf(m, ": error: %s", pe_parse_err_text(err->code));
	if (err->detail) {
		seq_puts(m, " (");
		pe_seq_safe_text(m, err->detail);
		seq_putc(m, ')');
	}
	seq_puts(m, "\n" COMMAND_PREFIX);
	pe_show_command(m, entry);
	seq_printf(m, "\n%*s\n", (int)(strlen(COMMAND_PREFIX) +
					pe_safe_columns(entry->command, err->pos) + 1), "^");
	return 0;
}

static const struct seq_operations pe_log_sops = {
	.start = pe_log_start,
	.next = pe_log_next,
	.stop = pe_log_stop,
	.show = pe_log_show,
};

static ssize_t pe_log_write(struct file *file, const char __user *buf, size_t count)
{
	return count;		/* opening it with O_TRUNC has cleared the log */
}

static int pe_log_truncate(struct file *file)
{
	pe_error_log_clear(pe_small_view(file)->inst);
	return 0;
}

const struct pe_small_file pe_error_log_file = {
	.list = &pe_log_sops,
	.write = pe_log_write,
	.truncate = pe_log_truncate,
	.tells = true,
	.pwrite = true,
};
