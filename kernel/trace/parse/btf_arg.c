// SPDX-License-Identifier: GPL-2.0
/*
 * btf_arg.c - arguments by the names that they have in the source, with their types [P]
 *
 *	PARAMETER  PARAMETER->FIELD.FIELD->FIELD  $retval  $retval->FIELD  $current->FIELD
 *
 * A dot adds offsets, and an arrow dereferences.  What follows uses the type of the last name:
 * it is the argument's type if the user gives none, and says where a string is.  A cast gives
 * any fetch a type: (STRUCT)FETCH->FIELD.
 *
 * Columns of errors are the kernel's: of the field that is being looked at.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <pe/btf.h>
#include <uapi/linux/btf.h>
#include "arg.h"
#include "btf_walk.h"
#include "lex.h"
#include "parse_err.h"
#include "parser.h"
#include "spec.h"

/* Ask once for each command: a question may take milliseconds. */
bool pe_arg_has_func(struct pe_arg_parser *p)
{
	if (!p->asked)
		pe_btf_func_get(p->spec->symbol, p->env->addr, &p->func);
	p->asked = true;
	return p->func.btf;
}

unsigned int pe_arg_nr_params(const struct pe_arg_parser *p)
{
	unsigned int all = pe_btf_nr_params(p->func.proto);

	return all - min_t(unsigned int, all, p->spec->tpoint);
}

const char *pe_arg_param(const struct pe_arg_parser *p, unsigned int i, u32 *type)
{
	return pe_btf_param(p->func.btf, p->func.proto, i + p->spec->tpoint, type);
}

/* The first name of @s, and what is behind the dot or arrow after it. */
struct names {
	struct pe_str first, rest;
	bool more, arrow;
};

static int split_names(struct pe_arg_parser *p, struct pe_str s, struct names *n)
{
	size_t end = pe_str_find_any(s, ".-");

	*n = (struct names){ .first = pe_str_cut(s, end), .more = end < s.len };
	if (pe_str_at(s, end) == '-') {
		if (pe_str_at(s, end + 1) != '>')
			return pe_arg_fail_at(p, p->off + end, PE_ERR_BAD_HYPHEN, -EINVAL);
		n->arrow = true;
	}
	n->rest = pe_str_from(s, end + 1 + n->arrow);
	return 0;
}

/* The column moves to the next field, but not past the last one. */
static void step(struct pe_arg_parser *p, struct pe_str s, const struct names *n)
{
	if (n->more)
		p->off += n->rest.p - s.p;
}

/* "FIELD.FIELD", up to the next arrow, in a structure of type @t: the last one is @m. */
static int parse_member(struct pe_arg_parser *p, struct pe_str *s, struct names *n,
			const struct btf_type **type, struct pe_btf_member *m)
{
	const struct btf *btf = p->last_btf;
	const struct btf_type *t = *type;
	u32 bit = 0;
	int ret;

	do {
		if (!t)
			return pe_arg_fail(p, PE_ERR_BAD_BTF_TID, -EINVAL);
		ret = split_names(p, *s, n);
		if (ret)
			return ret;
		ret = pe_btf_find_member(btf, t, n->first, m);
		if (ret)
			return pe_arg_fail(p, ret == -ENOENT ? PE_ERR_NO_BTF_FIELD :
					   PE_ERR_BAD_BTF_TID, ret);
		bit += m->bit;
		t = pe_btf_strip(btf, m->type);
		if (!t)
			return pe_arg_fail(p, PE_ERR_BAD_BTF_TID, -EINVAL);
		step(p, *s, n);
		*s = n->rest;
	} while (n->more && !n->arrow);
	m->bit = bit;
	*type = t;
	return 0;
}

/* The same: one dereference of a pointer to what is @less bytes behind the structure's begin. */
static int parse_fields(struct pe_arg_parser *p, struct pe_str *s, struct names *n,
			const struct btf_type *t, u32 less)
{
	struct pe_btf_member m;
	int ret;

	ret = parse_member(p, s, n, &t, &m);
	if (ret)
		return ret;
	p->last = t;
	p->last_bit = m.bit % 8;
	p->last_bits = m.bits;
	return pe_fetch_deref(p, m.bit / 8 - less, false, -EINVAL);
}

