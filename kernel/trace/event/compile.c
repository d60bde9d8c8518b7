// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * compile.c - events with compiled hits.
 *
 * Each hit of a site does the same with the same values, until something changes.  So the work
 * below makes machine code of it (emit_hit.c), for the most usual of what hits do:
 * events without triggers, stacks and lists of pids; arguments are in registers or in memory
 * that registers point to, and filters compare registers with numbers.  All of a site is compiled,
 * or nothing: its records are in the order of its probes, and of their instances.  The engine leads
 * hits to the code (compiled/round.c).  All else is interpreted, with the same result.
 *
 * Code that changes what a hit does reports it (variant.c).  At once the code is out of date and
 * hits are interpreted; the work, a moment later, makes new code for all probes that lack it.  So a
 * series of changes costs one round of the work.
 *
 * A task may be preempted in the code before it looks whether it is out of date.  So what the
 * code touches before that, a probe's counters and the instance, is freed only after a round
 * of the work that began later has waited for all tasks.
 *
 * That may take for ever, if a task runs in the kernel without a pause.  So only the work makes
 * rounds, and a task that waits for the end of one holds no lock, and can be killed.  The work
 * itself waits without pe_event_mutex.
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <pe/code.h>
#include <pe_arch/code_memory.h>
#include <pe_arch/hit_code.h>
#include "compile.h"
#include "compile_link.h"
#include "event.h"
#include "event_enable.h"
#include "event_probe.h"
#include "instance.h"
#include "kernel/trace/hit/event_hit.h"
#include "kernel/trace/hit/limit_hit.h"
#include "kernel/trace/ring/clock.h"
#include "kernel/trace/ring/rb_buffer.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "kernel/trace/trace_probe.h"
#include "limit.h"
#include "timekeeper.h"

#define DELAY		(HZ / 50)	/* changes within it share a round of the work */
#define LOOK_AGAIN	(10 * HZ)	/* is the kernel's clock as it was? */

/* All under pe_event_mutex, but for the work's own item. */
static struct pe_hit_env pe_compile_env;
static const char *pe_compile_impossible;		/* here, if not NULL */
static bool pe_switched_on = true;

static bool pe_compile_ended;			/* no round is needed any more; pe_compile_exit() */

static DEFINE_MUTEX(pe_dying_mutex);	/* inside all others */
static struct callback_head *pe_compile_dying;	/* what the next round frees; pe_dying_mutex */

/* How many rounds have begun (pe_event_mutex) and ended; the engine makes one at a time. */
static unsigned long pe_rounds_begun, pe_rounds_ended;
static DECLARE_WAIT_QUEUE_HEAD(pe_round_ends);

static void pe_compile_soon(struct work_struct *work);
static DECLARE_DELAYED_WORK(pe_compile_work, pe_compile_soon);
static DECLARE_DELAYED_WORK(pe_compile_look_work, pe_compile_soon);

/* The first change of a series counts: the round must come, though changes never end. */
static void pe_want_round(void)
{
	queue_delayed_work(system_unbound_wq, &pe_compile_work, DELAY);
}

/*
 * Make a round, and wait until it has ended.  It covers all that has been changed with
 * pe_event_mutex, or is dying: if a round that begins now is not counted here yet, it looks at that
 * later.
 *
 * Return: 0, or -EINTR: killed
 */
static int pe_await_round(void)
{
	unsigned long nr = READ_ONCE(pe_rounds_begun) + 1;

	mod_delayed_work(system_unbound_wq, &pe_compile_work, 0);
	return wait_event_killable(pe_round_ends, (long)(READ_ONCE(pe_rounds_ended) - nr) >= 0) ?
	       -EINTR : 0;
}

/* ---- a site ---- */

/*
 * The records of a hit; or of a return, on the same function.  @kp: of each part, the number of its
 * probe in the request.  @rest: what C code needs of each part; @kept: as long as the code is
 * there.  @entry: of the request
 */
struct records {
	struct pe_hit_part parts[PE_HIT_PARTS];
	unsigned int kp[PE_HIT_PARTS];
	struct pe_event_rest rest[PE_HIT_PARTS];
	struct pe_event_rest *kept;
	unsigned int nr;
	bool entry;
};

struct job {
	struct records hits, returns;
};

static struct pe_event_probe *pe_compile_to_probe(struct pe_kprobe *kp)
{
	return container_of(kp, struct pe_event_probe, kp);
}

static const char *pe_add_part(struct records *to, struct pe_event_probe *probe, unsigned int kp,
			       struct pe_event_link *link, bool extra)
{
	struct pe_hit_part *part = &to->parts[to->nr];
	const char *why;

