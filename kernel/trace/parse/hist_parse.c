// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * hist_parse.c - a histogram trigger, as the kernel's.  [P]
 *
 *	hist:keys=KEY[,KEY[,KEY]][:vals=VAL[,VAL[,VAL]]][:sort=FIELD[.ORDER][,...]][:size=N]
 *		[:pause|:cont|:clear][:name=NAME][:nohitcount][:clock=CLOCK] [if FILTER]
 *
 * Parts may come in any order, and the last of a kind counts.  Values are read before keys,
 * because the kernel reports the first error in that order.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "hist.h"
#include "hist_internal.h"
#include "lex.h"
#include "parse_err.h"

#define MIN_SIZE	128
#define MAX_SIZE	131072

/**
 * struct parts - the parts that have lists, unread
 * @keys: .p is NULL if there are none
 * @vals: likewise
 * @sort: likewise
 * @vars: texts with definitions
 * @actions: texts
 * @nr_vars: of @vars
 * @nr_actions: of @actions
 */
struct parts {
	struct pe_str keys, vals, sort;
	struct pe_str vars[PE_HIST_VARS];
	struct pe_str actions[PE_HIST_ACTIONS];
	unsigned int nr_vars, nr_actions;
};

static int pe_read_size(const struct pe_hist_parser *p, struct pe_str part, struct pe_str text)
{
	int ret;
	u64 size;

	ret = pe_lex_u64(text, 0, &size);
	if (ret || size <= MIN_SIZE / 2 || size > MAX_SIZE)
		return pe_hist_fail(p, PE_ERR_HIST_SIZE, part, ret ? ret : -EINVAL);
	for (p->hist->size = MIN_SIZE; p->hist->size < size; )
		p->hist->size *= 2;
	return 0;
}

static int pe_copy_name(const struct pe_hist_parser *p, struct pe_str name)
{
	if (!pe_str_copy(p->hist->name, sizeof(p->hist->name), name))
		return pe_hist_fail(p, PE_ERR_HIST_PART, name, -EINVAL);
	return 0;
}

static bool pe_is_space(char c)
{
	return c == ' ' || c == '\t';
}

/* Whether there is such a clock matters only if the time is asked for.  No clock's name is cut. */
static void pe_copy_clock(struct pe_hist *hist, struct pe_str name)
{
	name = pe_str_cut(pe_str_strip(name), sizeof(hist->clock) - 1);
	pe_str_copy(hist->clock, sizeof(hist->clock), name);
}

/* NAME=VALUE */
static int pe_read_assignment(const struct pe_hist_parser *p, struct parts *parts,
			      struct pe_str part)
{
	struct pe_hist *hist = p->hist;
	struct pe_str rest = part;

	if (pe_str_find(part, '=') + 1 == part.len)
		return pe_hist_fail(p, PE_ERR_HIST_EMPTY, part, -EINVAL);
	if (pe_str_skip(&rest, "key=") || pe_str_skip(&rest, "keys="))
		parts->keys = rest;
	else if (pe_str_skip(&rest, "val=") || pe_str_skip(&rest, "vals=") ||
		 pe_str_skip(&rest, "values="))
		parts->vals = rest;
	else if (pe_str_skip(&rest, "sort="))
		parts->sort = rest;
	else if (pe_str_skip(&rest, "name="))
		return pe_copy_name(p, rest);
	else if (pe_str_skip(&rest, "clock="))
		pe_copy_clock(hist, rest);
	else if (pe_str_skip(&rest, "size="))
		return pe_read_size(p, part, rest);
	else if (parts->nr_vars < PE_HIST_VARS)
		parts->vars[parts->nr_vars++] = part;
	else
		return pe_hist_fail(p, PE_ERR_HIST_MANY_VARS, part, -EINVAL);
	return 0;
}

