// SPDX-License-Identifier: GPL-2.0
/*
 * return_args.c - how many words of arguments does a function take on the stack?
 *
 * They lie right above the return address, and have to be copied to where the
 * body looks for them when it is called through.  Three sources, best first:
 *
 *   type data	    the kernel's BTF has the function's parameters
 *   the code	    what touches the stack by nothing but push, pop, call and ret, and
 *		    jumps nowhere else, can't see its caller's words
 *   neither	    enough words for nearly every function
 *
 * A function with a variable number of arguments gets many: printk()'s callers
 * have been seen with twenty.  One with more fixed words than are ever copied is
 * refused.  Names that are not unique, or say that the compiler has changed the
 * function (a dot), are not looked up.
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/string.h>
#include "arch/x86/insn.h"
#include "kernel/kprobes.h"
#include "kernel/kretprobes.h"
#include "kernel/ksyms.h"

#define REGISTER_WORDS	6
#define UNKNOWN_WORDS	8
#define VARIADIC_WORDS	32
#define MOST_CODE	4096	/* bytes of a function that are looked at */

/* ---- type data ---- */

#ifdef CONFIG_DEBUG_INFO_BTF

static bool is_wrapper(const struct btf_type *t)
{
	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_TYPEDEF: case BTF_KIND_CONST: case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT: case BTF_KIND_TYPE_TAG:
		return true;
	default:
		return false;
	}
}

/* The type behind names and qualifiers; NULL for void. */
static const struct btf_type *strip(const struct btf *btf, u32 id)
{
	const struct btf_type *t = pe_ks(btf_type_by_id)(btf, id);
	unsigned int depth;

	for (depth = 0; t && depth < 32; depth++) {
		if (!is_wrapper(t))
			return BTF_INFO_KIND(t->info) == BTF_KIND_UNKN ? NULL : t;
		t = pe_ks(btf_type_by_id)(btf, t->type);
	}
	return NULL;
}

/*
 * Words of one parameter.  Structures of more than two words are passed on the
 * stack, smaller ones like as many words as they have, all or none in registers.
 */
static void count_param(const struct btf *btf, u32 id, unsigned int *regs, unsigned int *stack)
{
	const struct btf_type *t = strip(btf, id);
	unsigned int words = 1;

	if (t && (btf_type_is_struct(t) || btf_type_is_int(t)))
		words = DIV_ROUND_UP(t->size, sizeof(long));
	if (words <= 2 && *regs + words <= REGISTER_WORDS)
		*regs += words;
	else
		*stack += words;
}

static int count_params(const struct btf *btf, const struct btf_type *proto)
{
	const struct btf_param *p = (const struct btf_param *)(proto + 1);
	unsigned int regs = 0, stack = 0, i, n = btf_type_vlen(proto);

	for (i = 0; i < n; i++) {
		if (!p[i].type)
			return VARIADIC_WORDS;	/* the last one: "..." */
		count_param(btf, p[i].type, &regs, &stack);
	}
	return stack;
}

static int words_by_type(const char *name)
{
	const struct btf_type *t;
	const struct btf *btf;
	s32 id;

	if (!pe_ks_has(bpf_get_btf_vmlinux) || !pe_ks_has(btf_find_by_name_kind) ||
	    !pe_ks_has(btf_type_by_id))
		return -ENOENT;
	btf = pe_ks(bpf_get_btf_vmlinux)();
	if (IS_ERR_OR_NULL(btf))
		return -ENOENT;
	id = pe_ks(btf_find_by_name_kind)(btf, name, BTF_KIND_FUNC);
	t = id > 0 ? pe_ks(btf_type_by_id)(btf, id) : NULL;
	t = t ? pe_ks(btf_type_by_id)(btf, t->type) : NULL;
	if (!t || BTF_INFO_KIND(t->info) != BTF_KIND_FUNC_PROTO)
		return -ENOENT;
	return count_params(btf, t);
}

