// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * hist_action.c - what a histogram trigger does at some hits.  [P]
 *
 *	onmax($VAR).save(FIELD[,FIELD]...)	the variable is larger than ever before
 *	onchange($VAR).save(...)		it is another than before
 *	onmax($VAR).snapshot()
 *
 * All is for the hit's key.  The kernel's other actions make synthetic events: they are refused.
 *
 * An action is read twice, as in the kernel: its form before all fields, and what it refers to
 * when the rest of the trigger is right.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include "hist.h"
#include "hist_internal.h"
#include "lex.h"
#include "parse_err.h"

#define MAX_PARAMS	64

static const char *const pe_track_names[] = {
	[PE_HIST_ONMAX] = "__max",
	[PE_HIST_ONCHANGE] = "__change",
};

static int pe_bad_action(const struct pe_hist_parser *p, struct pe_str text)
{
	return pe_hist_fail(p, PE_ERR_HIST_PART, text, -EINVAL);
}

static int pe_no_synthetic(const struct pe_hist_parser *p, struct pe_str text)
{
	return pe_hist_fail(p, PE_ERR_TRIG_LATER, text, -EOPNOTSUPP);
}

/* The next one of @params, which is cut off; false: that was the last. */
static bool pe_next_param(struct pe_str *params, struct pe_str *param)
{
	if (!pe_str_next(params, ',', param))
		return false;
	*param = pe_str_strip(*param);
	return true;
}

static int pe_check_params(const struct pe_hist_parser *p, struct pe_str params)
{
	struct pe_str param;
	unsigned int nr = 0;

	while (pe_next_param(&params, &param)) {
		if (nr++ == MAX_PARAMS)
			return pe_hist_fail(p, PE_ERR_HIST_MANY_PARAMS, pe_str_of(""), -EINVAL);
		if (param.len < 2)
			return pe_hist_fail(p, PE_ERR_HIST_BAD_PARAM, param, -EINVAL);
	}
	return 0;
}

/* ).ACTION(PARAMS), after the first ")" */
static int pe_read_do(const struct pe_hist_parser *p, struct pe_hist_action *action,
		      struct pe_str text)
{
	size_t dot = pe_str_find(text, '.'), open, close;
	struct pe_str name, params;
	int ret = 0;

	name = pe_str_from(text, dot + 1);
	open = pe_str_find(name, '(');
	if (dot == text.len || open == name.len)
		return pe_hist_fail(p, PE_ERR_HIST_NO_ACTION, pe_str_of(""), -EINVAL);
	params = pe_str_from(name, open + 1);
	name = pe_str_cut(name, open);
	close = pe_str_find(params, ')');
	if (pe_str_starts(name, "save")) {
		action->action = PE_HIST_SAVE;
		ret = pe_check_params(p, pe_str_cut(params, close));
	} else if (pe_str_starts(name, "snapshot")) {
		action->action = PE_HIST_SNAPSHOT;
		if (close == params.len)
			ret = pe_hist_fail(p, PE_ERR_HIST_NO_PAREN, params, -EINVAL);
	} else {
		ret = pe_no_synthetic(p, name);
	}
	if (ret)
		return ret;
	action->name = pe_hist_keep(p->hist, name);
	action->params = pe_hist_keep(p->hist, pe_str_cut(params, close));
	if (!action->name || !action->params)
		return pe_hist_fail(p, PE_ERR_HIST_LONG_EXPR, name, -E2BIG);
	return 0;
}

int pe_hist_read_action(const struct pe_hist_parser *p, struct pe_str text)
{
	struct pe_hist_action *action = &p->hist->actions[p->hist->nr_actions];
	size_t open = pe_str_find(text, '('), close;
	struct pe_str rest = pe_str_from(text, open + 1);
	int ret;

	if (pe_str_starts(text, "onmatch("))
		return pe_no_synthetic(p, text);
	*action = (struct pe_hist_action){
		.handler = pe_str_starts(text, "onmax(") ? PE_HIST_ONMAX : PE_HIST_ONCHANGE,
	};
	close = pe_str_find(rest, ')');
	if (close == rest.len)
		return pe_bad_action(p, text);
	ret = pe_read_do(p, action, pe_str_from(rest, close + 1));
	if (ret)
		return ret;
	action->track = pe_hist_keep(p->hist, pe_str_cut(rest, close));
	if (!action->track)
		return pe_hist_fail(p, PE_ERR_HIST_LONG_EXPR, text, -E2BIG);
	p->hist->nr_actions++;
	return 0;
}

