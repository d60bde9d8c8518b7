/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * hit_parts.h - declarations that the files that emit a hit share.  [P]
 *
 * The stack of the code, from the top, at a function's entry and in a detour:
 *
 *	16(rbp)	return address of the function		the site's address + 1
 *	 8(rbp)	return address into the function	return address into the detour
 *	  (rbp)	rbp of the function's caller		rbp at the site
 *							flags, r11, r10
 *		the task's name, if it is the only string: two words
 *		registers that the code uses
 *		with other strings: struct hit_strings
 *		times of return probes
 *		rows in which hits are counted that are recorded as well; values to be counted
 *		the record's first 8 bytes
 *
 * At a call that is called through, and at its return:
 *
 *	16(rbp)	arguments on the stack, if there are any
 *	 8(rbp)	return address of the function
 *	  (rbp)	rbp of the function's caller
 *		at a return: the frame
 *		registers that the code uses, and so on
 */
#ifndef PE_ARCH_HIT_PARTS_H
#define PE_ARCH_HIT_PARTS_H

#include <linux/types.h>
#include "arch/x86/emit/emit.h"
#include "arch/x86/hit/emit_hit.h"
#include "kernel/trace/hit/record.h"
#include "kernel/trace/hit_stat.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/filter.h"
#include "kernel/trace/parse/hist.h"
#include "kernel/trace/parse/program.h"

#define PE_HIT_TESTS	8	/* of a filter */

/* Places to which a part goes in rare cases.  A part has either names of a union. */
struct hit_labels {
	union {
		struct pe_label off, paused;
	};
	union {
		struct pe_label rejected, uncounted;
	};
	struct pe_label limited, slow, raced, leave, elsewhere;
	u64 done;			/* address after the record */
	u64 after;			/* address after the part */
	u64 found;			/* address after its row has been found */
	unsigned int time;		/* @pushed after its probe's time; 0: it has none */
	unsigned int row;		/* @pushed after its row; likewise */
	unsigned int val[PE_HIST_VALS];	/* after a value that was in memory; likewise */
};

/**
 * struct hit - the code in the making
 * @e: the code
 * @env: what code needs to know of the kernel
 * @code: what is wanted
 * @pushed: bytes that the code has on the stack
 * @head: from rsp to the record's first 8 bytes, while the context is looked at
 * @nr_saved: registers that are there
 * @saved: which
 * @used: a bit for each register with a value that programs want
 * @strings: @pushed after the strings; 0: there are none
 * @with_strings: programs have some, and a place for them is needed
 * @name: the only string of the only part is the task's name: it goes to the record at once
 * @above: bytes on the stack above the registers: the name
 * @guarded: programs read memory, or a function is the clock: a handler is said to be running
 * @users: programs read user memory
 * @light: no part makes a record, so less of the context has to be known
 * @lean: all parts need no registers but r10 and r11
 * @task: r10 is the task
 * @bare: the filter of the only part's trigger is the first that the code looks at
 * @nr_words: of the longest key
 * @size: of the record with its first word, 0: it is in struct hit_strings, or r9 has the length
 *	of the name
 * @plain: address after the test of preempt_count()
 * @preempted: address after preemption is on again, at the end
 * @depth: the way out if the task has preemption off already
 * @slow: the way out to C code
 * @slow_preempt: the same, with preemption switched off by the code
 * @slow_time: the same, of the first part of a return that has a time
 * @interpret_preempt: the same, without a register on the stack
 * @resched: the way out to the scheduler
 * @resched_bare: the same, without a register on the stack
 * @enter: address of the code that enters the call; 0: not yet
 * @part: in the making; so are the next ones
 * @nr: of the part
 * @at: labels of each part
 */
struct hit {
	struct pe_emit *e;
	const struct pe_hit_env *env;
	const struct pe_hit_code *code;
	unsigned int pushed, head, nr_saved, strings, above, size, used;
	enum pe_reg saved[8];
	bool with_strings, name, guarded, users, light, lean, task, bare;
	unsigned int nr_words;
	u64 plain, preempted;
	struct pe_label depth, slow, slow_preempt, slow_time, interpret_preempt;
	struct pe_label resched, resched_bare;
	u64 enter;

	const struct pe_hit_part *part;
	unsigned int nr;
	struct hit_labels *at;
};

static inline bool pe_hit_has_strings(const struct pe_program *program)
{
	const struct pe_arg *arg;

	for (arg = program->rest; arg < program->end; arg++) {
		if (pe_type_is_string(arg->type))
			return true;
	}
	return false;
}

/* rax: the TSC.  Uses rdx. */
static inline void pe_hit_emit_tsc(struct pe_emit *e)
{
	pe_emit_byte(e, 0x0f);					/* rdtsc */
	pe_emit_byte(e, 0x31);
	pe_emit_shift(e, PE_SHL, PE_RDX, 32, 8);
	pe_emit_alu(e, PE_ALU_OR, PE_RAX, PE_RDX);
}

/* The labels of the part in the making. */
static inline struct hit_labels *pe_hit_labels(struct hit *h)
{
	return &h->at[h->nr];
}

static inline bool pe_hit_is_return(const struct hit *h)
{
	return h->code->from == PE_CODE_RETURN;
}

