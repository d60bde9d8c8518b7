// SPDX-License-Identifier: GPL-2.0
/*
 * arg_parse.c - the arguments of a command and the record they make [P]
 *
 *	[NAME=]FETCH[:TYPE][[N]]
 *
 * A word is cut from outside to inside.  The name is before the first "=", the
 * type after the first ":", and the rest is a fetch expression (fetch_parse.c).
 * Before that, words ending in ":%pd" and ":%pD" are replaced by the
 * expressions that they mean.
 */
#include "arg.h"
#include "lex.h"
#include "limits.h"
#include "parse_err.h"
#include "parser.h"
#include "spec.h"
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

/* "[N]"; @s and @off are already past the opening bracket */
static int parse_array(struct pe_arg_parser *p, struct pe_str s, unsigned int off)
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

static struct pe_str default_type(const struct pe_arg_parser *p, struct pe_str fetch)
{
	if (pe_str_eq(fetch, "$elapsed"))
		return pe_str_of("u64");
	return pe_str_of("x64");
}

/* Split the type off; @s keeps the fetch expression. */
static int parse_type(struct pe_arg_parser *p, struct pe_str *s)
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
			ret = parse_array(p, pe_str_from(t, bracket + 1),
					  p->off + p->type_off + bracket + 1);
			if (ret)
				return ret;
		}
	}
	*s = pe_str_cut(*s, colon);
	name = p->type.p ? p->type : default_type(p, *s);
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
		return pe_arg_fail_at(p, p->off + p->type_off, PE_ERR_BAD_TYPE, -EINVAL);
	return 0;
}

static bool last_deref(const struct pe_fetch *f, bool user)
{
	return f->nr_derefs && f->deref[f->nr_derefs - 1].user == user;
}

/* A string is read from an address: check that the fetch's value is one. */
static int check_string(struct pe_arg_parser *p)
{
	const struct pe_arg *arg = p->arg;
	const struct pe_fetch *f = &arg->fetch;
	bool value = !f->nr_derefs;
	bool symstr = arg->type->class == PE_CLASS_SYMSTR;

	if (symstr) {
		if (!last_deref(f, false) &&
		    !(value && (f->load == PE_LOAD_REG ||
				f->load == PE_LOAD_STACK ||
				f->load == PE_LOAD_RETVAL ||
				f->load == PE_LOAD_ARG)))
			return pe_arg_fail_at(p, p->off + p->type_off,
				       PE_ERR_BAD_SYMSTRING, -EINVAL);
	} else if (value && f->load != PE_LOAD_IMM && f->load != PE_LOAD_COMM &&
		   f->load != PE_LOAD_STR) {
		return pe_arg_fail_at(p, p->off + p->type_off, PE_ERR_BAD_STRING, -EINVAL);
	}
	/* Otherwise the last dereference becomes the operation that stores. */
	if ((symstr || value || arg->count) && ++p->op == PE_OP_END)
		return pe_arg_fail(p, PE_ERR_TOO_MANY_OPS, -EINVAL);
	return 0;
}

/* "bW@O/C", with C taken from the type */
static int parse_bitfield(struct pe_arg_parser *p)
{
	unsigned int bits = p->arg->type->size * 8;
	struct pe_str s = p->type;
	u64 width, shift;
	size_t used;

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
static int check_combination(struct pe_arg_parser *p)
{
	struct pe_arg *arg = p->arg;
	bool value = !arg->fetch.nr_derefs;
	int ret = 0;

	if (pe_type_is_string(arg->type))
		ret = check_string(p);
	else if (value)
		p->op++;
	if (!ret)
		ret = parse_bitfield(p);
	if (ret || !arg->count)
		return ret;
	/* An array is in memory, and in user memory only if it is of strings. */
	if (value || arg->type->class == PE_CLASS_SYMSTR ||
	    (!pe_type_is_string(arg->type) && last_deref(&arg->fetch, true)))
		return pe_arg_fail_at(p, p->off + p->type_off, PE_ERR_BAD_STRING, -EINVAL);
	if (++p->op == PE_OP_END)
		return pe_arg_fail(p, PE_ERR_TOO_MANY_OPS, -E2BIG);
	return 0;
}

static int parse_body(struct pe_arg_parser *p, struct pe_str s, unsigned int *size)
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
	ret = parse_type(p, &s);
	if (!ret)
		ret = pe_fetch_parse(p, s);
	if (ret)
		return ret;
	arg->size = arg->type->size * (arg->count ? arg->count : 1);
	*size += arg->size;
	if (*size > PE_MAX_RECORD_FIXED)
		return pe_arg_fail(p, PE_ERR_EVENT_TOO_BIG, -E2BIG);
	return check_combination(p);
}

static bool name_used(const struct pe_spec *spec, const char *name)
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

