// SPDX-License-Identifier: GPL-2.0
/*
 * return_set.c - which return probes a function has, and for how long.
 *
 * A function with return probes has a point (its slots), and the point has a
 * published set: an array of its probes at one time.  A call takes the set that
 * is published when it is entered, and uses that one when it returns.  So
 * whenever a probe comes or goes, a new set is published and the old one is
 * retired; probes that stay lose nothing, because both sets name them.  What
 * goes is taken out of all sets, so its owner need not wait for calls in
 * progress, only for handlers (RCU).
 *
 * A retired set passes through these states, without anybody waiting for it:
 *
 *   retired   not published any more.  Calls may be on their way to it: in
 *             ftrace's trampoline, in an entry slot, in pe_return_enter.
 *   ripening  the grace periods run: pe_wait_for_hits() for what has preemption
 *             off (ftrace handlers that have read the entry slot's address, idle
 *             tasks, interrupts), then synchronize_rcu_tasks() for tasks that
 *             were preempted on the rest of the way.
 *   draining  every call that has the set is counted in it, and no new one
 *             comes: the sum of the counters only falls.
 *   dead      it is 0.  pe_wait_for_hits(): the last users have left.
 *
 * Each point has a set without probes besides, at rest: calls that take it go on in
 * the body at once.  It is published when the last probe goes, so that a slot
 * always has a set: a BPF trampoline may have taken the entry slot's address and
 * sleep, for any time, before it goes there.  When the sets of a retired point
 * are dead, the point is
 *
 *   stale     until its slots are wanted, or this module goes: such addresses are
 *             then changed where they lie, pe_return_fix_entries(); and the same
 *             grace periods let those arrive that are on the way.
 *
 * A function whose calls outlast its probes gets its old point again when it is probed
 * again: functions that never return (do_exit()), or not for years, keep their sets,
 * but take one slot each.
 */
#include <linux/bitmap.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include "kernel/compat.h"
#include "kernel/kprobes.h"
#include "kernel/kretprobes.h"

#define GATHER_DELAY	(HZ / 10)	/* what is removed together dies together */
#define DRAIN_DELAY	HZ		/* between looks at what calls are left; */
#define DRAIN_DELAY_MAX	(16 * HZ)	/* the longer the longer nothing changes */

/*
 * Bytes of a frame.  It is allotted before anybody looks how much stack is left
 * (return_hit.c), and must fit into what the probed caller has left for us.
 */
#define FRAME_MAX	1280

struct pe_return_set *pe_return_slots[PE_RETURN_SLOTS];

/* All below; inside pe_mutex; never held while waiting. */
static DEFINE_MUTEX(set_mutex);
static DECLARE_BITMAP(slots_used, PE_RETURN_SLOTS);
static LIST_HEAD(points);
static LIST_HEAD(stale);
static LIST_HEAD(retired);
static LIST_HEAD(ripening);
static LIST_HEAD(draining);

static void reap(struct work_struct *work);
static DECLARE_DELAYED_WORK(reap_work, reap);
static bool reap_soon;			/* reap_work is due after GATHER_DELAY */
static unsigned long drain_delay = DRAIN_DELAY;

/* ---- making ---- */

static struct pe_return_set *set_alloc(struct pe_site *site, struct pe_return_point *point,
				       unsigned int n)
{
	struct pe_return_set *set = kzalloc(struct_size(set, member, n), GFP_KERNEL);

	if (!set)
		return NULL;
	set->in_flight = alloc_percpu(unsigned long);
	if (!set->in_flight) {
		kfree(set);
		return NULL;
	}
	set->n = n;
	set->addr = site->addr;
	set->body = pe_arch_body(&site->arch, site->addr);
	set->call_slot = pe_arch_return_call(point->slot);
	set->stack_words = point->stack_words;
	set->ending = point->ending;
	set->point = point;
	INIT_LIST_HEAD(&set->list);
	INIT_LIST_HEAD(&set->in_point);
	return set;
}

static void set_free(struct pe_return_set *set)
{
	if (!set)
		return;
	free_percpu(set->in_flight);
	kfree(set);
}

/* The frame, from its base down: set, mask if needed, data, stack words. */
static void lay_out(struct pe_return_set *set)
{
	unsigned int offset = (set->n > 1 ? 2 : 1) * sizeof(long);
	unsigned int i;

	for (i = 0; i < set->n; i++) {
		offset += ALIGN(set->member[i].rp->data_size, sizeof(long));
		set->member[i].offset = offset;
	}
	set->frame_size = offset + set->stack_words * sizeof(long);
}

