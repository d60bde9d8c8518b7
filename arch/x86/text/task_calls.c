// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * task_calls.c - the call slots that a task will return to.
 *
 * The kernel's unwinder knows what is in use of a stack.  A return address that another tracer
 * keeps is the true one for it, and its place is still the one where it was.
 */
#include <linux/sched.h>
#include <asm/unwind.h>
#include <pe_arch/arena_slot.h>
#include "kernel/arch.h"

bool pe_arch_task_calls(struct task_struct *t, pe_arch_task_call_t *call, void *arg,
			unsigned long *seen)
{
#ifdef CONFIG_UNWINDER_ORC
	struct unwind_state state;
	int slot;

	unwind_start(&state, t, NULL, NULL);
	for (; !unwind_done(&state); unwind_next_frame(&state)) {
		slot = pe_arch_call_return(unwind_get_return_address(&state));
		if (slot >= 0)
			call(arg, slot, state.sp - sizeof(long));
	}
	*seen = state.sp;
	return !unwind_error(&state);
#else
	*seen = 0;
	return false;
#endif
}
