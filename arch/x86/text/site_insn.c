// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * site_insn.c - examine the instruction of a new site and make its slot.
 *
 * x86 instructions have no alignment.  Only decoding from the start of the function tells
 * whether an address begins an instruction.  The text is decoded as it is without probes:
 * our breakpoints are replaced by the bytes that they hide, and so are the breakpoints and
 * jumps of the kernel's own kprobes.
 */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <pe/symbols.h>
#include "arch/x86/insn/insn_fixup.h"
#include "kernel/arch.h"
#include "kernel/engine.h"
#include "kernel/mech/slots.h"
#include "kernel/probe/hidden.h"

#define PE_FTRACE_SITE_SIZE	5	/* call __fentry__, or the nop in its place */

/* A copy of the function that holds @addr, without probes, up to the end of what is at @addr. */
static u8 *pe_copy_function(unsigned long addr, unsigned long *start, size_t *len)
{
	unsigned long size;
	u8 *code;

	if (!pe_symbol_at(addr, start, &size))
		return ERR_PTR(-EILSEQ);
	*len = min(size, addr - *start + PE_INSN_MAX);
	code = kvmalloc(*len, GFP_KERNEL);
	if (!code)
		return ERR_PTR(-ENOMEM);
	if (pe_text_read(code, *start, *len)) {
		pe_hidden_recover(code, *start, *len);
		return code;
	}
	kvfree(code);
	return ERR_PTR(-EFAULT);
}

static struct pe_refusal pe_site_insn_examine(struct pe_arch_site *as, const u8 *code, size_t len,
					      size_t off)
{
	struct pe_insn insn;

	if (pe_insn_boundary(&insn, code, len, off))
		return PE_REFUSE(EILSEQ, "not an instruction boundary");
	memcpy(as->insn, code + off, insn.length);
	pe_insn_classify(&insn, code + off, len - off, &as->cls);
	if (as->cls.kind != PE_INSN_REFUSE)
		return PE_ACCEPT;
	return PE_REFUSE(as->cls.reason == PE_REASON_TRAP ? EILSEQ : EINVAL,
			 pe_insn_reason_text(as->cls.reason));
}

struct pe_refusal pe_arch_examine(struct pe_arch_site *as, unsigned long addr)
{
	unsigned long start;
	struct pe_refusal r;
	size_t len;
	u8 *code;

	lockdep_assert_held(&pe_mutex);
	code = pe_copy_function(addr, &start, &len);
	switch (PTR_ERR_OR_ZERO(code)) {
	case 0:
		break;
	case -EILSEQ:
		return PE_REFUSE(EILSEQ, "no function is known to hold the address");
	case -ENOMEM:
		return PE_REFUSE(ENOMEM, NULL);
	default:
		return PE_REFUSE(EINVAL, "the function cannot be read");
	}
	r = pe_site_insn_examine(as, code, len, addr - start);
	kvfree(code);
	return r;
}

bool pe_insn_bounds(unsigned long addr, unsigned long *before, unsigned long *after)
{
	size_t len, pos = 0, last = 0;
	struct pe_insn insn;
	unsigned long start;
	bool inside = false;
	u8 *code;

	mutex_lock(&pe_mutex);
	code = pe_copy_function(addr, &start, &len);
	mutex_unlock(&pe_mutex);
	if (IS_ERR(code))
		return false;
	while (start + pos < addr) {
		last = pos;
		if (pe_insn_next(&insn, code, len, &pos) <= 0)
			break;
		inside = start + pos > addr;
	}
	kvfree(code);
	*before = start + last;
	*after = start + pos;
	return inside;
}
EXPORT_SYMBOL_GPL(pe_insn_bounds);

static bool pe_needs_slot(const struct pe_arch_site *as)
{
	/* An emulated call through memory: see pe_arch_perform(). */
	return as->cls.kind == PE_INSN_COPY || as->cls.op == PE_EMU_CALL_MEM;
}

