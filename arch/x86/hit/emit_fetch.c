// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * emit_fetch.c - fetch arguments as machine code.  [P]
 *
 * The meaning of a fetch is that of hit/fetch_hit.c.  Registers and numbers in memory are
 * written to the record when it has its place.  A number that cannot be read is 0.
 *
 * Strings tell how long the record will be, so they are copied to the stack before.  The copy is
 * at the place that it will have in a word of the record: the record's bytes from its fixed part
 * on, rounded down to a word.  A string that is long or cannot be read leaves the hit to C.
 *
 * The task's name is in its struct task_struct, where it may be changed at any time.  The name read
 * there is compared with the slot that has the name and its length (hit/cmdlines.c).  If that is
 * all that a record has of strings, it is two words on the stack, and r9 has its length.
 */
#include <linux/kernel.h>
#include "arch/x86/hit/hit_parts.h"
#include "kernel/trace/hit/cmdline_slot.h"
#include "kernel/trace/ring/rb.h"

#define STRINGS_MAX	2

/* On the stack.  @size: of the record with its first word. */
struct hit_strings {
	u8 copy[4 + STRINGS_MAX * PE_HIT_STRING_MAX + 8];
	u32 words[STRINGS_MAX];
	u64 begin, size;
} __aligned(8);

#define NAME_SIZE	16

#define LOG2_SIZE(size)	((size) == 8 ? 3 : (size) / 2)

static struct pe_mem pe_in_strings(const struct hit *h, unsigned int offset)
{
	return pe_at(PE_RSP, h->pushed - h->strings + offset);
}

#define STRINGS(member)	pe_in_strings(h, offsetof(struct hit_strings, member))

struct pe_mem pe_hit_string_size(const struct hit *h)
{
	return STRINGS(size);
}

/* ---- what can be compiled ---- */

static bool pe_emit_fetch_is_name(const struct pe_arg *arg)
{
	return pe_type_is_string(arg->type) && arg->fetch.load == PE_LOAD_COMM;
}

const char *pe_hit_cannot_load(const struct pe_fetch *fetch)
{
	if (fetch->load == PE_LOAD_SAVED || fetch->load == PE_LOAD_CURRENT ||
	    fetch->load == PE_LOAD_IMM)
		return NULL;
	if (fetch->load != PE_LOAD_REG)
		return "an argument is a word of the stack, or a text";
	if (pe_hit_reg_at(fetch->reg) < 0)
		return "an argument is a register that the call changes";
	return NULL;
}

/* The code knows only texts that end with a NUL where they lie. */
static const char *pe_cannot_write_text(const struct pe_type *type)
{
	switch (type->class) {
	case PE_CLASS_STRING:
	case PE_CLASS_USTRING:
		return NULL;
	case PE_CLASS_SYMSTR:
		return "an argument is a symbol's name";
	case PE_CLASS_TASK:
		return "an argument is a task's name";
	case PE_CLASS_RWBS:
		return "an argument is flags as letters";
	default:
		return "an argument is a text of another kind";
	}
}

static const char *pe_cannot_fetch(const struct pe_arg *arg)
{
	const char *why;

	if (arg->count)
		return "an argument is an array";
	why = pe_type_is_string(arg->type) ? pe_cannot_write_text(arg->type) : NULL;
	if (why)
		return why;
	if (pe_emit_fetch_is_name(arg))
		return NULL;
	return pe_hit_cannot_load(&arg->fetch);
}

const char *pe_hit_can_fetch(const struct pe_program *program)
{
	const struct pe_arg *arg;
	unsigned int strings = 0;
	const char *why = NULL;

	for (arg = program->args; arg < program->end && !why; arg++) {
		why = pe_cannot_fetch(arg);
		strings += pe_type_is_string(arg->type);
	}
	return strings > STRINGS_MAX ? "it has many strings" : why;
}

/* Note what has to be known of an argument before any code is made. */
void pe_hit_look_at_arg(struct hit *h, const struct pe_arg *arg)
{
	unsigned int i;

	if (arg->fetch.load == PE_LOAD_REG)
		h->used |= 1 << pe_hit_reg_at(arg->fetch.reg);
	h->with_strings |= pe_type_is_string(arg->type);
	h->users |= arg->type->class == PE_CLASS_USTRING;
	h->guarded |= (pe_type_is_string(arg->type) && !pe_emit_fetch_is_name(arg)) ||
		      arg->fetch.nr_derefs;
	for (i = 0; i < arg->fetch.nr_derefs; i++)
		h->users |= arg->fetch.deref[i].user;
}

