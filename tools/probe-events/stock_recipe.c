// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * stock_recipe.c - a question for the kernel's own tracefs.
 *
 * The arguments and the filter are those that trace has with our modules: they are in the language
 * that both have, but for some words.  A histogram there takes no words of ours for its keys.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "stock_recipe.h"

/* The kernel makes a table of all its rows at once; this many of ours take 10 MB there. */
#define ROWS 65536

/* What that kernel cannot do, or does otherwise than the option promises. */
static const char *check(const struct request *r, enum recipe_verb verb)
{
	if (*r->what == '@' || !strncmp(r->what, "t:", 2) || !strncmp(r->what, "e:", 2) ||
	    strpbrk(r->what, "*?[") || request_is_list(r->what))
		return "--engine kernel: one function, no list, pattern, preset, event, tracepoint";
	if (r->interval)
		return "--engine kernel has no -i: a table cannot be cut off without losing hits";
	if (r->keep)
		return "--engine kernel has no -k: nothing would end it";
	if (r->limits.cpu || r->limits.one || r->limits.rate || r->limits.ttl)
		return "--engine kernel has no limits";
	if (r->pids)
		return "--engine kernel has no -p: events there know tasks only: -t";
	if (r->cgroup)
		return "--engine kernel has no -G: events there do not know cgroups";
	if (verb != RECIPE_TRACE && r->most)
		return "--engine kernel has no -M: a table there does not stop";
	if (verb != RECIPE_TRACE && r->command && !r->all)
		return "--engine kernel: with a command -a, too: a table there takes all tasks";
	if (verb != RECIPE_LAT && r->longer)
		return "--engine kernel has -L of lat only";
	if (verb == RECIPE_LAT && r->nr_keys >= TABLE_KEYS)
		return "--engine kernel: two keys after 'by' of lat at most";
	return verb == RECIPE_COUNT && r->nr_keys > TABLE_KEYS ? "three keys after 'by' at most" :
	       NULL;
}

/* What is in the arguments and only our modules know. */
static const char *check_args(const struct stock_recipe *s)
{
	if (strstr(s->args, "=$current"))
		return "--engine kernel has no pid: events there know tasks only: tid";
	if (strstr(s->args, "=$elapsed"))
		return "--engine kernel knows times in lat only, and not in a filter: -L";
	return NULL;
}

/* The definition is "p:trace WHAT ARGS"; @more: another argument. */
static bool take_apart(struct stock_recipe *s, const struct request *r, const char *more)
{
	const char *args = strchr(s->base.definition, ' ');

	args = args ? strchr(args + 1, ' ') : NULL;
	s->place = r->what;
	s->returns = s->base.returns;
	return asprintf(&s->args, "%s%s", args ? args + 1 : "", more) >= 0;
}

static bool has_key(const struct request *r, const char *key)
{
	size_t i;

	for (i = 0; i < r->nr_keys; i++)
		if (!strcmp(r->keys[i], key))
			return true;
	return false;
}

/* A key of the trigger; texts are what the file shows as such. */
static const char *add_key(struct stock_recipe *s, const char *key, FILE *out)
{
	struct stock_key *to = &s->keys[s->nr_keys++];
	const char *modifier = "";

	if (!strcmp(key, "func"))
		return "--engine kernel: there is one function, and no key for it";
	if (!strcmp(key, "tid")) {
		snprintf(to->name, sizeof(to->name), "common_pid");
	} else if (!strcmp(key, "cpu")) {
		snprintf(to->name, sizeof(to->name), "common_cpu");
	} else if (!strcmp(key, "errno")) {
		snprintf(to->name, sizeof(to->name), "ret");
	} else {
		modifier = recipe_field(key, to->name, sizeof(to->name));
		if (!strcmp(modifier, ".enum"))	/* that is a number there */
			modifier = "";
		if (!strcmp(key, "caller") && s->returns)
			snprintf(to->name, sizeof(to->name), "__probe_ret_ip");
		if (!strcmp(key, "caller"))
			modifier = ".sym";
		/* The type of a key says it is a text; so does its name of a task's. */
		to->text = !strcmp(key, "comm") || *modifier || strstr(key, "string");
	}
	if (*modifier && strcmp(modifier, ".hex") && strcmp(modifier, ".sym"))
		return "--engine kernel: only .hex, .sym and .enum can follow a key";
	fprintf(out, "%s%s%s", s->nr_keys > 1 ? "," : "", to->name, modifier);
	return NULL;
}

