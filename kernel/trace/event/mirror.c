// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * mirror.c - the life of mirrors: made, used, removed.
 *
 * A mirror is an event of ours in the kernel's list of events.  perf finds it there, and so do
 * BPF programs, the kernel's tracefs, and triggers and probes on events.  Each user calls
 * pe_mirror_reg(), with the kernel's mutex held.  The first user arms the event, the last one
 * disarms it.  While it is used, and only then, hits come to it (PE_V_MIRROR).
 *
 * Removal: the kernel's mutex is held from the question whether the mirror is busy to its end.
 * So no user can begin to use it between.  No hit uses it either: after its last user the
 * kernel, or pe_remove_file(), has waited for hits with the mutex held.
 *
 * While there is no mirror, no code here takes the kernel's mutex: perf and the kernel's tracefs do
 * not wait for our events to be removed.  An event gets its mirror, and nr_mirrors grows, with
 * pe_event_mutex held as well.  So code that holds that and sees no mirror need not fear one.
 *
 * trace_remove_event_call() takes locks inside which the kernel may call pe_mirror_reg().  So it is
 * called without pe_event_mutex, after the event itself has gone.
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include "error_log.h"
#include "event.h"
#include "event_enable.h"
#include "kernel/trace/hit/mirror_hit.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/print/safe_text.h"
#include "kernel/trace/trace.h"
#include "mirror.h"

#define SUBSYSTEM	"mirror"

/* A perf event that is open on a mirror, and the task that opened it. */
struct holder {
	struct list_head list;
	struct hlist_node by_event;
	const void *perf_event;
	pid_t pid;
	char comm[TASK_COMM_LEN];
};

/* All holders by their perf event: perf opens one for each CPU and task.  The kernel's mutex. */
static DEFINE_HASHTABLE(pe_holders_by_event, 10);

/*
 * Mirrors, and callers about to make some.  It grows under both mutexes, and falls under the
 * kernel's.
 */
static atomic_t pe_nr_mirrors;

/* ---- used ---- */

static bool pe_in_use(const struct pe_mirror *mirror)
{
	return mirror->perf || !list_empty(&mirror->files);
}

/* Its first user is there, or it has lost its last one. */
static int pe_mirror_arm(struct pe_mirror *mirror, bool on)
{
	int ret = 0;

	mutex_lock(&pe_event_mutex);
	if (on)
		ret = pe_event_arm_mirror(mirror->event);
	else
		pe_event_disarm_mirror(mirror->event);
	mutex_unlock(&pe_event_mutex);
	return ret;
}

/* perf's memory for the event is there before the first call, and till after the second. */
static int pe_set_perf(struct pe_mirror *mirror, bool on)
{
	bool was = pe_in_use(mirror);
	int ret = 0;

	WRITE_ONCE(mirror->perf, on);	/* read by pe_mirror_hit() */
	if (was != pe_in_use(mirror))
		ret = pe_mirror_arm(mirror, on);
	if (!ret)
		return 0;
	/* perf frees its memory at once. */
	WRITE_ONCE(mirror->perf, false);	/* read by pe_mirror_hit() */
	synchronize_rcu();
	return ret;
}

static void pe_drop_file(struct pe_mirror_file *file)
{
	list_del_rcu(&file->list);
	synchronize_rcu();
	kfree(file);
}

static int pe_add_file(struct pe_mirror *mirror, struct trace_event_file *trace_file)
{
	struct pe_mirror_file *file = kzalloc(sizeof(*file), GFP_KERNEL_ACCOUNT);
	bool was = pe_in_use(mirror);
	int ret = 0;

	if (!file)
		return -ENOMEM;
	file->file = trace_file;
	list_add_tail_rcu(&file->list, &mirror->files);
	if (!was)
		ret = pe_mirror_arm(mirror, true);
	if (ret)
		pe_drop_file(file);
	return ret;
}

static void pe_remove_file(struct pe_mirror *mirror, const struct trace_event_file *trace_file)
{
	struct pe_mirror_file *file;

	list_for_each_entry(file, &mirror->files, list) {
		if (file->file != trace_file)
			continue;
		if (!mirror->perf && list_is_singular(&mirror->files))
			pe_mirror_arm(mirror, false);
		pe_drop_file(file);
		return;
	}
}

