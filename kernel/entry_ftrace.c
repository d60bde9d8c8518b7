// SPDX-License-Identifier: GPL-2.0
/*
 * entry_ftrace.c - function entries, armed through ftrace.
 *
 * Where the kernel has ftrace, the bytes at the entry of a traceable function
 * belong to it.  One ftrace_ops of ours carries all such sites in its filter;
 * ftrace patches the text, and calls pe_entry_hit() with the registers.  Functions with
 * return probes are in the filter of a second one, whose pe_entry_hit_return() does the
 * same for the probes of the entry and sends the call to the function's entry slot.
 *
 * A site is in one of the two.  When its first return probe comes or its last one
 * goes, it moves, in this order (round.c):
 *
 *   1. It gets into the other filter; then it is in both, and a call may be seen by
 *	both, in any order, or by one.  The first one to see a call serves it and marks it,
 *	in the call's own registers; see serve().
 *   2. synchronize_rcu().  ftrace asks one ops after the other whether it wants a
 *	call, with preemption off.  A call that has been asked for on behalf of the other
 *	ops before step 1, in vain, has been asked for on behalf of the first one by now.
 *   3. It leaves the first filter.
 *
 * So every call is seen at least once and served exactly once.
 *
 * A filter that is empty means "every function", so the ops is registered when
 * the first site comes and unregistered before the last one leaves the filter.
 *
 * ftrace needs memory also to take something out of a filter.  What it has none
 * for stays in the filter for the time being: the call of a function without a site
 * does nothing, but may keep others from changing it.  The next change of the filter
 * begins with making it anew.
 *
 * FTRACE_OPS_FL_PERMANENT: as long as there is a site, the sysctl that stops
 * ftrace is refused; without it, it would stop our probes without a word.
 */
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include "kernel/entry_hit.h"
#include "kernel/kprobes.h"
#include "kernel/kretprobes.h"
#include "kernel/ksyms.h"

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS

/**
 * struct entry_user - what an ftrace_ops is used for
 * @ops: what ftrace knows
 * @nr_filtered: sites in the filter; pe_mutex
 * @stale: and others, too, that have not been taken out; pe_mutex
 * @batch: where a site has its link for it
 * @armed: where a site has its flag for it
 */
struct entry_user {
	struct ftrace_ops ops;
	unsigned int nr_filtered;
	bool stale;
	size_t batch, armed;
};

static struct entry_user hits __read_mostly = {
	.ops = {
		.func = pe_entry_hit,
		.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_PERMANENT,
	},
	.batch = offsetof(struct pe_site, batch),
	.armed = offsetof(struct pe_site, armed),
};

#define RETURN_FLAGS	(FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_PERMANENT)

static struct entry_user returns __read_mostly = {
	.ops = {
		.func = pe_entry_hit_return,
		.flags = RETURN_FLAGS,
	},
	.batch = offsetof(struct pe_site, returns_batch),
	.armed = offsetof(struct pe_site, returns_armed),
};

static struct pe_site *site_of(const struct entry_user *user, struct list_head *link)
{
	return (void *)link - user->batch;
}

static void set_armed(const struct entry_user *user, struct list_head *sites, bool on)
{
	struct list_head *link;

	list_for_each(link, sites)
		WRITE_ONCE(*(bool *)((void *)site_of(user, link) + user->armed), on);
}

/* Is @addr an instruction that ftrace patches? */
bool pe_entry_available(unsigned long addr)
{
	return pe_ks_has(ftrace_location) && pe_ks(ftrace_location)(addr) == addr;
}

static unsigned long *addresses(const struct entry_user *user, struct list_head *sites,
				unsigned int *n)
{
	struct list_head *link;
	unsigned long *ips;

	*n = list_count_nodes(sites);
	ips = kvmalloc_array(*n, sizeof(*ips), GFP_KERNEL);
	if (!ips)
		return NULL;
	*n = 0;
	list_for_each(link, sites)
		ips[(*n)++] = site_of(user, link)->addr;
	return ips;
}

static int filter(struct entry_user *user, unsigned long *ips, unsigned int n, bool remove)
{
	return ftrace_set_filter_ips(&user->ops, ips, n, remove, 0);
}

static bool is_filtered(const struct entry_user *user, const struct pe_site *site)
{
	if (user == &returns && site->returns_ops)
		return false;
	return site->mech == PE_MECH_ENTRY && *(const bool *)((const void *)site + user->armed);
}

/* Let the filter consist of what it should, if there is memory. */
static void filter_renew(struct entry_user *user)
{
	struct pe_site *site;
	unsigned long *ips;
	unsigned int n = 0;
	int bucket;

	if (!user->stale || !user->nr_filtered)
		return;
	ips = kvmalloc_array(user->nr_filtered, sizeof(*ips), GFP_KERNEL);
	if (!ips)
		return;
	hash_for_each(pe_sites, bucket, site, hash) {
		if (is_filtered(user, site) && !WARN_ON_ONCE(n == user->nr_filtered))
			ips[n++] = site->addr;
	}
	if (!WARN_ON_ONCE(n != user->nr_filtered))
		user->stale = ftrace_set_filter_ips(&user->ops, ips, n, 0, 1);
	kvfree(ips);
}

