// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * hist_var.c - variables of histogram triggers.  [P]
 *
 *	NAME=EXPR	set at each hit, for the hit's key
 *	$NAME		read, from the same key's row of another trigger: hist_ref.c
 *
 * As in the kernel, "$NAME" of a variable that the same command sets to a plain field is that
 * field, and of one that it sets to an expression nothing is known.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include "hist.h"
#include "hist_internal.h"
#include "lex.h"
#include "parse_err.h"

int pe_hist_read_defs(struct pe_hist_parser *p, struct pe_hist_def *defs, struct pe_str text)
{
	struct pe_str def;
	size_t equals;

	while (pe_str_next(&text, ',', &def)) {
		equals = pe_str_find(def, '=');
		if (equals == def.len)
			return pe_hist_fail(p, PE_ERR_HIST_ASSIGNMENT, def, -EINVAL);
		if (p->nr_defs == PE_HIST_VARS)
			return pe_hist_fail(p, PE_ERR_HIST_MANY_VARS, pe_str_cut(def, equals),
					    -EINVAL);
		defs[p->nr_defs++] = (struct pe_hist_def){
			.name = pe_str_cut(def, equals), .expr = pe_str_from(def, equals + 1),
		};
	}
	return 0;
}

static int pe_read_var(const struct pe_hist_parser *p, const struct pe_hist_def *def)
{
	struct pe_hist *hist = p->hist;
	struct pe_hist_var *var;
	int ret;

	if (!p->scope->removes &&
	    (pe_hist_find_var(hist, def->name) >= 0 || p->scope->defined(p->scope, def->name)))
		return pe_hist_fail(p, PE_ERR_HIST_VAR_EXIST, def->name, -EINVAL);
	var = &hist->vars[hist->nr_vars];
	ret = pe_hist_var_value(p, &var->value, def->expr);
	if (ret)
		return ret;
	var->name = pe_hist_keep(hist, def->name);
	if (!var->name)
		return pe_hist_fail(p, PE_ERR_HIST_LONG_EXPR, def->name, -E2BIG);
	hist->nr_vars++;
	return 0;
}

int pe_hist_read_vars(const struct pe_hist_parser *p)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < p->nr_defs && !ret; i++)
		ret = pe_read_var(p, &p->defs[i]);
	return ret;
}
