// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * arg_words.c - words of a command that stand for other words [P]
 *
 *	$arg*			the names of all parameters
 *	$argN[:TYPE]		the Nth one's name
 *	[NAME=]FETCH:%pd	[NAME=]+0x0(+0xOFF(FETCH)):string; %pD likewise
 *
 * The command is shown as it was typed in if there are words of the first two kinds.  If not,
 * it is shown with those of the third kind written out.  So does the kernel.  Words of the
 * first two kinds stay as they are if the function's parameters are not known.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "lex.h"
#include "limits.h"
#include "parse_err.h"
#include "parser.h"
#include "spec.h"

/* Which words that begin with $arg a command has. */
struct found {
	bool any, all;
};

/*
 * The kernel checks such words before all others.  If $arg* cannot be replaced, its error's
 * caret points at the last of them: the parser stays there.
 */
static int pe_check_arg_words(struct pe_arg_parser *p, struct found *found)
{
	struct pe_str rest = pe_str_of(p->spec->text), s;
	unsigned int i, col = 0;

	for (i = 0; pe_lex_word(&rest, &s); i++, col += s.len + 1) {
		char c = pe_str_at(s, 4);

		if (i < 2 || !pe_str_starts(s, "$arg"))
			continue;
		pe_arg_begin(p, s, col);
		if (!p->on_entry && !p->on_return)
			return pe_arg_fail(p, PE_ERR_NOFENTRY_ARGS);
		found->any = true;
		if (isdigit(c))
			continue;
		if (c != '*')
			return pe_hint_variable(p, pe_str_from(s, 1),
						pe_arg_fail(p, PE_ERR_BAD_VAR));
		if (found->all)
			return pe_arg_fail(p, PE_ERR_DOUBLE_ARGS);
		found->all = true;
	}
	return 0;
}

/* More words than there can be are only counted. */
static void pe_add_word(struct pe_placed *placed, struct pe_word w)
{
	if (placed->nwords < PE_MAX_WORDS)
		placed->words[placed->nwords] = w;
	placed->nwords++;
}

/* Parameter @i with what follows its number; @used counts bytes of all of them, with NULs. */
static int pe_add_param(struct pe_arg_parser *p, unsigned int i, struct pe_str type, size_t *used)
{
	struct pe_placed *placed = p->placed;
	const char *name;
	size_t room = min(PE_MAX_PARAM_TEXT - *used, sizeof(placed->pool) - placed->pool_used);
	size_t len;

	if (i >= pe_arg_nr_params(p))
		return pe_arg_fail(p, PE_ERR_NO_BTFARG);
	name = pe_arg_param(p, i, NULL);
	len = strlen(name) + type.len;
	if (len >= room)
		return pe_arg_fail(p, PE_ERR_ARGS_2LONG);
	snprintf(placed->pool + placed->pool_used, room, "%s%.*s", name, (int)type.len, type.p);
	pe_add_word(placed, (struct pe_word){
		.off = placed->pool_used, .len = len, .in_pool = true });
	placed->pool_used += len + 1;
	*used += len + 1;
	return 0;
}

/* "$argN[:TYPE]"; @s is the text after "$arg" */
static int pe_write_out_numbered(struct pe_arg_parser *p, struct pe_str s, size_t *used)
{
	size_t digits;
	u64 n;

	digits = pe_lex_digits(s, 10, &n, NULL);
	if (digits < s.len && pe_str_at(s, digits) != ':')
		return pe_arg_fail(p, PE_ERR_BAD_VAR);
	if (!n)
		return pe_arg_fail(p, PE_ERR_BAD_ARG_NUM);
	return pe_add_param(p, min(n - 1, (u64)UINT_MAX), pe_str_from(s, digits), used);
}

/* Replace one word that begins with $arg. */
static int pe_write_out_word(struct pe_arg_parser *p, struct pe_str s, size_t *used)
{
	unsigned int i;
	int ret = 0;

	if (pe_str_at(s, 4) != '*')
		return pe_write_out_numbered(p, pe_str_from(s, 4), used);
	for (i = 0; !ret && i < pe_arg_nr_params(p); i++)
		ret = pe_add_param(p, i, (struct pe_str){}, used);
	return ret;
}

