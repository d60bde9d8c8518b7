/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * jump.h - breakpoints that become jumps (jump*.c), and their detours (detours.c).
 *
 * All are called in process context with pe_mutex held, unless noted.
 */
#ifndef PE_JUMP_H
#define PE_JUMP_H

#include <linux/list.h>
#include <linux/types.h>
#include "kernel/probe/retire.h"
#ifndef PE_NO_JUMPS
#include <pe_arch/site_jump.h>
#endif

struct pe_arch_jump;
struct pe_island;
struct pe_jump;
struct pe_site;
struct pt_regs;

#ifndef PE_NO_JUMPS
/**
 * enum pe_jump_state - what has been written of a jump
 * @PE_JUMP_PENDING: its detour; hits of the breakpoint go on there
 * @PE_JUMP_ON: all
 * @PE_JUMP_LOST: all, and then another writer has changed the text
 * @PE_JUMP_LEAVING: nothing leads to its detour any more; it is retired (kernel/probe/retire.c)
 */
enum pe_jump_state {
	PE_JUMP_PENDING,
	PE_JUMP_ON,
	PE_JUMP_LOST,
	PE_JUMP_LEAVING,
} __packed;

/**
 * struct pe_jump - a site's jump and its detour; under pe_mutex, but for what hits use
 * @state: enum pe_jump_state
 * @unwatched: a hit came where RCU was not watching; written by hits
 * @detour: its slot
 * @site: of the jump.  Hits read it; NULL: disarmed, so those that come late are not served
 * @list: in a list of jumps to be changed together
 * @retired: it is leaving
 * @island: NULL, or where a short jump leads (islands.c)
 * @arch: instructions; ->text->jump of the site points here until it is leaving
 *
 * One that is lost stays for ever: its text leads to the detour.  The slot of a detour is free
 * when no jump has it (detours.c), so not while that is retired.  Why a site has no jump is known
 * to the site (->text->why, ->text->never).
 */
struct pe_jump {
	enum pe_jump_state state;
	bool unwatched;
	u16 detour;
	struct pe_site *site;
	union {
		struct list_head list;
		struct pe_retired retired;
	};
	struct pe_island *island;
	struct pe_arch_jump arch;
};
#endif

/*
 * jump.c and jump_work.c, for breakpoint.c:
 *
 * pe_jump_kick(): sites may have become candidates; look at all soon.
 * pe_jump_make_way(): before @sites are armed, or begin to divert: take off the jumps that are
 * in the way.  -EBUSY if another writer has changed one, with the site in @culprit.
 * pe_jump_take_off(): @sites are about to be disarmed; each is a breakpoint afterwards, or
 * pe_jump_is_lost().
 * pe_jump_forget(): sites have been disarmed; hits that are in a detour are no longer served.
 * pe_jump_release(): before the site is freed.
 * pe_jump_memory(): what the site's jump takes, but for its detour.
 * pe_jump_site_changes(): the site's probes, or their flags, are about to change.
 * pe_jump_site_gone(): its text has been unloaded.  No detour leads to it any more.
 * pe_jump_why_not(): why an armed breakpoint is no jump; NULL: it is one.
 * pe_jumps_are_settled(): will no site become a jump, or another, unless something changes?  If a
 * site's reason may go away without a kick, the site is examined again now and then nevertheless.
 * pe_detours_memory(): bytes of detours that are not free.
 * pe_jumps_exit(): no lock held; sleeps until no task is in a detour.
 */
#ifdef PE_NO_JUMPS
static inline void pe_jump_kick(void) { }
static inline int pe_jump_make_way(struct list_head *sites, struct pe_site **culprit) { return 0; }
static inline void pe_jump_take_off(struct list_head *sites) { }
static inline void pe_jump_forget(void) { }
static inline void pe_jump_release(struct pe_site *site) { }
static inline void pe_jump_site_changes(struct pe_site *site) { }
static inline void pe_jump_site_gone(const struct pe_site *site) { }
static inline size_t pe_jump_memory(const struct pe_site *site) { return 0; }
static inline bool pe_jump_is_on(const struct pe_site *site) { return false; }
static inline bool pe_jump_is_short(const struct pe_site *site) { return false; }
static inline bool pe_jump_is_lost(const struct pe_site *site) { return false; }
static inline bool pe_jumps_are_settled(void) { return true; }
static inline size_t pe_detours_memory(void) { return 0; }
static inline void pe_jumps_exit(void) { }