/* The same of all that a record has. */
void pe_hit_look_at(struct hit *h, const struct pe_program *program)
{
	const struct pe_arg *arg;

	for (arg = program->args; arg < program->end; arg++)
		pe_hit_look_at_arg(h, arg);
}

/*
 * Is the name of the task the only string of all, at the beginning of a word, and is the record
 * short with the longest one, too?  After pe_hit_look_at().
 */
void pe_hit_look_for_name(struct hit *h)
{
	const struct pe_program *program = h->code->parts->program;
	const struct pe_arg *arg;

	if (h->code->nr_parts > 1 || h->nr_words || !h->with_strings || program->fixed % 4 ||
	    program->fixed + NAME_SIZE > 4 * PE_RB_TYPE_MAX_SHORT)
		return;
	for (arg = program->rest; arg < program->end; arg++) {
		if (pe_type_is_string(arg->type) && (!pe_emit_fetch_is_name(arg) || h->name))
			goto several;
		h->name |= pe_emit_fetch_is_name(arg);
	}
	h->with_strings = false;
	return;
several:
	h->name = false;
}

/* Room for them, if there are any. */
void pe_hit_push_strings(struct hit *h)
{
	if (!h->with_strings)
		return;
	pe_emit_lea(h->e, PE_RSP, pe_at(PE_RSP, -(s64)sizeof(struct hit_strings)));
	h->pushed += sizeof(struct hit_strings);
	h->strings = h->pushed;
}

/* ---- memory ---- */

/*
 * rax: the address that the last dereference reads, or the value if it reads nothing.  If one
 * before it cannot be read, it goes to @fault, with 0 in rax.
 */
static void pe_emit_address(struct hit *h, const struct pe_fetch *fetch, struct pe_label *fault)
{
	enum pe_reg reg = pe_hit_value(h, fetch, PE_RAX);
	const struct pe_hit_env *env = h->env;
	unsigned int i;

	for (i = 0; i < fetch->nr_derefs; i++) {
		if (fetch->deref[i].cpu) {
			if (reg != PE_RAX)
				pe_emit_mov(h->e, PE_RAX, reg);
			pe_emit_alu_load(h->e, PE_ALU_ADD, PE_RAX, pe_at_cpu(env->cpu_offset));
			reg = PE_RAX;
			continue;
		}
		pe_emit_lea(h->e, PE_RAX, pe_at(reg, fetch->deref[i].off));
		if (i + 1 == fetch->nr_derefs)
			break;
		pe_emit_call_to(h->e, fetch->deref[i].user ? env->load_user[3] : env->load[3]);
		pe_emit_jcc(h->e, PE_COND_AE, fault);
		reg = PE_RAX;
	}
	if (!fetch->nr_derefs && reg != PE_RAX)
		pe_emit_mov(h->e, PE_RAX, reg);
}

/* rax: a number in memory, or this CPU's address of one.  Uses r10, r11. */
void pe_hit_emit_number(struct hit *h, const struct pe_arg *arg)
{
	const struct pe_fetch *fetch = &arg->fetch;
	unsigned int log2 = LOG2_SIZE(arg->type->size);
	bool user = fetch->deref[fetch->nr_derefs - 1].user;
	struct pe_label fault = {};

	pe_emit_address(h, fetch, &fault);
	if (pe_fetch_in_memory(fetch))
		pe_emit_call_to(h->e, user ? h->env->load_user[log2] : h->env->load[log2]);
	pe_emit_bind(h->e, &fault);
}

/*
 * The bits of a bitfield, which is in a number of its type's size, or more.  Return: the register
 * that has them: @to; of what is no bitfield: @from, where it is.
 */
enum pe_reg pe_hit_emit_bits(struct hit *h, const struct pe_arg *arg, enum pe_reg to,
			     enum pe_reg from)
{
	unsigned int up = 64 - arg->bf_shift - arg->bf_width;

	if (!arg->bf_width)
		return from;
	if (from != to)
		pe_emit_mov(h->e, to, from);
	if (up)
		pe_emit_shift(h->e, PE_SHL, to, up, 8);
	if (up + arg->bf_shift)
		pe_emit_shift(h->e, PE_SHR, to, up + arg->bf_shift, 8);
	return to;
}

static void pe_emit_arg(struct hit *h, const struct pe_arg *arg)
{
	enum pe_reg reg = PE_RAX;

	if (arg->fetch.nr_derefs)
		pe_hit_emit_number(h, arg);
	else
		reg = pe_hit_value(h, &arg->fetch, PE_RAX);
	reg = pe_hit_emit_bits(h, arg, PE_RAX, reg);
	pe_emit_store(h->e, pe_hit_in_record(h, arg->offset), reg, arg->size);
}

/* ---- strings ---- */