/* The first ones replace whatever has stayed in the filter. */
static int filter_add(struct entry_user *user, unsigned long *ips, unsigned int n)
{
	bool first = !user->nr_filtered;
	int err = ftrace_set_filter_ips(&user->ops, ips, n, 0, first);

	if (err)
		return err;
	if (!first)
		return 0;
	err = register_ftrace_function(&user->ops);
	user->stale = err && filter(user, ips, n, true);
	return err;
}

static int arm_all(struct entry_user *user, struct list_head *sites)
{
	unsigned long *ips;
	unsigned int n;
	int err;

	lockdep_assert_held(&pe_mutex);
	if (list_empty(sites))
		return 0;
	filter_renew(user);
	ips = addresses(user, sites, &n);
	if (!ips)
		return -ENOMEM;
	err = filter_add(user, ips, n);
	kvfree(ips);
	if (err)
		return err;
	user->nr_filtered += n;
	set_armed(user, sites, true);
	return 0;
}

/* What is left when ftrace had no memory for all at once. */
static void filter_remove_each(struct entry_user *user, struct list_head *sites)
{
	struct list_head *link;

	list_for_each(link, sites) {
		if (filter(user, &site_of(user, link)->addr, 1, true) == -ENOMEM)
			user->stale = true;
	}
}

/*
 * ftrace switches itself off for good when something is wrong with it, whoever is to
 * blame: calls keep coming, and nothing can be taken back.  They find no site any more;
 * what they run has to stay.  Return: 0, or an error when @ops stays registered.
 */
static int unregister_or_stay(struct ftrace_ops *ops)
{
	int err = unregister_ftrace_function(ops);

	if (err) {
		__module_get(THIS_MODULE);
		pr_warn_once("ftrace is switched off, this module can't be unloaded\n");
	}
	return err;
}

static void disarm(struct entry_user *user, struct list_head *sites)
{
	unsigned int n = list_count_nodes(sites);
	unsigned long *ips;

	lockdep_assert_held(&pe_mutex);
	if (!n)
		return;
	if (n == user->nr_filtered)
		unregister_or_stay(&user->ops);
	else
		filter_renew(user);
	ips = addresses(user, sites, &n);
	if (!ips || filter(user, ips, n, true))
		filter_remove_each(user, sites);
	kvfree(ips);
	user->nr_filtered -= n;
	set_armed(user, sites, false);
}

/* The first half of @sites moves to @half. */
static void halve(struct list_head *sites, struct list_head *half)
{
	size_t n = list_count_nodes(sites) / 2;

	while (n--)
		list_move_tail(sites->next, half);
}

/*
 * ftrace says that it does not take @sites together, and not which of them is to
 * blame.  It becomes the first of the list: try half of the suspects, and go on
 * with that half or with the other.
 */
static void find_culprit(struct entry_user *user, struct list_head *sites)
{
	LIST_HEAD(innocent);
	LIST_HEAD(half);

	while (!list_is_singular(sites)) {
		halve(sites, &half);
		if (arm_all(user, &half)) {
			list_splice_tail_init(sites, &innocent);
			list_splice_init(&half, sites);
		} else {
			disarm(user, &half);
			list_splice_tail_init(&half, &innocent);
		}
	}
	list_splice_tail(&innocent, sites);
}

static int arm(struct entry_user *user, struct list_head *sites)
{
	int err = arm_all(user, sites);

	if (err == -EBUSY)
		find_culprit(user, sites);
	return err;
}

/**
 * pe_entry_arm() - let ftrace call us at all these sites, or at none
 * @sites: linked by ->batch; empty is fine
 *
 * One update of the kernel's text for all of them.
 * Return: 0 or the error of ftrace (-EBUSY: switched off by sysctl); the first of
 * the list is then the one that could not be.
 */
int pe_entry_arm(struct list_head *sites)
{
	return arm(&hits, sites);
}

/**
 * pe_entry_disarm() - undo pe_entry_arm()
 * @sites: linked by ->batch, all armed
 *
 * A handler that has begun may still run on return, and a task that was
 * preempted on its way to pe_entry_hit() may come late; it finds no site.
 */
void pe_entry_disarm(struct list_head *sites)
{
	disarm(&hits, sites);
}

/* ---- returns beside BPF ---- */

/*
 * A trampoline of BPF's that runs at the function's end calls the body by itself,
 * unless it has been told of somebody like us.  ftrace tells one that comes after
 * us; of those that are there already, it tells only when an ops is registered,
 * and not when the filter of one grows.  So functions that BPF has entered get an
 * ops each.
 */
