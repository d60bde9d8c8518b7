// SPDX-License-Identifier: GPL-2.0
/*
 * return_leave.c - code for calls that outlive the engine: `leave; ret` in the kernel's
 * text, and what is made where there is none.
 *
 * `leave; ret` must be what it seems: an instruction boundary in a function that has made a
 * frame in the one way that leaves no doubt,
 *
 *	[endbr64] [call __fentry__ or nop] push %rbp; mov %rsp, %rbp
 *
 * with nothing in between that changes rbp, and right behind a call or a conditional
 * jump: an unwinder looks up the byte before a return address; and no jump will ever
 * cover `leave`, because the kernel's optimised kprobes never replace these two.
 */
#include <linux/kallsyms.h>
#include <linux/kmemleak.h>
#include <linux/mm.h>
#include <linux/set_memory.h>
#include <linux/string.h>
#include "arch/x86/insn_fixup.h"
#include "arch/x86/return.h"
#include "arch/x86/return_scan.h"
#include "kernel/arch.h"
#include "kernel/ksyms.h"
#include "kernel/mech/slots.h"
#include "kernel/return/return.h"
#include "kernel/symbols.h"

#define SEARCHED	512	/* bytes of a function */
#define LEAVE_OPCODE	0xc9
#define RET_OPCODE	0xc3

static const u8 make_frame[] = { 0x55, 0x48, 0x89, 0xe5 };

/* Is @addr one of the thunks that stand for `ret`?  Process context. */
bool pe_arch_is_return_thunk(unsigned long addr)
{
	char name[KSYM_SYMBOL_LEN];

	pe_symbol_name(addr, name);
	return strstr(name, "return_thunk");
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
		unsigned long at = addr + i;
		size_t leave;

		if (page[i] != make_frame[0] || memcmp(page + i, make_frame, sizeof(make_frame)))
			continue;
		if (!starts_function(at) ||
		    !pe_text_read(code, at + sizeof(make_frame), sizeof(code)))
			continue;
		at += sizeof(make_frame);
		leave = pe_code_find_leave(code, sizeof(code), at, pe_arch_is_return_thunk);
		if (leave)
			return at + leave;
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

/* A page of breakpoints that stays when this module goes. */
static u8 *lasting_page(void)
{
	u8 *page = pe_exec_page();

	if (page)
		kmemleak_ignore(page);
	return page;
}

/**
 * pe_arch_make_leave() - the same in a page of its own
 *
 * No unwinder knows that page: traces through it end there.
 * Context: process.  Return: 0 when out of memory.
 */
unsigned long pe_arch_make_leave(void)
{
	static const u8 code[] = { LEAVE_OPCODE, RET_OPCODE, 0xcc };
	u8 *page = lasting_page();

	if (!page)
		return 0;
	pe_text_write_slot(page, code, sizeof(code));
	pe_ks(text_poke_sync)();
	return (unsigned long)page;
}

#define LANDING_SIZE	16

/**
 * pe_arch_make_landing() - an address that may be called for @body
 * @body: has no ENDBR64
 *
 * @body itself where that does not matter.  Else what is made stays for ever: nobody knows
 * when it is called.  Context: process; one at a time.  Return: 0 when out of memory.
 */
unsigned long pe_arch_make_landing(unsigned long body)
{
	static u8 *page;
	static unsigned int used = PAGE_SIZE;
	u8 code[LANDING_SIZE] = { ENDBR64_BYTES };
	unsigned long at;

	if (!IS_ENABLED(CONFIG_X86_KERNEL_IBT))
		return body;
	if (used == PAGE_SIZE) {
		page = lasting_page();
		if (!page)
			return 0;
		used = 0;
	}
	at = (unsigned long)page + used;
	if (pe_emit_jmp32(code + ENDBR64_SIZE, at + ENDBR64_SIZE, body) < 0)
		return 0;
	pe_text_write_slot((void *)at, code, ENDBR64_SIZE + PE_JMP32_SIZE);
	pe_ks(text_poke_sync)();
	used += LANDING_SIZE;
	return pe_arch_may_be_called(at) ? at : 0;
}