/* The offset in the record at which the copy begins. */
static unsigned int pe_copy_at(const struct hit *h)
{
	return h->part->program->fixed & ~3u;
}

static bool pe_is_user_string(const struct pe_arg *arg)
{
	const struct pe_fetch *fetch = &arg->fetch;

	return arg->type->class == PE_CLASS_USTRING ||
	       (fetch->nr_derefs && fetch->deref[fetch->nr_derefs - 1].user);
}

/* rax: user memory if it is in the lower half.  A task that has none leaves the hit to C. */
static void pe_emit_copy(struct hit *h, bool user)
{
	const struct pe_hit_env *env = h->env;
	struct pe_label kernel = {}, copied = {};
	struct pe_emit *e = h->e;

	if (!user) {
		pe_emit_rr(e, PE_OP_W | 0x85, PE_RAX, PE_RAX);		/* test */
		pe_emit_jcc(e, PE_COND_S, &kernel);
		pe_emit_load(e, PE_RCX, pe_at_cpu(env->current_task), 8);
		pe_hit_emit_user(h, pe_hit_slow(h));
	}
	pe_emit_call_to(e, env->string_user);
	if (!user) {
		pe_emit_jmp(e, &copied);
		pe_emit_bind(e, &kernel);
		pe_emit_call_to(e, env->string);
		pe_emit_bind(e, &copied);
	}
	pe_emit_jcc(e, PE_COND_AE, pe_hit_slow(h));
}

/* The task's name, with its length from the slot.  rdx: where it begins, and then ends. */
static void pe_emit_name(struct hit *h)
{
	const struct pe_hit_env *env = h->env;
	struct pe_emit *e = h->e;
	unsigned int i;

	pe_emit_load(e, PE_RCX, pe_at_cpu(env->current_task), 8);
	pe_emit_load(e, PE_R8, pe_at_cpu(env->name + offsetof(struct pe_cmdline_last, slot)), 8);
	for (i = 0; i < 2; i++) {
		pe_emit_load(e, PE_RAX, pe_at(PE_RCX, env->comm + 8 * i), 8);
		pe_emit_store(e, pe_at(PE_RDX, 8 * i), PE_RAX, 8);
		pe_emit_alu_load(e, PE_ALU_CMP, PE_RAX,
				 pe_at(PE_R8, offsetof(struct pe_cmdline_slot, words[i])));
		pe_emit_jcc(e, PE_COND_NE, pe_hit_slow(h));
	}
	pe_emit_load(e, PE_RCX, pe_at_cpu(env->name +
					  offsetof(struct pe_cmdline_last, version)), 8);
	pe_emit_alu_load(e, PE_ALU_CMP, PE_RCX,
			 pe_at(PE_R8, offsetof(struct pe_cmdline_slot, version)));
	pe_emit_jcc(e, PE_COND_NE, pe_hit_slow(h));
	BUILD_BUG_ON(offsetof(struct pe_cmdline_slot, len));
	pe_emit_rr(e, 0x8b, PE_RCX, PE_RCX);			/* the lower half */
	pe_emit_alu(e, PE_ALU_ADD, PE_RDX, PE_RCX);
}

/* One string.  rdx: where it begins, and then ends, on the stack. */
static void pe_emit_string(struct hit *h, const struct pe_arg *arg, unsigned int nr)
{
	struct pe_emit *e = h->e;

	pe_emit_store(e, STRINGS(begin), PE_RDX, 8);
	if (arg->fetch.load == PE_LOAD_COMM) {
		pe_emit_name(h);
	} else {
		pe_emit_address(h, &arg->fetch, pe_hit_slow(h));
		pe_emit_copy(h, pe_is_user_string(arg));
	}
	/* The word: length << 16 | offset in the record. */
	pe_emit_load(e, PE_RCX, STRINGS(begin), 8);
	pe_emit_mov(e, PE_RAX, PE_RDX);
	pe_emit_alu(e, PE_ALU_SUB, PE_RAX, PE_RCX);
	pe_emit_shift(e, PE_SHL, PE_RAX, 16, 4);
	pe_emit_alu(e, PE_ALU_SUB, PE_RCX, PE_RSP);
	pe_emit_lea(e, PE_RAX, pe_at_index(PE_RAX, PE_RCX, 0,
					   (s64)pe_copy_at(h) - pe_in_strings(h, 0).disp));
	pe_emit_store(e, pe_in_strings(h, offsetof(struct hit_strings, words) + 4 * nr), PE_RAX, 4);
}

/*
 * Copy the part's strings to the stack.  A record with a length of more than one word is left
 * to C.
 */
