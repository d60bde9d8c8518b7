// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fetch_hit.c - fetch the arguments of a program that are not just registers.  [P][H]
 *
 * A fetch is a load and a chain of memory reads; the last read fetches the
 * argument itself:
 *
 *	value = load
 *	for each dereference but the last: value = *(u64 *)(value + off)
 *	number:	read arg->type->size bytes at (value + off of the last one)
 *	string:	copy from (value + off of the last one), after the fixed part
 *	symstr:	the last dereference reads a pointer, too; its symbol is the text
 *	task:	the same; the name and pid of the task there are the text
 *	rwbs:	the same, of a word of flags
 *
 * A step that makes an address this CPU's reads nothing.
 *
 * Without any dereference the loaded value itself is stored, or is the string's
 * address.  The elements of an array of numbers are side by side.  An array of
 * strings has pointers side by side, which the last dereference reads.
 *
 * User and kernel addresses do not overlap.  So an address of the user's is
 * read as user memory even if the fetch asks for kernel memory.
 *
 * One pass: a string is copied once, to its final place.  A value that can't be
 * read becomes 0, and a string gets length 0; the record is written all the
 * same.
 */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <asm/page.h>
#include <pe/nofault.h>
#include <pe_arch/abi.h>
#include "fetch.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/limits.h"
#include "kernel/trace/parse/sym_text.h"

#define COMM_LEN	16
#define TASK_FLAGS	7	/* of an owner, as locks have it */

/* The place of string data. */
struct tail {
	void *rec;
	unsigned int used;
	unsigned int room;
};

/* Word @n of the stack, 0 past the end of the stack that sp points into. */
static __always_inline u64 pe_stack_word(const struct pt_regs *regs, unsigned int n)
{
	unsigned long sp = pe_fetch_reg(regs, PE_ARCH_REG_SP), addr = sp + n * sizeof(long), word;

	if ((addr ^ sp) & ~((unsigned long)THREAD_SIZE - 1))
		return 0;
	return pe_read_nofault(&word, addr, sizeof(word)) ? word : 0;
}

/* At a function's entry. */
static u64 pe_function_arg(const struct pt_regs *regs, unsigned int n)
{
	return n < PE_REG_ARGS ? pe_fetch_reg(regs, pe_arg_regs[n]) :
				 pe_stack_word(regs, n - PE_REG_ARGS + PE_ARCH_ENTRY_WORDS);
}

/* pe_program_init() has turned all other loads of registers and the stack into these. */
static u64 pe_fetch_hit_load(const struct pe_fetch *fetch, struct pe_fetch_source from)
{
	switch (fetch->load) {
	case PE_LOAD_REG:
		return pe_fetch_reg(from.regs, fetch->reg);
	case PE_LOAD_STACK:
		return pe_stack_word(from.regs, fetch->index);
	case PE_LOAD_SAVED:
		return from.saved[fetch->index];
	case PE_LOAD_IMM:
		return fetch->imm;
	case PE_LOAD_CURRENT:
		return pe_current_task();
	default:
		return 0;
	}
}

static bool pe_read_mem(void *dst, u64 addr, unsigned int size, bool user)
{
	return user || pe_arch_is_user(addr) ? pe_read_user_nofault(dst, addr, size) :
		      pe_read_nofault(dst, addr, size);
}

/* Follow the first @n dereferences.  False if one of them faults. */
static bool pe_fetch_hit_follow(const struct pe_fetch *fetch, unsigned int n, u64 *value)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct pe_deref *deref = &fetch->deref[i];

		if (deref->cpu)
			*value += pe_cpu_offset();
		else if (!pe_read_mem(value, *value + deref->off, sizeof(*value), deref->user))
			return false;
	}
	return true;
}

/* Bits [shift, shift + width) of a stored container replace it. */
static void pe_extract_bits(void *dst, const struct pe_arg *arg)
{
	unsigned int size = arg->type->size;
	u64 value = 0;

	memcpy(&value, dst, size);
	value = (value >> arg->bf_shift) & (U64_MAX >> (64 - arg->bf_width));
	pe_fetch_store(dst, value, size);
}

