// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * parser.c - shared by the parsers of a command: words, strings, errors [P]
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "arg.h"
#include "lex.h"
#include "parse_err.h"
#include "parser.h"
#include "spec.h"

struct pe_str pe_spec_text(const struct pe_spec *spec, const struct pe_word *w)
{
	return (struct pe_str){
		(w->in_pool ? spec->pool : spec->text) + w->off, w->len
	};
}

struct pe_str pe_spec_word(const struct pe_spec *spec, unsigned int i)
{
	return pe_spec_text(spec, &spec->words[i]);
}

void pe_spec_split(struct pe_spec *spec)
{
	struct pe_str rest = pe_str_of(spec->text), w;
	unsigned int col = 0;

	spec->nwords = 0;
	spec->nr_arg_words = 0;
	spec->nargs = 0;
	spec->nr_saved = 0;
	spec->pool_used = 0;
	while (pe_lex_word(&rest, &w)) {
		if (spec->nwords < ARRAY_SIZE(spec->words))
			spec->words[spec->nwords] = (struct pe_word){
				.off = w.p - spec->text,
				.len = w.len,
				.col = col,
			};
		spec->nwords++;
		col += w.len + 1;
	}
}

unsigned int pe_spec_end_col(const struct pe_spec *spec)
{
	unsigned int n = min_t(unsigned int, spec->nwords, ARRAY_SIZE(spec->words));
	const struct pe_word *last = &spec->words[n - 1];

	return last->col + last->len;
}

unsigned int pe_spec_arg_col(const struct pe_spec *spec, unsigned int i)
{
	if (i + 2 < min_t(unsigned int, spec->nwords, ARRAY_SIZE(spec->words)))
		return spec->words[i + 2].col;
	return pe_spec_end_col(spec) + 1;
}

size_t pe_spec_join(const struct pe_spec *spec, char *buf, size_t size)
{
	unsigned int i, kept = min_t(unsigned int, spec->nwords,
				     ARRAY_SIZE(spec->words));
	struct pe_str rest = {}, w;
	size_t used = 0;

	if (!size)
		return 0;
	if (kept) {
		w = pe_spec_word(spec, kept - 1);
		if (!spec->words[kept - 1].in_pool)
			rest = pe_str_of(w.p + w.len);
	}
	for (i = 0; i < spec->nwords; i++) {
		if (i < kept)
			w = pe_spec_word(spec, i);
		else if (!pe_lex_word(&rest, &w))
			break;
		if (i && used < size - 1)
			buf[used++] = ' ';
		w = pe_str_cut(w, size - 1 - used);
		memcpy(buf + used, w.p, w.len);
		used += w.len;
	}
	buf[used] = 0;
	return used;
}

static bool pe_arg_matches(struct pe_str s, const struct pe_arg *arg)
{
	size_t len = strlen(arg->name);

	return pe_str_eq(pe_str_cut(s, len), arg->name) &&
	       pe_str_at(s, len) == '=' &&
	       pe_str_eq(pe_str_from(s, len + 1), arg->expr);
}

/* "PLACE", or "PLACE%return" of an fprobe's return, as dynamic_events shows it */
static bool pe_parser_place_matches(struct pe_str s, const char *place, bool returns)
{
	size_t len = strlen(place);

	return pe_str_eq(s, place) ||
	       (returns && pe_str_eq(pe_str_cut(s, len), place) &&
		pe_str_eq(pe_str_from(s, len), "%return"));
}

bool pe_spec_matches(const struct pe_spec *spec, const char *place, bool returns,
		     const struct pe_arg *args, unsigned int nargs)
{
	unsigned int i;

	if (spec->nwords < 2)
		return true;
	if (spec->nwords - 2 > nargs ||
	    !pe_parser_place_matches(pe_spec_word(spec, 1), place, returns))
		return false;
	for (i = 0; i < spec->nwords - 2; i++)
		if (!pe_arg_matches(pe_spec_word(spec, i + 2), &args[i]))
			return false;
	return true;
}

/* A copy with a NUL.  The pool is never full: it holds more than a command. */
int pe_pool_add(struct pe_spec *spec, struct pe_str s, u16 *at)
{
	if (s.len + 1 > sizeof(spec->pool) - spec->pool_used)
		return -E2BIG;
	memcpy(spec->pool + spec->pool_used, s.p, s.len);
	spec->pool[spec->pool_used + s.len] = 0;
	*at = spec->pool_used;
	spec->pool_used += s.len + 1;
	return 0;
}

void pe_arg_begin(struct pe_arg_parser *p, struct pe_str word, unsigned int col)
{
	p->word = word.p;
	p->body = word.p;
	p->at = word.p;
	p->col = col;
	p->odd = 0;
	p->part = PE_IN_COMMAND;
}

/* However odd a column is: the caret is in the command, or after it if the word is. */
int pe_arg_fail_at(struct pe_arg_parser *p, const char *at, enum pe_parse_errno code)
{
	unsigned int end = max(p->col, pe_spec_end_col(p->spec));
	int ret = pe_parse_fail_in(p->err, p->part, code, p->col + (at - p->word) + p->odd,
				   p->at - p->body);

	p->err->pos = min(p->err->pos, end);
	return ret;
}

int pe_arg_fail(struct pe_arg_parser *p, enum pe_parse_errno code)
{
	return pe_arg_fail_at(p, p->at, code);
}

int pe_arg_op(struct pe_arg_parser *p)
{
	return ++p->op == PE_OP_END ? pe_arg_fail(p, PE_ERR_TOO_MANY_OPS) : 0;
}