void pe_hit_emit_strings(struct hit *h)
{
	const struct pe_program *program = h->part->program;
	struct pe_emit *e = h->e;
	const struct pe_arg *arg;
	unsigned int nr = 0;

	pe_emit_lea(e, PE_RDX, pe_in_strings(h, program->fixed - pe_copy_at(h)));
	for (arg = program->rest; arg < program->end; arg++) {
		if (pe_type_is_string(arg->type))
			pe_emit_string(h, arg, nr++);
	}
	pe_emit_store_imm(e, pe_at(PE_RDX, 0), 0, 4);		/* the last word's rest is 0 */
	pe_emit_alu(e, PE_ALU_SUB, PE_RDX, PE_RSP);
	pe_emit_alu_imm(e, PE_ALU_ADD, PE_RDX,
			(s64)pe_copy_at(h) + 3 + 4 - pe_in_strings(h, 0).disp, 4);
	pe_emit_alu_imm(e, PE_ALU_AND, PE_RDX, ~3, 4);
	pe_emit_alu_imm(e, PE_ALU_CMP, PE_RDX, 4 * (PE_RB_TYPE_MAX_SHORT + 1), 4);
	pe_emit_jcc(e, PE_COND_A, pe_hit_slow(h));
	pe_emit_store(e, STRINGS(size), PE_RDX, 8);
}

/* From the stack to the record, from the end: two words at a time, then a last one. */
static void pe_emit_fetch_put_copy(struct hit *h)
{
	struct pe_mem from = pe_in_strings(h, 0), to = pe_hit_in_record(h, pe_copy_at(h));
	struct pe_label one = {}, none = {};
	struct pe_emit *e = h->e;
	u64 again;

	pe_emit_load(e, PE_RDX, STRINGS(size), 8);
	pe_emit_alu_imm(e, PE_ALU_SUB, PE_RDX, pe_copy_at(h) + 4, 8);
	again = e->addr + e->len;
	pe_emit_alu_imm(e, PE_ALU_SUB, PE_RDX, 8, 8);
	pe_emit_jcc(e, PE_COND_B, &one);
	pe_emit_load(e, PE_RAX, pe_at_index(PE_RSP, PE_RDX, 0, from.disp), 8);
	pe_emit_store(e, pe_at_index(PE_RCX, PE_RDX, 0, to.disp), PE_RAX, 8);
	pe_emit_jcc_back(e, PE_COND_NE, again);
	pe_emit_jmp(e, &none);
	pe_emit_bind(e, &one);
	pe_emit_alu_imm(e, PE_ALU_CMP, PE_RDX, -4, 4);
	pe_emit_jcc(e, PE_COND_NE, &none);
	pe_emit_load(e, PE_RAX, from, 4);
	pe_emit_store(e, to, PE_RAX, 4);
	pe_emit_bind(e, &none);
}

/*
 * Copy the last 16 bytes of the record from the stack, in which the name begins and ends.  The head
 * and the arguments, of 20 bytes at least, go before the name and are written later.  rcx: the
 * record; r8: its size.  Uses rax.
 */
void pe_hit_put_name(struct hit *h)
{
	s64 name = pe_hit_name(h, 0).disp, i;
	struct pe_emit *e = h->e;

	for (i = 8; i <= NAME_SIZE; i += 8) {
		pe_emit_load(e, PE_RAX, pe_at_index(PE_RSP, PE_R8, 0,
						    name - 4 - h->part->program->fixed - i), 8);
		pe_emit_store(e, pe_at_index(PE_RCX, PE_R8, 0, -i), PE_RAX, 8);
	}
}

/* The argument's word, length << 16 | offset in the record. */
static void pe_emit_name_word(struct hit *h, const struct pe_arg *arg)
{
	pe_emit_store_imm(h->e, pe_hit_in_record(h, arg->offset), h->part->program->fixed, 4);
	pe_emit_store(h->e, pe_hit_in_record(h, arg->offset + 2), PE_R9, 2);
}

/* Write all arguments to the record.  Uses rax, rdx. */
void pe_hit_emit_args(struct hit *h)
{
	const struct pe_program *program = h->part->program;
	const struct pe_arg *arg;
	unsigned int nr = 0;

	if (!h->size && !h->name)
		pe_emit_fetch_put_copy(h);
	for (arg = program->args; arg < program->end; arg++) {
		if (!pe_type_is_string(arg->type)) {
			pe_emit_arg(h, arg);
			continue;
		}
		if (h->name) {
			pe_emit_name_word(h, arg);
			continue;
		}
		pe_emit_load(h->e, PE_RAX, pe_in_strings(h, offsetof(struct hit_strings, words) +
							 4 * nr++), 4);
		pe_emit_store(h->e, pe_hit_in_record(h, arg->offset), PE_RAX, 4);
	}
}
