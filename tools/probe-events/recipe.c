// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * recipe.c - a question as commands for the modules' files.
 *
 * An event is defined at the function, with an argument for each key and each field of the filter
 * that a record does not have by itself; a hist trigger counts it.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "errors.h"
#include "preset.h"
#include "recipe.h"
#include "recipe_maker.h"

/* Words for what all hits have: the key in the table, and the field in a filter. */
static const struct recipe_builtin builtins[] = {
	{ "comm", "common_comm", "comm", "comm=$comm", true, false },
	{ "tid", "common_pid", "common_pid", NULL, false, true },
	{ "pid", "common_tgid", NULL, "pid=$current->tgid", true, false },
	{ "cpu", "common_cpu", "cpu", NULL, false, true },
	{ "caller", "common_caller.sym", NULL, NULL, false, true },
	{ "stack", "common_stacktrace", NULL, NULL, false, false },
	{ "ret", NULL, NULL, "ret=$retval", true, false },
	{ "ns", NULL, NULL, "ns=$elapsed", true, false },
};

const struct recipe_builtin *recipe_builtin(const char *word, size_t len)
{
	size_t i;

	for (i = 0; i < sizeof(builtins) / sizeof(*builtins); i++)
		if (strlen(builtins[i].word) == len && !strncmp(builtins[i].word, word, len))
			return &builtins[i];
	return NULL;
}

/* Where ".log2" and the like begins; the end of the key if it has none. */
static const char *modifier_of(const char *key)
{
	static const char * const names[] = { ".log2", ".hex", ".sym", ".sym-offset", ".buckets=",
					      ".enum" };
	const char *dot = strrchr(key, '.');
	size_t i;

	for (i = 0; dot && i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(dot, names[i]) ||
		    (strchr(names[i], '=') && !strncmp(dot, names[i], strlen(names[i]))))
			return dot;
	return key + strlen(key);
}

bool recipe_is_errno(const struct request *r, const char *key)
{
	return !strcmp(key, "errno") && !(r->preset && preset_field(r->preset, key));
}

static bool has_errno(const struct request *r)
{
	size_t i;

	for (i = 0; i < r->nr_keys; i++)
		if (recipe_is_errno(r, r->keys[i]))
			return true;
	return false;
}

/* Are results errors for the question? */
static bool asks_for_errors(const struct request *r)
{
	return r->fail || r->errors || has_errno(r) || recipe_filters_errors(r);
}

/* A result or a time that is none of the fields that a preset has. */
static bool is_of_return(const struct request *r, const char *word, size_t len)
{
	if (r->preset && preset_field(r->preset, word))
		return false;
	return (len == 3 && !strncmp(word, "ret", 3)) || (len == 2 && !strncmp(word, "ns", 2));
}

/* The field with the time that a hit stands for; NULL: times are those of calls. */
static const char *spent_of(const struct request *r)
{
	return r->preset ? r->preset->spent : NULL;
}

/* Results are of returns: so is an event that asks for one. */
static bool asks_for_return(const struct request *r)
{
	size_t i;

	for (i = 0; i < r->nr_keys; i++)
		if (is_of_return(r, r->keys[i], modifier_of(r->keys[i]) - r->keys[i]))
			return true;
	for (i = 0; i < r->nr_filter; i++)
		if (is_of_return(r, r->filter[i], strlen(r->filter[i])))
			return true;
	return (asks_for_errors(r) && is_of_return(r, "ret", 3)) ||
	       (r->longer && !spent_of(r) && is_of_return(r, "ns", 2));
}

/* The preset's probes have this field. */
static bool in_preset(const struct recipe_maker *m, const char *key)
{
	return m->r->preset && preset_field(m->r->preset, key);
}

/* What the preset's probes read when a call begins: it is no field of the event. */
static bool of_entry(const struct recipe_maker *m, const char *key)
{
	return m->r->preset && preset_entry_field(m->r->preset, key);
}

/* Is there an argument of this name already?  If not, it has one from now on. */
static bool known_name(struct recipe_maker *m, const char *name)
{
	size_t i;

	if (in_preset(m, name))
		return true;
	for (i = 0; i < m->nr_names; i++)
		if (!strcmp(m->names[i], name))
			return true;
	if (m->nr_names == RECIPE_ARGS)
		m->wrong = "too many arguments";
	else
		snprintf(m->names[m->nr_names++], sizeof(*m->names), "%s", name);
	return false;
}

