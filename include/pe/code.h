/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * code.h - compiled hits: machine code made for a site's probes, instead of calls of a handler.
 *
 * Hits of these can be compiled, if all probes there only observe and have PE_KPROBE_NESTS:
 *
 *   - entries that ftrace patches, while nothing else traces the function, and the returns of
 *     functions that are entered so;
 *   - breakpoints that have become jumps, with ftrace or without.
 *
 * In all other cases, and whenever the code leaves a hit alone, the probes' handlers are called.
 *
 * One user (probe_events) makes the code, in rounds: pe_code_round().
 */
#ifndef PE_INCLUDE_CODE_H
#define PE_INCLUDE_CODE_H

#include <linux/types.h>

struct mutex;
struct pe_emit;
struct pe_hit;
struct pe_kprobe;
struct pe_kretprobe;
struct pe_tree_work;

/* Probes of a site that can be compiled. */
#define PE_CODE_PROBES	8

/**
 * enum pe_code_from - where the code is entered from; see emit_hit.h
 * @PE_CODE_ENTRY: the call at a function's entry
 * @PE_CODE_DETOUR: the detour of a jump
 * @PE_CODE_CALL: the call at the entry of a function with return probes
 * @PE_CODE_NR_FRONTS: number of those above, each with trees that lead there
 * @PE_CODE_RETURN: the call slot of such a function, after its return
 * @PE_CODE_NR_FROM: number of all
 */
enum pe_code_from {
	PE_CODE_ENTRY,
	PE_CODE_DETOUR,
	PE_CODE_CALL,
	PE_CODE_NR_FRONTS,
	PE_CODE_RETURN = PE_CODE_NR_FRONTS,
	PE_CODE_NR_FROM,
};

/**
 * struct pe_code_frame - what the code needs about a call that is called through
 * @set: the word below the frame's base, if the call is the code's to end
 * @mask: if not 0, the word below that, also
 * @returns: counter of ended calls, by its offset in a CPU's memory: the last that the
 *	code touches
 * @ret: return address of the function's call of us
 * @data_at: of each return probe among the request's: bytes from its data up to the frame's base
 * @enter: make the code that enters the call, after the last record of PE_CODE_CALL; emit_call.h
 *	says with which registers
 * @enter_data: for @enter
 */
struct pe_code_frame {
	u64 set;
	u32 mask;
	s64 returns;
	u64 ret;
	unsigned int data_at[PE_CODE_PROBES];
	void (*enter)(struct pe_emit *e, void *data);
	void *enter_data;
};

/**
 * struct pe_code_request - compile the hits of a site
 * @kps: as pe_code_site() has set them: first the probes of hits, then return probes
 * @nr: how many
 * @nr_hits: how many of them are no return probes
 * @entry: hits there, but for returns, are at a function's first instruction
 * @emit: make the code; see emit_hit.h for where it runs, and what it may do.  @live:
 *	address of the byte that it has to test.  Called some times, first only to know the length;
 *	with the engine's mutex held.  For a function with return probes each time twice: with
 *	PE_CODE_CALL, if it has other probes as well, then with PE_CODE_RETURN
 * @save: make the code that fills the data of return probes, or NULL.  The frame has been made;
 *	the registers are those of @enter
 * @data: for @emit and @save
 * @keep: memory of kmalloc() that the code uses, or NULL.  If the site is compiled, the engine
 *	frees it when no task can be in the code any more
 * @frame: set before @emit is called, if there are return probes
 * @why: set: NULL: compiled; else a constant string: why not
 * @again: set: there may be room for it when some has been freed
 */
struct pe_code_request {
	struct pe_kprobe *kps[PE_CODE_PROBES];
	unsigned int nr, nr_hits;
	bool entry;
	void (*emit)(struct pe_emit *e, enum pe_code_from from, u64 live,
		     const struct pe_code_request *req);
	void (*save)(struct pe_emit *e, const struct pe_code_request *req);
	void *data;
	void *keep;
	struct pe_code_frame frame;
	const char *why;
	bool again;
};

/**
 * pe_code_site() - find the probes that a hit calls handlers of
 * @kp: a registered probe of the user
 * @req: set: its probes: all of @kp's site that hits see, in their order; all are the user's
 *
 * Context: process, may sleep; takes the engine's mutex.
 * Return: NULL, or why hits there cannot be compiled: a constant string.
 */
const char *pe_code_site(struct pe_kprobe *kp, struct pe_code_request *req);

/**
 * struct pe_code_usage - the memory of compiled hits
 * @sites: with code of the user's
 * @used: bytes of code, and of the trees that lead there
 * @size: bytes that there are
 */
struct pe_code_usage {
	unsigned int sites;
	size_t used, size;
};

