// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * detour.c - the instructions that a jump replaces, and their copy elsewhere.  [P]
 *
 * A jump takes five bytes, or two if it leads to an island nearby (jump_insn.c).  It replaces a
 * *window*: the fewest whole instructions with that many bytes.  The copy of the window does what
 * the window does, from any address:
 *
 *	jcc, jmp		the long form, to the same target
 *	loop, jrcxz		have no long form: they skip a jump, or do not
 *	call			pushes the original return address and jumps
 *	relative to rip		another displacement (insn_fixup.c)
 *	all others		as they are
 *
 * A call, a jump or a return is the last instruction of its window.  After a call, a sleeper
 * would come back into the window.  A jump or a return is followed by other code, or by
 * padding: breakpoints and nops, which are not executed unless a branch leads there.  A window that
 * is too short may go on over padding.  And a task in a called function has the original return
 * address, so no task sleeps in a copy.
 *
 * A branch to the beginning of the window leads to the original: that is another arrival there.
 * A branch to another byte of it is impossible.  targets.c finds those from elsewhere.
 */
#include <linux/errno.h>
#include <linux/string.h>

#include "arch/x86/emit/detour.h"
#include "arch/x86/insn/insn_check.h"

#define OP_INT3		0xcc
#define OP_NOP		0x90
#define OP_LONG_NOP	0x1f		/* 0f 1f /0 */
#define OP_PUSH_IMM	0x68
#define OP_JMP8		0xeb
#define PFX_ADDRSIZE	0x67
#define JCC32_SIZE	6
#define LOOP_SIZE	(2 + 2 + PE_JMP32_SIZE)
#define REG_SP		4

static bool pe_detour_is_call(const struct pe_insn_class *cls)
{
	return cls->op == PE_EMU_CALL || cls->op == PE_EMU_CALL_REG ||
	       cls->op == PE_EMU_CALL_MEM;
}

static bool pe_falls_through(const struct pe_insn_class *cls)
{
	return !(cls->flags & PE_CLASS_NO_FALLTHROUGH) && cls->op != PE_EMU_JMP;
}

/* The displacement of a relative branch; other instructions may have one of another kind. */
static bool pe_is_branch(const struct pe_insn_class *cls)
{
	return cls->op >= PE_EMU_JMP && cls->op <= PE_EMU_CALL;
}

static bool pe_is_nop(const struct pe_insn *insn)
{
	return insn->enc == PE_ENC_LEGACY &&
	       ((insn->map == PE_MAP_ONE && insn->opcode == OP_NOP) ||
		(insn->map == PE_MAP_0F && insn->opcode == OP_LONG_NOP));
}

/* An operand relative to rsp has moved when the return address has been pushed. */
static bool pe_call_uses_sp(const struct pe_insn_class *cls)
{
	return pe_detour_is_call(cls) && cls->op != PE_EMU_CALL && cls->base == REG_SP;
}

/* Append the instruction at @code; it can be copied.  Return: 0, or -errno with @why. */
static int pe_detour_append(struct pe_window *w, const u8 *code, size_t avail,
			    struct pe_insn_class *cls, const char **why)
{
	size_t off = w->length, left = avail - off;
	struct pe_insn insn;

	*why = "the function ends too soon";
	if (off >= avail ||
	    pe_insn_decode(&insn, code + off, left < PE_INSN_MAX ? left : PE_INSN_MAX))
		return -EILSEQ;
	pe_insn_classify(&insn, code + off, left, cls);
	*why = "one of the instructions cannot be moved";
	if (cls->kind == PE_INSN_REFUSE)
		return -EINVAL;
	*why = "a call's operand is on the stack";
	if (pe_call_uses_sp(cls))
		return -EOPNOTSUPP;
	w->off[w->nr++] = off;
	w->length += insn.length;
	return 0;
}

/* Control does not come to the end of the window.  Return: is there padding after it? */
static int pe_append_padding(struct pe_window *w, const u8 *code, size_t avail, unsigned int size)
{
	struct pe_insn insn;
	size_t left;

	while (w->length < size) {
		left = avail - w->length;
		if (left && code[w->length] == OP_INT3) {
			w->length++;
			continue;
		}
		if (!left || pe_insn_decode(&insn, code + w->length,
					    left < PE_INSN_MAX ? left : PE_INSN_MAX) ||
		    !pe_is_nop(&insn))
			return -EOPNOTSUPP;
		w->length += insn.length;
	}
	return 0;
}

