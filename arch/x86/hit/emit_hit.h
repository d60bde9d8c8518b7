/* SPDX-License-Identifier: GPL-2.0 */
/*
 * emit_hit.h - the machine code of a site's hits.  [P]
 */
#ifndef PE_ARCH_EMIT_HIT_H
#define PE_ARCH_EMIT_HIT_H

#include <linux/types.h>
#include <pe/code.h>
#include "arch/x86/emit.h"

struct pe_filter;
struct pe_program;

/* Records that a hit of compiled code can make. */
#define PE_HIT_PARTS	8

/**
 * struct pe_hit_env - where the kernel and we keep what hits read; the same for all code
 * @preempt_count: variable of each CPU; so are the next ones, by their offsets from %gs
 * @current_task:
 * @cpu_number:
 * @busy: a word, 0 unless a handler is running; its first byte is the one of tasks
 * @name: a struct pe_cmdline_slot *, never NULL, where the task's name may be
 * @flags: in struct task_struct; so are the next ones
 * @flags_mask: bits of common_flags in @flags
 * @migration: nesting of migrate_disable(), 2 bytes
 * @softirq: nesting of softirqs where the task has it; 0: preempt_count() has it
 * @pid: pid and tgid, side by side
 * @comm: the name
 * @mm: NULL: there is no user memory
 * @pagefault_disabled: nesting of it, 4 bytes
 * @preempts: preempt_count() counts who disables preemption
 * @clock: how to read the clock "local": by a call of @read, which returns it in rax, and
 *	changes only that and the flags; or, if that is 0, (tsc * @mul >> @shift) + @offset, a
 *	variable of each CPU, as long as @seq, another one, is @seq_was.  @again: the second may
 *	be possible later
 * @cpus: in struct pe_buffer, the array of pointers to the CPUs' rings
 * @interpret: code to go on at, with the registers as the code has got them: do it in C.  At a
 *	return: the handler
 * @rest: the same; r11: &pe_hit_code.rest of what has not been done yet; preemption is off, and on
 *	afterwards
 * @detour_return: the same; nothing is left to be done.  Only in detours
 * @ret: how code returns that has popped rbp: 0: ret, or jump there
 *
 * The next ones are called, and change r10, r11 and the flags only, if not said otherwise.
 *
 * @leave_slow: publish what is in the ring in r11
 * @raced: leave the ring in r11
 * @resched: the task may be preempted
 * @load: by log2 of the size: read memory at the address in rax to rax; 0 without the flag CF if
 *	it cannot be read
 * @load_user: the same, user memory; for tasks that have some, with interrupts on
 * @string: copy a string from the address in rax to the one in rdx, where are
 *	PE_HIT_STRING_ROOM bytes.  rdx: behind its NUL.  Without the flag CF: it cannot be read, or
 *	is long, or at the end of a page.  Changes rax, rcx, r8, r9, r10, r11
 * @string_user: the same, from user memory
 *
 * Offsets in tasks are never 0: thread_info is there.
 */
struct pe_hit_env {
	s64 preempt_count, current_task, cpu_number, busy, name;
	unsigned int flags, flags_mask, migration, softirq, pid, comm, mm, pagefault_disabled;
	unsigned int cpus;
	bool preempts;
	struct {
		u64 read;
		s64 offset, seq;
		u32 seq_was, mul;
		u8 shift;
		bool again;
	} clock;
	u64 interpret[PE_CODE_NR_FROM], rest[PE_CODE_NR_FROM], detour_return, ret;
	u64 leave_slow, raced, resched;
	u64 load[4], load_user[4], string, string_user;
};

/* A string of a compiled hit, with its NUL; and the room that it needs while it is copied. */
#define PE_HIT_STRING_MAX	64
#define PE_HIT_STRING_ROOM	(PE_HIT_STRING_MAX + 8)

/**
 * struct pe_hit_part - one event's record in one instance
 * @inst: address of the instance's buffer pointer
 * @tracing_on: offset of the switch from there
 * @stat: offset of the probe's counters from %gs
 * @program: as pe_hit_can_emit() allows
 * @filter: the same; or NULL
 * @ip: of the record
 * @extra: the part before it is of the same probe
 */
struct pe_hit_part {
	u64 inst;
	s64 tracing_on;
	s64 stat;
	const struct pe_program *program;
	const struct pe_filter *filter;
	u64 ip;
	bool extra;
};

/**
 * struct pe_hit_code - what the code of a site does
 * @from: whence control comes.  rbp is pushed and set up in any case.  PE_CODE_ENTRY: rsp == rbp,
 *	and r10, r11 and the flags are free.  PE_CODE_DETOUR: flags, r11 and r10 are pushed
 *	below rbp.  PE_CODE_RETURN: control comes by a call with a handler's arguments, from
 *	return_arena.S.  rsi: a struct pe_hit, and behind it the struct pt_regs; preemption is
 *	off, a handler is said to be running.  There is one part
 * @live: address of a byte within 2 GB: 0: the code is out of date, do it in C
 * @parts: in their order
 * @nr_parts: 1 to PE_HIT_PARTS
 * @rest: address of what C code needs to do part 0; that of the others is behind it
 * @rest_size: of each
 */
struct pe_hit_code {
	enum pe_code_from from;
	u64 live;
	const struct pe_hit_part *parts;
	unsigned int nr_parts;
	u64 rest;
	unsigned int rest_size;
};

/* emit_hit.c */

/**
 * pe_hit_can_emit() - can a program and a filter be compiled?
 * @filter: or NULL
 *
 * Return: NULL, or why not: a constant string.
 */
const char *pe_hit_can_emit(const struct pe_program *program, const struct pe_filter *filter);

/* Makes the code.  Look at e->bad. */
void pe_emit_hit(struct pe_emit *e, const struct pe_hit_env *env, const struct pe_hit_code *code);

#endif