static int pe_read_action(const struct pe_hist_parser *p, struct parts *parts, struct pe_str part)
{
	if (!pe_str_starts(part, "onmatch(") && !pe_str_starts(part, "onmax(") &&
	    !pe_str_starts(part, "onchange("))
		return pe_hist_fail(p, PE_ERR_HIST_PART, part, -EINVAL);
	if (parts->nr_actions == PE_HIST_ACTIONS)
		return pe_hist_fail(p, PE_ERR_HIST_MANY_ACTIONS, part, -EINVAL);
	parts->actions[parts->nr_actions++] = part;
	return 0;
}

static int pe_read_part(const struct pe_hist_parser *p, struct parts *parts, struct pe_str part)
{
	struct pe_hist *hist = p->hist;

	if (pe_str_find(part, '=') < part.len)
		return pe_read_assignment(p, parts, part);
	if (pe_str_eq(part, "nohitcount") || pe_str_eq(part, "NOHC"))
		hist->no_hitcount = true;
	else if (pe_str_eq(part, "pause"))
		hist->pause = true;
	else if (pe_str_eq(part, "cont") || pe_str_eq(part, "continue"))
		hist->cont = true;
	else if (pe_str_eq(part, "clear"))
		hist->clear = true;
	else
		return pe_read_action(p, parts, part);
	return 0;
}

static int pe_read_vals(const struct pe_hist_parser *p, struct pe_str vals)
{
	struct pe_hist *hist = p->hist;
	bool dist = false, hits = false;
	struct pe_str val;
	int ret;

	while (pe_str_next(&vals, ',', &val)) {
		/* As in the kernel, it is a value of its own if it comes again. */
		if (pe_str_eq(val, "hitcount") && !hits) {
			hits = true;
			continue;
		}
		if (hist->nr_vals == PE_HIST_VALS)
			return pe_hist_fail(p, PE_ERR_HIST_MANY_VALS, val, -EINVAL);
		ret = pe_hist_val(p, &hist->vals[hist->nr_vals], val);
		if (ret)
			return ret;
		if (hist->vals[hist->nr_vals++].mod != PE_MOD_DIST)
			continue;
		if (dist)
			return pe_hist_fail(p, PE_ERR_HIST_BAD_MODIFIER, val, -EINVAL);
		dist = true;
	}
	if (!hist->nr_vals && hist->no_hitcount)
		return pe_parse_fail(p->err, PE_ERR_HIST_NO_VALUE, 0, -ENOENT);
	if (!hist->size)
		hist->size = dist ? PE_HIST_DIST_SIZE : PE_HIST_SIZE;
	return 0;
}

static int pe_read_keys(const struct pe_hist_parser *p, struct pe_str keys)
{
	unsigned int texts = 0, stacks = 0;
	struct pe_hist *hist = p->hist;
	struct pe_hist_field *field;
	struct pe_str key;
	int ret;

	while (pe_str_next(&keys, ',', &key)) {
		if (hist->nr_keys == PE_HIST_KEYS)
			return pe_hist_fail(p, PE_ERR_HIST_MANY_KEYS, key, -EINVAL);
		field = &hist->keys[hist->nr_keys++];
		ret = pe_hist_key(p, field, key);
		if (ret)
			return ret;
		texts += field->source == PE_HIST_STRING;
		stacks += field->source == PE_HIST_STACK_TRACE;
		if (texts > 1 || stacks > 1)
			return pe_hist_fail(p, PE_ERR_HIST_LONG_KEY, key, -EINVAL);
	}
	return 0;
}

/* 0: hitcount, then values, then keys; -1: no such one */
static int pe_find_sort_field(const struct pe_hist *hist, struct pe_str name)
{
	unsigned int i;

	if (pe_str_eq(name, "hitcount"))
		return 0;
	for (i = 0; i < hist->nr_vals; i++)
		if (pe_str_eq(name, pe_hist_field_name(hist, &hist->vals[i])))
			return 1 + i;
	for (i = 0; i < hist->nr_keys; i++)
		if (pe_str_eq(name, pe_hist_field_name(hist, &hist->keys[i])))
			return 1 + hist->nr_vals + i;
	return -1;
}

