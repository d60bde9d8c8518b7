// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * jump_insn.c - may a jump replace the instructions at a site, and its detour.
 *
 * The text is looked at as it runs, and as it is without probes.  Three questions are answered
 * here; targets of far branches are in text_targets.c, reserved text is policy's.
 *
 *   - Which instructions does a jump replace, and can they be moved?  (detour.c)
 *   - Does a branch from nearby lead between them?  (targets.c)
 *   - May an indirect jump lead there?  One that goes by a table of addresses is found in the
 *     data, by text_targets.c.  A table of distances is not.  The compiler makes no tables if the
 *     kernel is configured for retpolines or IBT.  Assembler may have some: it is recognised by
 *     having no call of ftrace.  So an indirect jump in a function that may not be the compiler's,
 *     or in any function of another kernel, ends the matter.
 *
 * On any doubt there is no jump.
 *
 * If there is none of five bytes, one of two may go to an island: five bytes of padding within its
 * reach, which jump on to the detour (jump/islands.c).  The questions are the same, and they are
 * asked of the padding, too.
 */
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <pe/kprobe.h>
#include <pe/symbols.h>
#include <pe_arch/site_jump.h>
#include "arch/x86/insn/insn_check.h"
#include "arch/x86/insn/targets.h"
#include "kernel/arch.h"
#include "kernel/engine.h"
#include "kernel/know/compat.h"
#include "kernel/know/ksyms.h"
#include "kernel/know/names.h"
#include "kernel/policy/policy.h"
#include "kernel/probe/hidden.h"

#define INT3_OPCODE	0xcc
#define CALL_OPCODE	0xe8
#define JMP8_OPCODE	0xeb
#define MAX_CODE	(64 * 1024)	/* bytes; a longer function is not looked at */

/* In a detour: push $site + 1; call pe_detour_front; lea 8(%rsp),%rsp. */
static const u8 pe_lea_rsp[] = { 0x48, 0x8d, 0x64, 0x24, 0x08 };
#define BODY_OFF	(PE_PUSH_SIZE + PE_JMP32_SIZE + sizeof(pe_lea_rsp))

/* A function's code as it is without probes, to be freed.  Return: 0, or -errno as below. */
static int pe_jump_insn_read_function(u8 **code, unsigned long start, unsigned long size,
				      const char **why)
{
	*why = "the function is too long";
	if (size > MAX_CODE)
		return -EOPNOTSUPP;
	*why = "no memory";
	*code = kvmalloc(size, GFP_KERNEL);
	if (!*code)
		return -EAGAIN;
	if (pe_text_read(*code, start, size)) {
		pe_hidden_recover(*code, start, size);
		return 0;
	}
	*why = "the function cannot be read";
	kvfree(*code);
	return -EOPNOTSUPP;
}

/* Is this the compiler's code, which has no tables of distances? */
static bool pe_is_compiled(unsigned long start)
{
	return PE_NO_JUMP_TABLES && pe_traced_function(start);
}

/*
 * A jump to a thunk is an indirect one.  The thunks that the kernel allocates for a module's
 * indirect jumps (ITS) have no symbol.
 */
static bool pe_is_thunk(unsigned long addr)
{
	char name[KSYM_SYMBOL_LEN];
	unsigned long start, size;

	if (!pe_symbol_at(addr, &start, &size))
		return true;
	pe_symbol_name(addr, name);
	return !strncmp(name, "__x86_indirect_", 15);
}

static bool pe_jumps_to_thunk(const u8 *code, size_t size, unsigned long start)
{
	struct pe_insn insn;
	unsigned long to;
	size_t off = 0;

	while (pe_insn_next(&insn, code, size, &off) > 0) {
		to = start + off + insn.imm;
		if (!(insn.flags & PE_INSN_REL_BRANCH) || to - start < size ||
		    (insn.map == PE_MAP_ONE && insn.opcode == CALL_OPCODE))
			continue;
		if (pe_is_thunk(to))
			return true;
	}
	return false;
}