/* All words; those that begin with $arg are written out if the parameters are @known. */
static int pe_write_out_params(struct pe_arg_parser *p, bool known)
{
	struct pe_str rest = pe_str_of(p->spec->text), s;
	unsigned int i, col = 0;
	size_t used = 0;
	int ret;

	for (i = 0; pe_lex_word(&rest, &s); i++, col += s.len + 1) {
		if (i < 2 || !known || !pe_str_starts(s, "$arg")) {
			pe_add_word(p->placed, (struct pe_word){
				.off = s.p - p->spec->text, .len = s.len });
			continue;
		}
		pe_arg_begin(p, s, col);
		p->part = PE_IN_PARAMS;
		ret = pe_write_out_word(p, s, &used);
		if (ret)
			return ret;
	}
	return 0;
}

/* "[NAME=]FETCH:%pd" becomes "[NAME=]+0x0(+0xOFF(FETCH)):string" in the pool. */
static int pe_write_out_dentry(struct pe_arg_parser *p, unsigned int i, unsigned int *used)
{
	struct pe_placed *placed = p->placed;
	struct pe_str s = pe_placed_word(placed, i);
	bool file = s.p[s.len - 1] == 'D';
	struct pe_str fetch = pe_str_cut(s, s.len - 4), name = {};
	size_t equals = pe_str_find(fetch, '=');
	char *to = placed->pool + placed->pool_used;
	unsigned int room = PE_MAX_DENTRY_TEXT - *used;
	int len;

	if (equals < fetch.len) {
		name = pe_str_cut(fetch, equals + 1);
		fetch = pe_str_from(fetch, equals + 1);
	}
	if (sizeof(placed->pool) - placed->pool_used < room)
		return -ENOMEM;
	if (file)
		len = snprintf(to, room, "%.*s+0x0(+0x%x(+0x%x(%.*s))):string",
			       (int)name.len, name.p, p->env->dentry_name_off,
			       p->env->file_dentry_off, (int)fetch.len, fetch.p);
	else
		len = snprintf(to, room, "%.*s+0x0(+0x%x(%.*s)):string",
			       (int)name.len, name.p, p->env->dentry_name_off,
			       (int)fetch.len, fetch.p);
	if (len >= (int)room)
		return -ENOMEM;
	placed->words[i] = (struct pe_word){
		.off = placed->pool_used, .len = len, .in_pool = true };
	placed->pool_used += len + 1;
	*used += len + 1;
	return 0;
}

static int pe_write_out_dentries(struct pe_arg_parser *p)
{
	unsigned int i, used = 0;
	int ret;

	for (i = 2; i < p->placed->nwords; i++) {
		struct pe_str s = pe_placed_word(p->placed, i);
		struct pe_str end = pe_str_from(s, s.len > 4 ? s.len - 4 : 0);

		if (pe_str_eq(end, ":%pd") || pe_str_eq(end, ":%pD")) {
			ret = pe_write_out_dentry(p, i, &used);
			if (ret)
				return ret;
		}
	}
	return 0;
}

/* The command is shown with the words that are parsed. */
static void pe_show_words(struct pe_placed *placed)
{
	unsigned int i, col = 0;

	for (i = 0; i < placed->nwords; i++) {
		placed->words[i].col = col;
		col += placed->words[i].len + 1;
	}
	placed->shown = true;
}

int pe_arg_words(struct pe_arg_parser *p)
{
	struct found found = {};
	bool params = false;
	int ret;

	ret = pe_check_arg_words(p, &found);
	if (ret)
		return ret;
	if (found.any && pe_arg_has_func(p))
		params = pe_arg_nr_params(p);
	if (found.all && !params)
		return pe_arg_fail(p, PE_ERR_NOSUP_BTFARG);
	ret = pe_write_out_params(p, params);
	if (!ret && p->placed->nwords > PE_MAX_WORDS)
		return -E2BIG;
	if (!ret)
		ret = pe_write_out_dentries(p);
	if (!ret && !params)
		pe_show_words(p->placed);
	return ret;
}
