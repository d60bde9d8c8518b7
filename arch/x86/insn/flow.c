// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * flow.c - ways that control may take in a function.  [P]
 *
 * Follows every way from one instruction of a function.  A conditional branch goes both
 * ways.  A call goes on at the next instruction if the called function may come back.
 * Each instruction is decoded once.  The caller knows the other functions, so it is told
 * of each call and jump that leaves this one.
 *
 * Branches to an address in a register or in memory are not followed.  Debian's kernels, and our
 * code that runs at hits, are compiled without jump tables, so an indirect jump is a tail call or a
 * return.
 */
#include <linux/string.h>
#include "arch/x86/insn/flow.h"
#include "arch/x86/insn/insn.h"

/* State of each offset: not reached, to be looked at, looked at. */
enum { UNREACHED, PENDING, DONE };

enum step {
	STEP_NEXT,		/* goes on after the instruction */
	STEP_END,		/* goes nowhere: a trap, or where the scan is to end */
	STEP_RETURN,
	STEP_JUMP,
	STEP_BRANCH,		/* a jump or the next instruction */
	STEP_CALL,
	STEP_JUMP_INDIRECT,
	STEP_CALL_INDIRECT,
};

static enum step pe_step_0f(const struct pe_insn *insn, bool until_handlers)
{
	switch (insn->opcode) {
	case 0x01:		/* LIDT */
		if (until_handlers && pe_insn_has_mem(insn) && pe_modrm_reg(insn) == 3)
			return STEP_END;
		return STEP_NEXT;
	case 0x0b: case 0xb9: case 0xff:	/* UD2, UD1, UD0 */
		return STEP_END;
	case 0x07: case 0x35:	/* SYSRET, SYSEXIT */
		return STEP_RETURN;
	case 0x80 ... 0x8f:
		return STEP_BRANCH;
	default:
		return STEP_NEXT;
	}
}

static enum step pe_step_ff(const struct pe_insn *insn)
{
	switch (pe_modrm_reg(insn)) {
	case 2: case 3:
		return STEP_CALL_INDIRECT;
	case 4: case 5:
		return STEP_JUMP_INDIRECT;
	default:
		return STEP_NEXT;
	}
}

static enum step pe_step_of(const struct pe_insn *insn, bool until_handlers)
{
	if (insn->enc != PE_ENC_LEGACY)
		return STEP_NEXT;
	if (insn->map == PE_MAP_0F)
		return pe_step_0f(insn, until_handlers);
	if (insn->map != PE_MAP_ONE)
		return STEP_NEXT;
	switch (insn->opcode) {
	case 0xc2: case 0xc3: case 0xca: case 0xcb: case 0xcf:
		return STEP_RETURN;
	case 0xcc: case 0xf1:	/* INT3, INT1 */
		return STEP_END;
	case 0xe8:
		return STEP_CALL;
	case 0xe9: case 0xeb:
		return STEP_JUMP;
	case 0xff:
		return pe_step_ff(insn);
	default:		/* JCC, LOOP, JRCXZ, XBEGIN */
		return insn->flags & PE_INSN_REL_BRANCH ? STEP_BRANCH : STEP_NEXT;
	}
}

/* Control goes to @to.  Return: may a call of @to come back? */
static bool pe_flow_goes(struct pe_flow *flow, size_t from, unsigned long to, bool call)
{
	size_t off = to - flow->addr;
	bool back;

	if (off < flow->size) {
		if (flow->mark[off] == UNREACHED)
			flow->mark[off] = PENDING;
		return true;
	}
	back = flow->goes(flow, flow->addr + from, to);
	if (!call)
		flow->returns |= back;
	return back;
}

/* One instruction at @off; it ends at @next.  Return: does the way go on there? */
static bool pe_flow_take(struct pe_flow *flow, const struct pe_insn *insn, size_t off, size_t next)
{
	unsigned long to = flow->addr + next + insn->imm;

	switch (pe_step_of(insn, flow->until_handlers)) {
	case STEP_NEXT:
		return true;
	case STEP_END:
		return false;
	case STEP_RETURN:
		flow->returns = true;
		return false;
	case STEP_JUMP:
		pe_flow_goes(flow, off, to, false);
		return false;
	case STEP_BRANCH:
		pe_flow_goes(flow, off, to, false);
		return true;
	case STEP_CALL:
		return pe_flow_goes(flow, off, to, true);
	case STEP_CALL_INDIRECT:
		return true;
	case STEP_JUMP_INDIRECT:
		flow->returns = true;
		return false;
	}
	return false;
}

/* Follow the straight way from @off to its end, or to code that has been looked at. */
static void pe_flow_walk(struct pe_flow *flow, size_t off)
{
	struct pe_insn insn;
	size_t next = off;

	while (off < flow->size && flow->mark[off] != DONE) {
		flow->mark[off] = DONE;
		if (pe_insn_next(&insn, flow->code, flow->size, &next) <= 0) {
			flow->unknown = true;
			return;
		}
		if (!pe_flow_take(flow, &insn, off, next))
			return;
		off = next;
	}
	if (off >= flow->size)	/* into the next function */
		pe_flow_goes(flow, flow->size - 1, flow->addr + flow->size, false);
}

/**
 * pe_flow_scan() - follow all ways from one instruction of a function
 * @flow: input filled in; the results are valid afterwards
 * @start: offset of the instruction
 *
 * Context: any that @flow->goes allows; time proportional to the code reached.
 */
void pe_flow_scan(struct pe_flow *flow, size_t start)
{
	const u8 *at;

	flow->returns = false;
	flow->unknown = false;
	memset(flow->mark, UNREACHED, flow->size);
	if (start >= flow->size)
		return;
	flow->mark[start] = PENDING;
	while ((at = memchr(flow->mark, PENDING, flow->size)))
		pe_flow_walk(flow, at - flow->mark);
}
