// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * limit_trip.c - an event that has reached its limit is disarmed, and told.
 *
 * It is told in the buffer of each instance that had it enabled, in error_log of the top instance,
 * to the sessions that it concerns, and, once in a second at most, in the kernel's log.
 */
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/ratelimit.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include "error_log.h"
#include "event.h"
#include "event_enable.h"
#include "kernel/trace/hit/cmdlines.h"
#include "kernel/trace/hit/limit_hit.h"
#include "kernel/trace/hit/make_record.h"
#include "kernel/trace/hit/record.h"
#include "kernel/trace/parse/limits.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/ring/rb_buffer_write.h"
#include "kernel/trace/ring/rb_write.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "limit.h"
#include "variant.h"

#define MARK_SIZE	(sizeof(struct pe_print_record) + 2 * PE_MAX_EVENT_NAME_LEN +	\
			 PE_LIMIT_WHY_TEXT)

static void (*pe_limit_tell)(const struct pe_event *event, struct pe_session *session,
			     const char *why);

void pe_limit_trips_tell(void (*tell)(const struct pe_event *event, struct pe_session *session,
				      const char *why))
{
	mutex_lock(&pe_event_mutex);
	pe_limit_tell = tell;
	mutex_unlock(&pe_event_mutex);
}

/* ---- tell ---- */

/* As a text of trace_marker; its origin has the name of this function. */
static noinline void pe_limit_reached(struct pe_instance *inst, const struct pe_event *event,
				      const char *why)
{
	u8 block[MARK_SIZE] __aligned(8);
	struct pe_print_record *rec = (void *)block;
	unsigned int len = offsetof(struct pe_print_record, text);
	struct pe_rb_handle h;
	void *dst = NULL;

	pe_record_head_fill(&rec->head, PE_PRINT_ID);
	rec->head.ip = (unsigned long)pe_limit_reached;
	len += scnprintf(rec->text, sizeof(block) - len, "%s/%s: %s\n", event->group, event->name,
			 why) + 1;
	preempt_disable_notrace();
	if (READ_ONCE(inst->tracing_on))
		dst = pe_buffer_reserve(pe_instance_buffer(inst), len, &h);
	if (dst) {
		memcpy(dst, block, len);
		pe_cmdline_save();	/* first: a reader of the record looks for it */
		pe_rb_commit(&h);
	}
	preempt_enable_notrace();
}

static void pe_limit_log(const struct pe_event *event, const char *why)
{
	static DEFINE_RATELIMIT_STATE(often, HZ, 1);
	const struct pe_parse_err err = { .code = PE_ERR_LIMIT_REACHED, .detail = why };
	char name[2 * PE_MAX_EVENT_NAME_LEN];

	snprintf(name, sizeof(name), "%s/%s", event->group, event->name);
	pe_error_log("limit", name, &err);
	ratelimit_set_flags(&often, RATELIMIT_MSG_ON_RELEASE);
	if (__ratelimit(&often))
		pr_info("probe_events: %s has reached its limit: %s\n", name, why);
}

static void pe_limit_tell_sessions(const struct pe_limit *limit)
{
	const struct pe_event *event = limit->event;
	const struct pe_limit_entry *entry;

	if (!pe_limit_tell)
		return;
	if (event->session)
		pe_limit_tell(event, event->session, limit->why);
	list_for_each_entry(entry, &limit->entries, list)
		if (entry->by && entry->by != event->session)
			pe_limit_tell(event, entry->by, limit->why);
}

/* ---- stop ---- */

static void pe_limit_say_share(struct pe_limit *limit)
{
	bool one = atomic_read_acquire(&limit->hits.gate) == PE_LIMIT_ONE;
	char is[PE_LIMIT_SHARE_TEXT], may[PE_LIMIT_SHARE_TEXT];
	size_t at;

	pe_limit_print_share(is, limit->reach.reached);
	pe_limit_print_share(may, one ? limit->words.one : limit->words.cpu);
	at = scnprintf(limit->why, sizeof(limit->why), "%s %s of %s", one ? "one" : "cpu", is, may);
	if (one)
		at += scnprintf(limit->why + at, sizeof(limit->why) - at, " of CPU %d",
				limit->reach.on);
	scnprintf(limit->why + at, sizeof(limit->why) - at, " after %u of %u ms",
		  limit->reach.after, limit->reach.whole);
}

/* If the limit has been written again since it was reached, its numbers say nothing. */
void pe_limit_say(struct pe_limit *limit)
{
	const struct pe_limit_words *words = &limit->words;
	u64 taken = atomic64_read(&limit->hits.taken);
	bool old = limit->hits.end > taken;

	switch (atomic_read(&limit->hits.gate)) {
	case PE_LIMIT_HITS:
		snprintf(limit->why, sizeof(limit->why), old ? "hits" : "hits %llu of %llu",
			 words->hits, words->hits);
		break;
	case PE_LIMIT_TTL:
		old = limit->until > ktime_get_boottime_ns();
		snprintf(limit->why, sizeof(limit->why), old ? "ttl" : "ttl %llus", words->ttl);
		break;
	case PE_LIMIT_CPU:
	case PE_LIMIT_ONE:
		pe_limit_say_share(limit);
		break;
	}
	/* The hit that gates it writes the time a moment later. */
	limit->when = READ_ONCE(limit->hits.at) ?: ktime_get_mono_fast_ns();
}

/* Its uses stay set, except for @enabled, which brings the event back. */
void pe_limit_stop(struct pe_limit *limit, struct pe_change *change)
{
	struct pe_event *event = limit->event;
	struct pe_event_link *link;

	list_for_each_entry(link, &event->links, event_list) {
		if (link->variant)
			pe_limit_reached(link->instance, event, limit->why);
		WRITE_ONCE(link->enabled, false);	/* read by pe_record_soft() */
	}
	limit->tripped = true;
	pe_event_changed(event);
	list_add_tail(&event->change, &change->moving);
}

void pe_limit_stopped(struct pe_change *change)
{
	struct pe_limit *limit;
	struct pe_event *event;

	lockdep_assert_held(&pe_event_mutex);
	pe_change_disarm(change);
	list_for_each_entry(event, &change->moving, change) {
		limit = pe_limit_of(event);
		pe_limit_log(event, limit->why);
		pe_limit_tell_sessions(limit);
		cond_resched();
	}
}
