/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fetch.h - fetch programs at a hit: from registers and memory to a record's fields.
 */
#ifndef PE_FETCH_H
#define PE_FETCH_H

#include <linux/types.h>
#include "kernel/trace/parse/arg.h"

struct pt_regs;

/* Sources of values. */
struct pe_fetch_source {
	const struct pt_regs *regs;
	const u64 *saved;		/* of a return probe: saved at entry */
};

/**
 * pe_fetch_saved() - at entry, save the arguments that a return probe wants [H]
 * @to: a word for each
 * @saved: pe_spec.saved, @nr of them; words for PE_SAVE_TIME are left alone
 */
void pe_fetch_saved(u64 *to, const u16 *saved, unsigned int nr,
		    const struct pt_regs *regs);

/**
 * pe_fetch_args() - run the fetch programs of a probe [H]
 * @rec: the record's start; the fixed part is written at the args' offsets
 * @room: limit of string data, in bytes from @rec
 * @fixed: bytes of the fixed part; string data goes after it
 *
 * Any context.  Memory that can't be read gives 0, or a string of length 0.
 *
 * Return: bytes of the record with its string data.
 */
unsigned int pe_fetch_args(void *rec, unsigned int room, unsigned int fixed,
			   const struct pe_arg *args, unsigned int nargs,
			   const char *pool, const struct pe_fetch_source *from);

/*
 * Seam of fetch_hit.c: the module's is in cmdlines.c, that of user space in
 * tests/unit/stubs.c.  Any context.  The current task's name: a rename may tear
 * it, but it is always terminated.
 */
void pe_current_comm(char comm[16]);

#endif