static struct pe_return_set *current_set(const struct pe_return_point *point)
{
	return pe_return_slots[point->slot];
}

/* All probes of @site and @more.  Same function, or the first set of @point. */
static struct pe_return_set *set_make(struct pe_site *site, struct pe_return_point *point,
				      struct pe_kretprobe *more)
{
	struct pe_return_set *set;
	struct pe_kprobe *kp;
	unsigned int n = 0;

	list_for_each_entry(kp, &site->returns, node)
		n++;
	set = set_alloc(site, point, n + !!more);
	if (!set)
		return NULL;
	n = 0;
	list_for_each_entry(kp, &site->returns, node)
		set->member[n++].rp = to_kretprobe(kp);
	if (more)
		set->member[n].rp = more;
	lay_out(set);
	return set;
}

/* Hand @set to calls from now on; the one before it retires, but for the one at rest. */
static void publish(struct pe_return_point *point, struct pe_return_set *set)
{
	struct pe_return_set *old = current_set(point);

	lockdep_assert_held(&set_mutex);
	/* pairs with the address dependency in pe_return_enter */
	smp_store_release(&pe_return_slots[point->slot], set);
	if (old == point->rest)
		return;
	list_add_tail(&old->list, &retired);
	drain_delay = DRAIN_DELAY;
	if (!reap_soon)
		mod_delayed_work(system_wq, &reap_work, GATHER_DELAY);
	reap_soon = true;
}

static void publish_new(struct pe_return_point *point, struct pe_return_set *set)
{
	mutex_lock(&set_mutex);
	list_add_tail(&set->in_point, &point->sets);
	publish(point, set);
	mutex_unlock(&set_mutex);
}

/* ---- points ---- */

static int slot_take(void)
{
	unsigned long i;

	mutex_lock(&set_mutex);
	i = find_first_zero_bit(slots_used, PE_RETURN_SLOTS);
	if (i < PE_RETURN_SLOTS)
		__set_bit(i, slots_used);
	mutex_unlock(&set_mutex);
	return i < PE_RETURN_SLOTS ? (int)i : -ENOSPC;
}

/* Nobody takes the way to a set or slot any more: those who are on it arrive. */
static void wait_for_arrivals(void)
{
	pe_wait_for_hits();
	synchronize_rcu_tasks();
}

static void point_free(struct pe_return_point *point)
{
	mutex_lock(&set_mutex);
	__clear_bit(point->slot, slots_used);
	mutex_unlock(&set_mutex);
	set_free(point->rest);
	kfree(point);
}

static void points_free(struct list_head *list)
{
	struct pe_return_point *point, *next;

	list_for_each_entry_safe(point, next, list, list)
		point_free(point);
}

/* Make all slots free that are stale. */
static void slots_recycle(void)
{
	static DEFINE_MUTEX(recycle_mutex);
	static DECLARE_BITMAP(slots, PE_RETURN_SLOTS);	/* recycle_mutex */
	struct pe_return_point *point;
	LIST_HEAD(list);

	mutex_lock(&recycle_mutex);
	bitmap_zero(slots, PE_RETURN_SLOTS);
	mutex_lock(&set_mutex);
	list_splice_init(&stale, &list);
	mutex_unlock(&set_mutex);
	if (!list_empty(&list)) {
		list_for_each_entry(point, &list, list)
			__set_bit(point->slot, slots);
		pe_return_fix_entries(slots);
		wait_for_arrivals();
		points_free(&list);
	}
	mutex_unlock(&recycle_mutex);
}

/**
 * pe_return_make_room() - before return probes are registered
 * @n: how many
 *
 * Makes slots free when there are too few, which takes long.
 * Context: process, sleeps.  No mutex is held.
 */
void pe_return_make_room(unsigned int n)
{
	unsigned int used;

	mutex_lock(&set_mutex);
	used = bitmap_weight(slots_used, PE_RETURN_SLOTS);
	mutex_unlock(&set_mutex);
	if (n <= PE_RETURN_SLOTS - used)
		return;
	flush_delayed_work(&reap_work);
	slots_recycle();
}

static struct pe_return_point *point_alloc(unsigned int stack_words)
{
	struct pe_return_point *point = kzalloc(sizeof(*point), GFP_KERNEL);
	int slot;

	if (!point)
		return ERR_PTR(-ENOMEM);
	slot = slot_take();
	if (slot < 0) {
		kfree(point);
		return ERR_PTR(slot);
	}
	point->slot = slot;
	point->entry = pe_arch_return_entry(slot);
	point->stack_words = stack_words;
	INIT_LIST_HEAD(&point->list);
	INIT_LIST_HEAD(&point->sets);
	return point;
}

