// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * cast_parse.c - where a cast ends, what it is of, and which fields follow [P]
 *
 *	(STRUCT[,MEMBER])NAME->FIELD...		(STRUCT[,MEMBER])(FETCH)->FIELD...
 *	(STRUCT[,MEMBER])+OFFS(FETCH)->FIELD...	(STRUCT[,MEMBER])this_cpu_ptr(FETCH)->FIELD...
 *
 * The value that is cast ends at the arrow after it.  In brackets, and after a dereference, there
 * may be other arrows before.  btf_arg.c knows structures and fields.
 */
#include <linux/ctype.h>
#include <linux/string.h>
#include <pe/btf.h>
#include "lex.h"
#include "parse_err.h"
#include "parser.h"

/* The bracket that closes the one at @open; the length of @s if none does. */
static size_t pe_find_close(struct pe_str s, size_t open)
{
	unsigned int depth = 0;
	size_t i;

	for (i = open; i < s.len; i++) {
		depth += s.p[i] == '(';
		depth -= s.p[i] == ')';
		if (!depth)
			break;
	}
	return i;
}

/* The begin of @s, with a bracket at @open, up to the one that closes it. */
static int pe_end_of_brackets(struct pe_arg_parser *p, struct pe_str s, size_t open, size_t *end)
{
	size_t close = pe_find_close(s, open);

	if (close == s.len)
		return pe_arg_fail_at(p, s.p + (open ? s.len : 0), PE_ERR_DEREF_OPEN_BRACE);
	*end = close + 1;
	if (!pe_str_starts(pe_str_from(s, *end), "->"))
		return pe_arg_fail_at(p, s.p + *end, PE_ERR_TYPECAST_REQ_FIELD);
	return 0;
}

static int pe_end_of_name(struct pe_arg_parser *p, struct pe_str s, size_t *end)
{
	size_t sign = pe_str_find_any(s, "+-");

	if (pe_str_at(s, 0) == '@' && isdigit(pe_str_at(s, sign + 1)))
		return pe_arg_fail(p, PE_ERR_TYPECAST_SYM_OFFSET);
	*end = pe_str_find_outside(s, "-");
	if (!pe_str_starts(pe_str_from(s, *end), "->"))
		return pe_arg_fail_at(p, s.p + s.len, PE_ERR_TYPECAST_REQ_FIELD);
	return 0;
}

/* Find the end of what is cast, the arrow. */
static int pe_find_end(struct pe_arg_parser *p, struct pe_str s, size_t *end)
{
	size_t open = pe_str_find(s, '(');

	if (!pe_this_cpu_head(s) && (!s.len || !strchr("(+-", s.p[0])))
		return pe_end_of_name(p, s, end);
	if (open == s.len)
		return pe_arg_fail(p, PE_ERR_DEREF_NEED_BRACE);
	return pe_end_of_brackets(p, s, open, end);
}

int pe_cast_parse(struct pe_arg_parser *p, struct pe_str *s, struct pe_cast *cast)
{
	size_t close = pe_str_find(*s, ')'), end;
	struct pe_str rest = pe_str_from(*s, close + 1);
	int ret;

	if (!pe_btf_known())
		return pe_arg_fail(p, PE_ERR_NOSUP_BTFARG);
	if (close == s->len)
		return pe_arg_fail_at(p, s->p + s->len, PE_ERR_DEREF_OPEN_BRACE);
	cast->type = pe_str_from(pe_str_cut(*s, close), 1);
	p->at = rest.p;
	ret = pe_find_end(p, rest, &end);
	if (ret)
		return ret;
	cast->fields = pe_str_from(rest, end + 2);
	*s = pe_str_cut(rest, end);
	if (pe_str_at(rest, 0) == '(')
		*s = pe_str_from(pe_str_cut(rest, end - 1), 1);
	p->at = s->p;
	return 0;
}