static bool has_direct(const struct pe_site *site)
{
	bool direct;

	if (!pe_ks_has(ftrace_find_rec_direct))
		return false;
	preempt_disable();	/* it looks a hash up */
	direct = pe_ks(ftrace_find_rec_direct)(site->addr) != 0;
	preempt_enable();
	return direct;
}

#define OWN_TRIES	1000

/* BPF asks for another try while it changes its trampoline, after a millisecond's sleep. */
static int register_beside_bpf(struct ftrace_ops *ops)
{
	unsigned int tries;
	int err;

	for (tries = 0; tries < OWN_TRIES; tries++) {
		err = register_ftrace_function(ops);
		if (err != -EAGAIN)
			return err;
	}
	return -EBUSY;
}

static int arm_own(struct pe_site *site)
{
	struct ftrace_ops *ops = kzalloc(sizeof(*ops), GFP_KERNEL);
	int err;

	if (!ops)
		return -ENOMEM;
	ops->func = pe_entry_hit_return;
	ops->flags = RETURN_FLAGS;
	err = ftrace_set_filter_ip(ops, site->addr, 0, 0);
	if (!err)
		err = register_beside_bpf(ops);
	if (err) {
		ftrace_free_filter(ops);
		kfree(ops);
		return err;
	}
	site->returns_ops = ops;
	WRITE_ONCE(site->returns_armed, true);
	return 0;
}

/* ftrace waits until nobody uses the ops. */
static void disarm_own(struct pe_site *site)
{
	if (!unregister_or_stay(site->returns_ops)) {
		ftrace_free_filter(site->returns_ops);
		kfree(site->returns_ops);
	}
	site->returns_ops = NULL;
	WRITE_ONCE(site->returns_armed, false);
}

static void disarm_each(struct list_head *sites)
{
	struct pe_site *site;

	list_for_each_entry(site, sites, returns_batch) {
		if (site->returns_ops)
			disarm_own(site);
	}
}

/* All or none; when it fails, the first of the list is the one that could not be. */
static int arm_each(struct list_head *sites)
{
	struct pe_site *site;
	int err;

	list_for_each_entry(site, sites, returns_batch) {
		err = arm_own(site);
		if (!err)
			continue;
		disarm_each(sites);
		list_move(&site->returns_batch, sites);
		return err;
	}
	return 0;
}

static void move_direct(struct list_head *from, struct list_head *to)
{
	struct pe_site *site, *next;

	list_for_each_entry_safe(site, next, from, returns_batch) {
		if (has_direct(site))
			list_move_tail(&site->returns_batch, to);
	}
}

static void move_own(struct list_head *from, struct list_head *to)
{
	struct pe_site *site, *next;

	list_for_each_entry_safe(site, next, from, returns_batch) {
		if (site->returns_ops)
			list_move_tail(&site->returns_batch, to);
	}
}

/**
 * pe_entry_arm_returns() - let ftrace divert calls of all these sites, or of none
 * @sites: linked by ->returns_batch, with points; reordered
 *
 * Return: as pe_entry_arm(); -EBUSY also when somebody else (a live patch, a kprobe
 * with a post_handler) diverts one of the functions.
 */
int pe_entry_arm_returns(struct list_head *sites)
{
	LIST_HEAD(direct);
	LIST_HEAD(late);
	int err;

	move_direct(sites, &direct);
	err = arm(&returns, sites);
	if (err) {
		list_splice_tail(&direct, sites);	/* behind the one to blame */
		return err;
	}
	/* BPF may have come before our filter has grown, and not know of us. */
	move_direct(sites, &late);
	disarm(&returns, &late);
	list_splice_tail_init(&late, &direct);
	err = arm_each(&direct);
	if (err)
		disarm(&returns, sites);
	list_splice(&direct, sites);
	return err;
}

/** pe_entry_disarm_returns() - undo pe_entry_arm_returns(); as late as the other. */
void pe_entry_disarm_returns(struct list_head *sites)
{
	LIST_HEAD(own);

	move_own(sites, &own);
	disarm(&returns, sites);
	disarm_each(&own);
	list_splice(&own, sites);
}

/* While unloading: no site is armed.  A filter may hold what could not be taken out. */
void pe_entry_exit(void)
{
	ftrace_free_filter(&hits.ops);
	ftrace_free_filter(&returns.ops);
}

#else /* !CONFIG_DYNAMIC_FTRACE_WITH_REGS: entries have no call site */

void pe_entry_exit(void)
{
}

bool pe_entry_available(unsigned long addr)
{
	return false;
}

int pe_entry_arm(struct list_head *sites)
{
	return list_empty(sites) ? 0 : -EOPNOTSUPP;
}

void pe_entry_disarm(struct list_head *sites)
{
}

int pe_entry_arm_returns(struct list_head *sites)
{
	return list_empty(sites) ? 0 : -EOPNOTSUPP;
}

void pe_entry_disarm_returns(struct list_head *sites)
{
}

#endif