static inline const char *pe_jump_why_not(const struct pe_site *site)
{
	return "this architecture has no jumps";
}
#else
void pe_jump_kick(void);
int pe_jump_make_way(struct list_head *sites, struct pe_site **culprit);
void pe_jump_take_off(struct list_head *sites);
void pe_jump_forget(void);
void pe_jump_release(struct pe_site *site);
void pe_jump_site_changes(struct pe_site *site);
void pe_jump_site_gone(const struct pe_site *site);
size_t pe_jump_memory(const struct pe_site *site);
bool pe_jump_is_on(const struct pe_site *site);
bool pe_jump_is_short(const struct pe_site *site);	/* does it lead to an island? */
bool pe_jump_is_lost(const struct pe_site *site);
const char *pe_jump_why_not(const struct pe_site *site);
bool pe_jumps_are_settled(void);
size_t pe_detours_memory(void);
void pe_jumps_exit(void);

/* pe_jump_is_on(): the return address of the detour's call of us. */
unsigned long pe_jump_return(const struct pe_site *site);

/*
 * jump.c, for jump_work.c; the first two and pe_jump_look_at_all() with the kernel's kprobes
 * locked:
 *
 * pe_jump_prepare(): what pe_jump_check() says of a candidate; if 0, its jump pends.
 * pe_jump_switch_on(): write the jumps that pend; @single: only those that need no wait.
 * pe_jump_look_at_all(): take off those that cannot serve their hits.  Return: are there any on?
 */
int pe_jump_prepare(struct pe_site *site);
void pe_jump_switch_on(bool single);
bool pe_jump_look_at_all(void);
bool pe_jump_is_candidate(const struct pe_site *site);
bool pe_jump_is_pending(const struct pe_site *site);
void pe_jump_take_off_all(void);

/*
 * jump_work.c, for jump.c:
 *
 * pe_jump_look_soon(): the work item is to look at the jumps that are on.
 * pe_jump_why_none(): why no site may become a jump now; NULL: some may.
 */
void pe_jump_look_soon(void);
const char *pe_jump_why_none(void);

/*
 * jump_check.c, for jump.c; with the kernel's kprobes locked:
 *
 * pe_jump_may_be(): does the site, apart from its text, allow a jump?
 * pe_jump_check(): fill @arch.  0; -EOPNOTSUPP: never; -EBUSY: not before a kick; -EAGAIN: perhaps
 * later.  If not 0, with the reason.
 * pe_jump_has_neighbour(): is another probe in a window of @len bytes, or a kprobe near it?
 */
bool pe_jump_may_be(const struct pe_site *site);
int pe_jump_check(const struct pe_site *site, struct pe_arch_jump *arch, const char **why);
bool pe_jump_has_neighbour(const struct pe_site *site, unsigned int len);

/*
 * detours.c: memory of detours.
 *
 * pe_detour_take(): fill ->detour.  0 or -ENOSPC.
 * pe_detour_free(): no task is in it.
 * pe_detours_any_leaving(): are there any that are not free yet?
 * pe_detours_forget(): if a detour's ->site is @gone, it becomes NULL.
 */
int pe_detour_take(struct pe_jump *j);
void pe_detour_free(struct pe_jump *j);
bool pe_detours_any_leaving(void);
void pe_detours_forget(bool (*gone)(const struct pe_site *site));

/**
 * struct pe_detour - what hits find by the number of a detour's slot
 * @probe: called by the stub: the only one of the site, if it only observes; or pe_detour_all,
 *	which means those that the site has.  A probe is taken out before it, or its flags, change;
 *	hits use it with preemption off
 * @jump: NULL: the slot is free.  It is not before all hits in it have left
 *
 * Written under pe_mutex.
 */
struct pe_detour {
	struct pe_kprobe *probe;
	struct pe_jump *jump;
};

/* jump_hit.c: [H] */
extern struct pe_detour pe_detour_slots[PE_ARCH_DETOURS];
extern struct pe_kprobe pe_detour_all;
void pe_jump_hit(struct pt_regs *regs, unsigned long from);
void pe_jump_resched(void);
#endif /* PE_NO_JUMPS */

#endif