static int pe_add_holder(struct pe_mirror *mirror, const void *perf_event)
{
	struct holder *holder = kzalloc(sizeof(*holder), GFP_KERNEL_ACCOUNT);

	if (!holder)
		return -ENOMEM;
	holder->perf_event = perf_event;
	holder->pid = current->tgid;
	get_task_comm(holder->comm, current);
	list_add_tail(&holder->list, &mirror->holders);
	hash_add(pe_holders_by_event, &holder->by_event, (unsigned long)perf_event);
	return 0;
}

static void pe_remove_holder(const void *perf_event)
{
	struct holder *holder;

	hash_for_each_possible(pe_holders_by_event, holder, by_event, (unsigned long)perf_event) {
		if (holder->perf_event != perf_event)
			continue;
		hash_del(&holder->by_event);
		list_del(&holder->list);
		kfree(holder);
		return;
	}
}

/* The kernel holds its mutex, except for ADD and DEL: those come as tasks are scheduled. */
static int pe_mirror_reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	struct pe_mirror *mirror = container_of(call, struct pe_mirror, call);

	switch (type) {
	case TRACE_REG_REGISTER:
		return pe_add_file(mirror, data);
	case TRACE_REG_UNREGISTER:
		pe_remove_file(mirror, data);
		return 0;
	case TRACE_REG_PERF_REGISTER:
		return pe_set_perf(mirror, true);
	case TRACE_REG_PERF_UNREGISTER:
		return pe_set_perf(mirror, false);
	case TRACE_REG_PERF_OPEN:
		return pe_add_holder(mirror, data);
	case TRACE_REG_PERF_CLOSE:
		pe_remove_holder(data);
		return 0;
	case TRACE_REG_PERF_ADD:
	case TRACE_REG_PERF_DEL:
		return 0;		/* as the kernel does by itself */
	}
	return -EINVAL;
}

/* ---- made and removed ---- */

static void pe_free_mirror(struct pe_mirror *mirror)
{
	pe_mirror_undescribe(mirror);
	free_percpu(mirror->stat);
	pe_event_put(mirror->event);
	kfree(mirror);
	/* The caller's file is open and holds the module as well. */
	module_put(THIS_MODULE);
}

static struct pe_mirror *pe_make_mirror(struct pe_event *event)
{
	struct pe_mirror *mirror = kzalloc(sizeof(*mirror), GFP_KERNEL_ACCOUNT);

	if (!mirror)
		return NULL;
	__module_get(THIS_MODULE);
	pe_event_get(event);
	mirror->event = event;
	INIT_LIST_HEAD(&mirror->files);
	INIT_LIST_HEAD(&mirror->holders);
	mirror->class.reg = pe_mirror_reg;
	mirror->stat = alloc_percpu(struct pe_mirror_stat);
	if (mirror->stat && !pe_mirror_describe(mirror))
		return mirror;
	pe_free_mirror(mirror);
	return NULL;
}

/* The kernel gets it: first the number of its records and how they are printed, then the event. */
static int pe_mirror_hand_over(struct pe_mirror *mirror)
{
	int ret;

	if (!register_trace_event(&mirror->call.event))
		return -ENODEV;
	ret = trace_add_event_call(&mirror->call);
	if (ret)
		unregister_trace_event(&mirror->call.event);
	return ret;
}

/*
 * The event's, from now on.  False: it has been removed.  Hits and others find the mirror only when
 * the kernel has it.
 */
static bool pe_attach_mirror(struct pe_event *event, struct pe_mirror *mirror)
{
	bool dead;

	mutex_lock(&pe_event_mutex);
	dead = event->dead;
	if (!dead) {
		event->mirror = mirror;
		atomic_inc(&pe_nr_mirrors);
	}
	mutex_unlock(&pe_event_mutex);
	return !dead;
}

static void pe_detach_mirror(struct pe_event *event)
{
	struct pe_mirror *mirror = event->mirror;

	mutex_lock(&pe_event_mutex);
	event->mirror = NULL;
	mutex_unlock(&pe_event_mutex);
	pe_free_mirror(mirror);
	atomic_dec(&pe_nr_mirrors);
}

