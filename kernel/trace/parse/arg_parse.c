// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * arg_parse.c - the arguments of a command and the record they make [P]
 *
 *	[NAME=]FETCH[:TYPE][[N]]
 *
 * A word is cut from outside to inside.  The name is before the first "=", the
 * type after the first ":", and the rest is a fetch expression (fetch_parse.c).
 * Words that stand for others have been replaced before (arg_words.c).
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <pe/btf.h>
#include "arg.h"
#include "lex.h"
#include "limits.h"
#include "parse_err.h"
#include "parser.h"
#include "spec.h"

/* "[N]"; @s is already past the opening bracket */
static int pe_parse_array(struct pe_arg_parser *p, struct pe_str s)
{
	size_t close = pe_str_find(s, ']');
	u64 n;

	if (close == s.len)
		return pe_arg_fail_at(p, s.p + s.len, PE_ERR_ARRAY_NO_CLOSE);
	if (close + 1 != s.len)
		return pe_arg_fail_at(p, s.p + close + 1, PE_ERR_BAD_ARRAY_SUFFIX);
	if (pe_lex_u64(pe_str_cut(s, close), 0, &n) || !n || n > UINT_MAX)
		return pe_arg_fail_at(p, s.p, PE_ERR_BAD_ARRAY_NUM);
	if (n > PE_MAX_ARRAY_LEN)
		return pe_arg_fail_at(p, s.p, PE_ERR_ARRAY_TOO_BIG);
	p->arg->count = n;
	return 0;
}

static struct pe_str pe_default_type(struct pe_str fetch)
{
	if (pe_str_eq(fetch, "$elapsed") || pe_str_eq(fetch, "$since"))
		return pe_str_of("u64");
	return pe_str_of("x64");
}

/* Split the type off; @s keeps the fetch expression. */
static int pe_parse_type(struct pe_arg_parser *p, struct pe_str *s)
{
	size_t colon = pe_str_find(*s, ':'), bracket;
	struct pe_str name, t = pe_str_from(*s, colon + 1);
	int ret;

	p->type = (struct pe_str){};
	p->type_at = s->p;
	if (colon < s->len) {
		p->type_at = t.p;
		bracket = pe_str_find(t, '[');
		p->type = pe_str_cut(t, bracket);
		if (bracket < t.len) {
			ret = pe_parse_array(p, pe_str_from(t, bracket + 1));
			if (ret)
				return ret;
		}
	}
	*s = pe_str_cut(*s, colon);
	name = p->type.p ? p->type : pe_default_type(*s);
	if (pe_str_eq(*s, "$comm") || pe_str_eq(*s, "$COMM") ||
	    pe_str_starts(*s, "\\\"")) {
		if (p->arg->count ||
		    (p->type.p && !pe_str_eq(p->type, "string")))
			return pe_arg_fail_at(p, p->type_at, PE_ERR_NEED_STRING_TYPE);
		name = pe_str_of("string");
	}
	p->arg->type = pe_type_find(name.p, name.len);
	if (!p->arg->type)
		return pe_hint_type(p, name, pe_arg_fail_at(p, p->type_at, PE_ERR_BAD_TYPE));
	return 0;
}

static bool pe_last_deref(const struct pe_fetch *f, bool user)
{
	return pe_fetch_in_memory(f) && f->deref[f->nr_derefs - 1].user == user;
}

