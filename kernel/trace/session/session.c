// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * session.c - sessions: their birth and end.
 *
 * A session begins when the file session is opened, and ends with the last close of that open file,
 * whatever has led to it; with another task's wish; or, if it is kept, when its time is over.
 *
 * The end cannot fail.  All that the session has is marked, and nothing can be switched on in it
 * from then on; then triggers and events go, then the instance.  Parts that another user keeps are
 * cut off at once and freed later: an event with its mirror open in perf, an instance with open
 * files.  Until then the session is dying.
 *
 * Nothing tells us when the kernel counts no user of a mirror any more: so a session that is dying
 * looks again, a few times in a second.
 */
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>
#include "kernel/trace/event/buffers.h"
#include "kernel/trace/event/cost.h"
#include "kernel/trace/event/dying.h"
#include "kernel/trace/event/event.h"
#include "kernel/trace/event/event_probe.h"
#include "kernel/trace/event/event_source.h"
#include "kernel/trace/event/instance.h"
#include "kernel/trace/event/limit.h"
#include "kernel/trace/event/mirror.h"
#include "kernel/trace/event/tpoint.h"
#include "kernel/trace/hit_stat.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "kernel/trace/trace_probe.h"
#include "kernel/trace/trace_session.h"
#include "session.h"

#define MAX_SESSIONS	1024
#define LOOK_AGAIN	(HZ / 4)

DEFINE_MUTEX(pe_session_mutex);		/* see session.h */
LIST_HEAD(pe_sessions);

static unsigned int pe_nr_sessions;
static unsigned int pe_session_last_nr;

/* A work holds a reference to its session while it is queued or runs. */
static struct workqueue_struct *pe_session_works;

static struct cpumask pe_session_cpus;	/* have come, and no session has been told; atomic */
static int pe_session_cpus_state;

static void pe_session_put(struct pe_session *session)
{
	if (!refcount_dec_and_test(&session->ref))
		return;
	pe_notices_free(&session->notices);
	put_pid(session->pid);
	kfree(session->what);
	kfree(session);
}

static void pe_session_later(struct pe_session *session, unsigned long delay)
{
	refcount_inc(&session->ref);
	/* If it was pending, that has a reference already. */
	if (mod_delayed_work(pe_session_works, &session->work, delay))
		pe_session_put(session);
}

/* ---- the end ---- */

/* Return: nothing of its events and its instance is left. */
static bool pe_session_cut(struct pe_session *session)
{
	struct pe_instance *inst = session->inst;
	struct pe_mirrors mirrors;
	struct pe_event *event;
	bool left = false;

	pe_mirrors_lock(&mirrors, false);
	list_for_each_entry(event, &pe_events, list)
		if (event->session == session)
			event->dying = true;
	if (inst) {
		WRITE_ONCE(inst->closed, true);	/* read by pe_view_open() */
		WRITE_ONCE(inst->dying, true);	/* read by pe_at_end(), pe_told_to_stop() */
		pe_buffers_wake(inst);
	}
	pe_dying_cut(&mirrors);
	list_for_each_entry(event, &pe_events, list)
		left |= event->session == session;
	if (inst) {
		/* Ours, for the moment: with it, the instance would be in use. */
		pe_instance_put(inst);
		if (pe_instance_remove(inst)) {
			pe_instance_get(inst);
			left = true;
		} else {
			session->grave = inst;
			session->inst = NULL;
			session->home = &pe_top;
		}
	}
	pe_mirrors_end(&mirrors);
	return !left;
}

/* Freeing an instance may wait for all tasks: other sessions do not wait for that. */
static void pe_session_unlock(struct pe_session *session)
{
	struct pe_instance *inst = session->grave;

	session->grave = NULL;
	mutex_unlock(&pe_session_mutex);
	if (inst)
		pe_instance_destroy(inst);
}

static void pe_session_try_free(struct pe_session *session)
{
	lockdep_assert_held(&pe_session_mutex);

	if (!pe_session_cut(session)) {
		pe_session_later(session, LOOK_AGAIN);
		return;
	}
	session->state = PE_SESSION_GONE;
	list_del_init(&session->list);
	pe_nr_sessions--;
	if (cancel_delayed_work(&session->work))
		pe_session_put(session);
	pe_session_put(session);
}

