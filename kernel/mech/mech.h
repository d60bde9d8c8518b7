/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * mech.h - mechanisms: ways of arming a site.
 *
 * A mechanism is a file here that defines a struct pe_mech, and a line in pe_mechs[]
 * (mech.c).  Batches, registration, lists and counters use these only.
 *
 * A jump is no mechanism of its own, because no batch makes one: it takes the place of a
 * breakpoint some time after that has been armed, and each batch finds breakpoints only,
 * as jumps in its way are taken off first.  So breakpoint.c is the mechanism of its site, asks
 * jump.c, and lists it as pe_mech_jump.
 */
#ifndef PE_MECH_H
#define PE_MECH_H

#include <linux/list.h>
#include <linux/types.h>
#include <pe/kprobe.h>
#include "kernel/arch.h"
#include "kernel/probe/site.h"

struct pe_mech;
struct pe_memory;
struct seq_file;

/**
 * struct pe_blame - why several sites could not be armed
 * @culprit: the one site that is to blame; NULL: no single one
 * @reason: a constant string, or NULL if the errno says it all.  Without a culprit it
 *	holds for all sites of the mechanism
 * @mech: the mechanism that has refused, set by the batch
 */
struct pe_blame {
	struct pe_site *culprit;
	const char *reason;
	const struct pe_mech *mech;
};

/**
 * struct pe_mech - a way of arming sites
 * @id: for pe_kprobe_mechanism()
 * @flag: shown for an armed probe in kprobes/list
 * @serves: the state that serves most: PE_SITE_DIVERTING, or PE_SITE_SERVING if it cannot
 *	divert calls; then its sites take no return probes
 * @compiled: its sites are calls made by the compiler, at the entries of functions that
 *	follow the ABI
 *
 * While probes are registered or enabled, kprobes.c has the kernel's kprobes locked, too, by
 * pe_lock_text(): registering or unregistering one deadlocks.  That is so
 *
 *   always	in @takes, @prepare, @follow, @undo; in @check and @arm, if there are sites
 *   at times	in @release, @unfollow, @changes, @finish
 *   never	in @gone
 *
 * A site's life.  pe_mutex held, except for release:
 * @takes: can this mechanism arm the address?  The first mechanism that says yes gets it
 * @prepare: refuse a new site, or make what arming it needs.  NULL if all is asked when the site is
 *	armed
 * @release: undo @prepare, even if it has refused; no hit can come any more.  May be NULL
 * @follow: the site's probes have got their first post handler: refuse the site, or let its hits
 *	be followed by another one, after the instruction.  NULL if handlers can be called
 *	after the instruction anyway, because this is a call of us
 * @unfollow: undo @follow; can't fail.  NULL with @follow
 * @changes: the site's probes, or their flags, are about to change; @hits: what hits do, too
 * @gone: the site's text has been unloaded; it is disarmed, and hits cannot find it.  May be NULL
 *
 * A batch, in this order.  pe_mutex held; sites are linked by ->batch and may be
 * reordered.  Only these functions call pe_site_set_state():
 * @check: may all @sites be armed?  Called before any mechanism changes anything.  May
 *	be NULL
 * @arm: bring all @sites to their targets, which serve more than their states; with an
 *	error, leave none changed.  Some may be armed for a moment, to find the culprit.  A
 *	site may be left MOVING, for @finish
 * @undo: undo @arm, because a mechanism after this one has refused; can't fail.  NULL
 *	for the last one
 * @finish: every mechanism has armed its sites.  Complete this for those @armed, and
 *	bring @sites to their targets, which serve less.  Can't fail
 *
 * For lists and counters.  pe_mutex held:
 * @now: as what an armed site is listed; may be NULL: as what it is
 * @show: print how an armed site is armed, and why so
 * @settled: will @show say the same until something changes?  May be NULL
 * @memory: bytes that a site takes, but for struct pe_site
 * @add_memory: add what all sites share.  May be NULL
 */
struct pe_mech {
	enum pe_mechanism id;
	const char *flag;
	enum pe_site_state serves;
	bool compiled;

	bool (*takes)(unsigned long addr);
	struct pe_refusal (*prepare)(struct pe_site *site);
	void (*release)(struct pe_site *site);
	struct pe_refusal (*follow)(struct pe_site *site);
	void (*unfollow)(struct pe_site *site);
	void (*changes)(struct pe_site *site, bool hits);
	void (*gone)(const struct pe_site *site);

	int (*check)(struct list_head *sites, struct pe_blame *blame);
	int (*arm)(struct list_head *sites, struct pe_blame *blame);
	void (*undo)(struct list_head *sites);
	void (*finish)(struct list_head *armed, struct list_head *sites);

	const struct pe_mech *(*now)(const struct pe_site *site);
	void (*show)(struct seq_file *m, const struct pe_site *site);
	bool (*settled)(void);
	size_t (*memory)(const struct pe_site *site);
	void (*add_memory)(struct pe_memory *memory);
};

/* mech.c: this kernel's mechanisms, NULL at the end */
extern const struct pe_mech *const pe_mechs[];

#define pe_for_each_mech(pos)	for (pos = pe_mechs; *pos; pos++)

struct pe_refusal pe_mech_prepare(struct pe_site *site);

/* ftrace.c, breakpoint.c */
extern const struct pe_mech pe_mech_ftrace, pe_mech_breakpoint;

/*
 * optprobe.c: call these before breakpoints are armed, with the kernel's kprobes locked, and after
 * breakpoints or islands have been taken out: if these were the last, it does something.  pe_mutex
 * held.  0 or -errno with a reason, as in struct pe_blame.
 *
 * pe_optprobe_guards(): is every kprobe of the kernel kept away from jumps of ours?
 */
#if defined(CONFIG_OPTPROBES) && defined(CONFIG_DYNAMIC_FTRACE_WITH_REGS)
int pe_optprobe_guard(const char **reason);
void pe_optprobe_unguard(void);
bool pe_optprobe_guards(void);
#else
static inline int pe_optprobe_guard(const char **reason)
{
	return 0;
}

static inline void pe_optprobe_unguard(void)
{
}

static inline bool pe_optprobe_guards(void)
{
	return !IS_ENABLED(CONFIG_KPROBES);
}
#endif

#endif