#define PUSH_SIZE	5	/* 68 imm32, sign-extended */
#define PUSH_OPCODE	0x68
#define CODE_MAX	(PE_INSN_MAX + PE_JMP32_SIZE)

/* The instruction, then a jump to the one after the original. */
static int pe_emit_copy(u8 *code, const struct pe_arch_site *as, unsigned long addr)
{
	unsigned long slot = (unsigned long)as->slot;
	struct pe_insn insn;
	int len, err;

	err = pe_insn_decode(&insn, as->insn, as->cls.length);
	if (err)
		return err;
	len = pe_insn_relocate(code, CODE_MAX, as->insn, &insn, addr, slot);
	if (len < 0 || (as->cls.flags & PE_CLASS_NO_FALLTHROUGH))
		return len;
	err = pe_emit_jmp32(code + len, slot + len, addr + as->cls.length);
	return err < 0 ? err : len + err;
}

/* @emit returns the length of the code, at most CODE_MAX. */
static int pe_make_slot(struct pe_arch_site *as, unsigned long addr,
			int (*emit)(u8 *code, const struct pe_arch_site *as, unsigned long addr))
{
	u8 code[CODE_MAX];
	int len;

	as->slot = pe_slot_alloc();
	if (!as->slot)
		return -ENOMEM;
	len = emit(code, as, addr);
	if (len < 0) {
		pe_arch_release(as);
		return len;
	}
	pe_text_write_slot(as->slot, code, len);
	return 0;
}

int pe_arch_prepare(struct pe_arch_site *as, unsigned long addr)
{
	lockdep_assert_held(&pe_mutex);
	as->slot = NULL;
	return pe_needs_slot(as) ? pe_make_slot(as, addr, pe_emit_copy) : 0;
}

int pe_arch_after_copy(const struct pe_arch_site *as, unsigned long *after)
{
	*after = 0;
	if (as->cls.op != PE_EMU_NONE)
		return 0;
	if (as->cls.flags & PE_CLASS_NO_FALLTHROUGH)
		return -EOPNOTSUPP;
	*after = (unsigned long)as->slot + as->cls.length;
	return 0;
}

/*
 * Write code for a jump or call that is emulated when a breakpoint is hit.  A call's return
 * address is the original one, because unwinders look there.  A conditional jump is
 * impossible: the way through an entry slot does not keep the flags.
 */
static int pe_emit_branch(u8 *code, const struct pe_arch_site *as, unsigned long addr)
{
	unsigned long at = (unsigned long)as->slot, next = addr + as->cls.length;
	unsigned long target = next + as->cls.disp;
	s32 imm = (s32)next;
	int len = 0, err;

	switch (as->cls.op) {
	case PE_EMU_JMP:
		break;
	case PE_EMU_CALL:
		if ((unsigned long)(long)imm != next)
			return -ERANGE;
		code[0] = PUSH_OPCODE;
		memcpy(code + 1, &imm, sizeof(imm));
		len = PUSH_SIZE;
		break;
	default:
		return -EOPNOTSUPP;
	}
	err = pe_emit_jmp32(code + len, at + len, target);
	return err < 0 ? err : len + err;
}

/* A call through memory gets none: its copy is there only to take the fault. */
int pe_arch_make_body(struct pe_arch_site *as, unsigned long addr)
{
	lockdep_assert_held(&pe_mutex);
	if (as->cls.kind != PE_INSN_EMULATE)
		return pe_arch_prepare(as, addr);
	return pe_make_slot(as, addr, pe_emit_branch);
}

unsigned long pe_arch_body(const struct pe_arch_site *as, unsigned long addr)
{
	return as && as->slot ? (unsigned long)as->slot : addr + PE_FTRACE_SITE_SIZE;
}

void pe_arch_release(struct pe_arch_site *as)
{
	if (as->slot)
		pe_slot_free(as->slot);
	as->slot = NULL;
}
