// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * arg_hints.c - what a user may have meant by an argument that is refused [P]
 *
 * Each function is called with an error that has just been told, and gives back its errno.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <pe_arch/abi.h>
#include "arg.h"
#include "btf_walk.h"
#include "lex.h"
#include "limits.h"
#include "near.h"
#include "parse_err.h"
#include "parser.h"
#include "spec.h"

int pe_arg_hint(struct pe_arg_parser *p, int ret, const char *fmt, ...)
{
	va_list args;

	if (p->err->detail)
		return ret;
	va_start(args, fmt);
	vscnprintf(p->placed->hint, sizeof(p->placed->hint), fmt, args);
	va_end(args);
	p->err->detail = p->placed->hint;
	return ret;
}

#define REG_NAME(r)	#r,
static const char *const pe_arg_hints_regs[] = { PE_ARCH_ARG_REGS(REG_NAME) };

/* The register that another assembler, or C, calls @s; its length 0: none. */
static struct pe_str pe_known_register(struct pe_str s)
{
	if (pe_is_register(s))
		return s;
	if (!s.len)
		return s;
	if (strchr(PE_ARCH_REG_PREFIXES, s.p[0]) && pe_is_register(pe_str_from(s, 1)))
		return pe_str_from(s, 1);
	if (strchr(PE_ARCH_REG_SUFFIXES, s.p[s.len - 1]) &&
	    pe_is_register(pe_str_cut(s, s.len - 1)))
		return pe_str_cut(s, s.len - 1);
	return (struct pe_str){};
}

int pe_hint_register(struct pe_arg_parser *p, struct pe_str s, int ret)
{
	struct pe_str known = pe_known_register(s);
	unsigned int n = pe_str_at(s, 1) - '0';

	if (known.len)
		return pe_arg_hint(p, ret, "did you mean %%%.*s?", (int)known.len, known.p);
	/* As other machines name them: x0 of Arm, a0 of RISC-V */
	if (s.len == 2 && strchr("awxr", s.p[0]) && n < ARRAY_SIZE(pe_arg_hints_regs))
		return pe_arg_hint(p, ret, "here, argument %u of a function is in %%%s, or $arg%u",
				   n + 1, pe_arg_hints_regs[n], n + 1);
	return pe_arg_hint(p, ret, "arguments are in %s", PE_ARCH_ARG_REGS_TEXT);
}

static const char *pe_near_word(struct pe_near *near, const char *want, const char *const *words,
				unsigned int n)
{
	pe_near_init(near, want);
	while (n--)
		pe_near_offer(near, *words++);
	return near->name[0] ? near->name : NULL;
}

int pe_hint_variable(struct pe_arg_parser *p, struct pe_str s, int ret)
{
	static const char *const vars[] = {
		"retval", "stack", "elapsed", "since", "comm", "current", "arg1",
	};
	struct pe_str known = pe_known_register(s);
	char want[PE_MAX_ARGSTR_LEN + 1];
	struct pe_near near;

	if (pe_str_eq(s, "elapsed"))
		return pe_arg_hint(p, ret, "$elapsed is only available on return probes");
	if (pe_str_starts(s, "ret"))
		return pe_arg_hint(p, ret, "did you mean $retval?");
	if (pe_str_starts(s, "arg"))
		return pe_arg_hint(p, ret, "use $arg1, $arg2, ... or, as a whole word, $arg*");
	if (known.len)
		return pe_arg_hint(p, ret, "did you mean %%%.*s?", (int)known.len, known.p);
	scnprintf(want, sizeof(want), "%.*s", (int)s.len, s.p);
	if (pe_near_word(&near, want, vars, ARRAY_SIZE(vars)))
		return pe_arg_hint(p, ret, "did you mean $%s?", near.name);
	return pe_arg_hint(p, ret, "variables: %s",
			   "$argN, $stack, $stackN, $retval, $elapsed, $since, $comm, $current");
}

int pe_hint_type(struct pe_arg_parser *p, struct pe_str s, int ret)
{
	static const char *const c_names[][2] = {
		{ "int", "s32" }, { "unsigned", "u32" }, { "uint", "u32" }, { "short", "s16" },
		{ "long", "s64" }, { "ulong", "u64" }, { "int8", "s8" }, { "int16", "s16" },
		{ "int32", "s32" }, { "int64", "s64" }, { "uint8", "u8" }, { "uint16", "u16" },
		{ "uint32", "u32" }, { "uint64", "u64" }, { "size", "u64" }, { "ssize", "s64" },
		{ "pid", "s32" }, { "bool", "u8" }, { "byte", "u8" }, { "ptr", "x64" },
		{ "pointer", "x64" }, { "hex", "x64" }, { "str", "string" }, { "char*", "string" },
		{ "sym", "symbol" }, { "task_struct", "task" },
	};
	static const char types[] =
		"types: u8-u64, s8-s64, x8-x64, char, string, ustring, symbol, symstr, task, rwbs";
	struct pe_str name = s;
	unsigned int i;

	if (s.len > 2 && pe_str_eq(pe_str_from(s, s.len - 2), "_t"))
		name = pe_str_cut(s, s.len - 2);
	for (i = 0; i < ARRAY_SIZE(c_names); i++)
		if (pe_str_eq(name, c_names[i][0]))
			break;
	if (i == ARRAY_SIZE(c_names))
		return pe_arg_hint(p, ret, "%s", types);
	return pe_arg_hint(p, ret, "did you mean %s? %s", c_names[i][1], types);
}

int pe_hint_string(struct pe_arg_parser *p, int ret)
{
	struct pe_str body = pe_str_of(p->arg->expr);
	struct pe_str fetch = pe_str_cut(body, pe_str_find(body, ':'));

	return pe_arg_hint(p, ret, "did you mean +0(%.*s):%.*s?", (int)fetch.len, fetch.p,
			   (int)p->type.len, p->type.p);
}

/* The nearest parameter, or all of them. */
int pe_hint_param(struct pe_arg_parser *p, struct pe_str s, int ret)
{
	unsigned int i, n = pe_arg_nr_params(p);
	char want[PE_MAX_ARGSTR_LEN + 1], all[128];
	struct pe_near near;
	size_t used = 0;

	if (pe_is_register(s))
		return pe_arg_hint(p, ret, "did you mean %%%.*s?", (int)s.len, s.p);
	scnprintf(want, sizeof(want), "%.*s", (int)s.len, s.p);
	pe_near_init(&near, want);
	all[0] = '\0';
	for (i = 0; i < n; i++) {
		const char *name = pe_arg_param(p, i, NULL);

		pe_near_offer(&near, name);
		used += scnprintf(all + used, sizeof(all) - used, "%s%s", i ? ", " : "", name);
	}
	if (near.name[0])
		return pe_arg_hint(p, ret, "did you mean %s?", near.name);
	return n ? pe_arg_hint(p, ret, "its parameters are %s", all) : ret;
}

static void pe_offer_field(void *data, const char *name)
{
	pe_near_offer(data, name);
}

int pe_hint_field(struct pe_arg_parser *p, const struct btf_type *t, struct pe_str s, int ret)
{
	char want[PE_MAX_ARGSTR_LEN + 1];
	struct pe_near near;

	scnprintf(want, sizeof(want), "%.*s", (int)s.len, s.p);
	pe_near_init(&near, want);
	pe_btf_each_member(p->last_btf, t, pe_offer_field, &near);
	return near.name[0] ? pe_arg_hint(p, ret, "did you mean %s?", near.name) : ret;
}
