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

struct count_ctx {
	const char *name;
	const char *modname;	/* only this module; NULL: all */
	unsigned int count;
};

static int count_match(void *data, unsigned long addr)
{
	struct count_ctx *ctx = data;

	ctx->count++;
	return 0;
}

#if PE_MODULE_KALLSYMS_BY_NAME
static int count_in_module(void *data, const char *name, unsigned long addr)
{
	struct count_ctx *ctx = data;

	if (!strcmp(name, ctx->name))
		ctx->count++;
	return 0;
}

static void count_in_modules(struct count_ctx *ctx)
{
	pe_ks(module_kallsyms_on_each_symbol)(ctx->modname, count_in_module, ctx);
}
#else
static int count_in_module(void *data, const char *name, struct module *mod,
			   unsigned long addr)
{
	struct count_ctx *ctx = data;

	/* NULL: a symbol of the kernel itself. */
	if (!mod || (ctx->modname && strcmp(mod->name, ctx->modname)))
		return 0;
	if (!strcmp(name, ctx->name))
		ctx->count++;
	return 0;
}

static void count_in_modules(struct count_ctx *ctx)
{
	pe_ks(module_kallsyms_on_each_symbol)(count_in_module, ctx);
}
#endif

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
 * pe_symbol_count() - the number of symbols with a name
 * @name: "SYM": in the kernel and all modules; "MOD:SYM": in that module
 *
 * Context: process.
 */
unsigned int pe_symbol_count(const char *name)
{
	char modname[MODULE_NAME_LEN];
	struct count_ctx ctx = { .name = split_module(name, modname, sizeof(modname)) };

	if (modname[0])
		ctx.modname = modname;
	else
		pe_ks(kallsyms_on_each_match_symbol)(count_match, ctx.name, &ctx);
	count_in_modules(&ctx);
	return ctx.count;
}
EXPORT_SYMBOL_GPL(pe_symbol_count);

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
