// SPDX-License-Identifier: GPL-2.0
/*
 * btf.c - the types of functions and structures, of the kernel and of modules.
 *
 * Functions of the kernel are found by a table (return/func_types.c).  Type data of modules is
 * small, and the kernel searches it.
 */
#include <linux/err.h>
#include <linux/export.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/string.h>
#include <pe/btf.h>
#include <uapi/linux/btf.h>
#include "kernel/ksyms.h"
#include "kernel/return/return.h"
#include "kernel/symbols.h"

static bool can_read(void)
{
	return pe_ks_has(bpf_get_btf_vmlinux) && pe_ks_has(btf_find_by_name_kind) &&
	       pe_ks_has(btf_name_by_offset) && pe_ks_has(btf_type_by_id);
}

bool pe_btf_known(void)
{
	return can_read() && !IS_ERR_OR_NULL(pe_ks(bpf_get_btf_vmlinux)());
}
EXPORT_SYMBOL_GPL(pe_btf_known);

const struct btf_type *pe_btf_type(const struct btf *btf, u32 id)
{
	return pe_ks(btf_type_by_id)(btf, id);
}
EXPORT_SYMBOL_GPL(pe_btf_type);

const char *pe_btf_name(const struct btf *btf, u32 offset)
{
	return pe_ks(btf_name_by_offset)(btf, offset) ?: "";
}
EXPORT_SYMBOL_GPL(pe_btf_name);

const struct btf_type *pe_btf_find(const struct btf **btf, const char *name, u32 kind)
{
	const struct btf_type *t;
	u32 id;

	if (!pe_btf_known())
		return NULL;
	*btf = pe_ks(bpf_get_btf_vmlinux)();
	for (id = 1; (t = pe_btf_type(*btf, id)); id++)
		if (BTF_INFO_KIND(t->info) == kind && !strcmp(pe_btf_name(*btf, t->name_off), name))
			return t;
	return NULL;
}
EXPORT_SYMBOL_GPL(pe_btf_find);

static bool is_of_module(struct btf *btf, unsigned long entry)
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
static bool get_of_module(const char *name, unsigned long entry, struct pe_btf_func *func)
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
	if (t && BTF_INFO_KIND(t->info) == BTF_KIND_FUNC_PROTO && is_of_module(btf, entry)) {
		*func = (struct pe_btf_func){ btf, t, true };
		return true;
	}
	pe_ks(btf_put)(btf);
	return false;
}

static bool get_by_name(const char *name, unsigned long entry, struct pe_btf_func *func)
{
	const struct btf *btf;

	if (!pe_ks(core_kernel_text)(entry))
		return get_of_module(name, entry, func);
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

	if (!can_read() || !pe_symbol_at(addr, &entry, &size))
		return false;
	if (symbol[0])
		pe_symbol_find(symbol, &found);
	if (found.count == 1 && found.addr == entry)
		return get_by_name(pe_symbol_split(symbol, modname, sizeof(modname)), entry, func);
	pe_symbol_name(entry, name);
	pe_symbol_find(name, &found);
	return found.count == 1 && get_by_name(name, entry, func);
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
	s32 id;

	*found = (struct pe_btf_struct){};
	if (!name[0] || !pe_btf_known())
		return false;
	btf = pe_ks(bpf_get_btf_vmlinux)();
	id = pe_ks(btf_find_by_name_kind)(btf, name, BTF_KIND_STRUCT);
	if (id <= 0 && pe_ks_has(bpf_find_btf_id) && pe_ks_has(btf_put)) {
		id = pe_ks(bpf_find_btf_id)(name, BTF_KIND_STRUCT, &btf);
		found->of_module = id > 0;
	}
	if (id <= 0)
		return false;
	found->btf = btf;
	found->type = pe_btf_type(btf, id);
	return true;
}
EXPORT_SYMBOL_GPL(pe_btf_struct_get);

void pe_btf_struct_put(struct pe_btf_struct *found)
{
	if (found->of_module)
		pe_ks(btf_put)((struct btf *)found->btf);
	*found = (struct pe_btf_struct){};
}
EXPORT_SYMBOL_GPL(pe_btf_struct_put);
