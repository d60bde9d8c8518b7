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

struct pe_str pe_placed_word(const struct pe_placed *placed, unsigned int i)
{
	const struct pe_word *w = &placed->words[i];

	return (struct pe_str){ (w->in_pool ? placed->pool : placed->spec->text) + w->off, w->len };
}

struct pe_str pe_spec_word(const struct pe_spec *spec, unsigned int i)
{
	return (struct pe_str){ spec->text + spec->words[i].off, spec->words[i].len };
}

unsigned int pe_words_end_col(const struct pe_word *words, unsigned int n)
{
	const struct pe_word *last = &words[min_t(unsigned int, n, PE_MAX_WORDS) - 1];

	return last->col + last->len;
}

unsigned int pe_placed_arg_col(const struct pe_placed *placed, unsigned int i)
{
	const struct pe_word *words = placed->shown ? placed->words : placed->spec->words;
	unsigned int n = placed->spec->nwords;

	if (i + 2 < min_t(unsigned int, n, PE_MAX_WORDS))
		return words[i + 2].col;
	return pe_words_end_col(words, n) + 1;
}

size_t pe_placed_join(const struct pe_placed *placed, char *buf, size_t size)
{
	struct pe_str rest = pe_str_of(placed->spec->text), w;
	size_t used = 0;
	unsigned int i;

	if (!size)
		return 0;
	for (i = 0; i < placed->spec->nwords && pe_lex_word(&rest, &w); i++) {
		if (placed->shown)
			w = pe_placed_word(placed, i);
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
int pe_pool_add(struct pe_placed *placed, struct pe_str s, u16 *at)
{
	if (!pe_str_copy(placed->pool + placed->pool_used,
			 sizeof(placed->pool) - placed->pool_used, s))
		return -E2BIG;
	*at = placed->pool_used;
	placed->pool_used += s.len + 1;
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
	unsigned int end = max(p->col, pe_placed_arg_col(p->placed, PE_MAX_ARGS) - 1);
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