/* What arrows lead to, as long as there are some. */
static int parse_arrows(struct pe_arg_parser *p, struct pe_str s, struct names *n)
{
	int ret = 0;

	while (!ret && n->more) {
		if (BTF_INFO_KIND(p->last->info) != BTF_KIND_PTR)
			return pe_arg_fail(p, PE_ERR_NO_PTR_STRCT, -EINVAL);
		ret = parse_fields(p, &s, n, pe_btf_strip(p->last_btf, p->last->type), 0);
	}
	return ret;
}

/* @type: of the parameter or return value; @n: its name, and what follows */
static int parse_typed(struct pe_arg_parser *p, struct pe_str s, struct names *n, u32 type)
{
	p->last_btf = p->func.btf;
	p->last = pe_btf_strip(p->last_btf, type);
	p->last_bit = 0;
	p->last_bits = 0;
	if (!p->last)
		return pe_arg_fail(p, PE_ERR_BAD_BTF_TID, -EINVAL);
	step(p, s, n);
	return parse_arrows(p, n->rest, n);
}

/* Look up the structure of that name, which may be the last one: a search takes its time. */
static bool find_struct(struct pe_arg_parser *p, struct pe_str name)
{
	char text[PE_MAX_ARGSTR_LEN + 1];

	if (p->structure.btf &&
	    pe_str_eq(name, pe_btf_name(p->structure.btf, p->structure.type->name_off)))
		return true;
	pe_btf_struct_put(&p->structure);
	scnprintf(text, sizeof(text), "%.*s", (int)name.len, name.p);
	return pe_btf_struct_get(text, &p->structure);
}

/*
 * "FIELD.FIELD->FIELD" of a structure of type @p->structure, in which the fetch so far points to
 * what is @less bytes behind its begin.
 */
static int parse_struct(struct pe_arg_parser *p, struct pe_str s, u32 less)
{
	struct names n;
	int ret;

	p->last_btf = p->structure.btf;
	ret = parse_fields(p, &s, &n, p->structure.type, less);
	return ret ? ret : parse_arrows(p, s, &n);
}

/* "MEMBER.MEMBER": where it is in @p->structure */
static int parse_cast_member(struct pe_arg_parser *p, struct pe_str s, u32 *offset)
{
	const struct btf_type *t = p->structure.type;
	struct pe_btf_member m;
	struct names n;
	int ret;

	p->last_btf = p->structure.btf;
	ret = parse_member(p, &s, &n, &t, &m);
	if (ret)
		return ret;
	if (m.bit % 8)
		return pe_arg_fail(p, PE_ERR_TYPECAST_NOT_ALIGNED, -EINVAL);
	if (n.more)
		return pe_arg_fail_at(p, p->off - 2, PE_ERR_TYPECAST_BAD_ARROW, -EINVAL);
	*offset = m.bit / 8;
	return 0;
}

int pe_btf_cast(struct pe_arg_parser *p, const struct pe_cast *cast)
{
	size_t comma = pe_str_find(cast->type, ',');
	u32 less = 0;
	int ret = 0;

	p->off = cast->type_off;
	if (!find_struct(p, pe_str_cut(cast->type, comma)))
		return pe_arg_fail(p, PE_ERR_NO_PTR_STRCT, -EINVAL);
	p->off += comma + 1;
	if (comma < cast->type.len)
		ret = parse_cast_member(p, pe_str_from(cast->type, comma + 1), &less);
	p->off = cast->fields_off;
	return ret ? ret : parse_struct(p, cast->fields, less);
}

static int parse_current(struct pe_arg_parser *p, struct pe_str s, struct names *n)
{
	p->arg->fetch.load = PE_LOAD_CURRENT;
	if (!find_struct(p, pe_str_of("task_struct")))
		return pe_arg_fail(p, PE_ERR_NO_BTF_ENTRY, -ENOENT);
	step(p, s, n);
	return parse_struct(p, n->rest, 0);
}

