// SPDX-License-Identifier: GPL-2.0
/*
 * hist_field.c - a key or a value of a histogram trigger: FIELD[.MODIFIER].  [P]
 *
 *	FIELD	an argument, a field of the record's head, or one of the general ones of
 *		pe_hist_general
 *
 * As in the kernel, a text with two dots or more is SYSTEM.EVENT.FIELD, of which only the
 * last is looked at.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "arg.h"
#include "filter.h"
#include "filter_pred.h"
#include "hist.h"
#include "lex.h"
#include "parse_err.h"

#define OPERATORS	"+-*/()$"

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

/*
 * Is the '-' at @at that of a modifier?  The kernel makes another character of these before it
 * reads the rest of the command.
 */
static bool pe_is_hyphen(const struct pe_hist_parser *p, const char *at)
{
	static const char modifier[] = ".sym-offset";
	const size_t before = strlen(".sym");

	return *at == '-' && at >= p->command + before &&
	       !strncmp(at - before, modifier, strlen(modifier));
}

/*
 * The first place of a text in the command; 0 if the kernel does not find it there, because it
 * has changed it.
 */
static unsigned int pe_column(const struct pe_hist_parser *p, struct pe_str text)
{
	size_t len = strlen(p->command), i;

	for (i = 0; i < text.len; i++)
		if (pe_is_hyphen(p, text.p + i))
			return 0;
	for (i = 0; text.len && i + text.len <= len; i++)
		if (!strncmp(p->command + i, text.p, text.len))
			return i;
	return 0;
}

int pe_hist_fail(const struct pe_hist_parser *p, int code, struct pe_str where, int ret)
{
	return pe_parse_fail(p->err, code, pe_column(p, where), ret);
}

static bool pe_mod_is_for_values(unsigned int mod)
{
	return mod >= PE_MOD_PERCENT;
}

/* Modifiers of numbers that no value can have: what they print is no sum. */
static bool pe_mod_is_for_keys(unsigned int mod)
{
	return mod == PE_MOD_SYM || mod == PE_MOD_SYM_OFFSET || mod == PE_MOD_SYSCALL ||
	       mod == PE_MOD_STACKTRACE || mod == PE_MOD_LOG2 || mod == PE_MOD_BUCKETS;
}

/* As in the kernel, anything may follow the names of shares. */
static bool pe_mod_is(unsigned int mod, struct pe_str text)
{
	if (mod == PE_MOD_PERCENT || mod == PE_MOD_GRAPH)
		return pe_str_starts(text, pe_hist_mods[mod]);
	return pe_str_eq(text, pe_hist_mods[mod]);
}

static int pe_bad_modifier(const struct pe_hist_parser *p, struct pe_str where)
{
	return pe_hist_fail(p, PE_ERR_HIST_BAD_MODIFIER, where, -EINVAL);
}

/* "bucket[s]=N"; @text is what the kernel would say is wrong. */
static int pe_read_buckets(const struct pe_hist_parser *p, struct pe_hist_field *field,
			   struct pe_str text)
{
	text = pe_str_from(text, strlen("bucket"));
	if (pe_str_at(text, 0) == 's')
		text = pe_str_from(text, 1);
	if (pe_str_at(text, 0) != '=')
		return pe_bad_modifier(p, text);
	text = pe_str_from(text, 1);
	if (pe_lex_u64(text, 0, &field->buckets) || !field->buckets)
		return pe_bad_modifier(p, text);
	field->mod = PE_MOD_BUCKETS;
	return 0;
}

static int pe_read_depth(const struct pe_hist_parser *p, struct pe_hist_field *field,
			 struct pe_str text)
{
	u64 depth;

	if (pe_lex_u64(pe_str_from(text, strlen("depth=")), 10, &depth) || !depth ||
	    depth > PE_HIST_MAX_STACK)
		return pe_bad_modifier(p, text);
	field->depth = depth;
	return 0;
}

static int pe_read_modifier(const struct pe_hist_parser *p, struct pe_hist_field *field,
			    struct pe_str name, struct pe_str text, bool key)
{
	unsigned int mod;