/* ---- what it refers to ---- */

/* May there be one more variable, of this name?  Actions have @tracks up to now. */
static bool pe_new_var(const struct pe_hist_parser *p, struct pe_str name, unsigned int tracks)
{
	return pe_hist_find_var(p->hist, name) < 0 && !p->scope->defined(p->scope, name) &&
	       p->hist->nr_vars + tracks + p->hist->nr_saves < PE_HIST_VARS;
}

static int pe_read_save(const struct pe_hist_parser *p, struct pe_str text, unsigned int tracks)
{
	struct pe_hist_var *save = &p->hist->saves[p->hist->nr_saves];
	struct pe_str head = text;
	int ret;

	ret = pe_hist_atom(p, &save->value, text, PE_HIST_VAR);
	if (ret)
		return ret;
	if (save->value.source == PE_HIST_STACK_TRACE)
		return pe_hist_fail(p, PE_ERR_HIST_VAR_TEXT, text, -EINVAL);
	if (pe_str_find(text, '.') < pe_str_find_last(text, '.'))
		head = pe_str_cut(text, pe_str_find(text, '.'));
	if (!pe_new_var(p, head, tracks))
		return pe_hist_fail(p, PE_ERR_HIST_NEW_VAR, head, -EINVAL);
	save->name = pe_hist_keep(p->hist, head);
	if (!save->name)
		return pe_hist_fail(p, PE_ERR_HIST_LONG_EXPR, text, -E2BIG);
	p->hist->nr_saves++;
	return 0;
}

static int pe_finish_save(const struct pe_hist_parser *p, const struct pe_hist_action *action,
			  unsigned int tracks)
{
	struct pe_str params = pe_str_of(p->hist->texts + action->params), param;
	int ret = 0;

	if (p->hist->nr_saves)
		return pe_hist_fail(p, PE_ERR_HIST_MANY_SAVES, pe_str_of(""), -EEXIST);
	while (!ret && pe_next_param(&params, &param))
		ret = pe_read_save(p, param, tracks);
	return ret;
}

static int pe_finish_action(const struct pe_hist_parser *p, unsigned int i)
{
	struct pe_hist_action *action = &p->hist->actions[i];
	struct pe_str name = pe_str_of(p->hist->texts + action->track);
	int var;

	if (pe_str_at(name, 0) != '$')
		return pe_hist_fail(p, PE_ERR_HIST_NO_TRACK, name, -EINVAL);
	name = pe_str_from(name, 1);
	var = pe_hist_find_var(p->hist, name);
	if (var < 0)
		return pe_hist_fail(p, PE_ERR_HIST_TRACK_VAR, name, -EINVAL);
	action->var = var;
	if (!pe_new_var(p, pe_str_of(pe_track_names[action->handler]), i))
		return pe_hist_fail(p, PE_ERR_HIST_NEW_TRACK, pe_str_of(""), -EINVAL);
	return action->action == PE_HIST_SAVE ? pe_finish_save(p, action, i + 1) : 0;
}

int pe_hist_finish(struct pe_hist *hist, const char *command, const struct pe_layout *layout,
		   const struct pe_hist_scope *scope, struct pe_parse_err *err)
{
	const struct pe_hist_parser p = {
		.hist = hist, .command = command, .layout = layout, .scope = scope, .err = err,
	};
	unsigned int i;
	int ret = 0;

	for (i = 0; i < hist->nr_actions && !ret; i++)
		ret = pe_finish_action(&p, i);
	return ret;
}