#else

static int words_by_type(const char *name)
{
	return -ENOENT;
}

#endif

static int words_by_name(unsigned long addr)
{
	char name[KSYM_SYMBOL_LEN];

	if (!pe_ks(core_kernel_text)(addr))
		return -ENOENT;	/* modules have type data of their own */
	pe_symbol_name(addr, name);
	if (strchr(name, '.') || pe_symbol_count(name) != 1)
		return -ENOENT;
	return words_by_type(name);
}

/* ---- code ---- */

/* Uses rsp or rbp in a way that could lead to the caller's words. */
static bool reaches_up(const struct pe_insn *insn)
{
	u8 reg = pe_modrm_reg(insn), rm = pe_modrm_rm(insn);
	bool mem = pe_insn_has_mem(insn);

	if (!(insn->flags & PE_INSN_HAS_MODRM))
		return false;
	/* As a register, on either side; groups are suspected without need. */
	if (!(insn->rex & PE_REX_R) && (reg == 4 || reg == 5) &&
	    (insn->opcode == 0x89 || insn->opcode == 0x8b || insn->opcode == 0x8d ||
	     insn->opcode == 0x87 || insn->opcode == 0x01 || insn->opcode == 0x03))
		return true;
	if (insn->rex & PE_REX_B)
		return false;
	if (!mem)
		return rm == 4;
	if (rm == 4)		/* SIB: base */
		return (insn->sib & 7) == 4 || (insn->sib & 7) == 5;
	return rm == 5 && !(insn->flags & PE_INSN_RIP_RELATIVE);
}

/* Leaves the function, or may. */
static bool jumps_out(const struct pe_insn *insn, size_t next, size_t len)
{
	s64 to = (s64)next + insn->imm;

	if (insn->map == PE_MAP_ONE && insn->opcode == 0xff)
		return pe_modrm_reg(insn) == 4 || pe_modrm_reg(insn) == 5;
	if (!(insn->flags & PE_INSN_REL_BRANCH) ||
	    (insn->map == PE_MAP_ONE && insn->opcode == 0xe8))
		return false;
	return to < 0 || to >= (s64)len;
}

/* enter, popf and other ways to move rsp that ModRM does not show: one-byte opcodes. */
static bool moves_stack(const struct pe_insn *insn)
{
	return insn->map == PE_MAP_ONE &&
	       (insn->opcode == 0xc8 || insn->opcode == 0xc9 || insn->opcode == 0x94 ||
		insn->opcode == 0x54 ||
		insn->opcode == 0x5c);
}

static bool sees_no_words(const u8 *code, size_t len)
{
	struct pe_insn insn;
	size_t off = 0;

	while (off < len) {
		if (pe_insn_decode(&insn, code + off, len - off))
			return false;
		off += insn.length;
		if (reaches_up(&insn) || moves_stack(&insn) || jumps_out(&insn, off, len))
			return false;
	}
	return true;
}

static bool code_sees_no_words(unsigned long addr)
{
	unsigned long start, size;
	bool none = false;
	u8 *code;

	if (!pe_symbol_at(addr, &start, &size) || size > MOST_CODE)
		return false;
	size -= addr - start;
	code = kvmalloc(size, GFP_KERNEL);
	if (code && pe_text_read(code, addr, size))
		none = sees_no_words(code, size);
	kvfree(code);
	return none;
}

/**
 * pe_return_stack_words() - argument words to copy for a function
 * @addr: its entry
 *
 * Context: process.  Return: how many, or -E2BIG.
 */
int pe_return_stack_words(unsigned long addr)
{
	int words = words_by_name(addr);

	if (words == VARIADIC_WORDS || (words >= 0 && words <= UNKNOWN_WORDS))
		return words;
	if (words > UNKNOWN_WORDS)
		return -E2BIG;
	return code_sees_no_words(addr) ? 0 : UNKNOWN_WORDS;
}