	if (pe_str_starts(text, "bucket"))
		return pe_read_buckets(p, field, text);
	if (pe_str_starts(text, "depth=") && key)
		return pe_read_depth(p, field, text);
	for (mod = PE_MOD_HEX; mod < PE_NR_MODS; mod++)
		if (pe_mod_is(mod, text))
			break;
	if (mod == PE_NR_MODS || (key && pe_mod_is_for_values(mod)) ||
	    (mod == PE_MOD_EXECNAME && !pe_str_eq(name, "common_pid")))
		return pe_bad_modifier(p, text);
	field->mod = mod;
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
	if (name.len >= sizeof(field->name))
		return pe_hist_fail(p, PE_ERR_HIST_NO_FIELD, name, -EINVAL);
	memcpy(field->name, name.p, name.len);
	field->name[name.len] = 0;
	if (!pe_find_general(field, name))
		return pe_from_filter(p, field, name);
	if (field->source == PE_HIST_TIME)
		p->hist->has_time = true;
	return 0;
}

/* Expressions and variables: numbers, operators, references. */
static bool pe_is_expression(const struct pe_hist_parser *p, struct pe_str text)
{
	size_t i;

	if (isdigit(pe_str_at(text, 0)))
		return true;
	for (i = 0; i < text.len; i++)
		if (strchr(OPERATORS, text.p[i]) && !pe_is_hyphen(p, text.p + i))
			return true;
	return false;
}

/**
 * struct parts - a field, taken apart
 * @whole: what the kernel says is wrong if it finds out late: it has cut the text by then
 * @text: without system and event
 * @name: before the modifier
 * @modifier: "" if there is none
 */
struct parts {
	struct pe_str whole, text, name, modifier;
};

static void pe_take_apart(struct parts *parts, struct pe_str text)
{
	size_t dot = pe_str_find(text, '.');
	size_t next = dot + 1 + pe_str_find(pe_str_from(text, dot + 1), '.');

	parts->whole = text;
	if (next < text.len) {
		parts->whole = pe_str_cut(text, dot);
		text = pe_str_from(text, next + 1);
		dot = pe_str_find(text, '.');
	}
	parts->text = text;
	parts->name = pe_str_cut(text, dot);
	parts->modifier = pe_str_from(text, dot + 1);
}

static int pe_read_field(const struct pe_hist_parser *p, struct pe_hist_field *field,
			 struct pe_str text, bool key, struct parts *parts)
{
	int ret = 0;

	*field = (struct pe_hist_field){ .depth = PE_HIST_STACK };
	if (pe_is_expression(p, text))
		return pe_hist_fail(p, PE_ERR_TRIG_LATER, text, -EOPNOTSUPP);
	pe_take_apart(parts, text);
	if (parts->name.len < parts->text.len)
		ret = pe_read_modifier(p, field, parts->name, parts->modifier, key);
	if (!ret)
		ret = pe_read_name(p, field, parts->name);
	/* Stacks in records would be arrays of long, which no argument is. */
	if (!ret && field->mod == PE_MOD_STACKTRACE)
		ret = pe_bad_modifier(p, parts->text);
	return ret;
}

int pe_hist_key(const struct pe_hist_parser *p, struct pe_hist_field *field, struct pe_str text)
{
	struct parts parts;
	int ret = pe_read_field(p, field, text, true, &parts);

	if (ret)
		return ret;
	if (field->depth != PE_HIST_STACK && field->source != PE_HIST_STACK_TRACE)
		return pe_bad_modifier(p, parts.modifier);
	switch (field->source) {
	case PE_HIST_STRING:
	case PE_HIST_COMM:
	case PE_HIST_STACK_TRACE:
		if (field->mod && field->mod != PE_MOD_USECS)
			return pe_bad_modifier(p, parts.modifier);
	}
	return 0;
}

int pe_hist_val(const struct pe_hist_parser *p, struct pe_hist_field *field, struct pe_str text)
{
	struct parts parts;
	int ret = pe_read_field(p, field, text, false, &parts);

	if (ret)
		return ret;
	if (pe_mod_is_for_keys(field->mod) || field->source == PE_HIST_STACK_TRACE)
		return pe_bad_modifier(p, parts.whole);
	if (field->source == PE_HIST_HITCOUNT && field->mod >= PE_MOD_DIST)
		return pe_bad_modifier(p, parts.modifier);
	if (field->source == PE_HIST_STRING || field->source == PE_HIST_COMM)
		return pe_hist_fail(p, field->mod ? PE_ERR_HIST_BAD_MODIFIER : PE_ERR_HIST_STRING,
				    text, -EINVAL);
	return 0;
}