static void pe_session_end(struct pe_session *session)
{
	session->state = PE_SESSION_DYING;
	pe_session_try_free(session);
}

/* The time of one that is kept is counted while the machine sleeps, too.  False: it is over. */
static bool pe_session_keep(struct pe_session *session)
{
	u64 now = ktime_get_boottime_ns();

	if (session->until <= now)
		return false;
	session->state = PE_SESSION_KEPT;
	/* The work looks again: jiffies do not count sleep. */
	pe_session_later(session, min_t(u64, nsecs_to_jiffies64(session->until - now) + 1,
					HZ * 60));
	return true;
}

static void pe_session_work(struct work_struct *work)
{
	struct pe_session *session = container_of(to_delayed_work(work), struct pe_session, work);

	mutex_lock(&pe_session_mutex);
	if (session->state == PE_SESSION_DYING)
		pe_session_try_free(session);
	else if (session->state == PE_SESSION_KEPT && !pe_session_keep(session))
		pe_session_end(session);
	pe_session_unlock(session);
	pe_session_put(session);
}

void pe_session_close(struct pe_session *session)
{
	mutex_lock(&pe_session_mutex);
	if (session->state == PE_SESSION_LIVE && !pe_session_keep(session))
		pe_session_end(session);
	pe_session_unlock(session);
	pe_session_put(session);
}

static struct pe_session *pe_session_find(unsigned int nr)
{
	struct pe_session *session;

	list_for_each_entry(session, &pe_sessions, list)
		if (session->nr == nr && session->state != PE_SESSION_DYING)
			return session;
	return NULL;
}

int pe_session_kill(unsigned int nr)
{
	struct pe_session *session;

	mutex_lock(&pe_session_mutex);
	session = pe_session_find(nr);
	if (!session) {
		mutex_unlock(&pe_session_mutex);
		return -ENOENT;
	}
	refcount_inc(&session->ref);
	pe_notice_last(&session->notices, "end by %d", task_tgid_nr(current));
	pe_session_end(session);
	pe_session_unlock(session);
	pe_session_put(session);
	return 0;
}

/* ---- the beginning ---- */

/* Does another session have the number, or a group its name? */
static bool pe_session_taken(const struct pe_session *session)
{
	const struct pe_session *other;
	bool taken;

	list_for_each_entry(other, &pe_sessions, list)
		if (other->nr == session->nr)
			return true;
	mutex_lock(&pe_name_mutex);
	taken = pe_group_find(session->name);
	mutex_unlock(&pe_name_mutex);
	return taken;
}

/* Numbers grow, so that the number of one that has ended is not soon another's. */
static void pe_session_number(struct pe_session *session)
{
	do {
		pe_session_last_nr = pe_session_last_nr % INT_MAX + 1;
		session->nr = pe_session_last_nr;
		snprintf(session->name, sizeof(session->name), "s%u", session->nr);
	} while (pe_session_taken(session));
}

struct pe_session *pe_session_begin(void)
{
	struct pe_session *session = kzalloc(sizeof(*session), GFP_KERNEL_ACCOUNT);

	if (!session)
		return ERR_PTR(-ENOMEM);
	pe_notices_init(&session->notices);
	INIT_DELAYED_WORK(&session->work, pe_session_work);
	session->pid = get_pid(task_tgid(current));
	get_task_comm(session->comm, current);
	session->since = local_clock();
	session->home = &pe_top;
	refcount_set(&session->ref, 2);		/* the file's, and the list's */

	mutex_lock(&pe_session_mutex);
	if (pe_nr_sessions == MAX_SESSIONS) {
		mutex_unlock(&pe_session_mutex);
		refcount_set(&session->ref, 1);
		pe_session_put(session);
		return ERR_PTR(-EUSERS);
	}
	pe_session_number(session);
	pe_notice(&session->notices, "session %u", session->nr);
	list_add_tail(&session->list, &pe_sessions);
	pe_nr_sessions++;
	mutex_unlock(&pe_session_mutex);
	return session;
}

/* ---- what they have ---- */