static int pe_read_sort_field(const struct pe_hist_parser *p, struct pe_str text)
{
	struct pe_hist *hist = p->hist;
	struct pe_hist_sort *sort = &hist->sort[hist->nr_sorts++];
	size_t dot = pe_str_find(text, '.');
	struct pe_str name = pe_str_cut(text, dot), order = pe_str_from(text, dot + 1);
	int field;

	if (!name.len)
		return pe_hist_fail(p, PE_ERR_HIST_EMPTY_SORT, pe_str_of("sort="), -EINVAL);
	field = pe_find_sort_field(hist, name);
	if (field < 0)
		return pe_hist_fail(p, PE_ERR_HIST_BAD_SORT, name, -EINVAL);
	sort->field = field;
	sort->descending = pe_str_eq(order, "descending");
	if (dot < text.len && !sort->descending && !pe_str_eq(order, "ascending"))
		return pe_hist_fail(p, PE_ERR_HIST_BAD_ORDER, order, -EINVAL);
	return 0;
}

static int pe_read_sort(const struct pe_hist_parser *p, struct pe_str fields)
{
	struct pe_hist *hist = p->hist;
	struct pe_str field;
	int ret;

	while (pe_str_next(&fields, ',', &field)) {
		if (field.len && hist->nr_sorts == PE_HIST_SORTS - 1 && fields.p)
			return pe_hist_fail(p, PE_ERR_HIST_MANY_SORTS, pe_str_of("sort="), -EINVAL);
		ret = pe_read_sort_field(p, field);
		if (ret)
			return ret;
	}
	if (!hist->nr_sorts)
		hist->nr_sorts = 1;
	return 0;
}

/* The text before the filter.  -EINVAL: it is nothing, or there is nothing after "if". */
static int pe_cut_filter(const struct pe_hist_parser *p, const char *work, struct pe_str *text)
{
	const char *at = text->p, *end = text->p + text->len;

	for (at = strstr(at, "if"); at; at = strstr(at + 1, "if")) {
		if (at == text->p)
			return pe_hist_fail(p, PE_ERR_HIST_PART, *text, -EINVAL);
		if (!pe_is_space(at[-1]))
			continue;
		if (at >= end - 3)
			return pe_hist_fail(p, PE_ERR_TRIG_NO_IF, pe_str_of(at), -EINVAL);
		if (pe_is_space(at[2]))
			break;
	}
	if (!at)
		return 0;
	p->hist->filter = p->command + (at + 3 - work);
	*text = pe_str_strip(pe_str_cut(*text, at - 1 - text->p));
	return 0;
}

static void pe_hide_hyphens(char *text)
{
	while ((text = strstr(text, ".sym-offset"))) {
		memcpy(text + 1, PE_HIST_SYM_OFFSET, strlen(PE_HIST_SYM_OFFSET));
		text += strlen(".sym-offset");
	}
}

static int pe_read_parts(const struct pe_hist_parser *p, struct parts *parts, char *work)
{
	struct pe_str text = pe_str_of(work + strlen(PE_HIST_PREFIX)), part;
	int ret;

	if (!text.len)
		return pe_hist_fail(p, PE_ERR_HIST_NO_KEYS, text, -EINVAL);
	ret = pe_cut_filter(p, work, &text);
	pe_hide_hyphens(work);
	while (!ret && pe_str_next(&text, ':', &part))
		ret = pe_read_part(p, parts, part);
	if (!ret && !parts->keys.p)
		ret = pe_hist_fail(p, PE_ERR_HIST_NO_KEYS, pe_str_of(""), -EINVAL);
	return ret;
}

