/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * arena.h - what calls of functions with return probes run through: probe_arena.ko.
 *
 * A call in progress has an address of this module on its task's stack, and its frame refers
 * to a set.  The module and the set outlive probe_core: the module stays until no task needs
 * them (main.c).  Nothing else of ours is on the stack of a task that sleeps.
 *
 * probe_core makes slots, points and sets, and looks after them while it is loaded
 * (return/ret_set.c says how they live).  When it goes, it leaves here what calls may still need.
 * Loaded again, it finds that.
 */
#ifndef PE_ARENA_H
#define PE_ARENA_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include <pe_arch/arena_slot.h>

struct module;
struct pe_arch_site;
struct pe_kretprobe;
struct pt_regs;
struct task_struct;

/* Change this with anything here, in pe_arch/arena_slot.h or in pe_arch/site_insn.h. */
#define PE_ARENA_VERSION	10

/**
 * enum pe_return_ending - which calls of a function count as those of ending tasks
 * @PE_ENDING_LATE: calls that a task with an exit state enters
 * @PE_ENDING_ALL: all calls: the function gives the task its exit state, and returns
 * @PE_ENDING_NONE: none: the task dies inside, so the function never returns
 *
 * arena/scan.c says why they are counted.
 */
enum pe_return_ending {
	PE_ENDING_LATE,
	PE_ENDING_ALL,
	PE_ENDING_NONE,
} __packed;

/* States of a set; see return/ret_set.c.  The set at rest is PE_SET_PUBLISHED all the time. */
enum pe_set_state {
	PE_SET_PUBLISHED,
	PE_SET_RETIRED,
	PE_SET_DRAINING,
	PE_SET_DEAD,
} __packed;

/* One return probe in a set.  Its data is @offset bytes below the frame's base. */
struct pe_return_member {
	struct pe_kretprobe *rp;
	unsigned int offset;
};

/**
 * struct pe_return_counters - of a set, on a CPU
 * @balance: +1 where C code has entered a call, -1 where C code has ended one
 * @entries: calls that code made for the set has entered (compiled/call_piece.c): an entry of each
 *	of its probes
 * @returns: calls that such code has ended, or return_arena.S: a return of each of its probes
 * @lost: for each member, returns while RCU was not watching
 *
 * balance + entries - returns is the number of calls in flight.
 */
struct pe_return_counters {
	unsigned long balance;
	unsigned long entries;
	unsigned long returns;
	unsigned long lost[];
};

/**
 * struct pe_return_set - the return probes of a function at one time
 * @frame_size: bytes of the frame below its base; known to return_arena.S
 * @plain: its probe, if that is the only one: then return_arena.S does the usual return alone.
 *	If there are more, and when the probe is unregistered, pe_return_nobody; RCU
 * @counters: of its calls; per CPU.  The set at rest: pe_return_no_calls
 * @point: the function
 * @next: the point's next set; the set at rest is the first
 * @state: enum pe_set_state; pe_arena.mutex
 * @n: number of members
 * @waits: retired or dead, and the quiescence is for it that is waited for; the same
 * @member: .rp becomes NULL when the probe is unregistered; RCU
 *
 * Once the set is published, all is constant but the counters, @next, @state, @waits, @plain and
 * .rp.
 */
struct pe_return_set {
	unsigned long frame_size;
	struct pe_kretprobe *plain;
	struct pe_return_counters __percpu *counters;
	struct pe_return_point *point;
	struct pe_return_set *next;
	enum pe_set_state state;
	bool waits;
	u16 n;
	struct pe_return_member member[];
};

/**
 * struct pe_return_point - the slots of a function with return probes
 * @addr: the probed address
 * @body: where the function goes on if no probe is to see a call; what the call slot calls
 * @slot: the slots' number
 * @stack_words: argument words that the function takes on the stack, at most: to be copied
 * @ending: which of its calls count as those of ending tasks
 * @retired: the site has no return probes
 * @insn: the site's instruction, with an instruction slot of the point's own, which is the body.
 *	Calls go on there as long as the point exists, which may be longer than the site.  That slot
 *	is probe_core's and goes with it.  NULL: an entry that ftrace patches, which needs none
 * @list: in pe_arena.points or pe_arena.stale
 * @rest: the set at rest: without members, for calls after the last probe.  The sets after it
 *	(.next) are those that calls may still refer to
 *
 * pe_arena.mutex guards what is not constant.
 */
