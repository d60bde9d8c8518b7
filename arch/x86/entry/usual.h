/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * usual.h - what makes a hit a usual one, for code that serves no other.  [P]
 *
 * C code serves each hit (kernel/probe/hit.h, return/ret_hit.c, arena/arena_hit.c).  Four places
 * serve the usual one without it, with the same result, and leave any other to it before they
 * change anything. A new condition is to be looked at in each column.  In brackets: what it
 * follows from there.
 *
 *			detour_stub.S	return_arena.S:	emit_context.c	emit_call.c
 *					pe_return_leave	(entry, return)	(entry)
 *
 *	a task		PE_USUAL_COUNT	that, or only	as before,	any level
 *					preemption off	15 times off
 *	no handler	(the count)	PE_USUAL_CPU	PE_USUAL_BUSY	PE_USUAL_BUSY
 *	no breakpoint	(the count)	PE_USUAL_CPU	(the level)	it tells no level
 *	no softirq, RT	is not on RT	of the task	of the task	any level
 *	RCU watches,	(preemption	PE_MARKS	(the name: idle	PF_IDLE
 *	and waits	is on)				has none), or
 *							PF_IDLE
 *	no reschedule	(the count)	C code asks	of the task	no preemption
 *	it is wanted	the slot's	PE_RP_NOT_-	the live byte	the live byte
 *			probe		FIRING
 *	not ending	-		PE_MARKS	-		PF_EXITING
 *	enough stack	-		-		-		of the task
 *	true return	-		slots, tracers	emit_return.c	-
 *	flags		AC, DF clear	ABI		ABI		ABI
 *
 * A hit that is only counted in a table makes no record that could tell its context.  So
 * emit_context.c looks at three conditions alone: no handler, it is wanted, and RCU watches
 * (PF_IDLE).
 *
 * The kernel's values are checked in return_slot.c.  Each condition has a test that fails without
 * it: in test_usual.c for the first two columns, in test_emit_hit.c, test_emit_return.c (GUARD) and
 * test_emit_call.c for the others.
 */
#ifndef PE_ARCH_USUAL_H
#define PE_ARCH_USUAL_H

/*
 * The lower 32 bits of the kernel's counter in a task where nothing is counted, and the width of
 * the whole: what counts down and asks for 0 has to count in all of it.  A bit, the highest of the
 * whole, says that no reschedule is wanted.  If it is not among the lower 32, they do not tell
 * that: the row "no reschedule" is then "C code asks" in the first column, too.  If less is usual,
 * preemption may have added more.
 */
#ifdef CONFIG_HAS_SEPARATE_PREEMPT_RESCHED_BITS
#define PE_USUAL_COUNT	0
#define PE_COUNT_SIZE	8
#define PE_DEC_COUNT	decq
#else
#define PE_USUAL_COUNT	0x80000000
#define PE_COUNT_SIZE	4
#define PE_DEC_COUNT	decl
#endif

/* Bytes of struct pe_hit_cpu that are 0: busy flags of all levels; all of it, with @depth. */
#define PE_USUAL_BUSY	4
#define PE_USUAL_CPU	8

#endif