/* The point that the function at @site had before, and that calls keep from dying. */
static struct pe_return_point *point_again(struct pe_site *site, unsigned int stack_words)
{
	unsigned long body = pe_arch_body(&site->arch, site->addr);
	struct pe_return_point *point, *found = NULL;

	mutex_lock(&set_mutex);
	list_for_each_entry(point, &points, list) {
		if (!point->retired || !point->lingers || point->rest->addr != site->addr ||
		    point->rest->body != body || point->stack_words != stack_words)
			continue;
		point->retired = false;
		found = point;
		break;
	}
	mutex_unlock(&set_mutex);
	return found;
}

/* What point_make() has found or made is not used after all. */
static void point_drop(struct pe_return_point *point)
{
	bool is_new;

	mutex_lock(&set_mutex);
	is_new = list_empty(&point->list);
	point->retired = true;
	if (!is_new && list_empty(&point->sets))
		list_move_tail(&point->list, &stale);
	mutex_unlock(&set_mutex);
	if (is_new)
		point_free(point);	/* never armed */
}

static struct pe_refusal point_make(struct pe_return_point **made, struct pe_site *site)
{
	/* Only what the compiler has made has a site of ftrace's. */
	bool compiled = site->mech == PE_MECH_ENTRY;
	struct pe_return_point *point;
	int words;

	if (!compiled && !pe_arch_is_called(site->addr))
		return PE_REFUSE(EINVAL, "nobody calls this: it finds more than a return address");
	words = pe_return_stack_words(site->addr, compiled);
	if (words < 0)
		return PE_REFUSE(EINVAL, "the function takes too many arguments on the stack");
	*made = point_again(site, words);
	if (*made)
		return PE_ACCEPT;
	point = point_alloc(words);
	if (point == ERR_PTR(-ENOSPC))
		return PE_REFUSE(ENOSPC, "too many functions have return probes");
	if (IS_ERR(point))
		return PE_REFUSE(ENOMEM, NULL);
	point->ending = pe_return_ending(site->addr);
	point->rest = set_alloc(site, point, 0);
	if (!point->rest) {
		point_free(point);
		return PE_REFUSE(ENOMEM, NULL);
	}
	if (pe_arch_return_write(point->slot, point->rest->body, !compiled)) {
		point_free(point);
		return PE_REFUSE(ERANGE, "the function is out of reach");
	}
	pe_return_slots[point->slot] = point->rest;
	*made = point;
	return PE_ACCEPT;
}

/* From now on the slots can be entered. */
static void point_use(struct pe_site *site, struct pe_return_point *point)
{
	mutex_lock(&set_mutex);
	list_move_tail(&point->list, &points);
	mutex_unlock(&set_mutex);
	smp_store_release(&site->point, point);	/* it and its slots are complete */
}

/**
 * pe_return_link() - add a return probe to a site
 * @site: of a function's entry, prepared
 * @rp: becomes reachable, at once when the site's returns are armed
 */
struct pe_refusal pe_return_link(struct pe_site *site, struct pe_kretprobe *rp)
{
	struct pe_return_point *point = site->point;
	struct pe_refusal r = PE_ACCEPT;
	struct pe_return_set *set;
	int err;

	lockdep_assert_held(&pe_mutex);
	err = pe_arch_make_body(&site->arch, site->addr);
	if (err == -ENOMEM)
		return PE_REFUSE(ENOMEM, NULL);
	if (err || !pe_arch_body(&site->arch, site->addr))
		return PE_REFUSE(EINVAL,
				 "the function begins with a conditional branch or an indirect call");
	if (list_count_nodes(&site->returns) >= PE_KRETPROBES_MAX)
		return PE_REFUSE(ENOSPC, "too many return probes on one function");
	if (!point)
		r = point_make(&point, site);
	if (r.err)
		return r;
	set = set_make(site, point, rp);
	if (!set)
		r = PE_REFUSE(ENOMEM, NULL);
	else if (set->frame_size > FRAME_MAX)
		r = PE_REFUSE(ENOSPC, "the function's return probes have too much data");
	if (r.err) {
		set_free(set);
		if (!site->point)
			point_drop(point);
		return r;
	}
	publish_new(point, set);
	list_add_tail(&rp->kp.node, &site->returns);
	if (!site->point)
		point_use(site, point);
	return r;
}

/**
 * pe_return_unlink() - remove a return probe from a site
 * @site: where it was linked
 * @rp: its handlers may still run until an RCU grace period has passed
 *
 * Without memory for a smaller set, the one with an empty place stays.
 */
