// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_commands.c - kprobe_events, dynamic_events, static_events: what has been defined, and commands
 * that define.  Other files that list what has been defined go the same way over it.
 */
#include <linux/mutex.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "files.h"
#include "kernel/trace/event/event.h"
#include "kernel/trace/event/event_cmd.h"
#include "kernel/trace/event/event_source.h"
#include "kernel/trace/parse/event_text.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_probe.h"
#include "small_file.h"

/* Size of a line with its newline, plus the NUL; the kernel's limit. */
#define LINE_SIZE	4096

/* Lists of all sources, one per line, in order of definition. */

void *pe_sources_start(struct seq_file *m, loff_t *pos)
{
	mutex_lock(&pe_event_mutex);
	return seq_list_start(&pe_sources, *pos);
}

void *pe_sources_next(struct seq_file *m, void *v, loff_t *pos)
{
	return seq_list_next(v, &pe_sources, pos);
}

void pe_sources_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&pe_event_mutex);
}

static enum pe_command_file pe_command_file_of(const struct file *file)
{
	return pe_small_how(file) - pe_command_files;
}

static int pe_command_show(struct seq_file *m, void *v)
{
	const struct pe_source *source = list_entry(v, struct pe_source, all);

	if (!pe_command_file_has(pe_command_file_of(m->file), source))
		return SEQ_SKIP;
	pe_source_show(m, source);
	return 0;
}

static const struct seq_operations pe_commands_list = PE_SOURCES_LIST(pe_command_show);

static int pe_commands_truncate(struct file *file)
{
	return pe_commands_delete_all(pe_command_file_of(file), false);
}

/**
 * struct text_write - a write of commands
 * @buf: what is written
 * @count: its bytes
 * @done: those of lines that have been taken
 * @part: a copy of the bytes from @part_at on, with a NUL after them; room for LINE_SIZE
 * @part_at: offset in @buf, at most @done
 */
struct text_write {
	const char __user *buf;
	size_t count;
	size_t done;
	char *part;
	size_t part_at;
};

/* Let @part begin where the next line does. */
static int pe_copy_part(struct text_write *w)
{
	size_t size = min_t(size_t, w->count - w->done, LINE_SIZE - 1);

	w->part_at = w->done;
	w->part[0] = '\0';
	if (copy_from_user(w->part, w->buf + w->done, size))
		return -EFAULT;
	w->part[size] = '\0';
	return 0;
}

/*
 * Take the next line: up to a newline, or to the end of the write.  A line that does not fit, or
 * that has a NUL byte, is an error.
 *
 * Return: bytes of @line, with the newline, or -errno.
 */
static ssize_t pe_fetch_line(struct text_write *w, char **line)
{
	char *start = w->part + (w->done - w->part_at), *end = strchr(start, '\n');

	if (!end) {
		if (pe_copy_part(w))
			return -EFAULT;
		start = w->part;
		end = strchr(start, '\n');
	}
	*line = start;
	if (end) {
		*end = '\0';
		return end - start + 1;
	}
	if (strlen(start) < w->count - w->done) {
		pe_command_too_long(start);
		return -EINVAL;
	}
	return w->count - w->done;
}

/* A line of static_events may have a text after the command. */
static int pe_command_line_run(char *line, enum pe_command_file file)
{
	struct pe_event_text text = {};

	if (file == PE_STATIC_EVENTS)
		pe_event_text_cut(line, &text);
	return pe_command_run(line, file, text.text ? &text : NULL);
}

/*
 * Run commands line by line.  The first bad one ends the write with its error;
 * those before it have been done.
 */
static ssize_t pe_commands_write(struct file *file, const char __user *buf, size_t count)
{
	struct text_write w = { .buf = buf, .count = count };
	enum pe_command_file which = pe_command_file_of(file);
	int ret = 0;

	w.part = kzalloc(LINE_SIZE, GFP_KERNEL);
	if (!w.part)
		return -ENOMEM;
	while (w.done < count) {
		char *line;
		ssize_t size = pe_fetch_line(&w, &line);

		if (size < 0) {
			ret = size;
			break;
		}
		*strchrnul(line, '#') = '\0';
		ret = pe_command_line_run(line, which);
		if (ret)
			break;
		w.done += size;
		if (fatal_signal_pending(current)) {
			ret = -EINTR;
			break;
		}
		cond_resched();
	}
	kfree(w.part);
	return ret ?: w.done;
}

const struct pe_small_file pe_command_files[] = {
	[PE_KPROBE_EVENTS ... PE_STATIC_EVENTS] = {
		.list = &pe_commands_list,
		.write = pe_commands_write,
		.truncate = pe_commands_truncate,
		.tells = true,
	},
};