static void pe_mirror_log_error(const struct pe_event *event, enum pe_parse_errno code,
				const char *who)
{
	char *text = kasprintf(GFP_KERNEL, "%s/%s%s", event->group, event->name, who);
	struct pe_parse_err err = { .code = code };

	if (!text)
		return;		/* the writer has the errno */
	/* The caret is below the user, if there is one. */
	if (*who)
		err.pos = strlen(text) - strlen(who) + 1;
	pe_error_log(SUBSYSTEM, text, &err);
	kfree(text);
}

static int pe_mirror_switch_on(struct pe_event *event)
{
	struct pe_mirror *mirror;
	int ret;

	if (pe_tracing_has_event(event->group, event->name)) {
		pe_mirror_log_error(event, PE_ERR_MIRROR_EXIST, "");
		return -EEXIST;
	}
	mirror = pe_make_mirror(event);
	if (!mirror)
		return -ENOMEM;
	if (!pe_attach_mirror(event, mirror)) {
		pe_free_mirror(mirror);
		return -ENODEV;
	}
	ret = pe_mirror_hand_over(mirror);
	if (ret)
		pe_detach_mirror(event);
	return ret;
}

static int pe_mirror_switch_off(struct pe_event *event)
{
	int ret = pe_mirror_busy(event) ? -EBUSY : trace_remove_event_call(&event->mirror->call);

	if (ret) {
		pe_mirror_log_busy(event);
		return ret;
	}
	pe_tracing_reset();
	pe_detach_mirror(event);
	return 0;
}

static int pe_no_tracing(const struct pe_event *event, int ret)
{
	pe_mirror_log_error(event, PE_ERR_MIRROR_NONE, "");
	return ret;
}

/* Return: 1, or 0: there is none, or -ENODEV.  Without the kernel's mutex it may change. */
static int pe_has_mirror(const struct pe_event *event)
{
	int ret;

	mutex_lock(&pe_event_mutex);
	ret = event->dead ? -ENODEV : !!event->mirror;
	mutex_unlock(&pe_event_mutex);
	return ret;
}

int pe_mirror_switch(struct pe_event *event, bool on)
{
	int ret = pe_has_mirror(event);

	if (ret < 0 || (!ret && !on))
		return ret;
	ret = pe_tracing_lock();
	if (ret)
		return pe_no_tracing(event, ret);
	ret = pe_has_mirror(event);
	if (!ret && on)
		ret = pe_mirror_switch_on(event);
	else if (ret > 0)
		ret = on ? 0 : pe_mirror_switch_off(event);
	pe_tracing_unlock();
	return ret;
}

/* ---- events that go ---- */

void pe_mirrors_lock(struct pe_mirrors *mirrors, bool more)
{
	*mirrors = (struct pe_mirrors){ .gone = LIST_HEAD_INIT(mirrors->gone) };
	if (!more) {
		mutex_lock(&pe_event_mutex);
		if (!atomic_read(&pe_nr_mirrors))
			return;
		mutex_unlock(&pe_event_mutex);
	}
	mirrors->locked = !pe_tracing_lock();	/* if there are mirrors, there is such a mutex */
	mutex_lock(&pe_event_mutex);
	mirrors->more = mirrors->locked && more;
	if (mirrors->more)
		atomic_inc(&pe_nr_mirrors);
}

/*
 * They are not busy.  If the kernel thinks otherwise, mirror and module stay.  The kernel's buffers
 * are emptied once for all: it waits for hits then.
 */
static void pe_take_back(struct list_head *gone)
{
	struct pe_mirror *mirror, *next;

	if (list_empty(gone))
		return;
	list_for_each_entry_safe(mirror, next, gone, list) {
		if (WARN_ON_ONCE(trace_remove_event_call(&mirror->call)))
			list_del(&mirror->list);
		cond_resched();
	}
	pe_tracing_reset();
	list_for_each_entry_safe(mirror, next, gone, list) {
		list_del(&mirror->list);
		pe_free_mirror(mirror);
		atomic_dec(&pe_nr_mirrors);
	}
}

void pe_mirrors_end(struct pe_mirrors *mirrors)
{
	mutex_unlock(&pe_event_mutex);
	if (!mirrors->locked)
		return;
	if (mirrors->more)
		atomic_dec(&pe_nr_mirrors);
	pe_take_back(&mirrors->gone);
	pe_tracing_unlock();
}