void pe_return_unlink(struct pe_site *site, struct pe_kretprobe *rp)
{
	struct pe_return_point *point = site->point;
	struct pe_return_set *set;
	unsigned int i;

	lockdep_assert_held(&pe_mutex);
	list_del_init(&rp->kp.node);
	if (!point)
		return;		/* its linking has failed */
	set = list_empty(&site->returns) ? NULL : set_make(site, point, NULL);
	if (set)
		publish_new(point, set);
	mutex_lock(&set_mutex);
	list_for_each_entry(set, &point->sets, in_point) {
		for (i = 0; i < set->n; i++) {
			if (set->member[i].rp == rp)
				WRITE_ONCE(set->member[i].rp, NULL);
		}
	}
	mutex_unlock(&set_mutex);
}

/**
 * pe_return_retire() - the site has no return probes and its returns are disarmed
 * @site: may get a new point at once
 */
void pe_return_retire(struct pe_site *site)
{
	struct pe_return_point *point = site->point;

	lockdep_assert_held(&pe_mutex);
	if (!point || !list_empty(&site->returns))
		return;
	WRITE_ONCE(site->point, NULL);
	mutex_lock(&set_mutex);
	point->retired = true;
	publish(point, point->rest);
	mutex_unlock(&set_mutex);
}

/* ---- dying ---- */

void pe_kretprobe_usage(struct pe_kretprobe_usage *usage)
{
	struct pe_return_point *point;
	struct pe_return_set *set;

	*usage = (struct pe_kretprobe_usage){};
	mutex_lock(&set_mutex);
	list_for_each_entry(point, &points, list) {
		usage->functions++;
		list_for_each_entry(set, &point->sets, in_point) {
			usage->sets++;
			usage->in_flight += pe_counter_sum(set->in_flight);
		}
	}
	mutex_unlock(&set_mutex);
}
EXPORT_SYMBOL_GPL(pe_kretprobe_usage);

/* One state further; true if there is anything in @to. */
static bool move_all(struct list_head *from, struct list_head *to)
{
	bool any;

	mutex_lock(&set_mutex);
	list_splice_tail_init(from, to);
	any = !list_empty(to);
	mutex_unlock(&set_mutex);
	return any;
}

static void take_dead(struct list_head *dead)
{
	struct pe_return_set *set, *next;

	mutex_lock(&set_mutex);
	list_for_each_entry_safe(set, next, &draining, list) {
		if (!pe_counter_sum(set->in_flight))
			list_move_tail(&set->list, dead);
		else
			set->point->lingers = true;
	}
	mutex_unlock(&set_mutex);
}

/* A point may lose its last set. */
static void bury(struct list_head *dead)
{
	struct pe_return_set *set, *next;
	struct pe_return_point *point;

	list_for_each_entry_safe(set, next, dead, list) {
		point = set->point;
		mutex_lock(&set_mutex);
		list_del(&set->in_point);
		if (point->retired && list_empty(&point->sets))
			list_move_tail(&point->list, &stale);
		mutex_unlock(&set_mutex);
		set_free(set);
	}
}

static void reap_once(void)
{
	LIST_HEAD(dead);

	if (move_all(&retired, &ripening)) {
		wait_for_arrivals();
		move_all(&ripening, &draining);
	}
	take_dead(&dead);
	if (list_empty(&dead))
		return;
	pe_wait_for_hits();
	bury(&dead);
}

static void reap(struct work_struct *work)
{
	mutex_lock(&set_mutex);
	reap_soon = false;
	mutex_unlock(&set_mutex);
	reap_once();
	mutex_lock(&set_mutex);
	/* When something has retired meanwhile, the work is due already. */
	if (!reap_soon && !list_empty(&draining)) {
		schedule_delayed_work(&reap_work, drain_delay);
		drain_delay = min(2 * drain_delay, (unsigned long)DRAIN_DELAY_MAX);
	}
	mutex_unlock(&set_mutex);
}

static void let_go(void)
{
	pe_return_wait_ending();
	while (!pe_return_let_go()) {
		schedule_timeout_uninterruptible(HZ);
		reap_once();
	}
}

/**
 * pe_return_exit_sets() - no call will need us any more
 *
 * All points are retired.  Does not wait for calls in progress: they are let go
 * (return_unload.c says how, and why in this order).
 */
void pe_return_exit_sets(void)
{
	cancel_delayed_work_sync(&reap_work);
	if (bitmap_empty(slots_used, PE_RETURN_SLOTS))
		return;
	reap_once();
	if (list_empty(&draining))
		pe_return_fix_entries(NULL);
	else
		let_go();
	wait_for_arrivals();
	bury(&draining);
	points_free(&stale);
}
