// SPDX-License-Identifier: GPL-2.0
/*
 * symbols.c - names to addresses and back, for the engine and its users.
 *
 * All in process context.  The kernel's symbol table is compressed, so a search by
 * name may take milliseconds.
 */
#include <linux/capability.h>
#include <linux/export.h>
#include <linux/fs.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <pe/kprobe.h>
#include "kernel/arch.h"
#include "kernel/ksyms.h"
#include "kernel/symbols.h"

/* A search for all symbols with a name. */
struct search {
	const char *name;
	struct pe_symbol *found;
};

static void found_at(struct search *search, unsigned long addr, bool in_module)
{
	if (search->found->count++)
		return;
	search->found->addr = addr;
	search->found->in_module = in_module;
}

static int kernel_match(void *data, unsigned long addr)
{
	found_at(data, addr, false);
	return 0;
}

static int module_match(void *data, const char *name, unsigned long addr)
{
	struct search *search = data;

	if (!strcmp(name, search->name))
		found_at(search, addr, true);
	return 0;
}

/* Splits "MOD:SYM"; returns SYM, and MOD in @buf or an empty string. */
static const char *split_module(const char *name, char *buf, size_t size)
{
	const char *colon = strchr(name, ':');

	buf[0] = '\0';
	if (!colon || (size_t)(colon - name) >= size)
		return name;
	memcpy(buf, name, colon - name);
	buf[colon - name] = '\0';
	return colon + 1;
}

/**
 * pe_symbol_lookup() - address of a symbol
 * @name: "SYM" or "MOD:SYM", data symbols included
 *
 * Context: process.  Return: the address, or 0 if there is no such symbol.
 */
unsigned long pe_symbol_lookup(const char *name)
{
	return pe_ks(kallsyms_lookup_name)(name);
}
EXPORT_SYMBOL_GPL(pe_symbol_lookup);

/**
 * pe_symbol_find() - all symbols with a name
 * @name: "SYM": in the kernel and all modules; "MOD:SYM": in that module
 * @found: filled
 *
 * Context: process.
 */
void pe_symbol_find(const char *name, struct pe_symbol *found)
{
	char modname[MODULE_NAME_LEN];
	struct search search = {
		.name = split_module(name, modname, sizeof(modname)),
		.found = found,
	};

	*found = (struct pe_symbol){};
	if (!modname[0])
		pe_ks(kallsyms_on_each_match_symbol)(kernel_match, search.name, &search);
	if (pe_module_may_have(search.name))
		pe_module_symbols(modname[0] ? modname : NULL, module_match, &search);
}
EXPORT_SYMBOL_GPL(pe_symbol_find);

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

bool pe_addr_on_entry(unsigned long addr, unsigned long offset)
{
	return !offset || addr + offset == pe_arch_skip_endbr(addr);
}
EXPORT_SYMBOL_GPL(pe_addr_on_entry);

bool pe_show_addresses(const struct seq_file *m)
{
	if (pe_ks_has(kallsyms_show_value) && m->file)
		return pe_ks(kallsyms_show_value)(m->file->f_cred);
	return capable(CAP_SYSLOG);
}
EXPORT_SYMBOL_GPL(pe_show_addresses);
