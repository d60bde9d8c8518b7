/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * return.h - internals of return probes, shared by kernel/ and arch/.
 */
#ifndef PE_RETURN_RETURN_H
#define PE_RETURN_RETURN_H

#include <linux/list.h>
#include <linux/types.h>
#include <pe/kretprobe.h>
#include <pe_arch/return_slots.h>
#include "kernel/arch.h"
#include "kernel/arena/arena.h"

struct pe_site;

/* return/check.c */
bool pe_return_check_init(void);
struct pe_refusal pe_return_check(const struct pe_kretprobe *rp);
enum pe_return_ending pe_return_ending(unsigned long addr);

/* return/stack_words.c */
int pe_return_stack_words(unsigned long addr, bool compiled);

/* The most words of arguments on the stack that are copied: return/stack_words.c. */
#define PE_MOST_WORDS	48

/*
 * The most bytes of a frame.  A frame is allotted before any code looks how much stack is
 * left (return/ret_hit.c).  So it must fit into the stack that the caller has left.
 */
#define PE_FRAME_MAX	1280

/* A call with a larger frame needs more stack below it: return/ret_hit.c. */
#define PE_FRAME_SMALL	256

/* return/ret_set.c.  pe_mutex held, unless the line says otherwise. */
void pe_return_make_room(unsigned int n);	/* not held */
struct pe_refusal pe_return_link(struct pe_site *site, struct pe_kretprobe *rp);
const struct pe_return_set *pe_return_set_of(const struct pe_site *site);
void pe_return_unlink(struct pe_site *site, struct pe_kretprobe *rp);
void pe_return_retire(struct pe_site *site);
void pe_return_add_counts(const struct pe_kretprobe *rp, bool entries,
			  struct pe_kretprobe_stat *sum);
size_t pe_return_memory(void);			/* bytes of points and sets */
int pe_return_init(void);			/* not held */
void pe_return_exit_sets(void);			/* not held */

/* return/ret_hit.c: [H] */
pe_arena_enter_t pe_return_enter_probes;
pe_arena_leave_t pe_return_leave_probes;
void pe_return_alone(struct pe_kretprobe *rp, const struct pe_hit *hit, unsigned long ret_ip,
		     void *data);

/* return/ret_addr.c: [H] */
void pe_ret_addr_init(void);
unsigned long pe_other_tracer_return(unsigned long ret, unsigned long *where);

/* Is it a return address that is neither another tracer's nor one of ours? */
static __always_inline bool pe_is_true_return(unsigned long ret)
{
	return !pe_arch_in_call_slots(ret) && ret != pe_graph_trampoline &&
	       ret != pe_rethook_trampoline;
}

static inline struct pe_kretprobe *pe_to_kretprobe(struct pe_kprobe *kp)
{
	return container_of(kp, struct pe_kretprobe, kp);
}

#endif