static unsigned int pe_fetch_hit_elements(const struct pe_arg *arg)
{
	return arg->count ? arg->count : 1;
}

/* Numbers in memory: one, or the elements of an array. */
static void pe_fetch_numbers(void *dst, const struct pe_arg *arg, u64 value)
{
	const struct pe_fetch *fetch = &arg->fetch;
	const struct pe_deref *last = &fetch->deref[fetch->nr_derefs - 1];
	unsigned int i, n = pe_fetch_hit_elements(arg);
	unsigned int size = arg->type->size;

	if (!pe_fetch_hit_follow(fetch, fetch->nr_derefs - 1, &value)) {
		memset(dst, 0, arg->size);
		return;
	}
	value += last->off;
	for (i = 0; i < n; i++, dst += size, value += size) {
		if (!pe_read_mem(dst, value, size, last->user))
			memset(dst, 0, size);
		else if (arg->bf_width)
			pe_extract_bits(dst, arg);
	}
}

/*
 * Set a string's word in the fixed part.  @len: bytes with the NUL at the
 * tail's end, or 0 or less if there is no string.
 */
static void pe_add_string(void *dst, struct tail *tail, long len)
{
	u32 loc = tail->used;

	if (len > 0) {
		loc |= (u32)len << 16;
		tail->used += len;
	}
	memcpy(dst, &loc, sizeof(loc));
}

/* Copy a text that needs no memory read, cut to what fits. */
static long pe_fetch_hit_copy_text(char *to, unsigned int room, const char *text, size_t size)
{
	size_t len = strnlen(text, size);

	if (len >= room)
		len = room - 1;
	memcpy(to, text, len);
	to[len] = 0;
	return len + 1;
}

/* Bytes before the first NUL; there is one. */
static unsigned int pe_comm_length(const char comm[COMM_LEN])
{
	unsigned int i;
	u64 word;

	for (i = 0; i < COMM_LEN; i += sizeof(word)) {
		memcpy(&word, comm + i, sizeof(word));
		word = (word - 0x0101010101010101) & ~word & 0x8080808080808080;
		if (word)
			return i + __builtin_ctzll(word) / 8;
	}
	return COMM_LEN - 1;
}

/* The current task's name: a text whose length is known. */
static long pe_copy_comm(char *to, unsigned int room)
{
	char comm[COMM_LEN];

	pe_current_comm(comm);
	if (unlikely(room < COMM_LEN))
		return pe_fetch_hit_copy_text(to, room, comm, sizeof(comm));
	memcpy(to, comm, sizeof(comm));
	return pe_comm_length(comm) + 1;
}

/* "NAME-PID", "-" without a task.  The pointer's low bits are the lock's. */
static long pe_fetch_task(char *to, unsigned int room, u64 value)
{
	char comm[COMM_LEN];
	int pid;

	value &= ~(u64)TASK_FLAGS;
	if (!value)
		return scnprintf(to, room, "-") + 1;
	if (pe_arch_is_user(value) || !pe_read_task(value, &pid, comm))
		return scnprintf(to, room, "(fault)") + 1;
	return scnprintf(to, room, "%s-%d", comm, pid) + 1;
}

static long pe_fetch_rwbs(char *to, unsigned int room, u64 value)
{
	char text[PE_RWBS_LEN];

	pe_rwbs_text(value, text);
	return pe_fetch_hit_copy_text(to, room, text, sizeof(text));
}

