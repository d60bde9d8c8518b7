// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * hist_field.c - a key or a value of a histogram trigger: FIELD[.MODIFIER].  [P]
 *
 *	FIELD	an argument, a field of the record's head, or one of the general ones of
 *		pe_hist_general
 *
 * As in the kernel, a text with two dots or more is SYSTEM.EVENT.FIELD, of which only the
 * last is looked at if it is a field.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "filter.h"
#include "filter_pred.h"
#include "hist.h"
#include "hist_internal.h"
#include "lex.h"
#include "parse_err.h"

const char *const pe_hist_mods[PE_NR_MODS] = {
	[PE_MOD_HEX] = "hex",
	[PE_MOD_SYM] = "sym",
	[PE_MOD_SYM_OFFSET] = "sym-offset",
	[PE_MOD_EXECNAME] = "execname",
	[PE_MOD_SYSCALL] = "syscall",
	[PE_MOD_STACKTRACE] = "stacktrace",
	[PE_MOD_LOG2] = "log2",
	[PE_MOD_USECS] = "usecs",
	[PE_MOD_BUCKETS] = "buckets",
	[PE_MOD_PERCENT] = "percent",
	[PE_MOD_GRAPH] = "graph",
	[PE_MOD_DIST] = "dist",
	[PE_MOD_MAX] = "max",
	[PE_MOD_MIN] = "min",
};

struct general {
	const char *name;
	u8 source;
};

static const struct general pe_hist_general[] = {
	{ "common_timestamp",	PE_HIST_TIME },
	{ "common_cpu",		PE_HIST_CPU },
	{ "common_stacktrace",	PE_HIST_STACK_TRACE },
	{ "common_comm",	PE_HIST_COMM },
	{ "common_tgid",	PE_HIST_TGID },
	{ "common_caller",	PE_HIST_CALLER },
	{ "hitcount",		PE_HIST_HITCOUNT },
};

/* The kernel looks at the rest of a field before it finds what is wrong with the others. */
static bool pe_mod_may(unsigned int mod, enum pe_hist_role role)
{
	if (mod >= PE_MOD_DIST)
		return role == PE_HIST_VAL;
	return mod < PE_MOD_PERCENT || role == PE_HIST_VAL || role == PE_HIST_OPERAND;
}

/* As in the kernel, anything may follow the names of shares. */
static bool pe_mod_is(unsigned int mod, struct pe_str text)
{
	if (mod == PE_MOD_SYM_OFFSET)
		return pe_str_eq(text, PE_HIST_SYM_OFFSET);
	if (mod == PE_MOD_PERCENT || mod == PE_MOD_GRAPH)
		return pe_str_starts(text, pe_hist_mods[mod]);
	return pe_str_eq(text, pe_hist_mods[mod]);
}

/* "bucket[s]=N"; @text is what the kernel would say is wrong. */
static int pe_read_buckets(const struct pe_hist_parser *p, struct pe_hist_field *field,
			   struct pe_str text)
{
	text = pe_str_from(text, strlen("bucket"));
	if (pe_str_at(text, 0) == 's')
		text = pe_str_from(text, 1);
	if (pe_str_at(text, 0) != '=')
		return pe_hist_bad_modifier(p, text);
	text = pe_str_from(text, 1);
	if (pe_lex_u64(text, 0, &field->buckets) || !field->buckets)
		return pe_hist_bad_modifier(p, text);
	field->mod = PE_MOD_BUCKETS;
	return 0;
}

static int pe_read_depth(const struct pe_hist_parser *p, struct pe_hist_field *field,
			 struct pe_str text)
{
	u64 depth;

	if (pe_lex_u64(pe_str_from(text, strlen("depth=")), 10, &depth) || !depth ||
	    depth > PE_HIST_MAX_STACK)
		return pe_hist_bad_modifier(p, text);
	field->depth = depth;
	return 0;
}

static int pe_read_modifier(const struct pe_hist_parser *p, struct pe_hist_field *field,
			    struct pe_str name, struct pe_str text, enum pe_hist_role role)
{
	unsigned int mod;

	if (pe_str_starts(text, "bucket"))
		return pe_read_buckets(p, field, text);
	if (pe_str_starts(text, "depth=") && role == PE_HIST_KEY)
		return pe_read_depth(p, field, text);
	for (mod = PE_MOD_HEX; mod < PE_NR_MODS; mod++)
		if (pe_mod_is(mod, text))
			break;
	if (mod == PE_NR_MODS || !pe_mod_may(mod, role) ||
	    (mod == PE_MOD_EXECNAME && !pe_str_eq(name, "common_pid")))
		return pe_hist_bad_modifier(p, text);
	field->mod = mod;
	field->usecs = mod == PE_MOD_USECS;
	return 0;
}

static bool pe_find_general(struct pe_hist_field *field, struct pe_str name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pe_hist_general); i++) {
		if (!pe_str_eq(name, pe_hist_general[i].name))
			continue;
		field->source = pe_hist_general[i].source;
		return true;
	}
	return false;
}

