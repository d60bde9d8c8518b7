// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * callers.c - the callers of the probed code.  [H]
 *
 * The kernel's unwinder takes no lock.  It follows a stack through interrupts and NMIs, and
 * through calls with return probes (return_arena.S).  In such a call it finds the true caller
 * and the call slot.  The call slot is left out.
 */
#include <linux/export.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <asm/unwind.h>
#include <pe/kprobe.h>
#include "kernel/return/return.h"

/*
 * After a return, regs->ip is the true address, even if another tracer has put its own
 * address on the stack.  There is one exception: if function A with return probes ends with
 * a jump to function B with return probes, B returns to A's call slot.  Then the walk begins
 * with that slot, even if another tracer has replaced the address on the stack.
 */
static unsigned long pe_first_place(const struct pt_regs *regs, bool returned)
{
	unsigned long word;

	if (!returned)
		return regs->ip - 1;
	word = ((const unsigned long *)regs->sp)[-1];
	word = pe_other_tracer_return(word, (unsigned long *)regs->sp - 1);
	return pe_arch_in_call_slots(word) ? word : regs->ip;
}

#ifdef CONFIG_UNWINDER_ORC
/* @place, or 0: there is no text. */
static noinline unsigned long pe_text_place(unsigned long place)
{
	struct unwind_state at = { .stack_info.type = STACK_TYPE_TASK, .ip = place };

	return place < TASK_SIZE_MAX ? 0 : unwind_get_return_address(&at);
}
#endif

/*
 * Go on from a frame.  Return: its return address, or 0.  The unwinder has data of nothing but
 * text.  So only if it does not know the way, or is at the end, it is asked what the address is,
 * which may be a user's: that takes a search for a module.
 */
static __always_inline unsigned long pe_unwind_place(struct unwind_state *state)
{
	unsigned long place;

#ifdef CONFIG_UNWINDER_ORC
	place = state->ip;
	unwind_next_frame(state);
	return likely(!unwind_done(state) && !unwind_error(state)) ? place : pe_text_place(place);
#else
	place = unwind_get_return_address(state);
	unwind_next_frame(state);
	return place;
#endif
}

/**
 * pe_hit_stack() - the probed address and its callers
 * @hit: as its handler got it
 * @returned: the handler is one of a return probe
 * @to: gets the addresses, innermost first
 * @max: room in @to; further addresses are left out
 *
 * The first is the probed address, or the address to which the function returns.  The others
 * are return addresses, the true ones even if other tracers have replaced them.
 *
 * Context: any, within the handler.
 * Return: how many it has written.
 */
unsigned int pe_hit_stack(const struct pe_hit *hit, bool returned, u64 *to, unsigned int max)
{
	struct pt_regs regs = *hit->regs;
	struct unwind_state state __uninitialized;
	unsigned long place;
	unsigned int n = 0;

	regs.ip = pe_first_place(&regs, returned);
	place = regs.ip;
	unwind_start(&state, current, &regs, NULL);
	while (place && n < max) {
		if (!pe_arch_in_call_slots(place))
			to[n++] = place;
		if (n == max || unwind_done(&state))
			break;
		place = pe_unwind_place(&state);
	}
	return n;
}
EXPORT_SYMBOL_GPL(pe_hit_stack);