static int parse_retval(struct pe_arg_parser *p, struct pe_str s, struct names *n)
{
	p->arg->fetch.load = PE_LOAD_RETVAL;
	if (pe_arg_has_func(p)) {
		if (!p->func.proto->type)
			return pe_arg_fail(p, PE_ERR_NO_RETVAL, -ENOENT);
		return parse_typed(p, s, n, p->func.proto->type);
	}
	if (!n->more)
		return 0;
	return pe_arg_fail_at(p, p->off + (n->rest.p - s.p), PE_ERR_NO_BTF_ENTRY, -ENOENT);
}

static int parse_param(struct pe_arg_parser *p, struct pe_str s, struct names *n)
{
	bool asked_before = p->func.btf;
	unsigned int i, params = 0;
	u32 type;
	int ret;

	if (pe_arg_has_func(p))
		params = pe_arg_nr_params(p);
	if (!params && !asked_before)
		return pe_arg_fail(p, PE_ERR_NO_BTF_ENTRY, -ENOENT);
	for (i = 0; i < params; i++) {
		if (!pe_str_eq(n->first, pe_arg_param(p, i, &type)))
			continue;
		ret = pe_fetch_param(p, i);
		return ret ? ret : parse_typed(p, s, n, type);
	}
	return pe_arg_fail(p, PE_ERR_NO_BTFARG, -ENOENT);
}

int pe_btf_arg_parse(struct pe_arg_parser *p, struct pe_str s)
{
	struct names n;
	int ret;

	if (!pe_btf_known())
		return pe_arg_fail(p, PE_ERR_NOSUP_BTFARG, -EOPNOTSUPP);
	ret = split_names(p, s, &n);
	if (ret)
		return ret;
	if (n.more && !n.arrow)
		return pe_arg_fail_at(p, p->off + (n.rest.p - s.p), PE_ERR_NOSUP_DAT_ARG,
				      -EOPNOTSUPP);
	if (pe_str_eq(n.first, "$current"))
		return parse_current(p, s, &n);
	if (p->on_return && pe_str_eq(n.first, "$retval"))
		return parse_retval(p, s, &n);
	return parse_param(p, s, &n);
}

/* An array of characters is the string; a pointer to some leads to it. */
static int find_string(struct pe_arg_parser *p)
{
	if (pe_btf_is_char_array(p->last_btf, p->last))
		return 0;
	if (!pe_btf_is_char_ptr(p->last_btf, p->last))
		return pe_arg_fail(p, PE_ERR_BAD_TYPE4STR, -EINVAL);
	return pe_fetch_deref(p, 0, pe_str_at(p->type, 0) == 'u', -E2BIG);
}

/*
 * The bits of a bitfield are cut out without their sign, as the kernel does.  One that has whole
 * bytes is cut out as well: the kernel takes all of its container.
 */
static int cut_bits(struct pe_arg_parser *p)
{
	unsigned int size = p->arg->type->size * 8;

	if (!p->last_bit && (!p->last_bits || p->last_bits >= size))
		return 0;
	if (!p->last_bits || p->last_bit + p->last_bits > size)
		return pe_arg_fail(p, PE_ERR_BAD_BITFIELD, -EINVAL);
	p->arg->bf_width = p->last_bits;
	p->arg->bf_shift = p->last_bit;
	return 0;
}

int pe_btf_arg_type(struct pe_arg_parser *p)
{
	const struct pe_type *type = p->arg->type;
	const char *name;

	if (!p->last)
		return 0;
	if (p->type.p)
		return type->class == PE_CLASS_STRING || type->class == PE_CLASS_USTRING ?
		       find_string(p) : 0;
	name = pe_btf_type_name(p->last, &p->last_bit, &p->last_bits);
	if (name)
		p->arg->type = pe_type_find(name, strlen(name));
	return cut_bits(p);
}
