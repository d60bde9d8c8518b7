// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * text_patch.c - the only writer of kernel text.
 *
 * A breakpoint is one byte, and one byte is replaced atomically for every CPU that
 * fetches it.  A CPU executes either the old instruction or the int3, never a mixture.
 * So stop_machine() is not needed.
 *
 * pe_text_sync() interrupts every CPU and makes it execute a serialising instruction.  The
 * breakpoint handler runs with interrupts off from the trap to the return.  So afterwards
 * no CPU runs a stale copy of the old bytes.  No CPU is in the handler, or on its way there,
 * because of a breakpoint that has been taken out.  A CPU that comes up is not interrupted; so
 * pe_text_lock() also keeps CPUs from coming up.
 *
 * A jump of five bytes replaces a breakpoint, and the bytes after it.  Nothing executes these
 * bytes then: a hit of the breakpoint goes on in the detour, and no task or CPU is left among
 * them (jump/jump.c).
 *
 *   on:   1. write the bytes after the breakpoint.  2. pe_text_sync().
 *         3. write the first byte: e9 in the place of int3.  4. pe_text_sync().
 *   off:  1. write the first byte: int3.  2. pe_text_sync(): no CPU has the jump any more.
 *         3. write the bytes after it.  4. pe_text_sync().
 *
 * A jump of two bytes is written in the same way.  The island that it leads to is written before
 * step 1, and put back when no task can be in it (jump/islands.c).
 *
 * At each moment, a CPU that fetches the first byte finds a breakpoint, or a complete jump.
 */
#include <linux/cpu.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "kernel/arch.h"
#include "kernel/know/ksyms.h"
#ifndef PE_NO_JUMPS
#include <pe_arch/site_jump.h>
#endif

#define ENDBR64			0xfa1e0ff3U	/* f3 0f 1e fa */
/* Sealing puts these over the ENDBR64 of a function that is never called indirectly. */
#define ENDBR_POISON_NOPW	0x001f0f66U	/* 66 0f 1f 00 */
#define ENDBR_POISON_NOPL	0xd6401f0fU	/* 0f 1f 40 d6 */

static const u8 pe_int3_byte = 0xcc, pe_jmp32_byte = 0xe9;

void pe_text_lock(void)
{
	cpus_read_lock();
	mutex_lock(pe_ks_data.text_mutex);
}

void pe_text_unlock(void)
{
	mutex_unlock(pe_ks_data.text_mutex);
	cpus_read_unlock();
}

void pe_text_sync(void)
{
	pe_ks_text_sync();
}

bool pe_text_is(const struct pe_arch_site *as, unsigned long addr)
{
	u8 now[PE_INSN_MAX];
	size_t len = as->cls.length;

	return !copy_from_kernel_nofault(now, (void *)addr, len) && !memcmp(now, as->insn, len);
}

bool pe_text_has_breakpoint(unsigned long addr)
{
	u8 now;

	return !copy_from_kernel_nofault(&now, (void *)addr, 1) && now == pe_int3_byte;
}

void pe_text_put_breakpoint(unsigned long addr)
{
	pe_ks(text_poke)((void *)addr, &pe_int3_byte, 1);
}

void pe_text_restore(const struct pe_arch_site *as, unsigned long addr)
{
	pe_ks(text_poke)((void *)addr, as->insn, 1);
}

void pe_text_restore_jump(unsigned long addr)
{
	pe_ks(text_poke)((void *)addr, &pe_jmp32_byte, 1);
}

void pe_text_write_slot(void *slot, const void *code, size_t len)
{
	mutex_lock(pe_ks_data.text_mutex);
	pe_ks(text_poke)(slot, code, len);
	mutex_unlock(pe_ks_data.text_mutex);
}

void pe_text_replace_live(unsigned long addr, const void *code, size_t len)
{
	pe_text_lock();
	pe_ks_text_change((void *)addr, code, len, NULL);
	pe_text_unlock();
}

bool pe_text_read(void *dst, unsigned long src, size_t len)
{
	bool ok;

	mutex_lock(pe_ks_data.text_mutex);
	ok = !copy_from_kernel_nofault(dst, (void *)src, len);
	mutex_unlock(pe_ks_data.text_mutex);
	return ok;
}

unsigned long pe_arch_skip_entry_mark(unsigned long addr)
{
	u32 word;

	if (copy_from_kernel_nofault(&word, (void *)addr, sizeof(word)))
		return addr;
	if (word == ENDBR64 || word == ENDBR_POISON_NOPW || word == ENDBR_POISON_NOPL)
		return addr + sizeof(word);
	return addr;
}

#ifndef PE_NO_JUMPS
static bool pe_text_has(unsigned long addr, const u8 *bytes, size_t len)
{
	u8 now[PE_WINDOW_MAX];

	return len <= sizeof(now) && !copy_from_kernel_nofault(now, (void *)addr, len) &&
	       !memcmp(now, bytes, len);
}

bool pe_text_is_breakpoint_of(const struct pe_arch_jump *j, unsigned long addr)
{
	return pe_text_has_breakpoint(addr) &&
	       pe_text_has(addr + 1, j->was + 1, j->window.length - 1);
}

bool pe_text_is_jump_of(const struct pe_arch_jump *j, unsigned long addr)
{
	return pe_text_has(addr, j->put, j->window.length);
}

void pe_text_put_tail(const struct pe_arch_jump *j, unsigned long addr)
{
	pe_ks(text_poke)((void *)(addr + 1), j->put + 1, j->window.length - 1);
}

void pe_text_put_jump(const struct pe_arch_jump *j, unsigned long addr)
{
	pe_ks(text_poke)((void *)addr, j->put, 1);
}

void pe_text_restore_tail(const struct pe_arch_jump *j, unsigned long addr)
{
	pe_ks(text_poke)((void *)(addr + 1), j->was + 1, j->window.length - 1);
}

bool pe_text_replace(unsigned long addr, const u8 *was, const u8 *put, size_t len)
{
	bool same;

	mutex_lock(pe_ks_data.text_mutex);
	same = pe_text_has(addr, was, len);
	if (same)
		pe_ks(text_poke)((void *)addr, put, len);
	mutex_unlock(pe_ks_data.text_mutex);
	return same;
}
#endif

/* ---- reading ---- */

/* Put back the bytes that a kprobe of the kernel hides at @addr: up to five (its jump). */
static void pe_recover_foreign(u8 *byte, unsigned long addr, size_t left)
{
	u8 buf[16];	/* recover_probed_instruction() fills as much */
	unsigned long where;

	if (!pe_ks_has(recover_probed_instruction))
		return;
	preempt_disable();	/* the callee looks the probe up under RCU */
	where = pe_ks(recover_probed_instruction)(buf, addr);
	if (where == (unsigned long)buf)
		memcpy(byte, buf, min_t(size_t, left,
					pe_arch_is_breakpoint(*byte) ? 1 : PE_ARCH_JUMP_SIZE));
	preempt_enable();
}

void pe_arch_recover(u8 *code, unsigned long start, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (pe_arch_is_breakpoint(code[i]) || pe_arch_may_jump(code[i]))
			pe_recover_foreign(&code[i], start + i, len - i);
	}
}
