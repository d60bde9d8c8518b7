// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * session_batch.c - a write of a session: all of it is done, or nothing.
 *
 *   take apart	into lines, each parsed as far as that needs nothing else
 *   make	the instance, then what is defined, then filters, limits and triggers, in order of
 *		the lines; what is to be enabled is marked so
 *   swap	filters and limits, which hits of events that are armed already meet from here on
 *   arm	all of it, in one call of the engine
 *   settle	what cannot fail: events that are disabled or deleted, triggers that go
 *
 * A step that fails is undone with all before it, line by line, from the last to the first.  Steps
 * that take something away come last, because putting it back could fail.
 *
 * Definitions are made before all else: that may release pe_event_mutex (mirror.c), and later lines
 * keep pointers to what other writers might remove meanwhile.
 */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include "kernel/trace/event/buffers.h"
#include "kernel/trace/event/error_log.h"
#include "kernel/trace/event/event.h"
#include "kernel/trace/event/event_cmd.h"
#include "kernel/trace/event/event_enable.h"
#include "kernel/trace/event/event_filter.h"
#include "kernel/trace/event/event_link.h"
#include "kernel/trace/event/event_source.h"
#include "kernel/trace/event/event_trigger.h"
#include "kernel/trace/event/instance.h"
#include "kernel/trace/event/limit.h"
#include "kernel/trace/event/mirror.h"
#include "kernel/trace/event/owner.h"
#include "kernel/trace/files/files.h"
#include "kernel/trace/hit/trigger_hit.h"
#include "kernel/trace/parse/limits.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/parse/session_line.h"
#include "kernel/trace/ring/rb_buffer.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "kernel/trace/trace_session.h"
#include "session.h"

#define SUBSYSTEM	"session"

/**
 * struct batch_line - a line of a write, and what has been done for it
 * @say: what it says
 * @text: as it was written
 * @takes: it deletes, or removes a trigger
 * @made: the source that it has defined
 * @link: the event that it concerns, in the session's instance; NULL: there is nothing to do
 * @was_on: it enables an event that is enabled
 * @filter: that the event had
 * @trigger: that it has added, or is going to remove
 * @limit: that the event had
 */
struct batch_line {
	struct pe_session_line say;
	char *text;
	bool takes;
	struct pe_source *made;
	struct pe_event_link *link;
	bool was_on;
	struct pe_filter_change filter;
	struct pe_trigger *trigger;
	struct pe_limit_change limit;
};

/* A source that is going to be deleted. */
struct batch_source {
	struct list_head list;
	struct pe_source *source;
};

/**
 * struct batch - a write
 * @session: whose it is
 * @lines: there are @nr
 * @nr: how many there are
 * @step: what commands have in common
 * @mirrors: locked
 * @change: what is to be armed
 * @inst: a new instance; NULL: there is none
 * @sources: struct batch_source
 * @leaving: a batch of them
 * @logged: entries that the log of the session's instance had before
 * @what: the last comment, NULL: there is none
 * @until: until when the session is to be kept, 0: it does not say
 * @swapped: new filters and limits are in force
 */
struct batch {
	struct pe_session *session;
	struct batch_line *lines;
	unsigned int nr;
	struct pe_command_step step;
	struct pe_mirrors mirrors;
	struct pe_change change;
	struct pe_instance *inst;
	struct list_head sources;
	struct list_head leaving;
	unsigned int logged;
	char *what;
	u64 until;
	bool swapped;
};

#define for_each_line(line, b)						\
	for (line = (b)->lines; line < (b)->lines + (b)->nr; line++)

static int pe_batch_fail(const struct batch_line *line, enum pe_parse_errno code,
			 unsigned int pos, const char *detail, int ret)
{
	const struct pe_parse_err err = { .code = code, .pos = pos, .detail = detail };

	pe_error_log(SUBSYSTEM, line->text, &err);
	return ret;
}

/* ---- take apart ---- */

/* Parse a line's own parts: a copy of a comment. */
static int pe_batch_parse_more(struct batch *b, struct batch_line *line)
{
	int ret;

	switch (line->say.verb) {
	case PE_SESSION_COMMAND:
		*strchrnul(line->text, '#') = '\0';
		ret = pe_command_check(line->text, &b->step);
		line->takes = b->step.deletes;
		return ret;
	case PE_SESSION_TRIGGER:
		line->takes = *line->say.rest == '!';
		return 0;
	case PE_SESSION_KEEP:
		b->until = ktime_get_boottime_ns() + line->say.number * NSEC_PER_SEC;
		return 0;
	case PE_SESSION_SAY:
		kfree(b->what);
		b->what = kstrdup(line->say.rest, GFP_KERNEL_ACCOUNT);
		return b->what ? 0 : -ENOMEM;
	}
	return 0;
}