/* Is there, in this function, a way into [from, to)?  NULL: no. */
static const char *pe_way_in(unsigned long start, const u8 *code, size_t size, unsigned long from,
			     unsigned long to)
{
	unsigned long most = min(size, to + PE_SHORT_BACK - start);
	bool own = from - start < size;
	unsigned int ways;

	ways = pe_ways_scan(code, own ? size : most, size, start, from, to);

	if (ways & PE_WAYS_UNKNOWN)
		return "code nearby is not understood";
	if (ways & PE_WAYS_INTO)
		return "a branch leads between the instructions";
	if (own && !pe_is_compiled(start) &&
	    ((ways & PE_WAYS_INDIRECT) || pe_jumps_to_thunk(code, size, start)))
		return "the function jumps indirectly";
	return NULL;
}

/*
 * The functions from which a short branch into [from, to) could come, but the one at @known.
 * Return: 0, or -errno as below.
 */
static int pe_ways_in(unsigned long known, unsigned long from, unsigned long to, const char **why)
{
	unsigned long at = from - PE_SHORT_FORWARD - PE_INSN_MAX, fn, size;
	unsigned long last = to + PE_SHORT_BACK;
	u8 *code;
	int err;

	while (at < last) {
		if (!pe_symbol_at(at, &fn, &size) || at - fn >= size) {
			at++;		/* before the first function, or after the last one */
			continue;
		}
		at = fn + size;
		if (fn == known)
			continue;
		if (from - fn >= size)
			size = min(size, last + PE_INSN_MAX - fn);
		err = pe_jump_insn_read_function(&code, fn, size, why);
		if (err)
			return err;
		*why = pe_way_in(fn, code, size, from, to);
		kvfree(code);
		if (*why)
			return -EOPNOTSUPP;
	}
	return 0;
}

/* The window at @addr in a function's code, and ways into it from there. */
static const char *pe_jump_insn_examine(struct pe_arch_jump *j, unsigned long addr,
					unsigned int jump, unsigned long start, const u8 *code,
					size_t size)
{
	size_t off = addr - start;
	struct pe_insn insn;
	const char *why;

	if (pe_insn_boundary(&insn, code, size, off))
		return "not an instruction boundary";
	if (pe_window_measure(&j->window, code + off, size - off, jump, &why))
		return why;
	memcpy(j->was, code + off, j->window.length);
	return pe_way_in(start, code, size, addr + 1, addr + j->window.length);
}

/**
 * pe_arch_jump_examine() - which instructions would a jump replace, and may it?
 * @j: gets the window
 * @addr: of a site
 * @size: bytes of the jump: PE_ARCH_JUMP_SIZE, or PE_ARCH_SHORT_SIZE to an island
 * @why: becomes the reason, if it may not
 *
 * Context: process, pe_mutex held.
 * Return: 0; -EOPNOTSUPP: it may not; -EAGAIN: there is no memory to tell.
 */
int pe_arch_jump_examine(struct pe_arch_jump *j, unsigned long addr, unsigned int size,
			 const char **why)
{
	unsigned long start, length;
	u8 *code;
	int err;

	lockdep_assert_held(&pe_mutex);
	*why = "no function is known to hold the address";
	j->island = 0;
	if (!pe_symbol_at(addr, &start, &length))
		return -EOPNOTSUPP;
	err = pe_jump_insn_read_function(&code, start, length, why);
	if (err)
		return err;
	*why = pe_jump_insn_examine(j, addr, size, start, code, length);
	kvfree(code);
	return *why ? -EOPNOTSUPP : pe_ways_in(start, addr + 1, addr + j->window.length, why);
}

/*
 * Bytes at the end of a function that may belong to the entry of the next one: room for what the
 * kernel puts there at boot (call thunks, FineIBT).  It has a symbol of its own, mostly.
 */
