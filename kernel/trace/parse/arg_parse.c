// SPDX-License-Identifier: GPL-2.0
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

/* "[N]"; @s and @off are already past the opening bracket */
static int pe_parse_array(struct pe_arg_parser *p, struct pe_str s, unsigned int off)
{
	size_t close = pe_str_find(s, ']');
	u64 n;

	if (close == s.len)
		return pe_arg_fail_at(p, off + s.len, PE_ERR_ARRAY_NO_CLOSE, -EINVAL);
	if (close + 1 != s.len)
		return pe_arg_fail_at(p, off + close + 1, PE_ERR_BAD_ARRAY_SUFFIX, -EINVAL);
	if (pe_lex_u64(pe_str_cut(s, close), 0, &n) || !n || n > UINT_MAX)
		return pe_arg_fail_at(p, off, PE_ERR_BAD_ARRAY_NUM, -EINVAL);
	if (n > PE_MAX_ARRAY_LEN)
		return pe_arg_fail_at(p, off, PE_ERR_ARRAY_TOO_BIG, -EINVAL);
	p->arg->count = n;
	return 0;
}

static struct pe_str pe_default_type(const struct pe_arg_parser *p, struct pe_str fetch)
{
	if (pe_str_eq(fetch, "$elapsed"))
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
	p->type_off = 0;
	if (colon < s->len) {
		p->type_off = colon + 1;
		bracket = pe_str_find(t, '[');
		p->type = pe_str_cut(t, bracket);
		if (bracket < t.len) {
			ret = pe_parse_array(p, pe_str_from(t, bracket + 1),
					     p->off + p->type_off + bracket + 1);
			if (ret)
				return ret;
		}
	}
	*s = pe_str_cut(*s, colon);
	name = p->type.p ? p->type : pe_default_type(p, *s);
	if (pe_str_eq(*s, "$comm") || pe_str_eq(*s, "$COMM") ||
	    pe_str_starts(*s, "\\\"")) {
		if (p->arg->count ||
		    (p->type.p && !pe_str_eq(p->type, "string")))
			return pe_arg_fail_at(p, p->off + p->type_off,
				       PE_ERR_NEED_STRING_TYPE, -EINVAL);
		name = pe_str_of("string");
	}
	p->arg->type = pe_type_find(name.p, name.len);
	if (!p->arg->type)
		return pe_hint_type(p, name, pe_arg_fail_at(p, p->off + p->type_off,
							    PE_ERR_BAD_TYPE, -EINVAL));
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
	bool symstr = arg->type->class == PE_CLASS_SYMSTR;

	if (symstr) {
		if (!pe_last_deref(f, false) &&
		    !(plain && (f->load == PE_LOAD_REG ||
				f->load == PE_LOAD_STACK ||
				f->load == PE_LOAD_RETVAL ||
				f->load == PE_LOAD_ARG)))
			return pe_arg_fail_at(p, p->off + p->type_off,
				       PE_ERR_BAD_SYMSTRING, -EINVAL);
	} else if (value && !(plain && (f->load == PE_LOAD_IMM || f->load == PE_LOAD_COMM ||
					f->load == PE_LOAD_STR))) {
		return pe_hint_string(p, pe_arg_fail_at(p, p->off + p->type_off,
							PE_ERR_BAD_STRING, -EINVAL));
	}
	/* Otherwise the last dereference becomes the operation that stores. */
	if ((symstr || value || arg->count) && ++p->op == PE_OP_END)
		return pe_arg_fail(p, PE_ERR_TOO_MANY_OPS, -EINVAL);
	return 0;
}

/* "bW@O/C", with C taken from the type */
static int pe_parse_bitfield(struct pe_arg_parser *p)
{
	unsigned int bits = p->arg->type->size * 8;
	struct pe_str s = p->type;
	u64 width, shift;
	size_t used;

	/* one that type data has found */
	if (p->arg->bf_width && ++p->op == PE_OP_END)
		return pe_arg_fail(p, PE_ERR_TOO_MANY_OPS, -EINVAL);
	if (pe_str_at(s, 0) != 'b')
		return 0;
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
	return pe_arg_fail_at(p, p->off + p->type_off, PE_ERR_BAD_BITFIELD, -EINVAL);
}

/* Do fetch, type and array fit together? */
static int pe_check_combination(struct pe_arg_parser *p)
{
	struct pe_arg *arg = p->arg;
	bool value = !pe_fetch_in_memory(&arg->fetch);
	int ret = 0;

	if (pe_type_is_string(arg->type))
		ret = pe_check_string(p);
	else if (value && ++p->op == PE_OP_END)
		return pe_arg_fail(p, PE_ERR_TOO_MANY_OPS, -EINVAL);
	if (!ret)
		ret = pe_parse_bitfield(p);
	if (ret || !arg->count)
		return ret;
	/* An array is in memory, and in user memory only if it is of strings. */
	if (value || arg->type->class == PE_CLASS_SYMSTR ||
	    (!pe_type_is_string(arg->type) && pe_last_deref(&arg->fetch, true)))
		return pe_arg_fail_at(p, p->off + p->type_off, PE_ERR_BAD_STRING, -EINVAL);
	if (++p->op == PE_OP_END)
		return pe_arg_fail(p, PE_ERR_TOO_MANY_OPS, -E2BIG);
	return 0;
}