/**
 * pe_window_measure - the window that begins at some code
 * @w: becomes the window
 * @code: bytes from its first instruction on, without breakpoints of any prober
 * @avail: how many bytes there are
 * @size: of the jump: PE_JMP32_SIZE or PE_JMP8_SIZE
 * @why: becomes the reason, if there is no window
 *
 * Context: any.
 * Return: 0; -EILSEQ if the code ends first, or is none; -EINVAL for an instruction that
 * cannot be moved; -EOPNOTSUPP if control leaves before the window is long enough, branches
 * into it, or a call's operand is on the stack.
 */
int pe_window_measure(struct pe_window *w, const u8 *code, size_t avail, unsigned int size,
		      const char **why)
{
	struct pe_insn_class cls;
	s32 to[PE_JMP32_SIZE];
	unsigned int i;
	int err;

	*w = (struct pe_window){ .goes_on = true };
	while (w->goes_on && w->length < size) {
		*why = "a call is in the way";
		if (w->nr && pe_detour_is_call(&cls))
			return -EOPNOTSUPP;
		err = pe_detour_append(w, code, avail, &cls, why);
		if (err)
			return err;
		to[w->nr - 1] = pe_is_branch(&cls) ? w->length + cls.disp : 0;
		w->goes_on = pe_falls_through(&cls);
	}
	w->padding = w->length;
	*why = "control leaves too soon, and no padding follows";
	err = pe_append_padding(w, code, avail, size);
	if (err)
		return err;
	*why = "a branch among the instructions leads to one but the first";
	for (i = 0; i < w->nr; i++) {
		if (to[i] > 0 && to[i] < w->length)
			return -EOPNOTSUPP;
	}
	return 0;
}

/* The length of a breakpoint or nop; 0: it is another instruction, or none. */
static unsigned int pe_padding_length(const u8 *code, size_t avail)
{
	struct pe_insn insn;

	if (code[0] == OP_INT3)
		return 1;
	if (pe_insn_decode(&insn, code, avail < PE_INSN_MAX ? avail : PE_INSN_MAX) ||
	    !pe_is_nop(&insn))
		return 0;
	return insn.length;
}

/**
 * pe_padding_next - the next breakpoints and nops that control does not come to from before them
 * @code: a function, without breakpoints of any prober
 * @size: its bytes
 * @off: where to begin: 0, or as it was left; becomes the byte after the padding
 * @at: becomes the padding's first byte
 *
 * A jump or a return is before it.  Not a call: one that never returns has its return address
 * there.  A branch may lead to padding nevertheless.
 *
 * Context: any.
 * Return: how many bytes; 0: there is no more, or what follows is not understood.
 */
size_t pe_padding_next(const u8 *code, size_t size, size_t *off, size_t *at)
{
	struct pe_insn_class cls;
	struct pe_insn insn;
	bool leaves = false;
	unsigned int len;

	while (*off < size) {
		*at = *off;
		while (leaves && *off < size && (len = pe_padding_length(code + *off, size - *off)))
			*off += len;
		if (*off > *at)
			return *off - *at;
		if (pe_insn_next(&insn, code, size, off) <= 0)
			return 0;
		pe_insn_classify(&insn, code + *at, size - *at, &cls);
		leaves = cls.kind != PE_INSN_REFUSE && !pe_falls_through(&cls);
	}
	return 0;
}

/**
 * struct place - where code is written, and where it will run
 * @dst: the first byte
 * @room: bytes there
 * @len: bytes written
 * @addr: address at which @dst will run
 */
struct place {
	u8 *dst;
	size_t room, len;
	unsigned long addr;
};

static int pe_put_jmp(struct place *p, unsigned long target)
{
	int err;

	if (p->room - p->len < PE_JMP32_SIZE)
		return -ENOSPC;
	err = pe_emit_jmp32(p->dst + p->len, p->addr + p->len, target);
	if (err < 0)
		return err;
	p->len += err;
	return 0;
}

/* The long form is one byte longer than a jump: 0f 8x in the place of e9. */
static int pe_put_jcc(struct place *p, u8 cond, unsigned long target)
{
	int err;

	if (p->room - p->len < JCC32_SIZE)
		return -ENOSPC;
	p->dst[p->len++] = 0x0f;
	err = pe_put_jmp(p, target);
	if (!err)
		p->dst[p->len - PE_JMP32_SIZE] = 0x80 | cond;
	return err;
}