/* A string is read from an address: check that the fetch's value is one. */
static int pe_check_string(struct pe_arg_parser *p)
{
	const struct pe_arg *arg = p->arg;
	const struct pe_fetch *f = &arg->fetch;
	bool value = !pe_fetch_in_memory(f);
	bool plain = !f->nr_derefs;
	bool names = pe_type_names_value(arg->type);

	if (names && arg->type->class != PE_CLASS_SYMSTR) {
		/* Any number will do, but no time. */
		if (f->load == PE_LOAD_SAVED && p->placed->saved[f->index] >= PE_SAVE_SINCE)
			return pe_arg_fail_at(p, p->type_at, PE_ERR_BAD_STRING);
	} else if (names) {
		if (!pe_last_deref(f, false) &&
		    !(plain && (f->load == PE_LOAD_REG ||
				f->load == PE_LOAD_STACK ||
				f->load == PE_LOAD_RETVAL ||
				f->load == PE_LOAD_ARG)))
			return pe_arg_fail_at(p, p->type_at, PE_ERR_BAD_SYMSTRING);
	} else if (value && !(plain && (f->load == PE_LOAD_IMM || f->load == PE_LOAD_COMM ||
					f->load == PE_LOAD_STR))) {
		return pe_hint_string(p, pe_arg_fail_at(p, p->type_at, PE_ERR_BAD_STRING));
	}
	/* Otherwise the last dereference becomes the operation that stores. */
	return names || value || arg->count ? pe_arg_op(p) : 0;
}

/* "bW@O/C", with C taken from the type */
static int pe_parse_bitfield(struct pe_arg_parser *p)
{
	unsigned int bits = p->arg->type->size * 8;
	struct pe_str s = p->type;
	u64 width, shift;
	size_t used;
	int ret = 0;

	/* one that type data has found */
	if (p->arg->bf_width)
		ret = pe_arg_op(p);
	if (ret || pe_str_at(s, 0) != 'b')
		return ret;
	s = pe_str_from(s, 1);
	/* The kernel reads no digits as 0 here: no width is an error either way. */
	used = pe_lex_digits(s, 0, &width, NULL);
	if (!used || !width || pe_str_at(s, used) != '@')
		goto bad;
	s = pe_str_from(s, used + 1);
	used = pe_lex_digits(s, 0, &shift, NULL);
	if (!used || pe_str_at(s, used) != '/' || ++p->op == PE_OP_END)
		goto bad;
	if (width > bits || shift > bits || width + shift > bits)
		goto bad;
	p->arg->bf_width = width;
	p->arg->bf_shift = shift;
	return 0;
bad:
	return pe_arg_fail_at(p, p->type_at, PE_ERR_BAD_BITFIELD);
}

/* Do fetch, type and array fit together? */
static int pe_check_combination(struct pe_arg_parser *p)
{
	struct pe_arg *arg = p->arg;
	bool value = !pe_fetch_in_memory(&arg->fetch);
	int ret = 0;

	if (pe_type_is_string(arg->type))
		ret = pe_check_string(p);
	else if (value)
		ret = pe_arg_op(p);
	if (!ret)
		ret = pe_parse_bitfield(p);
	if (ret || !arg->count)
		return ret;
	/* An array is in memory, and in user memory only if it is of strings. */
	if (value || pe_type_names_value(arg->type) ||
	    (!pe_type_is_string(arg->type) && pe_last_deref(&arg->fetch, true)))
		return pe_arg_fail_at(p, p->type_at, PE_ERR_BAD_STRING);
	p->part = PE_IN_ARRAY;
	return pe_arg_op(p);
}

static int pe_parse_body(struct pe_arg_parser *p, struct pe_str s, unsigned int *size)
{
	struct pe_arg *arg = p->arg;
	u16 at;
	int ret;

	if (s.len > PE_MAX_ARGSTR_LEN)
		return pe_arg_fail(p, PE_ERR_ARG_TOO_LONG);
	if (!s.len)
		return pe_arg_fail(p, PE_ERR_NO_ARG_BODY);
	ret = pe_pool_add(p->placed, s, &at);
	if (ret)
		return ret;
	arg->expr = p->placed->pool + at;
	ret = pe_parse_type(p, &s);
	p->last = NULL;
	if (!ret)
		ret = pe_fetch_parse(p, s);
	p->part = PE_IN_TYPE_DATA;
	if (!ret)
		ret = pe_btf_arg_type(p);
	if (ret)
		return ret;
	p->part = PE_IN_TYPE;
	arg->size = arg->type->size * (arg->count ? arg->count : 1);
	*size += arg->size;
	if (*size > PE_MAX_RECORD_FIXED)
		return pe_arg_fail(p, PE_ERR_EVENT_TOO_BIG);
	return pe_check_combination(p);
}