/* Returns call what they share, but for this. */
static inline bool pe_hit_shares_context(const struct hit *h)
{
	return pe_hit_is_return(h) && !h->name;
}

/*
 * The place where the part in the making leaves itself to C.  The first one goes on as if nothing
 * had been done, so if nothing has to be undone it is the place where the context does.
 */
static inline struct pe_label *pe_hit_slow(struct hit *h)
{
	return h->nr || h->guarded ? &pe_hit_labels(h)->slow : &h->slow_preempt;
}

/*
 * The way out of a hit that C code counts.  If that took the time of a return anew, it would find a
 * longer one, and so not make the row of the time that compiled hits find.
 */
static inline struct pe_label *pe_hit_count_slow(struct hit *h)
{
	return !h->nr && pe_hit_labels(h)->time ? &h->slow_time : pe_hit_slow(h);
}

/* The place of the value that was pushed when @pushed was @at. */
static inline struct pe_mem pe_hit_pushed_at(const struct hit *h, unsigned int at)
{
	return pe_at(PE_RSP, h->pushed - at);
}

/* Registers that have the words of a key. */
#define PE_HIT_WORDS	5
extern const enum pe_reg pe_hit_words[PE_HIT_WORDS];

/* emit_regs.c: the probed code's registers, and where the code keeps them */
int pe_hit_reg_at(unsigned int offset);
void pe_hit_push_name(struct hit *h);
struct pe_mem pe_hit_name(const struct hit *h, int offset);
void pe_hit_save(struct hit *h);
void pe_hit_restore(struct hit *h);
void pe_hit_restore_done(struct hit *h);
void pe_hit_drop(struct hit *h);
bool pe_hit_saves_few(const struct hit *h);
enum pe_reg pe_hit_value(struct hit *h, const struct pe_fetch *fetch, enum pe_reg scratch);

/* In a detour: the probed code's flags. */
static inline struct pe_mem pe_hit_flags(const struct hit *h)
{
	return pe_at(PE_RSP, h->pushed + 16);
}

/* emit_context.c */
void pe_hit_disable_preemption(struct hit *h);
void pe_hit_undo_preemption(struct hit *h);
void pe_hit_enable_preemption(struct hit *h, struct pe_label *resched);
void pe_hit_emit_idle(struct hit *h, struct pe_label *idle);
void pe_hit_emit_context(struct hit *h);
void pe_hit_emit_context_exits(struct hit *h);
void pe_hit_emit_user(struct hit *h, struct pe_label *none);
void pe_hit_emit_end_guarded(struct hit *h);
void pe_hit_emit_lost_return(struct hit *h, enum pe_loss loss);

/* emit_return.c */
void pe_hit_begin_return(struct hit *h);
void pe_hit_emit_true_return(struct hit *h);
void pe_hit_push_times(struct hit *h);
void pe_hit_keep_times(struct hit *h);

/* emit_filter.c */
const struct pe_arg *pe_hit_arg_at(const struct pe_program *program, unsigned int offset);
const char *pe_hit_can_filter(const struct pe_program *program, const struct pe_filter *filter);
void pe_hit_emit_filter(struct hit *h);
void pe_hit_emit_filter_of(struct hit *h, const struct pe_filter *filter,
			   struct pe_label *rejected);

/* emit_key.c */
void pe_hit_look_at_count(struct hit *h, const struct pe_hit_part *part);
void pe_hit_push_rows(struct hit *h);	/* and values */
void pe_hit_emit_key(struct hit *h);
void pe_hit_emit_value(struct hit *h, unsigned int i, enum pe_reg to);

/* emit_count.c */
bool pe_hit_is_lean(const struct hit *h, const struct pe_hit_part *part);
void pe_hit_emit_find(struct hit *h);
void pe_hit_emit_add(struct hit *h);
void pe_hit_emit_rejected(struct hit *h);
void pe_hit_emit_count(struct hit *h, enum pe_reg reg, unsigned int result);
void pe_hit_emit_count_exits(struct hit *h);

/* emit_fetch.c */
const char *pe_hit_cannot_load(const struct pe_fetch *fetch);
const char *pe_hit_can_fetch(const struct pe_program *program);
void pe_hit_look_at_arg(struct hit *h, const struct pe_arg *arg);
void pe_hit_look_at(struct hit *h, const struct pe_program *program);
void pe_hit_look_for_name(struct hit *h);
void pe_hit_push_strings(struct hit *h);
void pe_hit_put_name(struct hit *h);
void pe_hit_emit_strings(struct hit *h);
void pe_hit_emit_number(struct hit *h, const struct pe_arg *arg);
enum pe_reg pe_hit_emit_bits(struct hit *h, const struct pe_arg *arg, enum pe_reg to,
			     enum pe_reg from);
void pe_hit_emit_args(struct hit *h);
struct pe_mem pe_hit_string_size(const struct hit *h);

/* emit_ring.c */
void pe_hit_emit_ring(struct hit *h);
void pe_hit_emit_reserve(struct hit *h);
void pe_hit_emit_leave(struct hit *h);
void pe_hit_emit_ring_exits(struct hit *h);
struct pe_mem pe_hit_in_record(const struct hit *h, unsigned int offset);

#endif
