// SPDX-License-Identifier: GPL-2.0
/*
 * stack.c - who called the probed code.  [H]
 *
 * The kernel's unwinder takes no lock and follows a stack through interrupts and NMIs,
 * and through the calls with return probes (return_arena.S): there it finds, besides
 * the true caller, the call slot, which is left out.
 */
#include <linux/export.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <asm/unwind.h>
#include <pe/kprobe.h>
#include "kernel/return/return.h"

/*
 * Behind a return the place is the true one, even where another tracer has put its own
 * address on the stack.  But a function that has been jumped to at the end of one
 * that has return probes, too, lies on the frame of that one: its slot is where to begin,
 * also if another tracer has taken it from there.
 */
static unsigned long first_place(const struct pt_regs *regs, bool returned)
{
	unsigned long word;

	if (!returned)
		return regs->ip - 1;
	word = ((const unsigned long *)regs->sp)[-1];
	word = pe_other_tracer_return(word, (unsigned long *)regs->sp - 1);
	return pe_arch_in_call_slots(word) ? word : regs->ip;
}
NOKPROBE_SYMBOL(first_place);

/**
 * pe_hit_stack() - the probed place and those it was called from
 * @hit: as its handler got it
 * @returned: the handler is one of a return probe
 * @to: gets the addresses, innermost first
 * @max: how many there is room for; what is beyond is left out
 *
 * The first is the probed address, or where the function returns to; the others are
 * return addresses, true ones also where other tracers have replaced them.
 *
 * Context: any, within the handler.
 * Return: how many it has written.
 */
unsigned int pe_hit_stack(const struct pe_hit *hit, bool returned, u64 *to, unsigned int max)
{
	struct pt_regs regs = *hit->regs;
	struct unwind_state state;
	unsigned long place;
	unsigned int n = 0;

	regs.ip = first_place(&regs, returned);
	place = regs.ip;
	unwind_start(&state, current, &regs, NULL);
	while (place && n < max) {
		if (!pe_arch_in_call_slots(place))
			to[n++] = place;
		if (unwind_done(&state))
			break;
		place = unwind_get_return_address(&state);
		unwind_next_frame(&state);
	}
	return n;
}
EXPORT_SYMBOL_GPL(pe_hit_stack);
NOKPROBE_SYMBOL(pe_hit_stack);
