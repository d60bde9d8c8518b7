// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * btf_arg.c - arguments by the names that they have in the source, with their types [P]
 *
 *	PARAMETER  PARAMETER->FIELD  PARAMETER[N]  $retval  $retval->FIELD  $current->FIELD
 *
 * btf_fields.c follows the fields.  Later parts use the type of the last name: it is the argument's
 * type if the user gives none, and says where a string is.  A cast gives any fetch a type:
 * (STRUCT)FETCH->FIELD.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <pe/btf.h>
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
		pe_btf_func_get(p->placed->place.symbol, p->env->addr, &p->func);
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

/* Look up the structure of that name, which may be the last one: a search takes its time. */
static bool pe_find_struct(struct pe_arg_parser *p, struct pe_str name)
{
	char text[PE_MAX_ARGSTR_LEN + 1];

	if (p->structure.btf &&
	    pe_str_eq(name, pe_btf_name(p->structure.btf, p->structure.type->name_off)))
		return true;
	pe_btf_struct_put(&p->structure);
	scnprintf(text, sizeof(text), "%.*s", (int)name.len, name.p);
	return pe_btf_struct_get(text, &p->structure);
}

int pe_btf_cast(struct pe_arg_parser *p, const struct pe_cast *cast)
{
	size_t comma = pe_str_find(cast->type, ',');
	u32 less = 0;
	int ret = 0;

	p->at = cast->type.p;
	if (!pe_find_struct(p, pe_str_cut(cast->type, comma)))
		return pe_arg_fail(p, PE_ERR_NO_PTR_STRCT);
	if (comma < cast->type.len)
		ret = pe_btf_offset(p, pe_str_from(cast->type, comma + 1), &less);
	return ret ? ret : pe_btf_fields(p, cast->fields, less);
}

static int pe_btf_arg_parse_current(struct pe_arg_parser *p, const struct pe_names *n)
{
	p->arg->fetch.load = PE_LOAD_CURRENT;
	if (!pe_find_struct(p, pe_str_of("task_struct")))
		return pe_arg_fail(p, PE_ERR_NO_BTF_ENTRY);
	pe_names_step(p, n);
	return pe_btf_fields(p, n->rest, 0);
}

static int pe_btf_arg_parse_retval(struct pe_arg_parser *p, struct pe_names *n)
{
	p->arg->fetch.load = PE_LOAD_RETVAL;
	if (pe_arg_has_func(p)) {
		if (!p->func.proto->type)
			return pe_arg_fail(p, PE_ERR_NO_RETVAL);
		return pe_btf_value(p, n, p->func.btf, p->func.proto->type);
	}
	if (!n->more && !n->index.len)
		return 0;
	return pe_arg_fail_at(p, n->rest.p, PE_ERR_NO_BTF_ENTRY);
}

static int pe_parse_param(struct pe_arg_parser *p, struct pe_names *n)
{
	bool asked_before = p->func.btf;
	unsigned int i, params = 0;
	u32 type;
	int ret;

	if (pe_arg_has_func(p))
		params = pe_arg_nr_params(p);
	if (!params && !asked_before)
		return pe_arg_hint(p, pe_arg_fail(p, PE_ERR_NO_BTF_ENTRY),
				   "its parameters are only available as $arg1, $arg2, ...");
	for (i = 0; i < params; i++) {
		if (!pe_str_eq(n->first, pe_arg_param(p, i, &type)))
			continue;
		ret = pe_fetch_param(p, i);
		return ret ? ret : pe_btf_value(p, n, p->func.btf, type);
	}
	return pe_hint_param(p, n->first, pe_arg_fail(p, PE_ERR_NO_BTFARG));
}

int pe_btf_arg_parse(struct pe_arg_parser *p, struct pe_str s)
{
	struct pe_names n;
	int ret;

	if (!pe_btf_known())
		return pe_arg_fail(p, PE_ERR_NOSUP_BTFARG);
	ret = pe_names_split(p, s, &n);
	if (ret)
		return ret;
	if (n.more && !n.arrow && !n.index.len)
		return pe_arg_fail_at(p, n.rest.p, PE_ERR_NOSUP_DAT_ARG);
	if (pe_str_eq(n.first, "$current"))
		return pe_btf_arg_parse_current(p, &n);
	if (p->on_return && pe_str_eq(n.first, "$retval"))
		return pe_btf_arg_parse_retval(p, &n);
	return pe_parse_param(p, &n);
}

/* An array of characters is the string; a pointer to some leads to it. */
static int pe_find_string(struct pe_arg_parser *p)
{
	if (pe_btf_is_char_array(p->last_btf, p->last))
		return 0;
	if (!pe_btf_is_char_ptr(p->last_btf, p->last))
		return pe_arg_fail(p, PE_ERR_BAD_TYPE4STR);
	return pe_fetch_deref(p, 0, pe_str_at(p->type, 0) == 'u');
}

/*
 * The bits of a bitfield are cut out without their sign, as the kernel does.  One that has whole
 * bytes is cut out as well: the kernel takes all of its container.
 */
static int pe_cut_bits(struct pe_arg_parser *p)
{
	unsigned int size = p->arg->type->size * 8;

	if (!p->last_bit && (!p->last_bits || p->last_bits >= size))
		return 0;
	if (!p->last_bits || p->last_bit + p->last_bits > size)
		return pe_arg_fail(p, PE_ERR_BAD_BITFIELD);
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
		       pe_find_string(p) : 0;
	name = pe_btf_type_name(p->last, &p->last_bit, &p->last_bits);
	if (name)
		p->arg->type = pe_type_find(name, strlen(name));
	return pe_cut_bits(p);
}
