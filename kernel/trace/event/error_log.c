// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * error_log.c - the reasons why the last commands were refused, by instance.
 *
 * An instance keeps its newest MAX_ENTRIES entries.  Commands that define
 * events belong to the top instance.
 */
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/sched/clock.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "error_log.h"
#include "instance.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/trace_instance.h"

#define MAX_ENTRIES	8

DEFINE_MUTEX(pe_error_log_mutex);	/* see error_log.h */

static void pe_drop_oldest(struct pe_error_list *log)
{
	struct pe_error_entry *entry = list_first_entry(&log->entries, struct pe_error_entry, list);

	list_del(&entry->list);
	kfree(entry);
	log->nr--;
}

static size_t pe_error_log_text_size(const char *text)
{
	return text ? strlen(text) + 1 : 0;
}

/* Copy a text to *@to, which moves past it; NULL if there is no text. */
static const char *pe_keep_text(char **to, const char *text)
{
	size_t size = pe_error_log_text_size(text);
	char *copy = *to;

	*to += size;
	return text ? memcpy(copy, text, size) : NULL;
}

static struct pe_error_entry *pe_make_entry(const char *subsystem, const char *text,
					    const char *address, const char *hashed,
					    const struct pe_parse_err *err)
{
	size_t size = pe_error_log_text_size(text) + pe_error_log_text_size(subsystem) +
		      pe_error_log_text_size(err->detail) + pe_error_log_text_size(address) +
		      pe_error_log_text_size(hashed);
	struct pe_error_entry *entry;
	char *to;

	entry = kmalloc(struct_size(entry, command, size), GFP_KERNEL);
	if (!entry)
		return NULL;
	to = entry->command;
	pe_keep_text(&to, text);
	entry->ts = local_clock();
	entry->err = *err;
	entry->subsystem = pe_keep_text(&to, subsystem);
	entry->err.detail = pe_keep_text(&to, err->detail);
	entry->address = pe_keep_text(&to, address);
	entry->hashed = pe_keep_text(&to, hashed);
	return entry;
}

static void pe_add_entry(struct pe_error_list *log, struct pe_error_entry *entry)
{
	if (!entry)
		return;
	mutex_lock(&pe_error_log_mutex);
	list_add_tail(&entry->list, &log->entries);
	log->total++;
	if (++log->nr > MAX_ENTRIES)
		pe_drop_oldest(log);
	mutex_unlock(&pe_error_log_mutex);
}

/**
 * pe_error_log_in() - note an error in an instance's log
 * @inst: referenced
 * @subsystem: source of the error: "trace_kprobe", or a file
 * @text: the command, or other text that was being parsed
 * @err: the error and its column
 *
 * All texts are copied.  Without memory no entry is made: the writer has the errno.
 */
void pe_error_log_in(struct pe_instance *inst, const char *subsystem, const char *text,
		     const struct pe_parse_err *err)
{
	pe_add_entry(&inst->errors, pe_make_entry(subsystem, text, NULL, NULL, err));
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

void pe_error_log_move(struct pe_instance *inst, unsigned int before)
{
	struct pe_error_list *log = &inst->errors;
	struct pe_error_entry *entry, *next;
	LIST_HEAD(moved);
	unsigned int n;

	if (inst == &pe_top)
		return;
	mutex_lock(&pe_error_log_mutex);
	for (n = min(log->total - before, log->nr); n; n--) {
		list_move(log->entries.prev, &moved);
		log->nr--;
	}
	mutex_unlock(&pe_error_log_mutex);
	list_for_each_entry_safe(entry, next, &moved, list)
		pe_add_entry(&pe_top.errors, entry);
}

void pe_error_log_address(const char *subsystem, const char *text, const char *address,
			  const char *hashed, const struct pe_parse_err *err)
{
	pe_add_entry(&pe_top.errors, pe_make_entry(subsystem, text, address, hashed, err));
}

void pe_error_log_clear(struct pe_instance *inst)
{
	mutex_lock(&pe_error_log_mutex);
	while (inst->errors.nr)
		pe_drop_oldest(&inst->errors);
	mutex_unlock(&pe_error_log_mutex);
}
