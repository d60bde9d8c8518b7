// SPDX-License-Identifier: GPL-2.0
/*
 * return_leave.c - find `leave; ret` in the kernel's text.
 *
 * It must be what it seems: an instruction boundary in a function that has made a
 * frame in the one way that leaves no doubt,
 *
 *	[endbr64] [call __fentry__ or nop] push %rbp; mov %rsp, %rbp
 *
 * with nothing in between that changes rbp, and behind an instruction that goes
 * on to the next one: an unwinder looks up the byte before a return address.
 */
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/set_memory.h>
#include <linux/string.h>
#include "arch/x86/insn.h"
#include "arch/x86/insn_fixup.h"
#include "arch/x86/return.h"
#include "kernel/arch.h"
#include "kernel/kprobes.h"
#include "kernel/kretprobes.h"
#include "kernel/ksyms.h"

#define SEARCHED	512	/* bytes of a function */
#define CALL_OPCODE	0xe8
#define JMP32_OPCODE	0xe9
#define LEAVE_OPCODE	0xc9
#define RET_OPCODE	0xc3

static const u8 make_frame[] = { 0x55, 0x48, 0x89, 0xe5 };

/* The target of a call or jump of five bytes. */
static unsigned long target(const u8 *code, unsigned long addr)
{
	s32 rel;

	memcpy(&rel, code + 1, sizeof(rel));
	return addr + PE_JMP32_SIZE + rel;
}

/* Is @addr one of the thunks that stand for `ret`?  Process context. */
bool pe_arch_is_return_thunk(unsigned long addr)
{
	char name[KSYM_SYMBOL_LEN];

	pe_symbol_name(addr, name);
	return strstr(name, "return_thunk");
}

/* A return, perhaps through one of the thunks. */
static bool is_ret(const u8 *code, unsigned long addr)
{
	if (code[0] == RET_OPCODE)
		return true;
	return code[0] == JMP32_OPCODE && pe_arch_is_return_thunk(target(code, addr));
}

/* Opcodes that go on to the next instruction and write no more than one operand. */
static bool is_tame(const struct pe_insn *insn)
{
	if (insn->map == PE_MAP_0F)
		return insn->opcode == 0x1f || (insn->opcode & 0xf0) == 0x40 ||
		       insn->opcode == 0xb6 || insn->opcode == 0xb7;
	if (insn->map != PE_MAP_ONE)
		return false;
	switch (insn->opcode) {
	case 0x01: case 0x03: case 0x09: case 0x0b: case 0x21: case 0x23:
	case 0x29: case 0x2b: case 0x31: case 0x33:
	case 0x38 ... 0x3b: case 0x50 ... 0x57: case 0x63:
	case 0x81: case 0x83 ... 0x85: case 0x88 ... 0x8b: case 0x8d: case 0x90:
	case 0xc6: case 0xc7: case CALL_OPCODE:
		return true;
	default:
		return false;
	}
}

/* Does the ModRM byte name rbp as a register?  In groups, reg is no register. */
static bool names_rbp(const struct pe_insn *insn)
{
	bool group = insn->map == PE_MAP_ONE &&
		     (insn->opcode == 0x81 || insn->opcode == 0x83);

	if (!(insn->flags & PE_INSN_HAS_MODRM))
		return false;
	if (!group && pe_modrm_reg(insn) == 5 && !(insn->rex & PE_REX_R))
		return true;
	return !pe_insn_has_mem(insn) && pe_modrm_rm(insn) == 5 && !(insn->rex & PE_REX_B);
}

/* A branch within the function is passed over; it changes no register. */
static bool is_branch(const struct pe_insn *insn)
{
	return insn->flags & PE_INSN_REL_BRANCH;
}

/* From behind the making of the frame: where a plain one is followed by leave; ret. */
static unsigned long leave_behind(const u8 *code, size_t len, unsigned long addr)
{
	struct pe_insn insn;
	bool plain = false;
	size_t off = 0;

	while (off + PE_INSN_MAX + PE_JMP32_SIZE < len) {
		if (pe_insn_decode(&insn, code + off, len - off))
			return 0;
		if (code[off] == LEAVE_OPCODE && insn.length == 1)
			return plain && is_ret(code + off + 1, addr + off + 1) ? addr + off : 0;
		plain = is_tame(&insn) && !names_rbp(&insn);
		if (!plain && !is_branch(&insn))
			return 0;
		off += insn.length;
	}
	return 0;
}

/* @addr: of the bytes that make a frame; are they at the start of a function? */
static bool starts_function(unsigned long addr)
{
	unsigned long start, size, entry;

	if (!pe_symbol_at(addr, &start, &size))
		return false;
	entry = pe_arch_skip_endbr(start);
	if (pe_ks_has(ftrace_location) && pe_ks(ftrace_location)(entry) == entry)
		entry += PE_JMP32_SIZE;
	return addr == entry;
}

static unsigned long search_page(const u8 *page, unsigned long addr)
{
	u8 code[SEARCHED];
	unsigned int i;

	for (i = 0; i + sizeof(make_frame) <= PAGE_SIZE; i++) {
		unsigned long at = addr + i, leave;

		if (page[i] != make_frame[0] || memcmp(page + i, make_frame, sizeof(make_frame)))
			continue;
		if (!starts_function(at) ||
		    !pe_text_read(code, at + sizeof(make_frame), sizeof(code)))
			continue;
		leave = leave_behind(code, sizeof(code), at + sizeof(make_frame));
		if (leave)
			return leave;
	}
	return 0;
}

/**
 * pe_arch_find_leave() - an address in the kernel's text that drops a frame
 *
 * Context: process.  Return: 0 when there is none.
 */
unsigned long pe_arch_find_leave(void)
{
	unsigned long addr = pe_ksym_address("_stext") & PAGE_MASK;
	unsigned long end = pe_ksym_address("_etext");
	unsigned long leave = 0;
	u8 *page = kvmalloc(PAGE_SIZE, GFP_KERNEL);

	for (; page && addr && addr + PAGE_SIZE <= end && !leave; addr += PAGE_SIZE) {
		if (pe_text_read(page, addr, PAGE_SIZE))
			leave = search_page(page, addr);
	}
	kvfree(page);
	return leave;
}

/**
 * pe_arch_make_leave() - the same in a page of its own
 *
 * Context: process.  Return: 0 when out of memory.
 */
unsigned long pe_arch_make_leave(void)
{
	static const u8 code[] = { LEAVE_OPCODE, RET_OPCODE, 0xcc };
	void *mem = pe_exec_page();

	if (!mem)
		return 0;
	pe_text_write_slot(mem, code, sizeof(code));
	pe_ks(text_poke_sync)();
	return (unsigned long)mem;
}
