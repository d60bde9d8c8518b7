// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * stack_words.c - how many words of arguments does a function take on the stack?
 *
 * They are right above the return address.  A call through copies them to where the body
 * looks for them.  Three sources tell their number, best first:
 *
 *   type data	    the kernel's BTF has the function's parameters
 *   the code	    code that is seen to use no word above its return address, and jumps
 *		    nowhere else (return_words.c)
 *   neither	    the number is PE_MOST_WORDS, the most that is ever copied: the function
 *		    may be one like printk()
 *
 * The number is PE_MOST_WORDS also if the type data says that it is variable.  A function that
 * is known to take more words is refused.  The type data is not used for
 *
 *   - a name that is not unique;
 *   - a name with a dot: the compiler has changed the function;
 *   - a function of a module: its type data is not found by address.
 *
 * Type data from a file may be wrong, which cannot be checked, and too few words would break a
 * call.  So it serves for nothing but to refuse.
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <pe/btf.h>
#include <pe/symbols.h>
#include "kernel/know/btf_source.h"
#include "kernel/know/ksyms.h"
#include "kernel/know/names.h"
#include "kernel/probe/hidden.h"
#include "kernel/return/return.h"

#define MOST_CODE	4096	/* bytes; a longer function is not looked at */

/* ---- type data ---- */

/* The type without names and qualifiers; NULL for void. */
static const struct btf_type *pe_args_strip(const struct btf *btf, u32 id)
{
	const struct btf_type *t = pe_btf_strip(btf, id);

	return t && BTF_INFO_KIND(t->info) != BTF_KIND_UNKN ? t : NULL;
}

static void pe_count_param(const struct btf *btf, u32 id, struct pe_arg_words *words)
{
	const struct btf_type *t = pe_args_strip(btf, id);

	if (t && (btf_type_is_struct(t) || btf_type_is_int(t)))
		pe_arg_words_add(words, t->size, btf_type_is_struct(t));
	else
		pe_arg_words_add(words, sizeof(long), false);
}

/*
 * A large structure is returned through a hidden first parameter, a pointer.  The type data
 * does not tell how large it must be for that (return_words.c).  So each structure
 * counts.
 */
static bool pe_may_return_through_pointer(const struct btf *btf, const struct btf_type *proto)
{
	const struct btf_type *t = pe_args_strip(btf, proto->type);

	return t && btf_type_is_struct(t);
}

/* A function in assembler has the type void f(void) if its real type is unknown. */
static bool pe_says_nothing(const struct btf_type *proto)
{
	return !proto->type && !btf_type_vlen(proto);
}

static int pe_count_params(const struct btf *btf, const struct btf_type *proto)
{
	const struct btf_param *p = (const struct btf_param *)(proto + 1);
	unsigned int i, n = btf_type_vlen(proto);
	struct pe_arg_words words = { .regs = pe_may_return_through_pointer(btf, proto) };

	for (i = 0; i < n && words.stack <= PE_MOST_WORDS; i++) {
		if (!p[i].type)
			return PE_MOST_WORDS;	/* the last one: "..." */
		pe_count_param(btf, p[i].type, &words);
	}
	return words.stack;
}

static int pe_words_by_type(const char *name, bool compiled)
{
	const struct btf *btf;
	const struct btf_type *t = pe_func_type(name, &btf);

	if (!t || (!compiled && pe_says_nothing(t)))
		return -ENOENT;
	return pe_count_params(btf, t);
}

static int pe_words_by_name(unsigned long addr, bool compiled)
{
	char name[KSYM_SYMBOL_LEN];
	struct pe_symbol found;

	if (!pe_ks(core_kernel_text)(addr))
		return -ENOENT;	/* modules have type data of their own */
	pe_symbol_name(addr, name);
	if (strchr(name, '.'))
		return -ENOENT;
	pe_symbol_find(name, &found);
	if (found.count != 1)
		return -ENOENT;
	return pe_words_by_type(name, compiled);
}

/* ---- code ---- */

static bool pe_args_code_sees_no_words(unsigned long addr, bool compiled)
{
	struct pe_stack_state *states;
	unsigned long start, size;
	bool none = false;
	u8 *code;

	if (!pe_symbol_at(addr, &start, &size) || size > MOST_CODE)
		return false;
	size -= addr - start;
	states = kvmalloc_array(size, sizeof(*states) + 1, GFP_KERNEL);
	code = (u8 *)(states + size);
	if (states && pe_text_read(code, addr, size)) {
		/* A breakpoint may hide the only instruction that looks for words. */
		pe_hidden_recover(code, addr, size);
		none = pe_code_sees_no_words(code, size, addr, pe_arch_is_return_thunk, compiled,
					     states);
	}
	kvfree(states);
	return none;
}

/**
 * pe_return_stack_words() - argument words to copy for a function
 * @addr: its entry
 * @compiled: the function is known not to be assembler
 *
 * Context: process, with pe_mutex.  Return: the number of words, or -E2BIG.
 */
int pe_return_stack_words(unsigned long addr, bool compiled)
{
	int words = pe_words_by_name(addr, compiled);

	if (words > PE_MOST_WORDS)
		return -E2BIG;
	if (words >= 0 && pe_btf_is_kernels())
		return words;
	return pe_args_code_sees_no_words(addr, compiled) ? 0 : PE_MOST_WORDS;
}
