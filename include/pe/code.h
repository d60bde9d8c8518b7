/* SPDX-License-Identifier: GPL-2.0 */
/*
 * code.h - probes whose hits are machine code made for them, instead of calls of a handler.
 *
 * Only entries that ftrace patches, while nothing else traces the function; breakpoints that have
 * become jumps; and return probes that are alone on a function and save nothing at its entry.  All
 * with probes that only observe.  In all other cases, and whenever the code leaves a hit alone, the
 * probes' handlers are called.
 *
 * One user (probe_events) makes the code.  He serialises his calls of pe_code_install(),
 * pe_code_wait() and pe_code_set_user().
 */
#ifndef PE_INCLUDE_CODE_H
#define PE_INCLUDE_CODE_H

#include <linux/types.h>

struct pe_emit;
struct pe_hit;
struct pe_kprobe;

/* Probes of a site that can be compiled. */
#define PE_CODE_PROBES	8

/**
 * enum pe_code_from - whence control comes to code; see arch/x86/hit/emit_hit.h
 */
enum pe_code_from {
	PE_CODE_ENTRY,		/* the call at a function's entry */
	PE_CODE_DETOUR,		/* the detour of a jump */
	PE_CODE_RETURN,		/* in place of the handler of a return probe */
	PE_CODE_NR_FROM,
};

/**
 * struct pe_code_request - compile the hits of a site
 * @kps: as pe_code_site() has told
 * @nr: how many
 * @emit: make the code; see arch/x86/hit/emit_hit.h for where it runs, and what it may do.  @live:
 *	address of the byte that it has to test.  Called twice, first only to know the length;
 *	with the engine's mutex held
 * @data: for @emit
 * @keep: memory of kmalloc() that the code uses, or NULL.  If the site is compiled, the engine
 *	frees it when no task can be in the code any more
 * @why: set: NULL: compiled; else a constant string: why not
 * @again: set: there may be room for it when pe_code_wait() has freed some
 */
struct pe_code_request {
	struct pe_kprobe *kps[PE_CODE_PROBES];
	unsigned int nr;
	void (*emit)(struct pe_emit *e, enum pe_code_from from, u64 live, void *data);
	void *data;
	void *keep;
	const char *why;
	bool again;
};

/**
 * pe_code_site() - the probes whose handlers a hit calls
 * @kp: a registered probe of the user
 * @kps: set: all probes of its site that hits see, in their order; all with @kp's handler
 * @nr: set: how many
 *
 * Context: process, may sleep; takes the engine's mutex.
 * Return: NULL, or why hits there cannot be compiled: a constant string.
 */
const char *pe_code_site(struct pe_kprobe *kp, struct pe_kprobe *kps[PE_CODE_PROBES],
			 unsigned int *nr);

/**
 * struct pe_code_usage - the memory of compiled hits
 * @sites: with code
 * @used: bytes of code, and of the trees that lead there
 * @size: bytes that there are
 */
struct pe_code_usage {
	unsigned int sites;
	size_t used, size;
};

/**
 * pe_code_install() - make code for probes, take out what is out of date
 * @reqs: the sites; those that have code that is up to date keep it
 * @n: how many; may be 0
 *
 * Afterwards pe_code_wait() has to be called, before the next pe_code_install().
 *
 * Context: process, may sleep; takes the engine's mutex.
 * Return: 0, also if some could not be compiled; -ENOMEM: no probe has code now.
 */
int pe_code_install(struct pe_code_request *reqs, unsigned int n);

/**
 * pe_code_wait() - wait until no task is in code that pe_code_install() has taken out
 *
 * It may take seconds.  Context: process, sleeps, takes the engine's mutex.
 * Return: has memory for code become free?
 */
bool pe_code_wait(void);

/**
 * pe_code_stale() - the code of a probe's site is out of date
 * @kp: registered
 *
 * Hits that begin after the return call the probes' handlers.  A hit in progress ends within a
 * grace period, but for what it does without looking whether its code is up to date.
 *
 * Context: any process context, serialised with pe_code_install().
 */
void pe_code_stale(struct pe_kprobe *kp);

/* Is there code for the probe's hits, up to date?  The same context. */
bool pe_code_is_live(const struct pe_kprobe *kp);

/**
 * struct pe_code_user - who makes the code
 * @wanted: code has become out of date without the user's doing; called with the engine's mutex
 *	held
 * @rest: do the rest of a hit, which its code has left to C.  @data: what was in r11.  Called as a
 *	handler is
 */
struct pe_code_user {
	void (*wanted)(void);
	void (*rest)(const struct pe_hit *hit, const void *data);
};

/* @user: stays until pe_code_set_user(NULL), before which no code may be left. */
void pe_code_set_user(const struct pe_code_user *user);

void pe_code_usage(struct pe_code_usage *usage);	/* process context */

/**
 * struct pe_code_places - what code needs of the engine
 * @interpret: where it goes on when it leaves a hit to the handler: see arch/x86/hit/emit_hit.h
 * @rest: the same, when it has done a part of the hit; r11 is for the user, preemption is off
 * @detour_return: the same, when it has done all, in a detour
 * @busy: offset of a word of this CPU that is 0 unless a handler is running
 */
struct pe_code_places {
	u64 interpret[PE_CODE_NR_FROM], rest[PE_CODE_NR_FROM], detour_return;
	unsigned long busy;
};

void pe_code_places(struct pe_code_places *places);

#endif