/* A field as filters see it. */
static int pe_from_filter(const struct pe_hist_parser *p, struct pe_hist_field *field,
			  struct pe_str name)
{
	struct pe_filter_field found;

	if (!pe_filter_find_field(p->layout, name, &found))
		return pe_hist_fail(p, PE_ERR_HIST_NO_FIELD, name, -EINVAL);
	field->offset = found.offset;
	field->is_signed = found.is_signed;
	field->size = found.size;
	switch (found.kind) {
	case PE_FIELD_NUMBER:
		field->source = PE_HIST_NUMBER;
		if (found.size == 1 || found.size == 2 || found.size == 4 || found.size == 8)
			return 0;
		return pe_hist_fail(p, PE_ERR_HIST_BAD_SIZE, name, -EINVAL);
	case PE_FIELD_STRING:
		field->source = PE_HIST_STRING;
		return 0;
	case PE_FIELD_CPU:
		field->source = PE_HIST_CPU;
		return 0;
	case PE_FIELD_STACK:
		field->source = PE_HIST_STACK_TRACE;
		strscpy(field->name, "common_stacktrace", sizeof(field->name));
		return 0;
	}
	/* The kernel's general field COMM, and the text of trace_marker, have no size there. */
	return pe_hist_fail(p, PE_ERR_HIST_NO_FIELD, name, -EINVAL);
}

static int pe_read_name(const struct pe_hist_parser *p, struct pe_hist_field *field,
			struct pe_str name)
{
	if (!pe_str_copy(field->name, sizeof(field->name), name))
		return pe_hist_fail(p, PE_ERR_HIST_NO_FIELD, name, -EINVAL);
	if (!pe_find_general(field, name))
		return pe_from_filter(p, field, name);
	if (field->source == PE_HIST_TIME)
		p->hist->has_time = true;
	return 0;
}

/* FIELD[.MODIFIER] */
static int pe_read_field(const struct pe_hist_parser *p, struct pe_hist_field *field,
			 struct pe_str text, enum pe_hist_role role)
{
	size_t dot = pe_str_find(text, '.');
	struct pe_str name = pe_str_cut(text, dot), modifier = pe_str_from(text, dot + 1);
	int ret = 0;

	if (dot < text.len)
		ret = pe_read_modifier(p, field, name, modifier, role);
	if (!ret)
		ret = pe_read_name(p, field, name);
	/* Stacks in records would be arrays of long, which no argument is. */
	if (!ret && field->mod == PE_MOD_STACKTRACE)
		ret = pe_hist_bad_modifier(p, text);
	if (!ret && field->depth != PE_HIST_STACK && field->source != PE_HIST_STACK_TRACE)
		ret = pe_hist_bad_modifier(p, modifier);
	return ret;
}

static int pe_read_constant(const struct pe_hist_parser *p, struct pe_hist_field *field,
			    struct pe_str text)
{
	field->source = PE_HIST_CONST;
	field->size = 8;
	if (pe_lex_u64(text, 0, &field->constant))
		return pe_hist_fail(p, PE_ERR_HIST_NUMBER, text, -EINVAL);
	return 0;
}

static bool pe_is_ref(struct pe_str text)
{
	return text.len >= 2 && text.p[0] == '$';
}

/* A variable of the same command that is a plain field: the field takes its place. */
static bool pe_find_def(const struct pe_hist_parser *p, struct pe_str group, struct pe_str event,
			struct pe_str name, struct pe_str *text)
{
	unsigned int i;

	if (group.p && !(pe_str_eq(group, p->scope->group) && pe_str_eq(event, p->scope->event)))
		return false;
	for (i = 0; i < p->nr_defs; i++) {
		*text = p->defs[i].expr;
		if (p->defs[i].name.len == name.len &&
		    !memcmp(p->defs[i].name.p, name.p, name.len) &&
		    pe_str_find_any(*text, "+-*/") == text->len && !pe_is_ref(*text))
			return true;
	}
	return false;
}

int pe_hist_atom(const struct pe_hist_parser *p, struct pe_hist_field *field, struct pe_str text,
		 enum pe_hist_role role)
{
	struct pe_str group = {}, event = {}, name;
	size_t dot, next;

	*field = (struct pe_hist_field){ .depth = PE_HIST_STACK };
	if (isdigit(pe_str_at(text, 0)))
		return pe_read_constant(p, field, text);
	dot = pe_str_find(text, '.');
	next = dot + 1 + pe_str_find(pe_str_from(text, dot + 1), '.');
	if (next < text.len) {
		group = pe_str_cut(text, dot);
		event = pe_str_cut(pe_str_from(text, dot + 1), next - dot - 1);
		text = pe_str_from(text, next + 1);
	}
	if (pe_is_ref(text)) {
		name = pe_str_from(text, 1);
		if (!pe_find_def(p, group, event, name, &text))
			return pe_hist_read_ref(p, field, group, event, name);
	}
	return pe_read_field(p, field, text, role);
}