/* Fetch one string.  @value: its address, or what is told by its name. */
static void pe_fetch_string(void *dst, struct tail *tail, const struct pe_arg *arg,
			    u64 value, bool user, const char *pool)
{
	char *to = tail->rec + tail->used;
	unsigned int room = min(tail->room - tail->used, PE_MAX_STRING_SIZE + 0U);
	long len;

	if (!room) {
		pe_add_string(dst, tail, 0);
		return;
	}
	if (arg->type->class == PE_CLASS_SYMSTR)
		len = pe_sprint_symbol(to, room, value) + 1;
	else if (arg->type->class == PE_CLASS_TASK)
		len = pe_fetch_task(to, room, value);
	else if (arg->type->class == PE_CLASS_RWBS)
		len = pe_fetch_rwbs(to, room, value);
	else if (arg->fetch.load == PE_LOAD_COMM)
		len = pe_copy_comm(to, room);
	else if (arg->fetch.load == PE_LOAD_STR)
		len = pe_fetch_hit_copy_text(to, room, pool + arg->fetch.str, PE_SPEC_POOL);
	else if (user || pe_arch_is_user(value))
		len = pe_strncpy_user_nofault(to, value, room);
	else
		len = pe_strncpy_nofault(to, value, room);
	pe_add_string(dst, tail, len);
}

/* A pointer that cannot be read.  A task's text says so itself. */
static void pe_fetch_no_string(void *dst, struct tail *tail, const struct pe_arg *arg)
{
	if (arg->type->class == PE_CLASS_TASK)
		pe_fetch_string(dst, tail, arg, PAGE_SIZE, false, NULL);
	else
		pe_add_string(dst, tail, 0);
}

static void pe_fetch_strings(void *dst, struct tail *tail,
			     const struct pe_arg *arg, u64 value, const char *pool)
{
	const struct pe_fetch *fetch = &arg->fetch;
	bool pointers = arg->count || pe_type_names_value(arg->type);
	bool user = arg->type->class == PE_CLASS_USTRING;
	unsigned int i, n = pe_fetch_hit_elements(arg);
	const struct pe_deref *last;
	u64 pointer;

	if (!fetch->nr_derefs) {
		/* Only the first element of an array can be named this way. */
		pe_fetch_string(dst, tail, arg, value, user, pool);
		for (i = 1; i < n; i++)
			pe_add_string(dst + i * sizeof(u32), tail, 0);
		return;
	}

	last = &fetch->deref[fetch->nr_derefs - 1];
	if (!pe_fetch_hit_follow(fetch, fetch->nr_derefs - 1, &value)) {
		for (i = 0; i < n; i++)
			pe_fetch_no_string(dst + i * sizeof(u32), tail, arg);
		return;
	}
	value += last->off;
	if (!pointers) {
		pe_fetch_string(dst, tail, arg, value, user || last->user, pool);
		return;
	}
	for (i = 0; i < n; i++, dst += sizeof(u32), value += 8) {
		if (pe_read_mem(&pointer, value, sizeof(pointer), last->user))
			pe_fetch_string(dst, tail, arg, pointer, user, pool);
		else
			pe_fetch_no_string(dst, tail, arg);
	}
}

static void pe_fetch_arg(struct tail *tail, const struct pe_arg *arg, const char *pool,
			 struct pe_fetch_source from)
{
	u64 value = pe_fetch_hit_load(&arg->fetch, from);
	void *dst = tail->rec + arg->offset;

	if (pe_type_is_string(arg->type)) {
		pe_fetch_strings(dst, tail, arg, value, pool);
	} else if (pe_fetch_in_memory(&arg->fetch)) {
		pe_fetch_numbers(dst, arg, value);
	} else {
		if (!pe_fetch_hit_follow(&arg->fetch, arg->fetch.nr_derefs, &value))
			value = 0;
		pe_fetch_store(dst, value, arg->size);
		if (arg->bf_width)
			pe_extract_bits(dst, arg);
	}
}

unsigned int pe_fetch_rest(void *rec, unsigned int room, const struct pe_program *program,
			   struct pe_fetch_source from)
{
	struct tail tail = { rec, program->fixed, max(room, program->fixed + 0U) };
	const struct pe_arg *arg;

	for (arg = program->rest; arg < program->end; arg++)
		pe_fetch_arg(&tail, arg, program->pool, from);
	return tail.used;
}

void pe_fetch_saved(u64 *to, const struct pe_program *program, const struct pt_regs *regs)
{
	unsigned int i;

	for (i = 0; i < program->nr_saved; i++)
		if (program->saved[i] < PE_SAVE_SINCE)
			to[i] = pe_function_arg(regs, program->saved[i]);
}