struct pe_return_point {
	unsigned long addr;
	unsigned long body;
	u16 slot;
	u16 stack_words;
	enum pe_return_ending ending;
	bool retired;
	struct pe_arch_site *insn;
	struct list_head list;
	struct pe_return_set rest;
};

/* Each set of a point, but the one at rest. */
#define pe_for_each_set(set, point) \
	for ((set) = (point)->rest.next; (set); (set) = (set)->next)

/**
 * struct pe_arena - all points and sets
 * @mutex: guards all this while probe_core is loaded; inside pe_mutex; never held while waiting
 * @points: points that are in use, or have sets that calls may need
 * @stale: points that only a late call needs (return/ret_set.c)
 * @slots_used: a bit for each slot that has a point
 */
struct pe_arena {
	struct mutex mutex;
	struct list_head points;
	struct list_head stale;
	DECLARE_BITMAP(slots_used, PE_RETURN_SLOTS);
};

extern struct pe_arena pe_arena;
extern struct module *const pe_arena_module;

/* The published set of each slot; NULL if it has no point.  return_arena.S reads it. */
extern struct pe_return_set *pe_return_slots[PE_RETURN_SLOTS];

/* The counters of all sets at rest.  No code reads them: a call with such a set gets no frame. */
DECLARE_PER_CPU(struct pe_return_counters, pe_return_no_calls);

/* A probe that never fires. */
extern struct pe_kretprobe pe_return_nobody;

/* Addresses that other tracers leave on the stack, 0: none.  probe_core fills them in. */
extern unsigned long pe_graph_trampoline, pe_rethook_trampoline;

/* Kernels without rethook: the kernel's table of calls that its kretprobes wait for, by task. */
extern const struct hlist_head *pe_kretprobed;
#define PE_KRETPROBED_BITS	6

/* The idle task of each CPU, which is on no list.  probe_core fills this in. */
DECLARE_PER_CPU(struct task_struct *, pe_arena_idle);

/*
 * probe_core's part of a call.  Preemption is off, and RCU is watching.  At the entry it returns
 * a bit for each probe that wants to see the return; 0: the call gets no frame.
 */
typedef unsigned long pe_arena_enter_t(const struct pe_return_set *set, struct pt_regs *regs,
				       unsigned long *base);
typedef void pe_arena_leave_t(const struct pe_return_set *set, unsigned long mask,
			      struct pt_regs *regs, unsigned long *base);

/* arena/arena_main.c */
int pe_arena_attach(unsigned int version, pe_arena_enter_t *enter, pe_arena_leave_t *leave);
void pe_arena_detach(void);
void pe_return_point_free(struct pe_return_point *point);
void pe_return_set_free(struct pe_return_set *set);
unsigned long pe_return_set_calls(const struct pe_return_set *set);
unsigned long pe_return_calls(const struct pe_return_point *point);

/* arena/scan.c */
bool pe_arena_scan(unsigned long *entries, bool calls);
unsigned long pe_arena_word_at(unsigned long at);
const struct pe_return_set *pe_arena_set_at(unsigned long at, unsigned int slot);

/*
 * arena/arena_hit.c.  [H]: return_arena.S calls the first three.  Others: process context.
 *
 * In the frame's pointer to the set:
 * PE_MARK_ENDING: the call is counted among those of ending tasks.
 * PE_MARK_IDLE: RCU may not be watching when it returns.
 */
#define PE_MARK_ENDING	1UL
#define PE_MARK_IDLE	2UL
#define PE_MARKS	(PE_MARK_ENDING | PE_MARK_IDLE)
bool pe_return_entry(struct pt_regs *regs, struct pe_return_set *set);
void pe_return_exit(struct pt_regs *regs, unsigned long *base);
void pe_return_resched(void);
unsigned long pe_return_ending_calls(void);
void pe_arena_set_handlers(pe_arena_enter_t *enter, pe_arena_leave_t *leave);

#endif
