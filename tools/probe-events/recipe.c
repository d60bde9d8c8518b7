// SPDX-License-Identifier: GPL-2.0
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
#include "preset.h"
#include "recipe.h"

#define MAX_ARGS 16

/* What is being made. */
struct maker {
	const struct request *r;
	enum recipe_verb verb;
	bool returns, pattern;
	recipe_spell *spell;
	void *ctx;
	const char *wrong;
	char names[MAX_ARGS][64];	/* of arguments */
	size_t nr_names;
	FILE *args;			/* " NAME=EXPR" of each */
};

/* Words for what all hits have: the key in the table, and the field in a filter. */
static const struct builtin {
	const char *word, *key, *field, *argument;
	bool shown;		/* trace shows the argument */
	bool record;		/* trace has it without one */
} builtins[] = {
	{ "comm", "common_comm", "comm", "comm=$comm", true, false },
	{ "tid", "common_pid", "common_pid", NULL, false, true },
	{ "pid", "common_tgid", NULL, "pid=$current->tgid", true, false },
	{ "cpu", "common_cpu", "cpu", NULL, false, true },
	{ "caller", "common_caller.sym", NULL, NULL, false, true },
	{ "stack", "common_stacktrace", NULL, NULL, false, false },
	{ "ret", NULL, NULL, "ret=$retval", true, false },
	{ "ns", NULL, NULL, "ns=$elapsed", true, false },
};

static const struct builtin *find_builtin(const char *word, size_t len)
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
	static const char * const names[] = { ".log2", ".hex", ".sym", ".sym-offset", ".buckets=" };
	const char *dot = strrchr(key, '.');
	size_t i;

	for (i = 0; dot && i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(dot, names[i]) ||
		    (strchr(names[i], '=') && !strncmp(dot, names[i], strlen(names[i]))))
			return dot;
	return key + strlen(key);
}

/* Results are of returns: so is an event that asks for one. */
static bool asks_for_return(const struct request *r)
{
	size_t i;

	for (i = 0; i < r->nr_keys; i++)
		if ((!strncmp(r->keys[i], "ret", 3) || !strncmp(r->keys[i], "ns", 2)) &&
		    modifier_of(r->keys[i]) == r->keys[i] + (*r->keys[i] == 'r' ? 3 : 2))
			return true;
	for (i = 0; i < r->nr_filter; i++)
		if (!strcmp(r->filter[i], "ret") || !strcmp(r->filter[i], "ns"))
			return true;
	return r->fail || r->errors || r->longer;
}

/* The preset's probes have this field. */
static bool in_preset(const struct maker *m, const char *key)
{
	return m->r->preset && preset_field(m->r->preset, key);
}