void pe_sessions_count(void)
{
	struct pe_session *session;
	struct pe_engine_stat engine;
	struct pe_event_stat stat;
	struct pe_source *source;
	struct pe_event *event;

	list_for_each_entry(session, &pe_sessions, list) {
		session->nr_events = 0;
		session->hits = 0;
		session->cost = 0;
	}
	mutex_lock(&pe_event_mutex);
	list_for_each_entry(event, &pe_events, list)
		if (event->session)
			event->session->nr_events++;
	list_for_each_entry(source, &pe_sources, all) {
		session = pe_source_event(source)->session;
		cond_resched();
		if (!session)
			continue;
		pe_source_stat(source, &stat);
		pe_source_engine_stat(source, &engine);
		session->hits += engine.missed + engine.no_stack +
				 (pe_source_event(source)->is_return ? engine.calls : stat.hits);
		pe_cost_update(source);
		session->cost += source->cost.ns;
	}
	mutex_unlock(&pe_event_mutex);
}

static void pe_session_module(const struct module *mod)
{
	const struct pe_event *event;

	lockdep_assert_held(&pe_event_mutex);
	list_for_each_entry(event, &pe_events, list)
		if (event->session && pe_event_in(event, mod))
			pe_notice(&event->session->notices, "gone %s/%s %s", event->group,
				  event->name, mod->name);
}

void pe_session_tell_awaited(struct pe_session *session, const struct pe_source *source)
{
	const struct pe_event *event = pe_source_event(source);
	const char *place = pe_source_awaits(source);
	struct pe_near near;

	if (!place)
		return;
	pe_tpoint_near(place, &near);
	pe_notice(&session->notices, "waiting %s/%s %s%s%s", event->group, event->name, place,
		  near.name[0] ? " " : "", near.name);
}

static void pe_session_limit(const struct pe_event *event, struct pe_session *session,
			     const char *why)
{
	pe_notice(&session->notices, "limit %s/%s %s", event->group, event->name, why);
}

static void pe_session_cpus_work(struct work_struct *work)
{
	struct pe_session *session;
	unsigned int cpu;

	mutex_lock(&pe_session_mutex);
	for_each_possible_cpu(cpu) {
		if (!cpumask_test_and_clear_cpu(cpu, &pe_session_cpus))
			continue;
		list_for_each_entry(session, &pe_sessions, list)
			if (session->state == PE_SESSION_LIVE)
				pe_notice(&session->notices, "cpu %u online", cpu);
	}
	mutex_unlock(&pe_session_mutex);
}

static DECLARE_WORK(pe_session_cpus_told, pe_session_cpus_work);

/*
 * On that CPU.  The hotplug lock is held: a session that is written to waits for that, with the
 * mutex, so a work tells.
 */
static int pe_session_cpu_comes(unsigned int cpu)
{
	cpumask_set_cpu(cpu, &pe_session_cpus);
	queue_work(pe_session_works, &pe_session_cpus_told);
	return 0;
}

int pe_sessions_init(void)
{
	pe_session_works = alloc_workqueue("pe_sessions", WQ_UNBOUND, 1);
	if (!pe_session_works)
		return -ENOMEM;
	pe_session_cpus_state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN,
							  "trace/probe_events:sessions",
							  pe_session_cpu_comes, NULL);
	if (pe_session_cpus_state < 0) {
		destroy_workqueue(pe_session_works);
		return pe_session_cpus_state;
	}
	pe_event_modules_tell(pe_session_module);
	pe_limit_trips_tell(pe_session_limit);
	return 0;
}

/* The sessions left are kept ones: with a file open, or a mirror in use, the module would stay. */
void pe_sessions_exit(void)
{
	struct pe_session *session;

	cpuhp_remove_state_nocalls(pe_session_cpus_state);
	pe_event_modules_tell(NULL);
	pe_limit_trips_tell(NULL);
	mutex_lock(&pe_session_mutex);
	while ((session = list_first_entry_or_null(&pe_sessions, struct pe_session, list))) {
		refcount_inc(&session->ref);
		pe_session_end(session);
		if (WARN_ON(session->state != PE_SESSION_GONE))
			list_del_init(&session->list);
		pe_session_unlock(session);
		pe_session_put(session);
		mutex_lock(&pe_session_mutex);
	}
	mutex_unlock(&pe_session_mutex);
	destroy_workqueue(pe_session_works);
}