/* loop 1f; jmp 2f; 1: jmp target; 2: */
static int pe_put_loop(struct place *p, const struct pe_insn *insn, unsigned long target)
{
	if (p->room - p->len < LOOP_SIZE + 1)
		return -ENOSPC;
	if (insn->prefixes & PE_PFX_ADDRSIZE)
		p->dst[p->len++] = PFX_ADDRSIZE;
	p->dst[p->len++] = insn->opcode;
	p->dst[p->len++] = 2;
	p->dst[p->len++] = OP_JMP8;
	p->dst[p->len++] = PE_JMP32_SIZE;
	return pe_put_jmp(p, target);
}

static int pe_detour_put_copy(struct place *p, const u8 *src, const struct pe_insn *insn,
			      unsigned long from)
{
	int len = pe_insn_relocate(p->dst + p->len, p->room - p->len, src, insn, from,
				   p->addr + p->len);

	if (len < 0)
		return len;
	p->len += len;
	return 0;
}

/**
 * pe_put_push - write an instruction that pushes an address
 * @dst: where it is written, PE_PUSH_SIZE bytes
 * @value: the address, in the upper or the lower 2 GB
 *
 * Context: any.
 * Return: PE_PUSH_SIZE, or -ERANGE with @dst unchanged.
 */
int pe_put_push(u8 *dst, unsigned long value)
{
	s32 imm = (s32)value;

	if ((unsigned long)(long)imm != value)
		return -ERANGE;
	dst[0] = OP_PUSH_IMM;
	memcpy(dst + 1, &imm, sizeof(imm));
	return PE_PUSH_SIZE;
}

/* An indirect call becomes an indirect jump: ModRM.reg is 4 and not 2. */
static int pe_put_call(struct place *p, const u8 *src, const struct pe_insn *insn,
		       const struct pe_insn_class *cls, unsigned long from)
{
	unsigned long next = from + insn->length;
	size_t at;
	int err;

	if (p->room - p->len < PE_PUSH_SIZE)
		return -ENOSPC;
	err = pe_put_push(p->dst + p->len, next);
	if (err < 0)
		return err;
	p->len += err;
	if (cls->op == PE_EMU_CALL)
		return pe_put_jmp(p, next + cls->disp);
	at = p->len;
	err = pe_detour_put_copy(p, src, insn, from);
	if (!err)
		p->dst[at + insn->modrm_off] = (insn->modrm & ~0x38) | 0x20;
	return err;
}

/* One instruction of the window, at @src, which runs at @from. */
static int pe_put_insn(struct place *p, const u8 *src, size_t len, unsigned long from)
{
	struct pe_insn_class cls;
	struct pe_insn insn;
	unsigned long target;

	if (pe_insn_decode(&insn, src, len < PE_INSN_MAX ? len : PE_INSN_MAX))
		return -EILSEQ;
	pe_insn_classify(&insn, src, len, &cls);
	target = from + insn.length + cls.disp;
	if (cls.kind == PE_INSN_COPY)
		return pe_detour_put_copy(p, src, &insn, from);
	switch (cls.op) {
	case PE_EMU_JMP:
		return pe_put_jmp(p, target);
	case PE_EMU_JCC:
		return pe_put_jcc(p, cls.cond, target);
	case PE_EMU_JRCXZ:
	case PE_EMU_LOOP:
	case PE_EMU_LOOPE:
	case PE_EMU_LOOPNE:
		return pe_put_loop(p, &insn, target);
	case PE_EMU_CALL:
	case PE_EMU_CALL_REG:
	case PE_EMU_CALL_MEM:
		return pe_put_call(p, src, &insn, &cls, from);
	default:	/* STI at the end of the window: what follows it is not there to be seen */
		return -EINVAL;
	}
}

/**
 * pe_window_relocate - write a copy of a window, and the jump back
 * @dst: where the copy is written; not necessarily where it will run
 * @room: bytes at @dst
 * @w: measured
 * @code: the window's bytes, without breakpoints of any prober
 * @from: address of the window
 * @to: address at which the copy will run
 *
 * Context: any.
 * Return: the length of the copy; -ENOSPC if @room is less; -ERANGE if something is out of
 * reach; -EINVAL for an instruction that cannot be copied.  @dst may have been written
 * after an error.
 */
int pe_window_relocate(u8 *dst, size_t room, const struct pe_window *w, const u8 *code,
		       unsigned long from, unsigned long to)
{
	struct place p = { .dst = dst, .room = room, .addr = to };
	unsigned int i;
	int err;

	for (i = 0; i < w->nr; i++) {
		err = pe_put_insn(&p, code + w->off[i], w->length - w->off[i], from + w->off[i]);
		if (err)
			return err;
	}
	err = w->goes_on ? pe_put_jmp(&p, from + w->length) : 0;
	return err ? err : p.len;
}
