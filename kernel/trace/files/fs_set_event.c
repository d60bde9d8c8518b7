// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_set_event.c - set_event: the names of enabled events, and
 * available_events: the names of all events.
 *
 * A word of a write is GROUP:EVENT, where either may be "*" or missing.  It may
 * also be just a name, of a group or of events in any group.  "!" before it
 * disables.  As in kprobe_events, a slash may replace the colon.  A word that
 * matches nothing is an error.  If it is not the first, the write returns the length of those
 * before it, which have been done.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "files.h"
#include "kernel/trace/event/error_log.h"
#include "kernel/trace/event/event.h"
#include "kernel/trace/event/event_enable.h"
#include "kernel/trace/event/marker.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "small_file.h"

/* Bytes of a write that are taken at a time; no word is longer. */
#define CHUNK_SIZE	4096
#define SHOWN		80	/* of a longer one */

/* --- reading ------------------------------------------------------------- */

/* The links of an instance are in the order in which their events have been defined. */
static void *pe_links_start(struct seq_file *m, loff_t *pos)
{
	const struct pe_view *view = m->private;

	mutex_lock(&pe_event_mutex);
	return seq_list_start(&view->inst->links, *pos);
}

static void *pe_links_next(struct seq_file *m, void *v, loff_t *pos)
{
	const struct pe_view *view = m->private;

	return seq_list_next(v, &view->inst->links, pos);
}

static void pe_links_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&pe_event_mutex);
}

static int pe_name_show(struct seq_file *m, void *v)
{
	const struct pe_event_link *link = list_entry(v, struct pe_event_link, instance_list);
	bool all = pe_small_how(m->file) == &pe_available_events_file;

	if (all ? pe_event_is_marker(link->event) : !pe_link_enabled(link))
		return SEQ_SKIP;
	seq_printf(m, "%s:%s\n", link->event->group, link->event->name);
	return 0;
}

static const struct seq_operations pe_links_list = {
	.start = pe_links_start,
	.next = pe_links_next,
	.stop = pe_links_stop,
	.show = pe_name_show,
};

/* --- writing ------------------------------------------------------------- */

static const char *pe_or_any(const char *name)
{
	return *name && strcmp(name, "*") ? name : NULL;
}

static void pe_log_unknown(struct pe_instance *inst, const char *word)
{
	const struct pe_parse_err err = { .code = PE_ERR_NO_EVENT };

	pe_error_log_in(inst, "set_event", word, &err);
}

static int pe_switch_matching(struct pe_instance *inst, const struct pe_event_match *match, bool on,
			      bool *known)
{
	int ret = -EINVAL;

	mutex_lock(&pe_event_mutex);
	*known = pe_events_match(match);
	if (*known)
		ret = pe_events_switch(match, inst, on);
	mutex_unlock(&pe_event_mutex);
	return ret;
}

static int pe_set_by_word(struct pe_instance *inst, char *word)
{
	bool on = *word != '!', known = false;
	struct pe_event_match match = {};
	char *name = strpbrk(word, ":/"), sep = 0;
	int ret = -EINVAL;

	if (name) {
		sep = *name;
		*name = '\0';
		match.group = pe_or_any(word + !on);
		match.name = pe_or_any(name + 1);
	} else {
		match.either = word + !on;
	}
	if (name || word[!on])
		ret = pe_switch_matching(inst, &match, on, &known);
	if (name)
		*name = sep;
	/* Refusals of arming have been told. */
	if (!known)
		pe_log_unknown(inst, word);
	return ret;
}

static bool pe_between_words(char c)
{
	return !c || isspace(c);
}

/*
 * Take the words of a chunk.  A word that touches the chunk's end is left for
 * the next chunk, if there is one.  @taken gets the bytes that have been done.
 *
 * Return: 0, or what the next word has failed with.
 */
static int pe_set_by_chunk(struct pe_instance *inst, char *text, size_t len, bool last,
			   size_t *taken)
{
	size_t done = 0;
	int ret;

	for (;;) {
		size_t begin = done, end;

		while (begin < len && pe_between_words(text[begin]))
			begin++;
		for (end = begin; end < len && !pe_between_words(text[end]); end++)
			;
		if ((end == len && !last) || end == begin) {
			*taken = begin;
			if (begin || last)
				return 0;
			text[SHOWN] = '\0';
			pe_log_unknown(inst, text);
			return -EINVAL;
		}
		text[end] = '\0';
		ret = pe_set_by_word(inst, text + begin);
		if (ret)
			return ret;
		done = min(end + 1, len);
		*taken = done;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
}

static ssize_t pe_set_event_write(struct file *file, const char __user *buf, size_t count)
{
	struct pe_view *view = pe_small_view(file);
	char *text = kmalloc(CHUNK_SIZE + 1, GFP_KERNEL);
	size_t done = 0, taken;
	int ret = 0;

	if (!text)
		return -ENOMEM;
	while (done < count && !ret) {
		size_t len = min_t(size_t, count - done, CHUNK_SIZE);

		taken = 0;
		ret = -EFAULT;
		if (!copy_from_user(text, buf + done, len))
			ret = pe_set_by_chunk(view->inst, text, len, done + len == count, &taken);
		done += taken;
		if (!ret && fatal_signal_pending(current))
			ret = -EINTR;
		cond_resched();
	}
	kfree(text);
	/* The rest is for the next write, which gets the error. */
	return done ?: ret;
}

/* --- files --------------------------------------------------------------- */

static int pe_disable_all(struct file *file)
{
	mutex_lock(&pe_event_mutex);
	pe_events_enable(NULL, NULL, pe_small_view(file)->inst, false);
	mutex_unlock(&pe_event_mutex);
	return 0;
}

const struct pe_small_file pe_set_event_file = {
	.list = &pe_links_list,
	.write = pe_set_event_write,
	.truncate = pe_disable_all,
	.tells = true,
};

const struct pe_small_file pe_available_events_file = { .list = &pe_links_list };