static unsigned long pe_room_of_next(unsigned long end)
{
	char name[KSYM_SYMBOL_LEN];

	pe_symbol_name(end, name);
	return strncmp(name, "__pfx_", 6) && strncmp(name, "__cfi_", 6) ? PE_ENTRY_PADDING : 0;
}

/* May these bytes of the padding from @pad on be an island?  Return: 0, or -errno. */
static int pe_check_island(struct pe_arch_jump *j, unsigned long pad, unsigned long at,
			   const u8 *bytes, pe_island_is_free_t *is_free)
{
	const char *why;
	int err = pe_arch_targets_between(at, at + PE_JMP32_SIZE, &why);

	if (!err)
		err = pe_ways_in(0, at, at + PE_JMP32_SIZE, &why);
	if (!err)
		err = is_free(pad, at);
	if (err)
		return err;
	j->island = at;
	memcpy(j->island_was, bytes, PE_JMP32_SIZE);
	return 0;
}

/*
 * What the candidates so far answer, with one more.  If one is taken, the answer is 0.  If one may
 * do later, it must not be -EOPNOTSUPP: the others are no reason never to ask again.  -EAGAIN goes
 * before -EBUSY: it asks again by itself.
 */
static int pe_join_answers(int so_far, int one)
{
	return !one || so_far == -EOPNOTSUPP || one == -EAGAIN ? one : so_far;
}

/* In the padding of the function at @start that the short jump reaches. */
static int pe_jump_insn_find_in(struct pe_arch_jump *j, unsigned long addr, unsigned long start,
				unsigned long size, const u8 *code, pe_island_is_free_t *is_free)
{
	unsigned long low = addr + PE_JMP8_SIZE - PE_SHORT_BACK, at, end;
	unsigned long high = addr + PE_JMP8_SIZE + PE_SHORT_FORWARD;
	size_t off = 0, pad, len;
	int err = -EOPNOTSUPP;

	while (err && (len = pe_padding_next(code, size, &off, &pad))) {
		end = start + pad + len;
		for (at = max(start + pad, low); err && at + PE_JMP32_SIZE <= end && at <= high;
		     at += PE_JMP32_SIZE)
			err = pe_join_answers(err, pe_check_island(j, start + pad, at,
								   code + (at - start), is_free));
	}
	return err;
}

/**
 * pe_arch_island_find() - where may a short jump at a site go on?
 * @j: examined, for a short jump; gets the island
 * @addr: of the site
 * @is_free: of jump/islands.c
 *
 * An island is five bytes of padding inside the kernel's text, between instructions of functions
 * that the compiler has made.  No control comes there, so a jump to the detour may be there.
 * Padding that has a symbol of its own is not looked at: it has another use.  Nor are modules:
 * their text may go while a task is on its way through an island.
 *
 * Context: process, pe_mutex held, the kernel's kprobes locked.
 * Return: 0; -EOPNOTSUPP: never; -EBUSY, -EAGAIN: not now.
 */
int pe_arch_island_find(struct pe_arch_jump *j, unsigned long addr, pe_island_is_free_t *is_free)
{
	unsigned long at = addr + PE_JMP8_SIZE - PE_SHORT_BACK, fn, size, room;
	unsigned long last = addr + PE_JMP8_SIZE + PE_SHORT_FORWARD;
	int err = -EOPNOTSUPP, one;
	const char *why;
	u8 *code;

	lockdep_assert_held(&pe_mutex);
	if (!pe_ks(core_kernel_text)(addr))
		return err;
	for (; err && at <= last; at = fn + size) {
		if (!pe_symbol_at(at, &fn, &size) || at - fn >= size)
			return err;
		room = pe_room_of_next(fn + size);
		if (!pe_is_compiled(fn) || room >= size)
			continue;
		one = pe_jump_insn_read_function(&code, fn, size, &why);
		if (!one) {
			one = pe_jump_insn_find_in(j, addr, fn, size - room, code, is_free);
			kvfree(code);
		}
		err = pe_join_answers(err, one);
	}
	return err;
}

