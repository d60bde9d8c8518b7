// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * limit_file.c - the limit of an event in an instance, as it is written and shown.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include "error_log.h"
#include "event.h"
#include "kernel/trace/parse/limit_words.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/trace.h"
#include "limit.h"
#include "variant.h"

static bool pe_limit_is_same(const struct pe_limit_words *a, const struct pe_limit_words *b)
{
	return !memcmp(a, b, sizeof(*a));
}

void pe_limit_change_end(struct pe_limit_change *change)
{
	kfree(change->entry);
}

static void pe_limit_log_invalid(struct pe_event_link *link, const char *text,
				 const struct pe_parse_err *err)
{
	char *subsystem = kasprintf(GFP_KERNEL, "limit:%s:%s", link->event->group,
				    link->event->name);

	if (subsystem)
		pe_error_log_in(link->instance, subsystem, text, err);
	kfree(subsystem);
}

int pe_limit_change_begin(struct pe_limit_change *change, struct pe_event_link *link,
			  const char *text, struct pe_session *by)
{
	struct pe_parse_err err = {};
	struct pe_limit_words words;
	struct pe_limit *limit;
	int ret = pe_limit_parse(&words, text, &err);

	lockdep_assert_held(&pe_event_mutex);
	change->entry = NULL;
	if (ret) {
		pe_limit_log_invalid(link, text, &err);
		return ret;
	}
	if (pe_limit_is_none(&words))
		return 0;
	limit = pe_limit_need(link->event);
	if (!limit)
		return -ENOMEM;
	change->entry = kzalloc(sizeof(*change->entry), GFP_KERNEL_ACCOUNT);
	if (!change->entry)
		return -ENOMEM;
	if ((words.cpu || words.one) && pe_limit_need_costs(limit)) {
		pe_limit_change_end(change);
		change->entry = NULL;
		return -ENOMEM;
	}
	change->entry->link = link;
	change->entry->by = by;
	change->entry->words = words;
	pe_limit_begin(limit, change->entry);
	return 0;
}

static void pe_limit_change_put(struct pe_limit_change *change, struct pe_event_link *link,
				struct pe_limit *limit)
{
	struct pe_limit_entry *old = pe_limit_entry_of(link);

	lockdep_assert_held(&pe_event_mutex);
	if (old)
		list_del(&old->list);
	if (change->entry)
		list_add_tail(&change->entry->list, &limit->entries);
	change->entry = old;
	pe_limit_choose(limit);
}

void pe_limit_change_swap(struct pe_limit_change *change, struct pe_event_link *link)
{
	struct pe_limit *limit = pe_limit_of(link->event);

	if (!limit)
		return;
	change->gated = atomic_read(&limit->hits.gate);
	pe_limit_change_put(change, link, limit);
	pe_event_changed(link->event);
}

/* Timers that look at words that are not in force any more have left the limit after this. */
void pe_limit_change_undo(struct pe_limit_change *change, struct pe_event_link *link)
{
	struct pe_limit *limit = pe_limit_of(link->event);

	if (!limit)
		return;
	pe_limit_change_put(change, link, limit);
	if (!change->gated) {
		synchronize_rcu();
		pe_limit_reopen(&limit->hits);
	}
	pe_event_changed(link->event);
}

int pe_link_set_limit(struct pe_event_link *link, char *text)
{
	struct pe_limit_change change;
	int ret = pe_limit_change_begin(&change, link, text, NULL);

	if (ret)
		return ret;
	pe_limit_change_swap(&change, link);
	pe_limit_change_end(&change);
	return 0;
}

/* Words that others have written count as well. */
void pe_link_show_limit(struct seq_file *m, const struct pe_event_link *link)
{
	const struct pe_limit_entry *entry = pe_limit_entry_of(link);
	const struct pe_limit *limit = pe_limit_of(link->event);
	struct pe_limit_words words = {};
	char text[PE_LIMIT_TEXT];

	if (entry)
		words = entry->words;
	pe_limit_print(text, &words);
	seq_printf(m, "%s\n", text);
	if (!limit)
		return;
	if (!pe_limit_is_same(&words, &limit->words)) {
		pe_limit_print(text, &limit->words);
		seq_printf(m, "in force: %s\n", text);
	}
	if (limit->tripped)
		seq_printf(m, "tripped: %s at %llu.%03u\n", limit->why,
			   div_u64(limit->when, NSEC_PER_SEC),
			   (unsigned int)(div_u64(limit->when, NSEC_PER_MSEC) % MSEC_PER_SEC));
}