	if (to->nr == PE_HIT_PARTS)
		return "a hit makes too many records";
	why = pe_compile_link(part, probe, link, to->entry);
	if (why)
		return why;
	part->extra = extra;
	to->kp[to->nr] = kp;
	to->rest[to->nr++] = (struct pe_event_rest){
		.probe = probe, .link = link, .extra = extra,
	};
	link->instance->compiled = true;
	return NULL;
}

static const char *pe_add_probe(struct records *to, struct pe_event_probe *probe, unsigned int kp)
{
	unsigned int before = to->nr;
	struct pe_event_link *link;
	const char *why = NULL;

	list_for_each_entry(link, &probe->event->links, event_list) {
		if (link->variant && !why)
			why = pe_add_part(to, probe, kp, link, to->nr > before);
	}
	return why ?: to->nr == before ? "another event at this place is not enabled" : NULL;
}

static const char *pe_add_probes(struct job *job, const struct pe_code_request *req)
{
	const char *why = NULL;
	unsigned int i;

	for (i = 0; i < req->nr && !why; i++)
		why = pe_add_probe(i < req->nr_hits ? &job->hits : &job->returns,
				   pe_compile_to_probe(req->kps[i]), i);
	return why;
}

/* Keep beside the code what C code needs of each part. */
static const char *pe_keep_rest(struct job *job, struct pe_code_request *req)
{
	unsigned int nr = job->hits.nr + job->returns.nr;
	struct pe_event_rest *rest = kcalloc(nr, sizeof(*rest), GFP_KERNEL);

	if (!rest)
		return "no memory";
	memcpy(rest, job->hits.rest, job->hits.nr * sizeof(*rest));
	memcpy(rest + job->hits.nr, job->returns.rest, job->returns.nr * sizeof(*rest));
	if (job->hits.nr)
		rest[job->hits.nr - 1].last = true;
	rest[nr - 1].last = true;
	job->hits.kept = rest;
	job->returns.kept = rest + job->hits.nr;
	req->keep = rest;
	return NULL;
}

/* NULL: @job says what the site's hits do. */
static const char *pe_compile_describe(struct job *job, struct pe_code_request *req)
{
	job->hits.nr = 0;
	job->hits.entry = req->entry;
	job->returns.nr = 0;
	job->returns.entry = false;
	return pe_add_probes(job, req) ?: pe_keep_rest(job, req);
}

static void pe_say_why(const struct pe_code_request *req)
{
	struct pe_event_probe *probe;
	unsigned int i;

	for (i = 0; i < req->nr; i++) {
		probe = pe_compile_to_probe(req->kps[i]);
		probe->interpreted = req->why;
		/* The code counts in what is the source's. */
		probe->source->compiled |= !req->why;
	}
}

/* ---- the work ---- */

/* Now the engine knows where the data of return probes is. */
static void pe_place_data(struct records *returns, const struct pe_code_frame *frame)
{
	unsigned int i;

	for (i = 0; i < returns->nr; i++) {
		returns->parts[i].data_at = frame->data_at[returns->kp[i]];
		returns->kept[i].data_at = returns->parts[i].data_at;
	}
}

static void pe_compile_emit(struct pe_emit *e, enum pe_code_from from, u64 live,
			    const struct pe_code_request *req)
{
	struct job *job = req->data;
	struct records *records = from == PE_CODE_RETURN ? &job->returns : &job->hits;
	const struct pe_hit_code code = {
		.from = from, .live = live, .parts = records->parts, .nr_parts = records->nr,
		.rest = (unsigned long)records->kept, .rest_size = sizeof(*records->kept),
		.frame = &req->frame,
	};

	if (from == PE_CODE_RETURN)
		pe_place_data(records, &req->frame);
	pe_emit_hit(e, &pe_compile_env, &code);
}

static void pe_compile_save(struct pe_emit *e, const struct pe_code_request *req)
{
	unsigned int i;

	for (i = req->nr_hits; i < req->nr; i++)
		pe_hit_emit_save(e, &pe_compile_env, &pe_compile_to_probe(req->kps[i])->program,
				 req->frame.data_at[i]);
}

/* NULL: the request and its job are complete. */
static const char *pe_compile_request(struct pe_event_probe *probe, struct pe_code_request *req,
				      struct job *job)
{
	const char *why = pe_compile_impossible;

	*req = (struct pe_code_request){ .kps = { &probe->kp }, .nr = 1 };
	if (why || probe->pending)
		return why;
	if (!pe_switched_on)
		return "kprobes/compile is 0";
	if (!pe_event_armed(probe->event))
		return "it is not enabled";
	why = pe_code_site(&probe->kp, req);
	if (why) {
		req->kps[0] = &probe->kp;
		req->nr = 1;
		return why;
	}
	req->emit = pe_compile_emit;
	req->save = pe_compile_save;
	req->data = job;
	return pe_compile_describe(job, req);
}

