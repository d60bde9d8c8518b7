// SPDX-License-Identifier: GPL-2.0
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
#include "lex.h"
#include "parse_err.h"

#define MIN_SIZE	128
#define MAX_SIZE	131072

/* The parts that have lists, unread.  @keys.p is NULL if there are none. */
struct parts {
	struct pe_str keys, vals, sort;
};

/* The next part up to @by, which is skipped; false after the last.  "" is a part. */
static bool pe_next_part(struct pe_str *rest, char by, struct pe_str *part)
{
	size_t len;

	if (!rest->p)
		return false;
	len = pe_str_find(*rest, by);
	*part = pe_str_cut(*rest, len);
	*rest = len < rest->len ? pe_str_from(*rest, len + 1) : (struct pe_str){};
	return true;
}

static bool pe_take_prefix(struct pe_str *s, const char *prefix)
{
	if (!pe_str_starts(*s, prefix))
		return false;
	*s = pe_str_from(*s, strlen(prefix));
	return true;
}

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
	if (name.len >= sizeof(p->hist->name))
		return pe_hist_fail(p, PE_ERR_HIST_PART, name, -EINVAL);
	memcpy(p->hist->name, name.p, name.len);
	p->hist->name[name.len] = 0;
	return 0;
}

static bool pe_is_space(char c)
{
	return c == ' ' || c == '\t';
}

static bool pe_is_white(char c)
{
	return pe_is_space(c) || (c >= '\n' && c <= '\r');
}

static struct pe_str pe_strip(struct pe_str text)
{
	while (text.len && pe_is_white(text.p[0]))
		text = pe_str_from(text, 1);
	while (text.len && pe_is_white(text.p[text.len - 1]))
		text.len--;
	return text;
}

/* Whether there is such a clock matters only if the time is asked for.  No clock's name is cut. */
static void pe_copy_clock(struct pe_hist *hist, struct pe_str name)
{
	name = pe_str_cut(pe_strip(name), sizeof(hist->clock) - 1);
	memcpy(hist->clock, name.p, name.len);
	hist->clock[name.len] = 0;
}

/* NAME=VALUE */
static int pe_read_assignment(const struct pe_hist_parser *p, struct parts *parts,
			      struct pe_str part)
{
	struct pe_hist *hist = p->hist;
	struct pe_str rest = part;

	if (pe_str_find(part, '=') + 1 == part.len)
		return pe_hist_fail(p, PE_ERR_HIST_EMPTY, part, -EINVAL);
	if (pe_take_prefix(&rest, "key=") || pe_take_prefix(&rest, "keys="))
		parts->keys = rest;
	else if (pe_take_prefix(&rest, "val=") || pe_take_prefix(&rest, "vals=") ||
		 pe_take_prefix(&rest, "values="))
		parts->vals = rest;
	else if (pe_take_prefix(&rest, "sort="))
		parts->sort = rest;
	else if (pe_take_prefix(&rest, "name="))
		return pe_copy_name(p, rest);
	else if (pe_take_prefix(&rest, "clock="))
		pe_copy_clock(hist, rest);
	else if (pe_take_prefix(&rest, "size="))
		return pe_read_size(p, part, rest);
	else
		return pe_hist_fail(p, PE_ERR_TRIG_LATER, part, -EOPNOTSUPP);
	return 0;
}

static int pe_read_part(const struct pe_hist_parser *p, struct parts *parts, struct pe_str part)
{
	static const char *const actions[] = { "onmatch(", "onmax(", "onchange(" };
	struct pe_hist *hist = p->hist;
	unsigned int i;

	if (pe_str_find(part, '=') < part.len)
		return pe_read_assignment(p, parts, part);
	for (i = 0; i < ARRAY_SIZE(actions); i++)
		if (pe_str_starts(part, actions[i]))
			return pe_hist_fail(p, PE_ERR_TRIG_LATER, part, -EOPNOTSUPP);
	if (pe_str_eq(part, "nohitcount") || pe_str_eq(part, "NOHC"))
		hist->no_hitcount = true;
	else if (pe_str_eq(part, "pause"))
		hist->pause = true;
	else if (pe_str_eq(part, "cont") || pe_str_eq(part, "continue"))
		hist->cont = true;
	else if (pe_str_eq(part, "clear"))
		hist->clear = true;
	else
		return pe_hist_fail(p, PE_ERR_HIST_PART, part, -EINVAL);
	return 0;
}

static int pe_read_vals(const struct pe_hist_parser *p, struct pe_str vals)
{
	struct pe_hist *hist = p->hist;
	bool dist = false, hits = false;
	struct pe_str val;
	int ret;

	while (pe_next_part(&vals, ',', &val)) {
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

	while (pe_next_part(&keys, ',', &key)) {
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
		if (pe_str_eq(name, hist->vals[i].name))
			return 1 + i;
	for (i = 0; i < hist->nr_keys; i++)
		if (pe_str_eq(name, hist->keys[i].name))
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

	while (pe_next_part(&fields, ',', &field)) {
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
static int pe_cut_filter(const struct pe_hist_parser *p, struct pe_str *text)
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
	p->hist->filter = at + 3;
	*text = pe_strip(pe_str_cut(*text, at - 1 - text->p));
	return 0;
}

int pe_hist_parse(struct pe_hist *hist, const char *command, const struct pe_layout *layout,
		  struct pe_parse_err *err)
{
	const struct pe_hist_parser p = {
		.hist = hist, .command = command, .layout = layout, .err = err,
	};
	struct pe_str text = pe_str_of(command + strlen(PE_HIST_PREFIX)), part;
	struct parts parts = {};
	int ret;

	*hist = (struct pe_hist){ .clock = "global" };
	if (!text.len)
		return pe_hist_fail(&p, PE_ERR_HIST_NO_KEYS, text, -EINVAL);
	ret = pe_cut_filter(&p, &text);
	while (!ret && pe_next_part(&text, ':', &part))
		ret = pe_read_part(&p, &parts, part);
	if (ret)
		return ret;
	if (!parts.keys.p)
		return pe_hist_fail(&p, PE_ERR_HIST_NO_KEYS, pe_str_of(""), -EINVAL);
	ret = pe_read_vals(&p, parts.vals);
	if (!ret)
		ret = pe_read_keys(&p, parts.keys);
	return ret ? ret : pe_read_sort(&p, parts.sort);
}

static bool pe_same_field(const struct pe_hist_field *a, const struct pe_hist_field *b)
{
	return a->source == b->source && a->mod == b->mod && a->is_signed == b->is_signed &&
	       a->size == b->size && a->depth == b->depth && a->buckets == b->buckets &&
	       !strcmp(a->name, b->name);
}

bool pe_hist_same(const struct pe_hist *a, const struct pe_hist *b)
{
	unsigned int i;

	if (a->nr_keys != b->nr_keys || a->nr_vals != b->nr_vals || a->nr_sorts != b->nr_sorts)
		return false;
	for (i = 0; i < a->nr_keys; i++)
		if (!pe_same_field(&a->keys[i], &b->keys[i]))
			return false;
	for (i = 0; i < a->nr_vals; i++)
		if (!pe_same_field(&a->vals[i], &b->vals[i]))
			return false;
	for (i = 0; i < a->nr_sorts; i++)
		if (a->sort[i].field != b->sort[i].field ||
		    a->sort[i].descending != b->sort[i].descending)
			return false;
	return true;
}