static int pe_batch_parse_line(struct batch *b, struct batch_line *line)
{
	struct pe_parse_err err = {};
	int ret;

	if (strlen(line->text) >= PE_MAX_COMMAND_LEN) {
		pe_command_too_long(line->text);
		return -EINVAL;
	}
	ret = pe_session_parse(&line->say, line->text, &err);
	if (ret) {
		pe_error_log(SUBSYSTEM, line->text, &err);
		return ret;
	}
	return pe_batch_parse_more(b, line);
}

/* Blank lines make no line here. */
static int pe_batch_split(struct batch *b, char *text, size_t count)
{
	char *rest = text, *line;
	unsigned int n = 1;
	size_t i;

	if (strlen(text) != count)
		return pe_batch_fail(&(struct batch_line){ .text = "" }, PE_ERR_SESSION_INVALID, 0,
				     "a NUL byte in a line", -EINVAL);
	for (i = 0; i < count; i++)
		n += text[i] == '\n' && text[i + 1] != '\n';
	b->lines = kvcalloc(n, sizeof(*b->lines), GFP_KERNEL_ACCOUNT);
	if (!b->lines)
		return -ENOMEM;
	while ((line = strsep(&rest, "\n")))
		if (*line)
			b->lines[b->nr++].text = line;
	return 0;
}

static int pe_batch_parse(struct batch *b, char *text, size_t count)
{
	struct batch_line *line;
	int ret = pe_batch_split(b, text, count);

	if (ret)
		return ret;
	for_each_line(line, b) {
		ret = pe_batch_parse_line(b, line);
		if (ret)
			return ret;
		cond_resched();
	}
	return 0;
}

/* ---- make ---- */

static int pe_batch_instance(struct batch *b, const struct batch_line *line)
{
	struct pe_session *session = b->session;
	int ret;

	if (session->inst || b->inst)
		return pe_batch_fail(line, PE_ERR_SESSION_INVALID, 0, "it has one", -EEXIST);
	if (session->used)
		return pe_batch_fail(line, PE_ERR_SESSION_INVALID, 0,
				     "it works in the top instance already", -EBUSY);
	b->inst = pe_instance_create();
	if (IS_ERR(b->inst)) {
		ret = PTR_ERR(b->inst);
		b->inst = NULL;
		return ret;
	}
	ret = pe_buffers_resize(b->inst, line->say.number, PE_ALL_CPUS);
	if (ret == -ENOMEM)
		return ret;
	return ret ? pe_batch_fail(line, PE_ERR_SESSION_INVALID, 0, "its buffer", ret) : 0;
}

/* Before any lock is held, as mkdir does it. */
static int pe_batch_make_instance(struct batch *b)
{
	struct batch_line *line;
	int ret;

	for_each_line(line, b) {
		if (line->say.verb != PE_SESSION_INSTANCE)
			continue;
		ret = pe_batch_instance(b, line);
		if (ret)
			return ret;
	}
	return 0;
}

/* No file of it can be opened before the write has succeeded: so it can be undone. */
static int pe_batch_attach_instance(struct batch *b)
{
	struct pe_parse_err err = {
		.code = PE_ERR_SESSION_INVALID, .detail = "instances/ has one",
	};
	struct pe_instance *inst = b->inst;
	int ret;

	if (!inst)
		return 0;
	inst->closed = true;
	inst->owned = true;
	ret = pe_fs_instance_attach(inst, b->session->name);
	if (ret == -EEXIST)
		pe_error_log(SUBSYSTEM, b->session->name, &err);
	if (ret)
		return ret;
	pe_instance_get(inst);
	b->session->inst = inst;
	b->session->home = inst;
	return 0;
}

static int pe_batch_note_source(void *data, struct pe_source *source)
{
	struct batch *b = data;
	struct batch_source *note = kmalloc(sizeof(*note), GFP_KERNEL_ACCOUNT);

	if (!note)
		return -ENOMEM;
	note->source = source;
	list_add_tail(&note->list, &b->sources);
	return 0;
}

static int pe_batch_define(struct batch *b, struct batch_line *line)
{
	int ret;

	if (line->takes)
		return pe_command_find(line->text, &b->step);
	ret = pe_command_create(line->text, &b->step);
	line->made = b->step.made;
	return ret;
}

/* An event of the session, or in an instance of its own any that is not another session's there. */
static bool pe_batch_may(const struct pe_session *session, const struct pe_event *event)
{
	if (event->session == session)
		return true;
	return session->inst && pe_event_may(event, session->inst, session);
}