/**
 * struct pe_code_round - a round: code that is out of date goes, other code comes
 * @mutex: held during @begin and @make, and until hits do what code says; NULL: no user takes
 *	part
 * @begin: before anything is taken out
 * @make: ask for code, by pe_code_add()
 * @end: no task is in code that has been taken out; @mutex is not held
 * @failed: set before @end: there was no memory, and no probe has code now
 * @freed: set before @end: memory for code has become free
 * @trees: the engine's, as all that follow: memory to make trees in, or NULL
 * @changes: how many changes of sites are in it
 */
struct pe_code_round {
	struct mutex *mutex;
	void (*begin)(struct pe_code_round *round);
	void (*make)(struct pe_code_round *round);
	void (*end)(struct pe_code_round *round);
	bool failed, freed;

	struct pe_tree_work *trees;
	unsigned int changes;
};

/**
 * pe_code_round() - make a round, when no other one is being made
 * @round: what the user does in it
 *
 * It may take seconds.  The steps are in kernel/compiled/round.c.
 * Context: process, sleeps; takes @mutex and the engine's mutex.
 */
void pe_code_round(struct pe_code_round *round);

/**
 * pe_code_add() - make code for a site's probes
 * @round: calls it, in @make
 * @req: the site; if it has code that is up to date, do not ask
 */
void pe_code_add(const struct pe_code_round *round, struct pe_code_request *req);

/**
 * pe_code_stale() - the code of a probe's site is out of date
 * @kp: registered
 *
 * Hits that begin after the return call the probes' handlers.  A hit in progress ends within a
 * grace period, but for what it does without looking whether its code is up to date.
 *
 * Context: process, with @mutex of &struct pe_code_round.
 */
void pe_code_stale(struct pe_kprobe *kp);

/* Is there code for the probe's hits, up to date?  The same context. */
bool pe_code_is_live(const struct pe_kprobe *kp);

/**
 * struct pe_code_user - the user that makes the code
 * @handler: of all its probes; those of other users are not compiled
 * @return_handler: of its return probes
 * @return_entry: of these, or they have none
 * @wanted: code has become out of date without the user's doing; called with the engine's mutex
 *	held
 * @rest: do the rest of a hit, which its code has left to C.  @data: its word for it.  @base: of
 *	the frame, at a return.  Called as a handler is
 */
struct pe_code_user {
	void (*handler)(struct pe_kprobe *kp, const struct pe_hit *hit);
	void (*return_handler)(struct pe_kretprobe *rp, const struct pe_hit *hit,
			       unsigned long ret_ip, void *data);
	bool (*return_entry)(struct pe_kretprobe *rp, const struct pe_hit *hit, void *data);
	void (*wanted)(void);
	void (*rest)(const struct pe_hit *hit, const void *data, void *base);
};

/* @user: stays until pe_code_set_user(NULL), before which no code may be left. */
void pe_code_set_user(const struct pe_code_user *user);

void pe_code_usage(struct pe_code_usage *usage);	/* process context */

/**
 * struct pe_code_places - what code needs of the engine
 * @interpret: where it goes on when it leaves a hit to C code: see emit_hit.h
 * @rest: the same, when it has done a part of the hit, with a register for the user; preemption is
 *	off
 * @done: the same, when it has done all; but for calls that go on
 * @finish: the same as @done, with preemption off and registers pushed; 0: there is none
 * @finish_bare: the same as @done, with preemption off; 0: there is none
 * @busy: offset of a word of this CPU that is 0 unless a handler is running
 * @call_slots: a return address in these bytes is not the true one of a function
 * @call_slots_size: how many
 * @tracers: nor is one of these, or 0
 * @ret: how code returns: 0: ret, or jump there
 * @shared: PE_CODE_SHARED_SIZE bytes for code that the user's code shares
 */
struct pe_code_places {
	u64 interpret[PE_CODE_NR_FROM], rest[PE_CODE_NR_FROM], done[PE_CODE_NR_FROM];
	u64 finish[PE_CODE_NR_FROM], finish_bare[PE_CODE_NR_FROM];
	unsigned long busy;
	u64 call_slots, tracers[2];
	u32 call_slots_size;
	u64 ret, shared;
};

/* Return: NULL, or why no code can be made here. */
const char *pe_code_places(struct pe_code_places *places);

/**
 * pe_code_share() - write what goes to @shared of &struct pe_code_places
 * @code: the bytes
 * @len: how many, at most PE_CODE_SHARED_SIZE
 *
 * Before any code uses it.  Context: process, may sleep; takes the engine's mutex.
 */
void pe_code_share(const u8 *code, unsigned int len);

#endif