/* A site is asked for by the first of its probes. */
static bool pe_compile_asks(const struct pe_event_probe *probe, const struct pe_code_request *req)
{
	return req->kps[0] == &probe->kp;
}

/*
 * A round.  @dying: sources, limits and instances to be freed after it.
 * @again: there was no room for a piece; @failed: no memory
 */
struct compile_round {
	struct pe_code_round code;
	struct callback_head *dying;
	bool again, failed;
};

static void pe_compile_site(struct compile_round *round, struct pe_event_probe *probe,
			    struct job *job)
{
	struct pe_code_request req;

	req.why = pe_compile_request(probe, &req, job);
	if (!req.why && !pe_compile_asks(probe, &req)) {
		kfree(req.keep);
		return;
	}
	if (!req.why)
		pe_code_add(&round->code, &req);
	if (req.why)
		kfree(req.keep);
	pe_say_why(&req);
	round->again |= req.again;
}

/* The sites without code that is up to date, if they can have some. */
static void pe_compile_make(struct pe_code_round *code)
{
	struct compile_round *round = container_of(code, struct compile_round, code);
	struct job *job = kmalloc(sizeof(*job), GFP_KERNEL);
	struct pe_event_probe *probe;
	struct pe_event *event;

	round->failed = !job;
	pe_for_each_probe(event, probe) {
		if (job && !probe->pending && !pe_compile_is_live(probe))
			pe_compile_site(round, probe, job);
		cond_resched();
	}
	kfree(job);
}

bool pe_compile_is_live(const struct pe_event_probe *probe)
{
	return !probe->pending && pe_code_is_live(&probe->kp);
}

static void pe_compile_all_stale(void)
{
	struct pe_event_probe *probe;
	struct pe_event *event;

	pe_for_each_probe(event, probe) {
		pe_code_stale(&probe->kp);
		cond_resched();
	}
}

/* The kernel measures the CPU's counter again soon after boot, and on some machines later. */
static void pe_renew_env(void)
{
	if (pe_compile_impossible || !pe_hit_env_is_old(&pe_compile_env))
		return;
	pe_compile_all_stale();
	synchronize_rcu();	/* hits that have begun before do not see half of it */
	pe_compile_impossible = pe_hit_env_init(&pe_compile_env);
}

/* The count comes first: see pe_await_round().  Objects to be freed may be in use till here. */
static void pe_compile_begin(struct pe_code_round *code)
{
	struct compile_round *round = container_of(code, struct compile_round, code);

	WRITE_ONCE(pe_rounds_begun, pe_rounds_begun + 1);	/* read by pe_await_round() */
	mutex_lock(&pe_dying_mutex);
	round->dying = pe_compile_dying;
	pe_compile_dying = NULL;
	mutex_unlock(&pe_dying_mutex);
	pe_renew_env();
}

static void pe_free_dead(struct callback_head *dying)
{
	struct callback_head *next;

	/* A timer may be looking at a limit; a round in which no code changes does not wait. */
	if (dying)
		synchronize_rcu();
	for (; dying; dying = next) {
		next = dying->next;
		dying->func(dying);
		cond_resched();
	}
}

static void pe_compile_end(struct pe_code_round *code)
{
	struct compile_round *round = container_of(code, struct compile_round, code);
	struct pe_code_usage usage;

	pe_code_usage(&usage);
	if (code->failed || round->failed)	/* till then it is interpreted */
		queue_delayed_work(system_unbound_wq, &pe_compile_look_work, HZ);
	else if (usage.sites)
		queue_delayed_work(system_unbound_wq, &pe_compile_look_work, LOOK_AGAIN);
	if (code->freed && round->again)
		pe_want_round();
	pe_timekeeper_renew();
	pe_free_dead(round->dying);
	WRITE_ONCE(pe_rounds_ended, pe_rounds_begun);	/* read by pe_await_round() */
	wake_up_all(&pe_round_ends);
}

/* After it, what has been changed before is compiled, and what has been freed before is free. */
static void pe_compile_round(void)
{
	struct compile_round round = {
		.code = {
			.mutex = &pe_event_mutex, .begin = pe_compile_begin,
			.make = pe_compile_make, .end = pe_compile_end,
		},
	};

	pe_code_round(&round.code);
}

static void pe_compile_soon(struct work_struct *work)
{
	pe_compile_round();
}

