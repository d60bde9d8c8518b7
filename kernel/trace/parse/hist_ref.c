// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * hist_ref.c - references to variables of other histogram triggers.  [P]
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include "hist.h"
#include "hist_internal.h"
#include "lex.h"
#include "parse_err.h"

int pe_hist_find_var(const struct pe_hist *hist, struct pe_str name)
{
	unsigned int i;

	for (i = 0; i < hist->nr_vars; i++)
		if (pe_str_eq(name, hist->texts + hist->vars[i].name))
			return i;
	return -1;
}

/* The number of a reference, made if need be; -ENOMEM: there are too many. */
static int pe_ref_to(struct pe_hist *hist, const struct pe_hist_found *found, struct pe_str group,
		     struct pe_str event, const char *name)
{
	const struct pe_hist_var *var = &found->hist->vars[found->var];
	const struct pe_hist_ref *of = NULL;
	struct pe_hist_ref *ref;
	unsigned int i;

	for (i = 0; i < hist->nr_refs; i++)
		if (hist->refs[i].table == found->table && hist->refs[i].var == found->var)
			return i;
	if (hist->nr_refs == PE_HIST_REFS)
		return -ENOMEM;
	if (var->value.source == PE_HIST_REF)
		of = &found->hist->refs[var->value.at];
	ref = &hist->refs[hist->nr_refs];
	*ref = (struct pe_hist_ref){
		.table = found->table, .var = found->var, .full = group.p,
		.is_signed = of ? of->is_signed : var->value.is_signed,
		.size = of ? of->size : var->value.size,
		.usecs = of ? of->usecs : var->value.usecs,
		.is_constant = var->value.source == PE_HIST_CONST,
		.constant = var->value.source == PE_HIST_CONST ? var->value.constant : 0,
	};
	ref->name = pe_hist_put_begin(hist);
	if (group.p)
		pe_hist_put(hist, "%.*s.%.*s.$", (int)group.len, group.p, (int)event.len,
			    event.p);
	pe_hist_put(hist, "%s", name);
	if (!pe_hist_put_end(hist, ref->name))
		return -ENOMEM;
	return hist->nr_refs++;
}

int pe_hist_read_ref(const struct pe_hist_parser *p, struct pe_hist_field *field,
		     struct pe_str group, struct pe_str event, struct pe_str name)
{
	struct pe_hist_found found;
	int ret = p->scope->find(p->scope, group, event, name, &found);

	if (ret == -EEXIST)
		return pe_hist_fail(p, PE_ERR_HIST_VAR_SEVERAL, name, -EINVAL);
	if (ret)
		return pe_hist_fail(p, PE_ERR_HIST_NO_VAR, name, -EINVAL);
	ret = pe_ref_to(p->hist, &found, group, event,
			found.hist->texts + found.hist->vars[found.var].name);
	if (ret < 0)
		return pe_hist_fail(p, PE_ERR_HIST_NO_VAR, name, -EINVAL);
	*field = (struct pe_hist_field){
		.source = PE_HIST_REF, .at = ret, .depth = PE_HIST_STACK,
		.is_signed = p->hist->refs[ret].is_signed, .size = p->hist->refs[ret].size,
		.usecs = p->hist->refs[ret].usecs,
	};
	return 0;
}