/* Is there an argument of this name already?  If not, it has one from now on. */
static bool known_name(struct maker *m, const char *name)
{
	size_t i;

	if (in_preset(m, name))
		return true;
	for (i = 0; i < m->nr_names; i++)
		if (!strcmp(m->names[i], name))
			return true;
	if (m->nr_names == MAX_ARGS)
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
static void add_argument(struct maker *m, const char *expr, size_t len, char *name, size_t size)
{
	char text[256], *type;

	if (len >= sizeof(text)) {
		m->wrong = "a key or a field is too long";
		len = 0;
	}
	memcpy(text, expr, len);
	text[len] = '\0';
	make_name(expr, len, name, size);
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
	else if (!m->spell || !m->spell(m->ctx, m->r->what, text, m->args))
		fputs(text, m->args);
	if (type)
		fprintf(m->args, ":%s", type);
}

static void add_fixed(struct maker *m, const struct builtin *b)
{
	if (known_name(m, b->word))
		return;
	fprintf(m->args, " %s", b->argument);
	/* Without type data the engine takes it as unsigned, and no result would be below 0. */
	if (!strcmp(b->word, "ret") && !m->r->parameters)
		fputs(":s32", m->args);
}

static void write_key(struct maker *m, FILE *out, const char *key)
{
	const char *modifier = modifier_of(key);
	const struct builtin *b = find_builtin(key, modifier - key);
	char name[64];

	if (!strcmp(key, "caller") && m->r->preset && m->r->preset->skip.nr) {
		fputs("common_stacktrace.depth=8", out);
		return;
	}
	if (!strcmp(key, "func")) {
		fputs(m->returns ? "__probe_func.sym" : "__probe_ip.sym", out);
		return;
	}
	if (b && b->key) {
		fputs(b->key, out);
		if (*modifier)
			m->wrong = "a modifier stands behind a number's key only";
		return;
	}
	if (b) {
		add_fixed(m, b);
		fputs(b->word, out);
	} else {
		add_argument(m, key, modifier - key, name, sizeof(name));
		fputs(name, out);
	}
	fputs(modifier, out);
}

/* ---- the filter ---- */

/* The operator that a word stands for; NULL if it is none. */
static const char *operator_of(const char *word)
{
	static const char * const words[][2] = {
		{ "lt", "<" }, { "le", "<=" }, { "gt", ">" }, { "ge", ">=" }, { "eq", "==" },
		{ "ne", "!=" }, { "has", "~" }, { "<", "<" }, { "<=", "<=" }, { ">", ">" },
		{ ">=", ">=" }, { "==", "==" }, { "!=", "!=" }, { "~", "~" }, { "&", "&" },
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(words[i][0], word))
			return words[i][1];
	return NULL;
}

static const char *joiner_of(const char *word)
{
	static const char * const words[][2] = {
		{ "and", " && " }, { "&&", " && " }, { "or", " || " }, { "||", " || " },
		{ "not", "!" }, { "!", "!" }, { "(", "(" }, { ")", ")" },
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(words[i][0], word))
			return words[i][1];
	return NULL;
}

static void write_field(struct maker *m, FILE *out, const char *word)
{
	const struct builtin *b = find_builtin(word, strlen(word));
	char name[64];

	if (b && b->field) {
		fputs(b->field, out);
	} else if (b && b->argument) {
		add_fixed(m, b);
		fputs(b->word, out);
	} else if (b) {
		m->wrong = "'caller' and 'stack' are keys, not fields of a filter";
	} else {
		add_argument(m, word, strlen(word), name, sizeof(name));
		fputs(name, out);
	}
}

/* A number stands as it is, a text is quoted; behind "has" it may be anywhere in the field. */
static void write_value(struct maker *m, FILE *out, const char *operator, const char *value)
{
	bool number = isdigit((unsigned char)*value) ||
		      (*value == '-' && isdigit((unsigned char)value[1]));

	if (strchr(value, '"'))
		m->wrong = "a text of a filter has no quotes in it";
	if (!strcmp(operator, "has"))
		fprintf(out, " ~ \"*%s*\"", value);
	else if (number && strcmp(operator_of(operator), "~"))
		fprintf(out, " %s %s", operator_of(operator), value);
	else
		fprintf(out, " %s \"%s\"", operator_of(operator), value);
}

static void write_filter(struct maker *m, FILE *out)
{
	const struct request *r = m->r;
	size_t i = 0;

	while (i < r->nr_filter && !m->wrong) {
		if (joiner_of(r->filter[i])) {
			fputs(joiner_of(r->filter[i++]), out);
			continue;
		}
		if (i + 2 >= r->nr_filter || !operator_of(r->filter[i + 1])) {
			m->wrong = "a filter is FIELD OPERATOR VALUE: if ret lt 0 and comm eq bash";
			return;
		}
		write_field(m, out, r->filter[i]);
		write_value(m, out, r->filter[i + 1], r->filter[i + 2]);
		i += 3;
	}
}

/* "(pid == 1 || pid == 2)" */
static void write_numbers(FILE *out, const char *field, const char *list)
{
	const char *number = list;

	fputc('(', out);
	while (*number) {
		int len = strcspn(number, ",");

		fprintf(out, "%s%s == %.*s", number == list ? "" : " || ", field, len, number);
		number += len;
		number += *number == ',';
	}
	fputc(')', out);
}

/* The number of an error's name: 13 of "EACCES" or "-EACCES"; a number is itself.  0: none. */
static unsigned int error_of(const char *name, size_t len)
{
	unsigned int nr;
	const char *is;

	if (len && *name == '-') {
		name++;
		len--;
	}
	for (nr = 1; nr < 4096; nr++) {
		char digits[8];

		snprintf(digits, sizeof(digits), "%u", nr);
		is = strerrorname_np(nr) ?: digits;
		if ((strlen(is) == len && !strncasecmp(is, name, len)) ||
		    (strlen(digits) == len && !strncmp(digits, name, len)))
			return nr;
	}
	return 0;
}

/* "(ret == -2 || ret == -13)" */
static void write_errors(struct maker *m, FILE *out)
{
	const char *name = m->r->errors;

	add_fixed(m, find_builtin("ret", 3));
	fputc('(', out);
	while (*name) {
		size_t len = strcspn(name, ",");
		unsigned int nr = error_of(name, len);

		if (!nr)
			m->wrong = "-x wants names of errors: ENOENT,EACCES";
		fprintf(out, "%sret == -%u", name == m->r->errors ? "" : " || ", nr);
		name += len;
		name += *name == ',';
	}
	fputc(')', out);
}

/* All that a hit has to be, joined by "and"; nothing is written if all hits are wanted. */
static void write_conditions(struct maker *m, FILE *out)
{
	const struct request *r = m->r;
	const char *before = "";

	if (r->preset && r->preset->filter) {
		fprintf(out, "(%s)", r->preset->filter);
		before = " && ";
	}
	if (r->nr_filter) {
		fprintf(out, "%s(", before);
		write_filter(m, out);
		fputc(')', out);
		before = " && ";
	}
	if (r->pids) {
		add_fixed(m, find_builtin("pid", 3));
		fputs(before, out);
		write_numbers(out, "pid", r->pids);
		before = " && ";
	}
	if (r->tids) {
		fputs(before, out);
		write_numbers(out, "common_pid", r->tids);
		before = " && ";
	}
	if (r->cpus) {
		fprintf(out, "%scpu & CPUS{%s}", before, r->cpus);
		before = " && ";
	}
	if (r->comm) {
		if (strchr(r->comm, '"'))
			m->wrong = "a name of option -n has no quotes in it";
		fprintf(out, "%scomm == \"%s\"", before, r->comm);
		before = " && ";
	}
	if (r->fail) {
		add_fixed(m, find_builtin("ret", 3));
		fprintf(out, "%sret < 0", before);
		before = " && ";
	}
	if (r->errors) {
		fputs(before, out);
		write_errors(m, out);
		before = " && ";
	}
	if (r->longer) {
		add_fixed(m, find_builtin("ns", 2));
		fprintf(out, "%sns > %llu", before, r->longer);
	}
}

/* ---- all of it ---- */

static char *make_filter(struct maker *m)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out) {
		m->wrong = "no memory";
		return NULL;
	}
	write_conditions(m, out);
	fclose(out);
	if (text && *text)
		return text;
	free(text);
	return NULL;
}

