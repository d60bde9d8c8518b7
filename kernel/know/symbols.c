// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * symbols.c - names to addresses and back, for the engine and its users.
 *
 * All in process context.  The kernel's symbol table is compressed, so a search by
 * name may take milliseconds.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/fs.h>
#include <linux/kallsyms.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <pe/listing.h>
#include <pe/symbols.h>
#include "kernel/arch.h"
#include "kernel/know/ksyms.h"
#include "kernel/know/names.h"

/*
 * A search for all symbols with a name; @number: for one of them only, if it is not 0; @own: of
 * ours.
 */
struct search {
	const char *name;
	unsigned int number, seen;
	unsigned long own;
	struct pe_symbol *found;
};

static void pe_found_at(struct search *search, unsigned long addr, bool in_module)
{
	if (search->number && ++search->seen != search->number)
		return;
	if (search->found->count++)
		return;
	search->found->addr = addr;
	search->found->in_module = in_module;
}

static int pe_kernel_match(void *data, unsigned long addr)
{
	pe_found_at(data, addr, false);
	return 0;
}

static int pe_module_match(void *data, const char *name, unsigned long addr)
{
	struct search *search = data;

	if (strcmp(name, search->name))
		return 0;
	if (pe_prober_owns(addr))
		search->own = addr;
	else
		pe_found_at(search, addr, true);
	return 0;
}

const char *pe_symbol_split(const char *name, char *buf, size_t size)
{
	const char *colon = strchr(name, ':');

	buf[0] = '\0';
	/* ":SYM" is in a module that never comes, as for the kernel. */
	if (!colon || colon == name || (size_t)(colon - name) >= size)
		return name;
	memcpy(buf, name, colon - name);
	buf[colon - name] = '\0';
	return colon + 1;
}
EXPORT_SYMBOL_GPL(pe_symbol_split);

/* Splits "SYM,N"; returns N, and SYM in @buf.  0, and @buf as @name, if it does not end so. */
static unsigned int pe_split_number(const char *name, char *buf, size_t size)
{
	unsigned int number;
	char *comma;

	strscpy(buf, name, size);
	comma = strrchr(buf, ',');
	if (!comma || kstrtouint(comma + 1, 10, &number) || !number)
		return 0;
	*comma = '\0';
	return number;
}

/**
 * pe_symbol_lookup() - address of a symbol
 * @name: "SYM" or "MOD:SYM", data symbols included
 *
 * If it is one of ours, and not the only one of that name, it is another one.
 *
 * Context: process.  Return: the address, or 0 if there is no such symbol.
 */
unsigned long pe_symbol_lookup(const char *name)
{
	unsigned long addr = pe_ksym_address(name);
	struct pe_symbol found;

	if (!addr && !PE_HAVE_KALLSYMS_MATCH)	/* the index has none of modules */
		addr = pe_ks(kallsyms_lookup_name)(name);
	if (!pe_prober_owns(addr) || strchr(name, ','))
		return addr;
	pe_symbol_find(name, &found);
	return found.addr;
}
EXPORT_SYMBOL_GPL(pe_symbol_lookup);

/*
 * An address of the kernel's own may begin at 0: then its first symbol has not been found.  A
 * module's is that of its area, if it leads to that of each CPU.
 */
bool pe_symbol_is_percpu(unsigned long addr)
{
	unsigned long start = (unsigned long)pe_ks_data.__per_cpu_start;
	unsigned long end = (unsigned long)pe_ks_data.__per_cpu_end;
	int cpu;

	if (addr >= start && addr < end)
		return true;
	if (!pe_ks_has(is_module_percpu_address))
		return false;
	for_each_possible_cpu(cpu) {
		if (!pe_ks(is_module_percpu_address)(addr + per_cpu_offset(cpu)))
			return false;
	}
	return true;
}
EXPORT_SYMBOL_GPL(pe_symbol_is_percpu);

/**
 * pe_symbol_find() - all symbols with a name
 * @name: "SYM": in the kernel and all modules; "MOD:SYM": in that module; with ",N" at the end:
 *	the Nth of them only, from 1
 * @found: filled
 *
 * The kernel's own come first, in the order of their addresses.  One of ours, or of a protected
 * module, is found only where there is no other: a name of the prober's takes none away.
 *
 * Context: process.
 */
void pe_symbol_find(const char *name, struct pe_symbol *found)
{
	char modname[MODULE_NAME_LEN], plain[KSYM_NAME_LEN];
	struct search search = { .name = plain, .found = found };

	name = pe_symbol_split(name, modname, sizeof(modname));
	search.number = pe_split_number(name, plain, sizeof(plain));
	*found = (struct pe_symbol){};
	if (!modname[0])
		pe_kernel_matches(search.name, pe_kernel_match, &search);
	if (pe_module_may_have(search.name))
		pe_module_symbols(modname[0] ? modname : NULL, pe_module_match, &search);
	if (!found->count && search.own && search.number <= 1)
		*found = (struct pe_symbol){ .count = 1, .addr = search.own, .in_module = true };
}
EXPORT_SYMBOL_GPL(pe_symbol_find);

