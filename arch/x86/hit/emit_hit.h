/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * emit_hit.h - the machine code of a site's hits.  [P]
 */
#ifndef PE_ARCH_EMIT_HIT_H
#define PE_ARCH_EMIT_HIT_H

#include <linux/types.h>
#include <pe/code.h>
#include "arch/x86/emit/emit.h"
#include "kernel/trace/hit_stat.h"

struct pe_filter;
struct pe_hist;
struct pe_program;
struct pe_table_hits;

/* Records that a hit of compiled code can make. */
#define PE_HIT_PARTS	8

/**
 * struct pe_hit_env - where the kernel and we keep what hits read; the same for all code
 * @preempt_count: variable of each CPU; so are the next ones, by their offsets from %gs
 * @current_task:
 * @cpu_number:
 * @cpu_offset: from the address of a variable of each CPU to that of this CPU's
 * @name: a struct pe_cmdline_last: where the task's name may be
 * @flags: in struct task_struct; so are the next ones
 * @flags_mask: bits of common_flags in @flags
 * @migration: nesting of migrate_disable(), 2 bytes; 0: the kernel does not count it
 * @softirq: nesting of softirqs where the task has it; 0: preempt_count() has it
 * @task_flags: in struct task_struct
 * @idle: of these, that the task idles
 * @idle_unwatched: such tasks may be probed where RCU is not watching
 * @pid: pid and tgid, side by side
 * @comm: the name
 * @mm: NULL: there is no user memory
 * @pagefault_disabled: nesting of it, 4 bytes
 * @preempts: preempt_count() counts each disabling of preemption
 * @clock: how to read the clock "local": by a call of @read, which returns it in rax, and
 *	changes only that and the flags; or, if that is 0, (tsc * *@mul >> @shift) + @offset, a
 *	variable of each CPU, as long as @seq, another one, is @seq_was, or the variable
 *	@seq_of_cpu if CPUs differ.  @again: the second may be possible later
 * @skew: address of pe_elapsed.skew
 * @cpus: in struct pe_buffer, the array of pointers to the CPUs' rings
 * @factor: address of pe_elapsed.factor
 * @places: what the engine has; more of the code there is said below
 * @shared: code that all returns share; set by pe_emit_hit_shared()
 *
 * The next ones are called, and change r10, r11 and the flags only, if not said otherwise.
 *
 * @leave: leave the ring in r11, with its nest as it is: of a record that is written, or of none
 * @resched: the task may be preempted
 * @time: rax is a word of $elapsed (kernel/trace/hit/elapsed.h), not a count; changes no other
 *	register
 * @since: rax is a word, and then the nanoseconds since; changes no other register
 * @load: by log2 of the size: read memory at the address in rax to rax; 0 without the flag CF if
 *	it cannot be read
 * @load_user: the same, user memory; for tasks that have some, with interrupts on
 * @string: copy a string from the address in rax to the one in rdx, where there are
 *	PE_HIT_STRING_ROOM bytes.  rdx: past its NUL.  Without the flag CF: it cannot be read, or
 *	is long, or at the end of a page.  Changes rax, rcx, r8, r9, r10, r11
 * @string_user: the same, from user memory
 *
 * Offsets in tasks are never 0: thread_info is there.
 *
 * The code in @places is entered with the registers as the code has got them, and with preemption
 * off, except interpret and done:
 *
 *   interpret	at a call that is called through: r11: the return address into the function
 *   rest	r11: &pe_hit_code.rest of what has not been done yet; preemption is on afterwards.
 *		For calls that are called through, and their returns: it is called, at a call with
 *		the return address into the function on the stack; and the code goes on
 *   done	at entries and returns something may be on the stack below rbp
 *   finish	rax, rcx, rdx and r8 have been pushed and nothing else; the code pops them
 *
 * The first byte of the word at busy there is the one of tasks.
 */
struct pe_hit_env {
	s64 preempt_count, current_task, cpu_number, cpu_offset, name;
	unsigned int flags, flags_mask, migration, softirq, pid, comm, mm, pagefault_disabled;
	unsigned int task_flags, idle;
	unsigned int cpus;
	bool preempts, idle_unwatched;
	struct {
		u64 read;
		s64 offset, seq, seq_of_cpu;
		u64 mul;
		u32 seq_was;
		u8 shift;
		bool again;
	} clock;
	u64 skew, factor;
	struct pe_code_places places;
	struct {
		u64 context, lost[PE_NR_LOSSES];
	} shared;
	u64 leave, resched, time, since;
	u64 load[4], load_user[4], string, string_user;
};

