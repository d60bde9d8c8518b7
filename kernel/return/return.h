/* SPDX-License-Identifier: GPL-2.0 */
/*
 * return.h - internals of return probes, shared by kernel/ and arch/x86/.
 */
#ifndef PE_RETURN_RETURN_H
#define PE_RETURN_RETURN_H

#include <linux/list.h>
#include <linux/types.h>
#include <pe/kretprobe.h>
#include <pe_arch/return.h>
#include "kernel/arch.h"

struct pe_site;
struct pt_regs;

/**
 * enum pe_return_ending - which calls of a function count as those of ending tasks
 * @PE_ENDING_LATE: those that are entered with an exit state
 * @PE_ENDING_ALL: the function gives the task its exit state, and returns
 * @PE_ENDING_NONE: the task dies inside, it never returns
 *
 * return/unload.c says what for.
 */
enum pe_return_ending {
	PE_ENDING_LATE,
	PE_ENDING_ALL,
	PE_ENDING_NONE,
};

/* One return probe in a set; @offset of its data below the frame's base. */
struct pe_return_member {
	struct pe_kretprobe *rp;
	unsigned int offset;
};

/**
 * struct pe_return_set - the return probes of a function at one time
 * @frame_size: bytes of the frame below its base; known to return_arena.S
 * @addr: the probed address
 * @body: where the function goes on when nobody is to see the call
 * @call_slot: calls @body and comes back
 * @stack_words: argument words to copy
 * @ending: of its calls by tasks that are ending; as the point's
 * @in_flight: calls that have a frame with this set; +1 where they were
 *	entered, -1 where they returned; per CPU.  Behind it, for each member, returns
 *	where RCU was not watching: pe_return_lost_of()
 * @list: in retired, ripening or draining (return/set.c)
 * @in_point: in pe_return_point.sets
 * @point: the function
 * @n: members
 * @member: .rp becomes NULL when the probe is unregistered; RCU
 *
 * Constant, but for that, once it is published.
 */
struct pe_return_set {
	unsigned long frame_size;
	unsigned long addr;
	unsigned long body;
	unsigned long call_slot;
	unsigned int stack_words;
	unsigned int n;
	enum pe_return_ending ending;
	unsigned long __percpu *in_flight;
	struct list_head list;
	struct list_head in_point;
	struct pe_return_point *point;
	struct pe_return_member member[];
};

static __always_inline unsigned long __percpu *pe_return_lost_of(const struct pe_return_set *set,
								 unsigned int member)
{
	return set->in_flight + 1 + member;
}

/**
 * struct pe_return_point - the slots of a function with return probes
 * @slot: their number
 * @entry: address of the entry slot
 * @arch: the site's instruction, with a slot of the point's own to go on in: calls go
 *	there as long as there is the point, which may be longer than there is the site
 * @stack_words: argument words that the function takes on the stack, at most
 * @ending: which of its calls count as those of ending tasks
 * @list: in pe_return_points or pe_return_stale; pe_return_mutex
 * @retired: the site has no return probes any more
 * @sets: those that calls may still refer to; pe_return_mutex
 * @rest: the set without probes that the point has after them; not in @sets
 */
struct pe_return_point {
	unsigned int slot;
	unsigned long entry;
	struct pe_arch_site arch;
	unsigned int stack_words;
	enum pe_return_ending ending;
	struct list_head list;
	bool retired;
	struct list_head sets;
	struct pe_return_set *rest;
};

/* The published set of each slot, from its first use on; read by return_arena.S. */
extern struct pe_return_set *pe_return_slots[PE_RETURN_SLOTS];

/* arch/x86/return_slot.c */
void pe_arch_return_init(void);
unsigned long pe_arch_return_entry(unsigned int i);
unsigned long pe_arch_return_call(unsigned int i);
int pe_arch_return_write(unsigned int i, unsigned long body, bool exact);
bool pe_arch_is_call_return(unsigned long addr);
int pe_arch_entry_slot(unsigned long addr);
unsigned long pe_arch_call_body(unsigned int i);
bool pe_arch_may_be_called(unsigned long addr);

/* Is @addr a return address into a call slot? */
static __always_inline bool pe_arch_in_call_slots(unsigned long addr)
{
	return addr - (unsigned long)pe_call_slots < PE_RETURN_SLOTS * PE_RETURN_SLOT_SIZE;
}

/* arch/x86/return_entry.c */
bool pe_arch_is_called(unsigned long addr);

/* arch/x86/return_leave.c */
bool pe_arch_is_return_thunk(unsigned long addr);
unsigned long pe_arch_find_leave(void);
unsigned long pe_arch_make_leave(void);
unsigned long pe_arch_make_landing(unsigned long body);

/* return/check.c */
struct pe_refusal pe_return_check(const struct pe_kretprobe *rp);
enum pe_return_ending pe_return_ending(unsigned long addr);

/* return/args.c */
int pe_return_stack_words(unsigned long addr, bool compiled);

/*
 * Bytes of a frame.  It is allotted before anybody looks how much stack is left
 * (return/hit.c), and must fit into what the probed caller has left for us.
 */
#define PE_FRAME_MAX	1280

/* return/set.c.  pe_mutex held, except where another thing is said. */
void pe_return_make_room(unsigned int n);	/* not held */
struct pe_refusal pe_return_link(struct pe_site *site, struct pe_kretprobe *rp);
void pe_return_unlink(struct pe_site *site, struct pe_kretprobe *rp);
void pe_return_retire(struct pe_site *site);
unsigned long pe_return_lost(const struct pe_kretprobe *rp);	/* not held */
void pe_return_exit_sets(void);			/* not held */

/* return/unload.c */
bool pe_return_fix_entries(const unsigned long *slots);
void pe_return_wait_ending(void);
bool pe_return_let_go(bool in_progress);

/* return/hit.c: [H], called by return_arena.S */
bool pe_return_entry(struct pt_regs *regs, struct pe_return_set *set);
void pe_return_exit(struct pt_regs *regs, unsigned long *base);
unsigned long pe_return_ending_calls(void);

/* return/ret_addr.c: [H].  Addresses that other tracers leave on the stack; 0: not there. */
extern unsigned long pe_graph_trampoline, pe_rethook_trampoline;
void pe_ret_addr_init(void);
unsigned long pe_other_tracer_return(unsigned long ret, unsigned long *where);

/* A return address that is neither another tracer's nor one of ours. */
static __always_inline bool pe_is_true_return(unsigned long ret)
{
	return !pe_arch_in_call_slots(ret) && ret != pe_graph_trampoline &&
	       ret != pe_rethook_trampoline;
}

static inline struct pe_kretprobe *to_kretprobe(struct pe_kprobe *kp)
{
	return container_of(kp, struct pe_kretprobe, kp);
}

#endif