static const char *make_trigger(struct stock_recipe *s, const struct request *r, bool timed)
{
	const char *wrong = NULL;
	size_t size, i;
	FILE *out = open_memstream(&s->trigger, &size);

	if (!out)
		return "no memory";
	fputs("hist:keys=", out);
	for (i = 0; i < r->nr_keys && !wrong; i++)
		wrong = add_key(s, r->keys[i], out);
	if (!r->nr_keys && !timed)	/* one is due: what is shown is the sum */
		wrong = add_key(s, "cpu", out);
	if (timed) {
		struct stock_key *to = &s->keys[s->nr_keys++];

		*to = (struct stock_key){ .name = "ns", .log2 = true };
		fprintf(out, "%sns.log2", s->nr_keys > 1 ? "," : "");
	}
	fprintf(out, ":vals=hitcount%s:size=%u", timed ? ",ns" : "", ROWS);
	return fclose(out) ? "no memory" : wrong;
}

static const char *make_filter(struct stock_recipe *s, const struct request *r)
{
	const char *filter = s->base.filter;

	if (r->longer && asprintf(&s->filter, "%s%s%sns > %llu", filter ? "(" : "", filter ?: "",
				  filter ? ") && " : "", r->longer) < 0)
		return "no memory";
	if (r->longer || !filter)
		return NULL;
	s->filter = strdup(filter);
	return s->filter ? NULL : "no memory";
}

const char *stock_recipe_make(struct stock_recipe *s, const struct request *r,
			      enum recipe_verb verb, const struct recipe_types *types)
{
	bool timed = verb == RECIPE_LAT, caller = has_key(r, "caller");
	struct request plain = *r;
	const char *wrong = check(r, verb);
	size_t i, nr = 0;

	*s = (struct stock_recipe){};
	if (wrong)
		return wrong;
	/* What the modules do otherwise, or what only they know. */
	plain.longer = 0;
	plain.parameters = false;
	for (i = 0; i < r->nr_keys; i++)
		if (strcmp(r->keys[i], "caller") && strcmp(r->keys[i], "stack"))
			plain.keys[nr++] = r->keys[i];
	plain.nr_keys = nr;
	if (has_key(r, "errno") && verb != RECIPE_TRACE && !r->fail && !r->errors)
		return "--engine kernel: errno in tables with --fail or -x only";
	if (has_key(r, "stack"))
		return "--engine kernel has no stacks as keys: trace -g";
	wrong = recipe_make(&s->base, &plain, RECIPE_TRACE, types);
	if (wrong)
		return wrong;
	s->base.returns |= timed;
	if (caller && timed)
		wrong = "--engine kernel: caller is no key of lat";
	else if (caller && !s->base.returns && strchr(r->what, '+'))
		wrong = "--engine kernel: caller is known at a function's entry or return only";
	else if (!take_apart(s, r, caller && !s->base.returns ? " caller=+0($stack):x64" : ""))
		wrong = "no memory";
	if (!wrong)
		wrong = check_args(s) ?: make_filter(s, r);
	if (!wrong && verb != RECIPE_TRACE)
		wrong = make_trigger(s, r, timed);
	if (wrong)
		stock_recipe_free(s);
	return wrong;
}

void stock_recipe_free(struct stock_recipe *s)
{
	recipe_free(&s->base);
	free(s->args);
	free(s->filter);
	free(s->trigger);
	*s = (struct stock_recipe){};
}