static bool pe_new_events;			/* kprobes/mirror */

int pe_mirror_set_new(bool on)
{
	WRITE_ONCE(pe_new_events, on);	/* read by pe_mirror_is_new() */
	return 0;
}

bool pe_mirror_is_new(void)
{
	return READ_ONCE(pe_new_events);
}

int pe_mirror_begin(struct pe_event *event, const struct pe_mirrors *mirrors)
{
	int ret;

	if (!mirrors->locked)
		return pe_no_tracing(event, -EOPNOTSUPP);
	/* No other task can remove it meanwhile. */
	mutex_unlock(&pe_event_mutex);
	ret = pe_mirror_switch_on(event);
	mutex_lock(&pe_event_mutex);
	return ret;
}

bool pe_mirror_busy(const struct pe_event *event)
{
	const struct pe_mirror *mirror = event->mirror;

	/* The kernel counts perf's events there, and triggers and probes that name the event. */
	return mirror && (pe_in_use(mirror) || atomic_read(&mirror->call.refcnt));
}

void pe_mirror_cut(struct pe_event *event, struct pe_mirrors *mirrors)
{
	if (!event->mirror)
		return;
	list_add_tail(&event->mirror->list, &mirrors->gone);
	event->mirror = NULL;
}

/* ---- name the user ---- */

void pe_mirror_log_busy(const struct pe_event *event)
{
	struct pe_mirror *mirror = event->mirror;
	const struct holder *holder;
	char who[TASK_COMM_LEN + 16];

	holder = list_first_entry_or_null(&mirror->holders, struct holder, list);
	if (holder)
		snprintf(who, sizeof(who), " %s-%d", holder->comm, holder->pid);
	else if (!list_empty(&mirror->files))
		strscpy(who, " tracefs", sizeof(who));
	else
		strscpy(who, " trigger", sizeof(who));
	pe_mirror_log_error(event, PE_ERR_MIRROR_BUSY, who);
}

static bool pe_same_task(const struct holder *a, const struct holder *b)
{
	return a->pid == b->pid && !strcmp(a->comm, b->comm);
}

/* A line for each task; what a task opens is together in the list. */
static void pe_show_holders(struct seq_file *m, const struct pe_mirror *mirror)
{
	const struct holder *holder, *next;
	unsigned int n = 0;

	list_for_each_entry(holder, &mirror->holders, list) {
		n++;
		next = list_next_entry(holder, list);
		if (!list_entry_is_head(next, &mirror->holders, list) && pe_same_task(holder, next))
			continue;
		seq_puts(m, "user\t");
		pe_seq_safe_text(m, holder->comm);
		seq_printf(m, "-%d %u\n", holder->pid, n);
		n = 0;
	}
}

static void pe_show_stat(struct seq_file *m, const struct pe_mirror *mirror)
{
	struct pe_mirror_stat sum = {};
	const struct pe_mirror_stat *stat;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		stat = per_cpu_ptr(mirror->stat, cpu);
		sum.sent += READ_ONCE(stat->sent);
		sum.unheard += READ_ONCE(stat->unheard);
		sum.refused += READ_ONCE(stat->refused);
	}
	seq_printf(m, "sent\t%lu\nunheard\t%lu\nrefused\t%lu\n", sum.sent, sum.unheard,
		   sum.refused);
}

int pe_mirror_show(struct seq_file *m, const struct pe_event *event)
{
	int ret = pe_has_mirror(event);
	struct pe_mirror *mirror;

	if (ret < 0)
		return ret;
	if (!ret || pe_tracing_lock()) {
		seq_puts(m, "0\n");
		return 0;
	}
	ret = pe_has_mirror(event);
	mirror = event->mirror;
	if (ret >= 0)
		seq_printf(m, "%d\n", ret);
	if (ret > 0) {
		pe_show_stat(m, mirror);
		pe_show_holders(m, mirror);
		if (!list_empty(&mirror->files))
			seq_printf(m, "user\ttracefs %zu\n", list_count_nodes(&mirror->files));
	}
	pe_tracing_unlock();
	return min(ret, 0);
}
