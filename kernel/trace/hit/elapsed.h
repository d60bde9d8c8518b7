/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * elapsed.h - the time that a call has taken.
 *
 * The entry saves a word, the return makes nanoseconds of it.  There are two kinds of words:
 *
 *	below 2^63	CLOCK_MONOTONIC, in nanoseconds
 *	from 2^63 on	a count of cycles: the CPU's counter and @skew.  Compiled code saves it
 *			where the kernel's clock is that counter
 *
 * The two kinds go on when the kernel's clock goes on, and stop when it does: while the system
 * sleeps, say.  So a return can tell the time of a word of any kind at any time.
 */
#ifndef PE_ELAPSED_H
#define PE_ELAPSED_H

#include <linux/types.h>

/**
 * struct pe_elapsed - how the counter of cycles becomes the kernel's time
 * @skew: from the counter to the count; 0: the kernel's clock is another one, or is about to stop
 * @factor: nanoseconds of a cycle, times 2^32
 */
struct pe_elapsed {
	u64 skew, factor;
};

/* Counts begin here.  They end 29 years of 5 GHz later; times in nanoseconds stay below half. */
#define PE_ELAPSED_FIRST	(3ULL << 62)
#define PE_ELAPSED_SHIFT	32

/* Compiled code reads it. */
extern struct pe_elapsed pe_elapsed;

/**
 * struct pe_elapsed_tick - what the kernel's clock is now and then
 * @is_cycles: nanoseconds are (cycles * @mult) >> @shift
 * @mult: see @is_cycles
 * @shift: see @is_cycles
 * @cycle: the counter, when
 * @ns: CLOCK_MONOTONIC was this
 * @slept: for how long the system has slept since it was booted
 */
struct pe_elapsed_tick {
	bool is_cycles;
	u32 mult, shift;
	u64 cycle, ns;
	s64 slept;
};

/* elapsed.c */

/* Nanoseconds since @word was saved.  Any context, preemption off.  [H] */
u64 pe_elapsed_since(u64 word);

/* The next ones are serialised by the caller. */

void pe_elapsed_look(const struct pe_elapsed_tick *now);

/* @on: the system is about to sleep, and the counter with it; false: it has slept. */
void pe_elapsed_sleeps(bool on);

/**
 * pe_elapsed_may_begin() - could counts of cycles be saved, and are not?
 * @stops: set: for pe_elapsed_begin()
 * @first: set: none has ever been saved
 */
bool pe_elapsed_may_begin(unsigned int *stops, bool *first);

/**
 * pe_elapsed_begin() - let counts be saved
 * @stops: if they have been stopped since then, do nothing
 *
 * The counter may have changed since counts were stopped, and code reads it a moment before @skew.
 * So unless this is the first time, the caller has waited for all tasks since
 * pe_elapsed_may_begin().
 */
void pe_elapsed_begin(unsigned int stops);

/* Seams, for any context.  Defined in hit_time.c, and by tests in user space. */
u64 pe_elapsed_cycles(void);
u64 pe_elapsed_mono(void);

#endif