struct functions {
	pe_function_fn *fn;
	void *data;
};

static int pe_kernel_function(void *data, const char *name, unsigned long addr)
{
	const struct functions *functions = data;

	if (!pe_ks(core_kernel_text)(addr))
		return 0;
	return functions->fn(functions->data, NULL, name, addr);
}

/* The module's symbols are being looked at, so it stays. */
static int pe_module_function(void *data, const char *name, unsigned long addr)
{
	const struct functions *functions = data;
	const struct module *mod;

	if (pe_prober_owns(addr))
		return 0;
	preempt_disable();
	mod = pe_ks(__module_text_address)(addr);
	preempt_enable();
	return mod ? functions->fn(functions->data, mod->name, name, addr) : 0;
}

/**
 * pe_functions_each() - call a function for each symbol in text, but ours
 * @modname: of a module; NULL: those of the kernel itself, then those of all modules
 * @fn: gets the name of the symbol's module, or NULL, its name and its address; if it does not
 *	return 0, the walk ends.  It may allocate memory, and must look for no symbols
 * @data: for @fn
 *
 * Context: process; takes tens of milliseconds.  Return: false if the kernel cannot tell its own.
 */
bool pe_functions_each(const char *modname, pe_function_fn *fn, void *data)
{
	struct functions functions = { fn, data };

	if (!modname && !pe_ks_has(kallsyms_on_each_symbol))
		return false;
	if (modname || !pe_kernel_symbols(pe_kernel_function, &functions))
		pe_module_symbols(modname, pe_module_function, &functions);
	return true;
}
EXPORT_SYMBOL_GPL(pe_functions_each);

/**
 * pe_symbol_at() - the symbol that holds an address
 * @addr: any kernel address
 * @start: where it begins
 * @size: up to the next symbol, padding included
 *
 * Context: process.  Return: false if no symbol holds @addr.
 */
bool pe_symbol_at(unsigned long addr, unsigned long *start, unsigned long *size)
{
	unsigned long offset;

	if (!pe_ks(kallsyms_lookup_size_offset)(addr, size, &offset))
		return false;
	*start = addr - offset;
	return true;
}
EXPORT_SYMBOL_GPL(pe_symbol_at);

/* The name of the symbol that holds @addr; @name has KSYM_SYMBOL_LEN bytes. */
void pe_symbol_name(unsigned long addr, char *name)
{
	char *end;

	sprint_symbol_no_offset(name, addr);
	end = strchr(name, ' ');	/* " [module]" */
	if (end)
		*end = '\0';
}

/* Does @pattern match @name?  A pattern that ends in '*' is a prefix. */
bool pe_name_matches(const char *name, const char *pattern)
{
	size_t len = strlen(pattern);

	if (pattern[len - 1] == '*')
		return !strncmp(name, pattern, len - 1);
	return !strcmp(name, pattern);
}

/**
 * pe_named_reason() - is the function that holds an address in a list?
 * @addr: the address
 * @list: of functions
 * @n: the number of entries in @list
 *
 * Context: process.  Return: the list's reason, or NULL.
 */
const char *pe_named_reason(unsigned long addr, const struct pe_named *list, unsigned int n)
{
	char name[KSYM_SYMBOL_LEN];
	unsigned int i;

	pe_symbol_name(addr, name);
	for (i = 0; i < n; i++) {
		if (pe_name_matches(name, list[i].name))
			return list[i].reason;
	}
	return NULL;
}

/**
 * pe_kernel_has() - is one of two names a symbol of the kernel?  If not, the log says so
 * @name: the one
 * @or: the other, or NULL
 *
 * Context: process.
 */
bool pe_kernel_has(const char *name, const char *or)
{
	if (pe_ksym_address(name) || (or && pe_ksym_address(or)))
		return true;
	pr_err("this kernel has no %s(): it may have another name, and code that must not be probed\n",
	       name);
	return false;
}

/**
 * pe_named_complete() - are all functions of a list known by their names?
 * @list: of functions
 * @n: the number of entries in @list
 *
 * Context: process, while loading.  Each that is missing is named in the log.
 */
bool pe_named_complete(const struct pe_named *list, unsigned int n)
{
	bool complete = true;
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (list[i].must && !pe_kernel_has(list[i].name, list[i].or))
			complete = false;
	}
	return complete;
}

bool pe_addr_on_entry(unsigned long addr, unsigned long offset)
{
	return !offset || addr + offset == pe_arch_skip_entry_mark(addr);
}
EXPORT_SYMBOL_GPL(pe_addr_on_entry);

bool pe_show_addresses(const struct seq_file *m)
{
	if (pe_ks_has(kallsyms_show_value) && m->file)
		return pe_ks(kallsyms_show_value)(m->file->f_cred);
	return capable(CAP_SYSLOG);
}
EXPORT_SYMBOL_GPL(pe_show_addresses);