static int parse_arg(struct pe_arg_parser *p, struct pe_str s, unsigned int *size)
{
	size_t equals = pe_str_find(s, '=');
	struct pe_str name = pe_str_cut(s, equals);
	int ret;

	p->off = 0;
	p->op = 0;
	if (equals == s.len) {
		scnprintf(p->arg->name, sizeof(p->arg->name), "arg%u",
			  p->spec->nargs + 1);
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
	if (name_used(p->spec, p->arg->name))
		return pe_arg_fail_at(p, 0, PE_ERR_USED_ARG_NAME, -EINVAL);
	p->arg->text_off = p->col;
	p->arg->offset = p->spec->record_fixed + *size;
	ret = parse_body(p, s, size);
	if (!ret)
		p->spec->nargs++;
	return ret;
}

/*
 * The kernel checks words that begin with $arg before all others.  "$arg*"
 * means all parameters and would need BTF; its error's caret points at the last
 * such word.
 */
static int check_arg_words(struct pe_arg_parser *p)
{
	struct pe_str rest = pe_str_of(p->spec->text), s;
	unsigned int i, col = 0;
	bool all = false;

	p->col = 0;
	for (i = 0; pe_lex_word(&rest, &s); i++, col += s.len + 1) {
		char c = pe_str_at(s, 4);

		if (i < 2 || !pe_str_starts(s, "$arg"))
			continue;
		p->col = col;
		if (!p->on_entry && !p->on_return)
			return pe_arg_fail(p, PE_ERR_NOFENTRY_ARGS, -EINVAL);
		if (c >= '0' && c <= '9')
			continue;
		if (c != '*')
			return pe_arg_fail(p, PE_ERR_BAD_VAR, -EINVAL);
		if (all)
			return pe_arg_fail(p, PE_ERR_DOUBLE_ARGS, -EINVAL);
		all = true;
	}
	return all ? pe_arg_fail(p, PE_ERR_NOSUP_BTFARG, -EOPNOTSUPP) : 0;
}

/* "[NAME=]FETCH:%pd" becomes "[NAME=]+0x0(+0xOFF(FETCH)):string" in the pool. */
static int write_out_dentry(struct pe_arg_parser *p, struct pe_word *w,
			    struct pe_str s, unsigned int *used)
{
	struct pe_spec *spec = p->spec;
	bool file = s.p[s.len - 1] == 'D';
	struct pe_str fetch = pe_str_cut(s, s.len - 4), name = {};
	size_t equals = pe_str_find(fetch, '=');
	char *to = spec->pool + spec->pool_used;
	unsigned int room = PE_MAX_DENTRY_TEXT - *used;
	int len;

	if (equals < fetch.len) {
		name = pe_str_cut(fetch, equals + 1);
		fetch = pe_str_from(fetch, equals + 1);
	}
	if (sizeof(spec->pool) - spec->pool_used < room)
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
	w->off = spec->pool_used;
	w->len = len;
	w->in_pool = true;
	spec->pool_used += len + 1;
	*used += len + 1;
	return 0;
}

static int write_out_dentries(struct pe_arg_parser *p)
{
	struct pe_spec *spec = p->spec;
	unsigned int i, used = 0;
	int ret;

	for (i = 2; i < spec->nwords; i++) {
		struct pe_word *w = &spec->words[i];
		struct pe_str s = pe_spec_word(spec, i);
		struct pe_str end = pe_str_from(s, s.len > 4 ? s.len - 4 : 0);

		if (pe_str_eq(end, ":%pd") || pe_str_eq(end, ":%pD")) {
			ret = write_out_dentry(p, w, s, &used);
			if (ret)
				return ret;
		}
		w->col = w[-1].col + w[-1].len + 1;
	}
	return 0;
}

static int parse_args(struct pe_arg_parser *p)
{
	struct pe_spec *spec = p->spec;
	unsigned int i, size = 0;
	int ret;

	ret = pe_deferred(spec, PE_BEFORE_ARGS, p->err);
	if (!ret)
		ret = check_arg_words(p);
	if (ret)
		return ret;
	if (spec->nwords > ARRAY_SIZE(spec->words))
		return -E2BIG;
	ret = write_out_dentries(p);
	if (ret)
		return ret;
	for (i = 2; i < spec->nwords; i++) {
		p->arg = &spec->args[i - 2];
		memset(p->arg, 0, sizeof(*p->arg));
		p->col = spec->words[i].col;
		ret = parse_arg(p, pe_spec_word(spec, i), &size);
		if (ret)
			return ret;
	}
	spec->record_fixed += size;
	return pe_deferred(spec, PE_AFTER_ARGS, p->err);
}

/* Only the kept words count; a command with too many words has more. */
static unsigned int joined_len(const struct pe_spec *spec)
{
	unsigned int n = min_t(unsigned int, spec->nwords, ARRAY_SIZE(spec->words));
	const struct pe_word *last = &spec->words[n - 1];

	return last->col + last->len;
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
	ret = parse_args(&p);
	if (ret && spec->nwords <= ARRAY_SIZE(spec->words))
		err->pos = min(err->pos, joined_len(spec));
	return ret;
}