/* ---- what others tell us ---- */

void pe_compile_changed(struct pe_event *event)
{
	struct pe_event_probe *probe;

	lockdep_assert_held(&pe_event_mutex);
	list_for_each_entry(probe, &event->probes, list) {
		pe_code_stale(&probe->kp);
		probe->interpreted = NULL;
		cond_resched();
	}
	pe_want_round();
}

/* Code may have its address: the end of the next round frees it. */
static void pe_free_after_round(struct callback_head *retired, void (*free)(struct callback_head *))
{
	retired->func = free;
	mutex_lock(&pe_dying_mutex);
	retired->next = pe_compile_dying;
	pe_compile_dying = retired;
	mutex_unlock(&pe_dying_mutex);
}

static void pe_free_source(struct callback_head *retired)
{
	pe_source_free(container_of(retired, struct pe_source, retired));
}

static void pe_free_limit(struct callback_head *retired)
{
	pe_limit_free(container_of(retired, struct pe_limit_hits, retired));
}

static void pe_free_instance(struct callback_head *retired)
{
	pe_instance_free(container_of(retired, struct pe_instance, retired));
}

void pe_compile_free(struct pe_source *source)
{
	lockdep_assert_held(&pe_event_mutex);
	if (!source->compiled) {
		pe_source_free(source);
		return;
	}
	pe_free_after_round(&source->retired, pe_free_source);
	pe_want_round();
}

/* Timers may look at it, and code may have its address: a round frees it after both. */
void pe_compile_free_limit(struct pe_event *event)
{
	struct pe_limit_hits *limit = event->limit;

	lockdep_assert_held(&pe_event_mutex);
	if (!limit || !limit->compiled)
		return;
	event->limit = NULL;
	pe_free_after_round(&limit->retired, pe_free_limit);
	pe_want_round();
}

void pe_compile_free_instance(struct pe_instance *inst)
{
	if (!inst->compiled || pe_compile_ended) {
		pe_instance_free(inst);
		return;
	}
	pe_free_after_round(&inst->retired, pe_free_instance);
	/* A task that is killed does not wait for it; a thread of the kernel has other work. */
	if (current->flags & (PF_KTHREAD | PF_IO_WORKER))
		pe_want_round();
	else
		pe_await_round();
}

/* ---- files ---- */

int pe_compile_switch(bool on)
{
	if (mutex_lock_killable(&pe_event_mutex))
		return -EINTR;
	pe_switched_on = on;
	if (!on)
		pe_compile_all_stale();
	mutex_unlock(&pe_event_mutex);
	return pe_await_round();
}

bool pe_compile_is_on(void)
{
	return READ_ONCE(pe_switched_on);
}

static void pe_compile_show_probe(struct seq_file *m, const struct pe_event_probe *probe)
{
	char hashed[PE_PLACE_HASHED];

	seq_printf(m, "%s/%s %s ", probe->event->group, probe->event->name,
		   pe_event_probe_place(m, probe, hashed));
	if (probe->pending)
		seq_puts(m, "interpreted: it is not registered\n");
	else if (pe_code_is_live(&probe->kp))
		seq_puts(m, "compiled\n");
	else
		seq_printf(m, "interpreted: %s\n", probe->interpreted ?: "it has just changed");
}

int pe_compile_show(struct seq_file *m)
{
	struct pe_event_probe *probe;
	struct pe_code_usage usage;
	struct pe_event *event;
	int ret = m->file->f_flags & O_NONBLOCK ? 0 : pe_await_round();

	if (ret || mutex_lock_killable(&pe_event_mutex))
		return -EINTR;
	pe_code_usage(&usage);
	seq_printf(m, "# %u sites, %zu of %zu bytes\n", usage.sites, usage.used, usage.size);
	pe_for_each_probe(event, probe) {
		pe_compile_show_probe(m, probe);
		cond_resched();
	}
	mutex_unlock(&pe_event_mutex);
	return 0;
}

/* ---- life ---- */

static const struct pe_code_user pe_compile_code_user = {
	.handler = pe_event_hit, .return_handler = pe_event_return, .return_entry = pe_event_entry,
	.wanted = pe_want_round, .rest = pe_event_rest,
};

int pe_compile_init(void)
{
	pe_compile_impossible = pe_hit_env_init(&pe_compile_env);
	pe_code_set_user(&pe_compile_code_user);
	return 0;
}

void pe_compile_exit(void)
{
	pe_compile_round();
	pe_code_set_user(NULL);
	pe_compile_ended = true;
	cancel_delayed_work_sync(&pe_compile_work);
	cancel_delayed_work_sync(&pe_compile_look_work);
}