/* A string of a compiled hit, with its NUL; and the room that it needs while it is copied. */
#define PE_HIT_STRING_MAX	64
#define PE_HIT_STRING_ROOM	(PE_HIT_STRING_MAX + 8)

/**
 * struct pe_hit_count - how a trigger counts the hits of an event in an instance
 * @hist: what it asks for; NULL: there is none.  With @filter, as pe_hit_can_count() allows
 * @filter: its own, or NULL
 * @table: what it counts in; constant, but for ->now
 * @paused: address of a byte: 0: it counts
 */
struct pe_hit_count {
	const struct pe_hist *hist;
	const struct pe_filter *filter;
	const struct pe_table_hits *table;
	u64 paused;
};

/**
 * struct pe_hit_part - one event's record in one instance
 * @inst: address of the instance's buffer pointer
 * @tracing_on: offset of the switch from there
 * @stat: offset of the probe's counters from %gs
 * @program: as pe_hit_can_emit() allows
 * @filter: the same; or NULL
 * @ip: of the record
 * @count: the hit is counted, too
 * @count_only: and there is no record; @filter is not looked at
 * @extra: the part before it is of the same probe
 * @data_at: of a return probe: bytes from its data up to the frame's base
 * @gate: address of 4 bytes that are 0 as long as the event's limit lets hits through; 0: no limit
 * @cost: offset of a count of those hits from %gs; 0: they are not counted
 */
struct pe_hit_part {
	u64 inst;
	s64 tracing_on;
	s64 stat;
	const struct pe_program *program;
	const struct pe_filter *filter;
	u64 ip;
	struct pe_hit_count count;
	bool count_only;
	bool extra;
	unsigned int data_at;
	u64 gate;
	s64 cost;
};

/**
 * struct pe_hit_code - what the code of a site does
 * @from: where the code is entered from.  rbp is pushed and set up in any case.  PE_CODE_ENTRY: rsp
 *	== rbp, and r10, r11 and the flags are free.  PE_CODE_DETOUR: flags, r11 and r10 are pushed
 *	below rbp.  PE_CODE_CALL: as PE_CODE_ENTRY, but rbp is in the place of the return address
 *	into the function; the code ends with that of @frame->enter.  PE_CODE_RETURN: rbp is the
 *	base of a call's frame (return_arena.S), rsp is below the frame, and r10, r11, the flags
 *	and what callees need not preserve are free, but for rax and rdx.  The code drops the
 *	frame and returns
 * @live: address of a byte within 2 GB: 0: the code is out of date, do it in C
 * @parts: in their order
 * @nr_parts: 1 to PE_HIT_PARTS
 * @rest: address of what C code needs to do part 0; that of the others follows
 * @rest_size: of each
 * @frame: of calls that are called through, and their returns
 */
struct pe_hit_code {
	enum pe_code_from from;
	u64 live;
	const struct pe_hit_part *parts;
	unsigned int nr_parts;
	u64 rest;
	unsigned int rest_size;
	const struct pe_code_frame *frame;
};

/* emit_hit.c */

/**
 * pe_hit_can_emit() - can a program and a filter be compiled?
 * @program: the probe's
 * @filter: or NULL
 *
 * Return: NULL, or why not: a constant string.
 */
const char *pe_hit_can_emit(const struct pe_program *program, const struct pe_filter *filter);

/**
 * pe_hit_can_count() - can hits be counted by compiled code?
 * @program: the probe's.  Arguments that are not looked at may be such as cannot be compiled
 * @count: the trigger
 * @entry: the probe is at a function's first instruction, or a return probe
 *
 * Return: NULL, or why not: a constant string.
 */
const char *pe_hit_can_count(const struct pe_program *program, const struct pe_hit_count *count,
			     bool entry);

/* The same of what the entry of a return probe saves. */
const char *pe_hit_can_save(const struct pe_program *program);

/**
 * pe_emit_hit_shared() - the code that all returns share
 * @e: the code
 * @env: @shared is set
 */
void pe_emit_hit_shared(struct pe_emit *e, struct pe_hit_env *env);

/* Makes the code.  Look at e->bad.  The caller sees to it that only one is made at a time. */
void pe_emit_hit(struct pe_emit *e, const struct pe_hit_env *env, const struct pe_hit_code *code);

/**
 * pe_hit_emit_save() - what a return probe saves at the entry, as code
 * @e: the code
 * @env: what code needs to know of the kernel
 * @program: the probe's
 * @data_at: bytes from its data up to rbp
 *
 * The code may be in the middle of other code.  Uses r10, r11.  It changes no other register.
 */
void pe_hit_emit_save(struct pe_emit *e, const struct pe_hit_env *env,
		      const struct pe_program *program, unsigned int data_at);

#endif
