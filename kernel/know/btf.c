// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * btf.c - the types of functions and structures, of the kernel and of modules.
 *
 * Functions of the kernel are found by a table (know/func_types.c).  Type data of modules is
 * small, and the kernel searches it.  A kernel without type data of its own has none of modules;
 * a file may then bring that of the kernel itself (btf_file.c).
 */
#include <linux/err.h>
#include <linux/export.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/string.h>
#include <pe/btf.h>
#include <pe/symbols.h>
#include "kernel/know/btf_source.h"
#include "kernel/know/ksyms.h"
#include "kernel/know/names.h"

/* ---- the kernel as a source ---- */

static const struct btf *pe_kernel_get(void)
{
	const struct btf *btf = NULL;

	if (pe_ks_has(bpf_get_btf_vmlinux) && pe_ks_has(btf_name_by_offset) &&
	    pe_ks_has(btf_type_by_id))
		btf = pe_ks(bpf_get_btf_vmlinux)();
	return IS_ERR(btf) ? NULL : btf;
}

static const struct btf_type *pe_kernel_type(const struct btf *btf, u32 id)
{
	return pe_ks(btf_type_by_id)(btf, id);
}

static const char *pe_kernel_text(const struct btf *btf, u32 offset)
{
	return pe_ks(btf_name_by_offset)(btf, offset) ?: "";
}

static const struct pe_btf_source pe_kernel_source = {pe_kernel_get, pe_kernel_type,
						      pe_kernel_text};

/* ---- what any source answers ---- */

/* Changes once at most, while there is no type data yet that a caller could ask about. */
static const struct pe_btf_source *pe_the_source = &pe_kernel_source;

static const struct pe_btf_source *pe_kernel_btf_source(void)
{
	return smp_load_acquire(&pe_the_source);	/* with what pe_btf_set_source() has seen */
}

void pe_btf_set_source(const struct pe_btf_source *to)
{
	smp_store_release(&pe_the_source, to);	/* pairs with pe_kernel_btf_source() */
}

const struct btf *pe_btf_vmlinux(void)
{
	return pe_kernel_btf_source()->get();
}

bool pe_btf_is_kernels(void)
{
	return pe_kernel_btf_source() == &pe_kernel_source;
}

bool pe_btf_known(void)
{
	return pe_btf_vmlinux();
}
EXPORT_SYMBOL_GPL(pe_btf_known);

const struct btf_type *pe_btf_type(const struct btf *btf, u32 id)
{
	return pe_kernel_btf_source()->type(btf, id);
}
EXPORT_SYMBOL_GPL(pe_btf_type);

const char *pe_btf_name(const struct btf *btf, u32 offset)
{
	return pe_kernel_btf_source()->text(btf, offset);
}
EXPORT_SYMBOL_GPL(pe_btf_name);

const struct btf_type *pe_btf_find(const struct btf **btf, const char *name, u32 kind)
{
	const struct btf_type *t;
	u32 id;

	*btf = pe_btf_vmlinux();
	for (id = 1; *btf && (t = pe_btf_type(*btf, id)); id++)
		if (BTF_INFO_KIND(t->info) == kind && !strcmp(pe_btf_name(*btf, t->name_off), name))
			return t;
	return NULL;
}

/* ---- functions ---- */

static bool pe_is_of_module(struct btf *btf, unsigned long entry)
{
	struct module *mod;
	bool is;

	if (!pe_ks_has(btf_is_module) || !pe_ks(btf_is_module)(btf))
		return false;
	mod = pe_ks(btf_try_get_module)(btf);
	if (!mod)
		return false;
	is = within_module(entry, mod);
	module_put(mod);
	return is;
}

/*
 * The kernel looks for the name in its own type data first, and then in that of all modules.
 * It is of no use here if that ends at another function of the same name.
 */
static bool pe_get_of_module(const char *name, unsigned long entry, struct pe_btf_func *func)
{
	const struct btf_type *t;
	struct btf *btf;
	s32 id;

	if (!pe_ks_has(bpf_find_btf_id) || !pe_ks_has(btf_try_get_module) ||
	    !pe_ks_has(btf_put))
		return false;
	id = pe_ks(bpf_find_btf_id)(name, BTF_KIND_FUNC, &btf);
	if (id <= 0)
		return false;
	t = pe_btf_type(btf, id);
	t = t ? pe_btf_type(btf, t->type) : NULL;
	if (t && BTF_INFO_KIND(t->info) == BTF_KIND_FUNC_PROTO && pe_is_of_module(btf, entry)) {
		*func = (struct pe_btf_func){ btf, t, true };
		return true;
	}
	pe_ks(btf_put)(btf);
	return false;
}

static bool pe_get_by_name(const char *name, unsigned long entry, struct pe_btf_func *func)
{
	const struct btf *btf;

	if (!pe_ks(core_kernel_text)(entry))
		return pe_get_of_module(name, entry, func);
	*func = (struct pe_btf_func){};
	func->proto = pe_func_type(name, &btf);
	if (func->proto)
		func->btf = btf;
	return func->proto;
}

bool pe_btf_func_get(const char *symbol, unsigned long addr, struct pe_btf_func *func)
{
	char name[KSYM_SYMBOL_LEN], modname[MODULE_NAME_LEN];
	unsigned long entry, size;
	struct pe_symbol found = {};

	if (!pe_btf_known() || !pe_symbol_at(addr, &entry, &size))
		return false;
	if (symbol[0])
		pe_symbol_find(symbol, &found);
	if (found.count == 1 && found.addr == entry)
		return pe_get_by_name(pe_symbol_split(symbol, modname, sizeof(modname)), entry,
				      func);
	pe_symbol_name(entry, name);
	pe_symbol_find(name, &found);
	return found.count == 1 && pe_get_by_name(name, entry, func);
}
EXPORT_SYMBOL_GPL(pe_btf_func_get);

void pe_btf_func_put(struct pe_btf_func *func)
{
	if (func->of_module)
		pe_ks(btf_put)((struct btf *)func->btf);
	*func = (struct pe_btf_func){};
}
EXPORT_SYMBOL_GPL(pe_btf_func_put);

bool pe_btf_struct_get(const char *name, struct pe_btf_struct *found)
{
	struct btf *btf;
	s32 id = 0;

	*found = (struct pe_btf_struct){};
	if (!name[0])
		return false;
	found->type = pe_btf_find(&found->btf, name, BTF_KIND_STRUCT);
	if (found->type)
		return true;
	if (pe_btf_is_kernels() && pe_ks_has(bpf_find_btf_id) && pe_ks_has(btf_put))
		id = pe_ks(bpf_find_btf_id)(name, BTF_KIND_STRUCT, &btf);
	found->of_module = id > 0;
	found->btf = found->of_module ? btf : NULL;
	found->type = found->of_module ? pe_btf_type(btf, id) : NULL;
	return found->of_module;
}
EXPORT_SYMBOL_GPL(pe_btf_struct_get);

void pe_btf_struct_put(struct pe_btf_struct *found)
{
	if (found->of_module)
		pe_ks(btf_put)((struct btf *)found->btf);
	*found = (struct pe_btf_struct){};
}
EXPORT_SYMBOL_GPL(pe_btf_struct_put);
