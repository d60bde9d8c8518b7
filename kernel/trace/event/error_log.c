// SPDX-License-Identifier: GPL-2.0
/*
 * error_log.c - the reasons why the last commands were refused, by instance.
 *
 * An instance keeps its newest MAX_ENTRIES entries.  Commands that define
 * events belong to the top instance.
 */
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/sched/clock.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "error_log.h"
#include "instance.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/trace_instance.h"

#define MAX_ENTRIES	8

DEFINE_MUTEX(pe_error_log_mutex);

static void drop_oldest(struct pe_error_list *log)
{
	struct pe_error_entry *entry = list_first_entry(&log->entries, struct pe_error_entry, list);

	list_del(&entry->list);
	kfree(entry);
	log->nr--;
}

/**
 * pe_error_log_in() - note an error in an instance's log
 * @inst: referenced
 * @subsystem: source of the error, a constant string: "trace_kprobe"
 * @text: the command, or other text that was being parsed
 * @err: the error and its column
 *
 * Without memory no entry is made: the writer has the errno.
 */
void pe_error_log_in(struct pe_instance *inst, const char *subsystem, const char *text,
		     const struct pe_parse_err *err)
{
	struct pe_error_list *log = &inst->errors;
	size_t size = strlen(text) + 1, detail = err->detail ? strlen(err->detail) + 1 : 0;
	struct pe_error_entry *entry;

	entry = kmalloc(struct_size(entry, command, size + detail), GFP_KERNEL);
	if (!entry)
		return;
	entry->ts = local_clock();
	entry->subsystem = subsystem;
	entry->err = *err;
	memcpy(entry->command, text, size);
	if (detail)
		entry->err.detail = memcpy(entry->command + size, err->detail, detail);

	mutex_lock(&pe_error_log_mutex);
	list_add_tail(&entry->list, &log->entries);
	log->total++;
	if (++log->nr > MAX_ENTRIES)
		drop_oldest(log);
	mutex_unlock(&pe_error_log_mutex);
}

void pe_error_log(const char *subsystem, const char *text,
		  const struct pe_parse_err *err)
{
	pe_error_log_in(&pe_top, subsystem, text, err);
}

unsigned int pe_error_log_total(struct pe_instance *inst)
{
	return READ_ONCE(inst->errors.total);
}

bool pe_error_log_newest(struct pe_instance *inst, unsigned int before, char *text, size_t size)
{
	const struct pe_error_list *log = &inst->errors;
	const struct pe_error_entry *entry;
	bool found;

	mutex_lock(&pe_error_log_mutex);
	found = log->nr && log->total != before;
	if (found) {
		entry = list_last_entry(&log->entries, struct pe_error_entry, list);
		snprintf(text, size, "%s%s%s%s", pe_parse_err_text(entry->err.code),
			 entry->err.detail ? " (" : "", entry->err.detail ?: "",
			 entry->err.detail ? ")" : "");
	}
	mutex_unlock(&pe_error_log_mutex);
	return found;
}

void pe_error_log_clear(struct pe_instance *inst)
{
	mutex_lock(&pe_error_log_mutex);
	while (inst->errors.nr)
		drop_oldest(&inst->errors);
	mutex_unlock(&pe_error_log_mutex);
}