static int pe_batch_find_link(struct batch *b, struct batch_line *line)
{
	const struct pe_session_line *say = &line->say;
	const struct pe_session *session = b->session;
	char group[PE_MAX_EVENT_NAME_LEN], name[PE_MAX_EVENT_NAME_LEN];
	char who[PE_OWNER_TEXT];
	struct pe_event *event = NULL;

	if (say->group.len < sizeof(group) && say->event.len < sizeof(name)) {
		scnprintf(group, sizeof(group), "%.*s", (int)say->group.len, say->group.p);
		scnprintf(name, sizeof(name), "%.*s", (int)say->event.len, say->event.p);
		event = pe_event_find(say->group.len ? group : session->name, name);
	}
	if (!event || event->dying)
		return pe_batch_fail(line, PE_ERR_NO_EVENT, say->event_pos, NULL, -EINVAL);
	if (!pe_batch_may(session, event))
		return pe_batch_fail(line, pe_event_owner_error(event, who), say->event_pos, who,
				     -EPERM);
	line->link = pe_link_find(event, session->home);
	return 0;
}

/* ->say.rest is in our copy of the write. */
static char *pe_batch_rest(const struct batch_line *line)
{
	return line->text + line->say.rest_pos;
}

static int pe_batch_switch(struct batch *b, struct batch_line *line)
{
	struct pe_event_link *link;
	int ret = pe_batch_find_link(b, line);

	if (ret)
		return ret;
	link = line->link;
	switch (line->say.verb) {
	case PE_SESSION_ENABLE:
		line->was_on = pe_link_enabled(link);
		ret = line->was_on ? 0 : pe_change_enable(&b->change, link);
		line->link = ret ? NULL : link;
		return ret;
	case PE_SESSION_FILTER:
		ret = pe_filter_change_begin(&line->filter, link, pe_batch_rest(line));
		line->link = ret ? NULL : link;
		return ret;
	case PE_SESSION_LIMIT:
		ret = pe_limit_change_begin(&line->limit, link, pe_batch_rest(line), b->session);
		line->link = ret ? NULL : link;
		return ret;
	case PE_SESSION_TRIGGER:
		if (!line->takes)
			return pe_trigger_add(link, pe_batch_rest(line), b->session, &b->change,
					      &line->trigger);
		ret = pe_trigger_find(link, pe_batch_rest(line), &line->trigger);
		if (line->trigger)
			line->trigger->leaves = true;
		return ret;
	}
	return 0;	/* to be disabled: pe_batch_settle() */
}

static bool pe_batch_switches(const struct batch_line *line)
{
	switch (line->say.verb) {
	case PE_SESSION_ENABLE:
	case PE_SESSION_DISABLE:
	case PE_SESSION_FILTER:
	case PE_SESSION_TRIGGER:
	case PE_SESSION_LIMIT:
		return true;
	}
	return false;
}

static int pe_batch_make(struct batch *b)
{
	struct batch_line *line;
	int ret = pe_batch_attach_instance(b);

	for_each_line(line, b) {
		if (!ret && line->say.verb == PE_SESSION_COMMAND)
			ret = pe_batch_define(b, line);
		if (!ret && fatal_signal_pending(current))
			ret = -EINTR;
		cond_resched();
	}
	for_each_line(line, b) {
		if (!ret && pe_batch_switches(line))
			ret = pe_batch_switch(b, line);
		if (!ret && fatal_signal_pending(current))
			ret = -EINTR;
		cond_resched();
	}
	return ret;
}

/* Cannot fail.  Only arming can after this: no other line is wrong. */
static void pe_batch_swap(struct batch *b)
{
	struct batch_line *line;

	for_each_line(line, b) {
		if (line->say.verb == PE_SESSION_FILTER)
			pe_filter_change_swap(&line->filter);
		if (line->say.verb == PE_SESSION_LIMIT)
			pe_limit_change_swap(&line->limit, line->link);
		cond_resched();
	}
	b->swapped = true;
}

/* From here on pe_event_mutex is not released, and so the batch is ours. */
static int pe_batch_check_leaving(struct batch *b)
{
	struct batch_source *note;

	list_for_each_entry(note, &b->sources, list)
		pe_source_batch(note->source, &b->leaving);
	return pe_sources_busy(&b->leaving, b->session->home) ? -EBUSY : 0;
}

/* ---- settle ---- */