/* "skb_len" of "skb.len"; a type (":u8") is no part of it. */
static void make_name(const char *expr, size_t len, char *name, size_t size)
{
	size_t i, n = 0;

	for (i = 0; i < len && expr[i] != ':' && n + 1 < size; i++)
		if (isalnum((unsigned char)expr[i]))
			name[n++] = expr[i];
		else if (n && name[n - 1] != '_')
			name[n++] = '_';
	while (n && name[n - 1] == '_')
		n--;
	name[n] = '\0';
}

const char *recipe_field(const char *key, char *name, size_t size)
{
	const char *modifier = modifier_of(key);

	make_name(key, modifier - key, name, size);
	return modifier;
}

/* The argument with the value of an expression, which a type may follow. */
void recipe_add(struct recipe_maker *m, const char *expr, size_t len, bool is_enum, char *name,
		size_t size)
{
	char text[256], *type;
	const char *fits;

	if (len >= sizeof(text)) {
		m->wrong = "a key or a field is too long";
		len = 0;
	}
	memcpy(text, expr, len);
	text[len] = '\0';
	make_name(expr, len, name, size);
	if (of_entry(m, text)) {
		m->wrong = "what is read when a call begins is a column of trace only";
		return;
	}
	if (len && text[len - 1] == '-') {
		m->wrong = "the shell has taken > and a word for a file: write skb.len, with a dot";
		return;
	}
	if (!*name || isdigit((unsigned char)*name)) {
		m->wrong = "a key or a field is a name, or begins with one";
		return;
	}
	if (known_name(m, name))
		return;
	type = strchr(text, ':');
	if (type)
		*type++ = '\0';
	fprintf(m->args, " %s=", name);
	if (!strncmp(text, "arg", 3) && text[3 + strspn(text + 3, "0123456789")] == '\0' && text[3])
		fprintf(m->args, "$%s", text);
	else if (!m->types->spell || !m->types->spell(m->types->ctx, m->r->what, text, m->args))
		fputs(text, m->args);
	fits = !type && is_enum && m->types->number ?
	       m->types->number(m->types->ctx, m->r->what, text) : NULL;
	if (type || fits)
		fprintf(m->args, ":%s", type ?: fits);
}

void recipe_add_fixed(struct recipe_maker *m, const struct recipe_builtin *b)
{
	if (known_name(m, b->word))
		return;
	fprintf(m->args, " %s", b->argument);
	if (strcmp(b->word, "ret"))
		return;
	/* Without type data the engine takes it as unsigned, and no result would be below 0. */
	if (m->result.type)
		fprintf(m->args, ":%s", m->result.type);
	else if (!m->r->parameters)
		fputs(":s32", m->args);
}

/*
 * What is no error has to become one row: 1 for an error, and else 0, times the result.  Where a
 * condition leaves errors only, the results themselves do, and cost less.
 */
static void write_errno(struct recipe_maker *m, FILE *out)
{
	recipe_add_fixed(m, recipe_builtin("ret", 3));
	if (m->r->fail || m->r->errors)
		fputs("ret", out);
	else
		fprintf(out, "ret/%llu*ret", -(unsigned long long)ERROR_MOST);
}

static void write_key(struct recipe_maker *m, FILE *out, const char *key)
{
	const char *modifier = modifier_of(key);
	const struct recipe_builtin *b = recipe_builtin(key, modifier - key);
	bool is_enum = !strcmp(modifier, ".enum");
	char name[64];

	m->at = key;
	if (!strcmp(key, "caller") && m->r->preset && m->r->preset->skip.nr) {
		fputs("common_stacktrace.depth=8", out);
		return;
	}
	if (recipe_is_errno(m->r, key)) {
		write_errno(m, out);
		return;
	}
	if (m->r->preset && m->r->preset->kinds.nr && m->r->preset->beside[0] &&
	    !strcmp(key, m->r->preset->beside[0])) {
		/* Locks are aligned: one number for both, as there are three keys at most. */
		fprintf(out, "%s+%s", key, m->r->preset->kinds.of[0]);
		return;
	}
	if (!strcmp(key, "func")) {
		fputs(m->returns ? "__probe_func.sym" : "__probe_ip.sym", out);
		return;
	}
	if (b && b->key) {
		fputs(b->key, out);
		if (*modifier)
			m->wrong = "a modifier can follow only a number's key";
		return;
	}
	if (b) {
		recipe_add_fixed(m, b);
		fputs(b->word, out);
	} else {
		recipe_add(m, key, modifier - key, is_enum, name, sizeof(name));
		fputs(name, out);
	}
	if (!is_enum)	/* the table has numbers */
		fputs(modifier, out);
}

