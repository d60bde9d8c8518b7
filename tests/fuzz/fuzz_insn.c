// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fuzz_insn.c - decoder, classification, relocation and emulation on arbitrary bytes.
 *
 * Properties, each independent of how the code under test reaches its answer:
 *	- nothing after the buffer is read (ASan); lengths and offsets are in bounds;
 *	- an instruction is decoded from its own bytes alone;
 *	- nothing that depends on its address is classified as COPY without fix-up;
 *	- a relocated copy decodes to the same instruction with the same operand address;
 *	- emulation ends at the target or after the instruction, and changes nothing else.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/string.h>

#include "arch/x86/insn/emulate.h"
#include "arch/x86/insn/insn.h"
#include "arch/x86/insn/insn_check.h"
#include "arch/x86/insn/insn_fixup.h"
#include "tests/fuzz/check.h"

#define TEXT	0xffffffff81234567UL
#define SLOT	0xffffffffc0001000UL

static u64 stack[4];

static void check_bounds(const struct pe_insn *insn, const u8 *data, size_t size)
{
	struct pe_insn again;
	u8 *exact;

	CHECK(insn->length >= 1 && insn->length <= PE_INSN_MAX && insn->length <= size);
	CHECK(insn->opcode_off < insn->length);
	CHECK(insn->modrm_off < insn->length);
	CHECK(insn->disp_off + insn->disp_size <= insn->length);
	CHECK(insn->imm_off + insn->imm_size + insn->imm2_size <= insn->length);
	exact = malloc(insn->length);
	memcpy(exact, data, insn->length);
	CHECK(!pe_insn_decode(&again, exact, insn->length));
	CHECK(!memcmp(insn, &again, sizeof(again)));
	free(exact);
}

/* Does the opcode compute with rip or save it?  Found from the bytes alone. */
static bool needs_its_address(const struct pe_insn *insn, const u8 *data)
{
	const u8 *op = data + insn->opcode_off;

	if (insn->enc != PE_ENC_LEGACY)
		return false;
	if (insn->map == PE_MAP_0F)
		return (op[0] & 0xf0) == 0x80 || op[0] == 0x05 || op[0] == 0x34;
	if (insn->map != PE_MAP_ONE)
		return false;
	return (op[0] & 0xf0) == 0x70 || (op[0] >= 0xe0 && op[0] <= 0xe3) || op[0] == 0xe8 ||
	       op[0] == 0xe9 || op[0] == 0xeb || op[0] == 0xcc || op[0] == 0xcd || op[0] == 0xf1 ||
	       (op[0] == 0xc7 && op[1] == 0xf8) ||
	       (op[0] == 0xff && ((op[1] >> 3 & 7) == 2 || (op[1] >> 3 & 7) == 3));
}

static void check_copy(const struct pe_insn *insn, const struct pe_insn_class *cls,
		       const u8 *data)
{
	bool rip = insn->modrm_off && (insn->modrm & 0xc7) == 0x05;
	u8 dst[PE_INSN_MAX + 1];
	struct pe_insn copy;
	int n;

	CHECK(!needs_its_address(insn, data));
	CHECK(rip == !!(cls->flags & PE_CLASS_RIP_RELATIVE));
	memset(dst, 0xa5, sizeof(dst));
	n = pe_insn_relocate(dst, insn->length, data, insn, TEXT, SLOT);
	CHECK(dst[insn->length] == 0xa5);
	if (n == -ERANGE) {
		long distance = TEXT + (long)insn->disp - SLOT;

		CHECK(rip && distance != (s32)distance);
		return;
	}
	CHECK(n == insn->length);
	CHECK(!pe_insn_decode(&copy, dst, n));
	if (rip) {
		CHECK(TEXT + (long)insn->disp == SLOT + (long)copy.disp);
		copy.disp = insn->disp;
	} else {
		CHECK(!memcmp(dst, data, n));
	}
	CHECK(!memcmp(&copy, insn, sizeof(copy)));
}

static void check_emulation(const struct pe_insn *insn, const struct pe_insn_class *cls)
{
	struct pt_regs regs = { .cx = 1, .flags = 0x246, .sp = (unsigned long)&stack[2] };
	struct pt_regs before = regs;
	unsigned long next = TEXT + insn->length;
	bool is_call = cls->op >= PE_EMU_CALL;

	CHECK(cls->op != PE_EMU_NONE);
	stack[1] = 0;
	if (pe_emulate(cls, &regs, TEXT) == PE_EMULATE_FAULT) {
		CHECK(cls->op == PE_EMU_CALL_MEM && !memcmp(&regs, &before, sizeof(regs)));
		return;
	}
	if (is_call) {
		CHECK(regs.sp == before.sp - 8 && stack[1] == next);
		regs.sp = before.sp;
	} else {
		CHECK(regs.ip == next || regs.ip == next + insn->imm);
	}
	regs.ip = before.ip;
	if (cls->op == PE_EMU_LOOP || cls->op == PE_EMU_LOOPE || cls->op == PE_EMU_LOOPNE) {
		CHECK(regs.cx == 0);
		regs.cx = 1;
	}
	CHECK(!memcmp(&regs, &before, sizeof(regs)));
}

static void check_walk(const u8 *data, size_t size)
{
	struct pe_insn insn;
	size_t off = 0, last = 0;
	int ret;

	while ((ret = pe_insn_next(&insn, data, size, &off)) == 1) {
		struct pe_insn at;

		CHECK(off > last && off <= size);
		CHECK(!pe_insn_boundary(&at, data, size, last));
		CHECK(!memcmp(&at, &insn, sizeof(at)));
		if (insn.length > 1)
			CHECK(pe_insn_boundary(&at, data, size, last + 1) == -EILSEQ);
		last = off;
	}
	CHECK(ret ? off < size : off == size);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct pe_insn_class cls;
	struct pe_insn insn;
	int err;

	if (size <= 64)
		check_walk(data, size);
	if (pe_insn_decode(&insn, data, size))
		return 0;
	check_bounds(&insn, data, size);

	err = pe_insn_classify(&insn, data, size, &cls);
	CHECK(cls.length == insn.length);
	CHECK(!!err == (cls.kind == PE_INSN_REFUSE));
	CHECK(!!err == (cls.reason != PE_REASON_NONE));
	CHECK(cls.reason < PE_REASON_NR && pe_insn_reason_text(cls.reason));
	if (cls.kind == PE_INSN_COPY)
		check_copy(&insn, &cls, data);
	if (cls.kind == PE_INSN_EMULATE)
		check_emulation(&insn, &cls);
	return 0;
}