static int pe_read_lists(struct pe_hist_parser *p, const struct parts *parts)
{
	struct pe_hist_def defs[PE_HIST_VARS];
	unsigned int i;
	int ret = 0;

	p->defs = defs;
	for (i = 0; i < parts->nr_actions && !ret; i++)
		ret = pe_hist_read_action(p, parts->actions[i]);
	for (i = 0; i < parts->nr_vars && !ret; i++)
		ret = pe_hist_read_defs(p, defs, parts->vars[i]);
	if (!ret)
		ret = pe_read_vals(p, parts->vals);
	if (!ret)
		ret = pe_hist_read_vars(p);
	if (!ret)
		ret = pe_read_keys(p, parts->keys);
	return ret ? ret : pe_read_sort(p, parts->sort);
}

int pe_hist_parse(struct pe_hist *hist, const char *command, char *work,
		  const struct pe_layout *layout, const struct pe_hist_scope *scope,
		  struct pe_parse_err *err)
{
	struct pe_hist_parser p = {
		.hist = hist, .command = command, .layout = layout, .scope = scope, .err = err,
	};
	struct parts parts = {};
	int ret;

	memset(hist, 0, sizeof(*hist));
	strscpy(hist->clock, "global", sizeof(hist->clock));
	ret = pe_read_parts(&p, &parts, work);
	return ret ? ret : pe_read_lists(&p, &parts);
}

/* As in the kernel, the operators and all but the first operand of an expression do not count. */
static bool pe_same_field(const struct pe_hist *a, const struct pe_hist_field *f,
			  const struct pe_hist *b, const struct pe_hist_field *g)
{
	if (f->source != g->source || f->mod != g->mod || f->is_signed != g->is_signed ||
	    f->size != g->size || f->depth != g->depth || f->usecs != g->usecs)
		return false;
	if (f->mod == PE_MOD_BUCKETS && f->buckets != g->buckets)
		return false;
	return f->source == PE_HIST_CONST || f->source == PE_HIST_EXPR ||
	       !strcmp(pe_hist_field_name(a, f), pe_hist_field_name(b, g));
}

static bool pe_same_vars(const struct pe_hist *a, const struct pe_hist *b)
{
	unsigned int i;

	if (a->nr_vars != b->nr_vars)
		return false;
	for (i = 0; i < a->nr_vars; i++)
		if (!pe_same_field(a, &a->vars[i].value, b, &b->vars[i].value) ||
		    strcmp(a->texts + a->vars[i].name, b->texts + b->vars[i].name))
			return false;
	return true;
}

static bool pe_same_actions(const struct pe_hist *a, const struct pe_hist *b)
{
	const struct pe_hist_action *x, *y;
	unsigned int i;

	if (a->nr_actions != b->nr_actions)
		return false;
	for (i = 0; i < a->nr_actions; i++) {
		x = &a->actions[i];
		y = &b->actions[i];
		if (x->handler != y->handler || x->action != y->action ||
		    strcmp(a->texts + x->track, b->texts + y->track) ||
		    strcmp(a->texts + x->name, b->texts + y->name) ||
		    strcmp(a->texts + x->params, b->texts + y->params))
			return false;
	}
	return true;
}

bool pe_hist_same_saves(const struct pe_hist *a, const struct pe_hist *b)
{
	unsigned int i;

	if (a->nr_saves != b->nr_saves)
		return false;
	for (i = 0; i < a->nr_saves; i++)
		if (!pe_same_field(a, &a->saves[i].value, b, &b->saves[i].value))
			return false;
	return true;
}

bool pe_hist_same(const struct pe_hist *a, const struct pe_hist *b)
{
	unsigned int i;

	if (a->nr_keys != b->nr_keys || a->nr_vals != b->nr_vals || a->nr_sorts != b->nr_sorts)
		return false;
	for (i = 0; i < a->nr_keys; i++)
		if (!pe_same_field(a, &a->keys[i], b, &b->keys[i]))
			return false;
	for (i = 0; i < a->nr_vals; i++)
		if (!pe_same_field(a, &a->vals[i], b, &b->vals[i]))
			return false;
	for (i = 0; i < a->nr_sorts; i++)
		if (a->sort[i].field != b->sort[i].field ||
		    a->sort[i].descending != b->sort[i].descending)
			return false;
	return pe_same_vars(a, b) && pe_same_actions(a, b);
}