/* ---- all of it ---- */

/* Keys that are not shown, after all others: see view.h. */
static void write_hidden(struct recipe_maker *m, FILE *out)
{
	const struct preset *p = m->r->preset;
	size_t nr = m->r->nr_keys ?: 1, i;

	if (p->weigh) {
		if (nr++ == TABLE_KEYS)
			m->wrong = "two keys after 'by' at most, of this preset";
		fprintf(out, ",%s", p->weigh);
	}
	for (i = 0; i < m->r->nr_keys && p->beside[0]; i++)
		if (!strcmp(m->r->keys[i], p->beside[0]) && nr < TABLE_KEYS)
			fprintf(out, ",%s", p->beside[1]);
}

static char *make_trigger(struct recipe_maker *m)
{
	const struct request *r = m->r;
	char *text = NULL;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fputs("hist:keys=", out);
	for (i = 0; i < r->nr_keys && !m->wrong; i++) {
		if (i)
			fputc(',', out);
		write_key(m, out, r->keys[i]);
	}
	if (!r->nr_keys)	/* a table has to have one: what is shown is the sum */
		fputs("common_cpu", out);
	if (r->preset)
		write_hidden(m, out);
	if (m->verb == RECIPE_LAT)
		fprintf(out, ":vals=%s.dist", spent_of(r) ?: "ns");
	else if (spent_of(r))
		fprintf(out, ":vals=%s,%s.max", spent_of(r), spent_of(r));
	else if (r->preset && r->preset->frees)
		fprintf(out, ":vals=%s", r->preset->frees);
	fputs(":size=65536", out);
	fclose(out);
	return text;
}

/* What trace shows of a hit: its keys, or all parameters that the type data knows. */
static void add_shown(struct recipe_maker *m)
{
	const struct request *r = m->r;
	char name[64];
	size_t i;

	recipe_add_fixed(m, recipe_builtin("comm", 4));
	for (i = 0; i < r->nr_keys && !m->wrong; i++) {
		const char *key = r->keys[i], *modifier = modifier_of(key);
		const struct recipe_builtin *b = recipe_builtin(key, modifier - key);
		bool is_enum = !strcmp(modifier, ".enum");

		m->at = key;
		if (in_preset(m, key) || *preset_form(r->preset, key) || of_entry(m, key))
			continue;
		if (*modifier && !is_enum && strcmp(modifier, ".hex") && strcmp(modifier, ".sym"))
			m->wrong = "trace: only .hex, .sym and .enum can follow a key";
		else if (recipe_is_errno(r, key))
			recipe_add_fixed(m, recipe_builtin("ret", 3));
		else if (!strcmp(key, "func"))
			continue;
		else if (b && b->shown)
			recipe_add_fixed(m, b);
		else if (b && !b->record)
			m->wrong = "trace shows stacks by -g; to count them: count WHAT by stack";
		else if (!b)
			recipe_add(m, key, modifier - key, is_enum, name, sizeof(name));
	}
	if (!r->nr_keys && r->parameters && !r->preset && !m->several && !strchr(r->what, '+'))
		fputs(" $arg*", m->args);
	if (!r->nr_keys && m->returns)
		recipe_add_fixed(m, recipe_builtin("ret", 3));
}

/* NULL: no key needs them. */
static char *make_entries(const struct recipe_maker *m)
{
	char *text = NULL;
	size_t size, i;
	FILE *out;

	for (i = 0; i < m->r->nr_keys && !of_entry(m, m->r->keys[i]); i++)
		;
	out = i < m->r->nr_keys ? open_memstream(&text, &size) : NULL;
	if (!out)
		return NULL;
	preset_define_entries(m->r->preset, RECIPE_ENTRY, out);
	fclose(out);
	if (text && *text)
		return text;
	free(text);
	return NULL;
}

static char *make_definition(struct recipe_maker *m, const char *event, const char *args)
{
	const char *what = m->r->what;
	char *text = NULL;
	size_t size;
	FILE *out;
	int len;

	m->at = what;
	if (m->r->preset) {
		if (m->returns && !preset_returns(m->r->preset))
			m->wrong = "this event is none of returns: it has no results and no times";
		out = open_memstream(&text, &size);
		if (!out)
			return NULL;
		preset_define(m->r->preset, event, args, out);
		return fclose(out) ? NULL : text;
	}
	if (!strncmp(what, "t:", 2)) {
		len = asprintf(&text, "t:%s %s%s", event, what + 2, args);
		if (m->returns)
			m->wrong = "a tracepoint does not return";
	} else if (m->pattern) {
		len = asprintf(&text, "f:%s %s%s%s", event, what, m->returns ? "%return" : "",
			       args);
	} else {
		len = asprintf(&text, "%c:%s %s%s", m->returns ? 'r' : 'p', event, what, args);
	}
	return len < 0 ? NULL : text;
}