static int pe_parse_body(struct pe_arg_parser *p, struct pe_str s, unsigned int *size)
{
	struct pe_arg *arg = p->arg;
	u16 at;
	int ret;

	if (s.len > PE_MAX_ARGSTR_LEN)
		return pe_arg_fail(p, PE_ERR_ARG_TOO_LONG, -E2BIG);
	if (!s.len)
		return pe_arg_fail(p, PE_ERR_NO_ARG_BODY, -EINVAL);
	ret = pe_pool_add(p->spec, s, &at);
	if (ret)
		return ret;
	arg->expr = p->spec->pool + at;
	ret = pe_parse_type(p, &s);
	p->last = NULL;
	if (!ret)
		ret = pe_fetch_parse(p, s);
	if (!ret)
		ret = pe_btf_arg_type(p);
	if (ret)
		return ret;
	arg->size = arg->type->size * (arg->count ? arg->count : 1);
	*size += arg->size;
	if (*size > PE_MAX_RECORD_FIXED)
		return pe_arg_fail(p, PE_ERR_EVENT_TOO_BIG, -E2BIG);
	return pe_check_combination(p);
}

static bool pe_name_used(const struct pe_spec *spec, const char *name)
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
	for (i = 0; i < spec->nargs; i++)
		if (!strcmp(name, spec->args[i].name))
			return true;
	return false;
}

/* A parameter has its own name, if that could also have been given. */
static void pe_default_name(struct pe_arg_parser *p, struct pe_str s)
{
	struct pe_str name = pe_str_cut(s, pe_str_find(s, ':'));
	struct pe_arg *arg = p->arg;

	if (name.len < sizeof(arg->name) && pe_lex_good_name(name, false)) {
		memcpy(arg->name, name.p, name.len);
		arg->name[name.len] = 0;
	} else {
		scnprintf(arg->name, sizeof(arg->name), "arg%u", p->spec->nargs + 1);
	}
}

static int pe_parse_arg(struct pe_arg_parser *p, struct pe_str s, unsigned int *size)
{
	size_t equals = pe_str_find(s, '=');
	struct pe_str name = pe_str_cut(s, equals);
	int ret;

	p->off = 0;
	p->op = 0;
	if (equals == s.len) {
		pe_default_name(p, s);
	} else {
		if (equals >= PE_MAX_ARG_NAME_LEN)
			return pe_arg_fail(p, PE_ERR_ARG_NAME_TOO_LONG, -EINVAL);
		if (!equals)
			return pe_arg_fail(p, PE_ERR_NO_ARG_NAME, -EINVAL);
		if (!pe_lex_good_name(name, false))
			return pe_arg_fail(p, PE_ERR_BAD_ARG_NAME, -EINVAL);
		memcpy(p->arg->name, name.p, name.len);
		p->arg->name[name.len] = 0;
		s = pe_str_from(s, equals + 1);
		p->off = equals + 1;
	}
	if (pe_name_used(p->spec, p->arg->name))
		return pe_arg_fail_at(p, 0, PE_ERR_USED_ARG_NAME, -EINVAL);
	p->arg->text_off = p->col;
	p->arg->offset = p->spec->record_fixed + *size;
	ret = pe_parse_body(p, s, size);
	if (!ret)
		p->spec->nargs++;
	return ret;
}

static int pe_parse_args(struct pe_arg_parser *p)
{
	struct pe_spec *spec = p->spec;
	unsigned int i, size = 0;
	int ret;

	ret = pe_deferred(spec, PE_BEFORE_ARGS, p->err);
	if (!ret)
		ret = pe_arg_words(p);
	if (ret)
		return ret;
	for (i = 0; i < spec->nr_arg_words; i++) {
		p->arg = &spec->args[i];
		memset(p->arg, 0, sizeof(*p->arg));
		p->col = pe_spec_arg_col(spec, i);
		p->past = i + 2 >= spec->nwords;
		ret = pe_parse_arg(p, pe_spec_text(spec, &spec->arg_words[i]), &size);
		if (ret)
			return ret;
	}
	spec->record_fixed += size;
	return pe_deferred(spec, PE_AFTER_ARGS, p->err);
}

int pe_args_parse(struct pe_spec *spec, const struct pe_parse_env *env,
		  struct pe_parse_err *err)
{
	bool is_return = spec->cmd == PE_CMD_RETURN;
	struct pe_arg_parser p = {
		.spec = spec,
		.env = env,
		.err = err,
		.on_entry = !is_return && env->on_entry,
		.on_return = is_return,
	};
	int ret;

	spec->record_fixed = is_return ? PE_RECORD_ARGS_RETURN : PE_RECORD_ARGS;
	ret = pe_parse_args(&p);
	pe_btf_func_put(&p.func);
	pe_btf_struct_put(&p.structure);
	if (ret && !p.past && spec->nwords <= ARRAY_SIZE(spec->words))
		err->pos = min(err->pos, pe_spec_end_col(spec));
	return ret;
}