static bool pe_name_used(const struct pe_placed *placed, const char *name)
{
	static const char *const reserved[] = {
		"common_type", "common_flags", "common_preempt_count",
		"common_pid", "common_tgid", "__probe_ip", "__probe_ret_ip",
		"__probe_func",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(reserved); i++)
		if (!strcmp(name, reserved[i]))
			return true;
	for (i = 0; i < placed->nargs; i++)
		if (!strcmp(name, placed->args[i].name))
			return true;
	return false;
}

/* A parameter has its own name, if that could also have been given. */
static void pe_default_name(struct pe_arg_parser *p, struct pe_str s)
{
	struct pe_str name = pe_str_cut(s, pe_str_find(s, ':'));
	struct pe_arg *arg = p->arg;

	if (!pe_lex_good_name(name, false) || !pe_str_copy(arg->name, sizeof(arg->name), name))
		scnprintf(arg->name, sizeof(arg->name), "arg%u", p->placed->nargs + 1);
}

static int pe_parse_arg(struct pe_arg_parser *p, struct pe_str s, unsigned int *size)
{
	size_t equals = pe_str_find(s, '=');
	struct pe_str name = pe_str_cut(s, equals);
	int ret;

	p->op = 0;
	if (equals == s.len) {
		pe_default_name(p, s);
	} else {
		if (!pe_str_copy(p->arg->name, sizeof(p->arg->name), name))
			return pe_arg_fail(p, PE_ERR_ARG_NAME_TOO_LONG);
		if (!equals)
			return pe_arg_fail(p, PE_ERR_NO_ARG_NAME);
		if (!pe_lex_good_name(name, false))
			return pe_arg_fail(p, PE_ERR_BAD_ARG_NAME);
		s = pe_str_from(s, equals + 1);
		p->body = s.p;
		p->at = s.p;
	}
	if (pe_name_used(p->placed, p->arg->name))
		return pe_arg_fail_at(p, p->word, PE_ERR_USED_ARG_NAME);
	p->arg->text_off = p->col;
	p->arg->offset = p->placed->record_fixed + *size;
	ret = pe_parse_body(p, s, size);
	if (!ret)
		p->placed->nargs++;
	return ret;
}

static int pe_parse_args(struct pe_arg_parser *p)
{
	struct pe_placed *placed = p->placed;
	unsigned int i, size = 0;
	struct pe_str s;
	int ret;

	*p->err = p->spec->names;
	ret = p->err->code == PE_ERR_NONE ? pe_arg_words(p) : -EINVAL;
	if (ret)
		return ret;
	for (i = 0; i + 2 < placed->nwords; i++) {
		p->arg = &placed->args[i];
		memset(p->arg, 0, sizeof(*p->arg));
		s = pe_placed_word(placed, i + 2);
		pe_arg_begin(p, s, pe_placed_arg_col(placed, i));
		ret = pe_parse_arg(p, s, &size);
		if (ret)
			return ret;
	}
	placed->record_fixed += size;
	return p->bad_offset ? pe_parse_fail(p->err, PE_ERR_FAIL_REG_PROBE, p->spec->place_off,
					     p->bad_offset) : 0;
}

int pe_args_parse(struct pe_placed *placed, const struct pe_parse_env *env,
		  struct pe_parse_err *err)
{
	bool is_return = placed->spec->cmd == PE_CMD_RETURN;
	struct pe_arg_parser p = {
		.spec = placed->spec,
		.placed = placed,
		.env = env,
		.err = err,
		.on_entry = !is_return && env->on_entry,
		.on_return = is_return,
	};
	int ret;

	placed->nargs = 0;
	placed->nr_saved = 0;
	placed->pool_used = 0;
	placed->nwords = 0;
	placed->record_fixed = is_return ? PE_RECORD_ARGS_RETURN : PE_RECORD_ARGS;
	ret = pe_parse_args(&p);
	pe_btf_func_put(&p.func);
	pe_btf_struct_put(&p.structure);
	return ret;
}