/* The @i-th instruction of the window as a site of its own; false: there is none. */
bool pe_arch_jump_insn(const struct pe_arch_jump *j, unsigned int i, struct pe_arch_site *as,
		       unsigned int *off)
{
	struct pe_insn insn;

	lockdep_assert_held(&pe_mutex);
	memset(as, 0, sizeof(*as));
	if (i >= j->window.nr)
		return false;
	*off = j->window.off[i];
	if (pe_insn_decode(&insn, j->was + *off, j->window.length - *off))
		return false;
	memcpy(as->insn, j->was + *off, insn.length);
	as->cls.length = insn.length;
	return true;
}

/* An address that the compiler knows would be taken for one that is called. */
static char *pe_jump_insn_slot_of(unsigned int detour)
{
	char *slots = pe_detours;

	OPTIMIZER_HIDE_VAR(slots);
	return slots + detour * PE_ARCH_DETOUR_SIZE;
}

/* Make the jump to the island, and the one from there on to @detour. */
static int pe_put_short_jump(struct pe_arch_jump *j, unsigned long addr, unsigned long detour)
{
	long distance = j->island - (addr + PE_JMP8_SIZE);

	if (distance < -PE_SHORT_BACK || distance > PE_SHORT_FORWARD)
		return -ERANGE;
	j->put[0] = JMP8_OPCODE;
	j->put[1] = distance;
	return pe_emit_jmp32(j->island_put, j->island, detour);
}

/**
 * pe_arch_jump_write() - write the detour of a site
 * @j: examined; becomes complete
 * @addr: of the site
 * @detour: a slot that no task is in
 * @us: what it calls: pe_detour_stub(), or what leads there
 *
 * Context: process, pe_mutex held.
 * Return: 0, or -errno if the detour cannot do what the window does.
 */
int pe_arch_jump_write(struct pe_arch_jump *j, unsigned long addr, unsigned int detour,
		       unsigned long us)
{
	char *slot = pe_jump_insn_slot_of(detour);
	unsigned long at = (unsigned long)slot;
	u8 code[PE_ARCH_DETOUR_SIZE];
	u16 index = detour * PE_DETOUR_WORDS;
	int err;

	lockdep_assert_held(&pe_mutex);
	memset(code, INT3_OPCODE, sizeof(code));
	err = pe_put_push(code, addr + 1);
	if (err < 0)
		return err;
	err = pe_emit_jmp32(code + PE_PUSH_SIZE, at + PE_PUSH_SIZE, us);
	if (err < 0)
		return err;
	code[PE_PUSH_SIZE] = CALL_OPCODE;
	memcpy(code + PE_PUSH_SIZE + PE_JMP32_SIZE, pe_lea_rsp, sizeof(pe_lea_rsp));
	err = pe_window_relocate(code + BODY_OFF, PE_DETOUR_INDEX - BODY_OFF, &j->window, j->was,
				 addr, at + BODY_OFF);
	if (err < 0)
		return err;
	memcpy(code + PE_DETOUR_INDEX, &index, sizeof(index));
	j->body = at + BODY_OFF;
	memset(j->put, INT3_OPCODE, sizeof(j->put));
	err = j->island ? pe_put_short_jump(j, addr, at) : pe_emit_jmp32(j->put, addr, at);
	if (err < 0)
		return err;
	pe_text_write_slot(slot, code, sizeof(code));
	return 0;
}

/* The return address of the call in a detour. */
unsigned long pe_arch_detour_return(unsigned int detour)
{
	return (unsigned long)pe_jump_insn_slot_of(detour) + PE_PUSH_SIZE + PE_JMP32_SIZE;
}

/* No task is in the slot. */
void pe_arch_detour_clear(unsigned int detour)
{
	u8 code[PE_ARCH_DETOUR_SIZE];

	lockdep_assert_held(&pe_mutex);
	memset(code, INT3_OPCODE, sizeof(code));
	pe_text_write_slot(pe_jump_insn_slot_of(detour), code, sizeof(code));
}