/* What an error is among the results; those of a preset are typed by its definition. */
static void judge(struct recipe_maker *m)
{
	const struct recipe_types *types = m->types;

	m->errors_only = has_errno(m->r);
	if (m->r->preset)
		return;
	m->result = (struct recipe_result){ RESULT_UNKNOWN, "s32", NULL };
	if (m->pattern)
		m->errors_only = true;	/* else the lower half of many an address would be one */
	else if (m->common)
		m->result = *m->common;
	else if (types->result)
		m->result = types->result(types->ctx, m->r->what);
	m->errors_only |= m->result.kind == RESULT_POINTER;
	if (m->result.type && !strcmp(m->result.type, "s8"))
		m->errors_only = false;		/* it has no -4095 */
	if (m->result.kind == RESULT_NEVER)
		m->wrong = m->result.wrong;
}

/* @m: has the question, the verb, and what a list knows of all its functions */
const char *recipe_make_one(struct recipe *recipe, struct recipe_maker *m)
{
	static const char * const events[] = { "count", "lat", "trace" };
	const struct request *r = m->r;
	char *args = NULL;
	size_t size;

	*recipe = (struct recipe){ .event = events[m->verb] };
	m->returns = (m->verb == RECIPE_LAT && !spent_of(r)) || asks_for_return(r);
	if (r->preset)
		m->returns |= preset_returns(r->preset);
	if (asks_for_errors(r))
		judge(m);
	else if (m->common && m->common->kind != RESULT_NEVER)
		m->result = *m->common;		/* one type for all */
	if (m->wrong)	/* a later one would be told in its place */
		return m->wrong;
	m->args = open_memstream(&args, &size);
	if (!m->args)
		return "no memory";
	if (m->verb == RECIPE_LAT && !spent_of(r))
		recipe_add_fixed(m, recipe_builtin("ns", 2));
	if (m->verb == RECIPE_TRACE) {
		add_shown(m);
		recipe->entries = make_entries(m);
	} else {
		recipe->trigger = make_trigger(m);
	}
	if (!m->wrong)
		recipe->filter = recipe_filter(m);
	fclose(m->args);
	if (!m->wrong)
		recipe->definition = make_definition(m, recipe->event, args);
	recipe->returns = m->returns;
	recipe->several = m->several;
	recipe->assumed = m->result.kind == RESULT_UNKNOWN && m->result.type;
	free(args);
	if (!m->wrong && ((m->verb != RECIPE_TRACE && !recipe->trigger) || !recipe->definition))
		m->wrong = "no memory";
	if (m->wrong)
		recipe_free(recipe);
	return m->wrong;
}

const char *recipe_make(struct recipe *recipe, const struct request *r, enum recipe_verb verb,
			const struct recipe_types *types)
{
	struct recipe_maker m = { .r = r, .verb = verb, .types = types, .at = r->what };
	const char *wrong;

	*recipe = (struct recipe){};
	if (verb != RECIPE_TRACE && r->nr_keys > TABLE_KEYS) {
		recipe->at = r->keys[TABLE_KEYS];
		return "three keys after 'by' at most";
	}
	m.pattern = !r->preset && recipe_has_pattern(r->what);
	m.several = m.pattern || request_is_list(r->what) ||
		    (r->preset && *r->preset->probes[0].ways[0] == 'f');
	wrong = request_is_list(r->what) ? recipe_make_list(recipe, r, &m) :
					   recipe_make_one(recipe, &m);
	recipe->at = wrong ? m.at : NULL;
	return wrong;
}

void recipe_tell(const struct recipe *recipe, const char *what, const char *commands)
{
	fputs(commands, stderr);
	if (recipe->assumed)
		fprintf(stderr, "no type is known of what %s returns: it is taken for an int\n",
			what);
}

void recipe_free(struct recipe *recipe)
{
	free(recipe->definition);
	free(recipe->entries);
	free(recipe->filter);
	free(recipe->trigger);
	*recipe = (struct recipe){};
}