/* Keys that are not shown, behind all others: see view.h. */
static void write_hidden(struct maker *m, FILE *out)
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

static char *make_trigger(struct maker *m)
{
	const struct request *r = m->r;
	char *text = NULL;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fputs("hist:keys=", out);
	for (i = 0; i < r->nr_keys; i++) {
		if (i)
			fputc(',', out);
		write_key(m, out, r->keys[i]);
	}
	if (!r->nr_keys)	/* a table has to have one: what is shown is the sum */
		fputs("common_cpu", out);
	if (r->preset)
		write_hidden(m, out);
	if (m->verb == RECIPE_LAT)
		fputs(":vals=ns.dist", out);
	else if (r->preset && r->preset->spent)
		fprintf(out, ":vals=%s", r->preset->spent);
	fputs(":size=65536", out);
	fclose(out);
	return text;
}

/* What trace shows of a hit: its keys, or all parameters that the type data knows. */
static void add_shown(struct maker *m)
{
	const struct request *r = m->r;
	char name[64];
	size_t i;

	add_fixed(m, find_builtin("comm", 4));
	for (i = 0; i < r->nr_keys; i++) {
		const char *modifier = modifier_of(r->keys[i]);
		const struct builtin *b = find_builtin(r->keys[i], modifier - r->keys[i]);

		if (in_preset(m, r->keys[i]) || *preset_form(r->preset, r->keys[i]))
			continue;
		if (*modifier && strcmp(modifier, ".hex") && strcmp(modifier, ".sym"))
			m->wrong = "of trace, .hex and .sym may stand behind a key";
		else if (!strcmp(r->keys[i], "func"))
			continue;
		else if (b && b->shown)
			add_fixed(m, b);
		else if (b && !b->record)
			m->wrong = "trace shows stacks by -g; to count them: count WHAT by stack";
		else if (!b)
			add_argument(m, r->keys[i], modifier - r->keys[i], name, sizeof(name));
	}
	if (!r->nr_keys && r->parameters && !m->pattern && !strchr(r->what, '+'))
		fputs(" $arg*", m->args);
	if (!r->nr_keys && m->returns)
		add_fixed(m, find_builtin("ret", 3));
}

static char *make_definition(struct maker *m, const char *event, const char *args)
{
	const char *what = m->r->what;
	char *text = NULL;
	size_t size;
	FILE *out;
	int len;

	if (m->r->preset) {
		if (m->returns && !preset_returns(m->r->preset))
			m->wrong = "this preset has no results and no times";
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

const char *recipe_make(struct recipe *recipe, const struct request *r, enum recipe_verb verb,
			recipe_spell *spell, void *ctx)
{
	static const char * const events[] = { "count", "lat", "trace" };
	struct maker m = { .r = r, .verb = verb, .spell = spell, .ctx = ctx };
	char *args = NULL;
	size_t size;

	*recipe = (struct recipe){ .event = events[verb] };
	m.pattern = !r->preset && strpbrk(r->what, "*?[");
	m.returns = verb == RECIPE_LAT || asks_for_return(r);
	if (r->preset)
		m.returns |= preset_returns(r->preset);
	if (verb != RECIPE_TRACE && r->nr_keys > TABLE_KEYS)
		return "three keys after 'by' at most";
	m.args = open_memstream(&args, &size);
	if (!m.args)
		return "no memory";
	if (verb == RECIPE_LAT)
		add_fixed(&m, find_builtin("ns", 2));
	if (verb == RECIPE_TRACE)
		add_shown(&m);
	else
		recipe->trigger = make_trigger(&m);
	recipe->filter = make_filter(&m);
	fclose(m.args);
	recipe->definition = make_definition(&m, recipe->event, args);
	recipe->returns = m.returns;
	recipe->pattern = m.pattern;
	free(args);
	if (!m.wrong && ((verb != RECIPE_TRACE && !recipe->trigger) || !recipe->definition))
		m.wrong = "no memory";
	if (m.wrong)
		recipe_free(recipe);
	return m.wrong;
}

void recipe_free(struct recipe *recipe)
{
	free(recipe->definition);
	free(recipe->filter);
	free(recipe->trigger);
	*recipe = (struct recipe){};
}