static void pe_batch_settle(struct batch *b)
{
	struct pe_change change = PE_CHANGE_INIT(change);
	struct pe_session *session = b->session;
	struct batch_line *line;
	LIST_HEAD(gone);

	for_each_line(line, b) {
		if (line->say.verb == PE_SESSION_DISABLE && line->link->enabled)
			pe_change_disable(&change, line->link);
		if (line->was_on)
			pe_limit_restart(line->link->event);	/* about to be stopped */
		session->used |= pe_batch_switches(line);
	}
	pe_change_disarm(&change);
	for_each_line(line, b) {
		if (line->made)
			pe_session_tell_awaited(session, line->made);
		if (line->trigger && line->takes)
			pe_trigger_take_out(line->trigger, &gone);
		else if (line->trigger)
			pe_trigger_wake(line->trigger);
		if (line->say.verb == PE_SESSION_FILTER)
			pe_filter_change_end(&line->filter);
		if (line->say.verb == PE_SESSION_LIMIT)
			pe_limit_change_end(&line->limit);
		cond_resched();
	}
	pe_triggers_dispose(&gone);
	if (!list_empty(&b->leaving))
		pe_sources_bury(&b->leaving, &b->mirrors);
	if (b->inst)
		WRITE_ONCE(b->inst->closed, false);	/* read by pe_view_open() */
	b->inst = NULL;
	if (b->what)
		swap(session->what, b->what);
	if (b->until)
		session->until = b->until;
}

/* ---- undo ---- */

static void pe_batch_undo_line(const struct batch *b, struct batch_line *line,
			       struct list_head *gone)
{
	if (line->trigger && line->takes)
		line->trigger->leaves = false;
	else if (line->trigger)
		pe_trigger_take_out(line->trigger, gone);
	if (!line->link)
		return;
	if (line->say.verb == PE_SESSION_ENABLE && !line->was_on)
		pe_change_not_enable(line->link);
	if (line->say.verb == PE_SESSION_FILTER) {
		if (b->swapped)
			pe_filter_change_swap(&line->filter);
		pe_filter_change_end(&line->filter);
	}
	if (line->say.verb == PE_SESSION_LIMIT) {
		if (b->swapped)
			pe_limit_change_undo(&line->limit, line->link);
		pe_limit_change_end(&line->limit);
	}
}

/* Events that other users have found meanwhile go all the same. */
static void pe_batch_undo(struct batch *b)
{
	struct batch_line *line;
	LIST_HEAD(made);
	LIST_HEAD(gone);
	unsigned int i;

	pe_sources_unbatch(&b->leaving);
	for (i = b->nr; i--;) {
		pe_batch_undo_line(b, &b->lines[i], &gone);
		cond_resched();
	}
	pe_triggers_dispose(&gone);
	for_each_line(line, b)
		if (line->made)
			pe_source_batch(line->made, &made);
	if (!list_empty(&made))
		pe_sources_bury(&made, &b->mirrors);
	if (b->session->inst)
		pe_error_log_move(b->session->inst, b->logged);
	if (b->inst && b->session->inst == b->inst) {
		b->session->inst = NULL;
		b->session->home = &pe_top;
		pe_instance_put(b->inst);
		WARN_ON(pe_instance_remove(b->inst));
	}
}

static void pe_batch_free(struct batch *b)
{
	struct batch_source *note, *next;

	if (b->inst)
		pe_instance_destroy(b->inst);
	list_for_each_entry_safe(note, next, &b->sources, list)
		kfree(note);
	kvfree(b->lines);
	kfree(b->what);
}

static int pe_batch_run(struct batch *b)
{
	bool mirrored = pe_mirror_is_new();
	int ret;

	pe_mirrors_lock(&b->mirrors, mirrored);
	b->step.mirrored = mirrored;
	if (b->session->inst)
		b->logged = pe_error_log_total(b->session->inst);
	ret = pe_batch_make(b);
	if (!ret)
		ret = pe_batch_check_leaving(b);
	if (!ret) {
		pe_batch_swap(b);
		ret = pe_change_arm(&b->change);
	}
	if (ret)
		pe_batch_undo(b);
	else
		pe_batch_settle(b);
	pe_mirrors_end(&b->mirrors);
	return ret;
}

static int pe_batch_check_live(const struct pe_session *session)
{
	const struct pe_parse_err err = {
		.code = PE_ERR_REFUSED, .detail = "the session has ended",
	};

	if (session->state == PE_SESSION_LIVE)
		return 0;
	pe_error_log(SUBSYSTEM, session->name, &err);
	return -ENODEV;
}

int pe_session_write(struct pe_session *session, char *text, size_t count)
{
	struct batch b = {
		.session = session,
		.step = { .session = session, .found = pe_batch_note_source },
		.change = PE_CHANGE_INIT(b.change),
		.sources = LIST_HEAD_INIT(b.sources),
		.leaving = LIST_HEAD_INIT(b.leaving),
	};
	int ret;

	b.step.mirrors = &b.mirrors;
	b.step.data = &b;
	if (mutex_lock_killable(&pe_session_mutex))
		return -EINTR;
	ret = pe_batch_check_live(session) ?: pe_batch_parse(&b, text, count);
	if (!ret)
		ret = pe_batch_make_instance(&b);
	if (!ret)
		ret = pe_batch_run(&b);
	mutex_unlock(&pe_session_mutex);
	pe_batch_free(&b);
	return ret;
}
