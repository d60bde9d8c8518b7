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
#include "recipe.h"

#define MAX_ARGS 16

/* What is being made. */
struct maker {
	const struct request *r;
	bool timed, returns, pattern;
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
} builtins[] = {
	{ "comm", "common_comm", "comm", NULL },
	{ "tid", "common_pid", "common_pid", NULL },
	{ "pid", "common_tgid", NULL, "pid=$current->tgid" },
	{ "cpu", "common_cpu", "cpu", NULL },
	{ "caller", "common_caller.sym", NULL, NULL },
	{ "stack", "common_stacktrace", NULL, NULL },
	{ "ret", NULL, NULL, "ret=$retval" },
	{ "ns", NULL, NULL, "ns=$elapsed" },
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
		if (!strncmp(r->keys[i], "ret", 3) && modifier_of(r->keys[i]) == r->keys[i] + 3)
			return true;
	for (i = 0; i < r->nr_filter; i++)
		if (!strcmp(r->filter[i], "ret") || !strcmp(r->filter[i], "ns"))
			return true;
	return r->fail || r->longer;
}

/* Is there an argument of this name already?  If not, it has one from now on. */
static bool known_name(struct maker *m, const char *name)
{
	size_t i;

	for (i = 0; i < m->nr_names; i++)
		if (!strcmp(m->names[i], name))
			return true;
	if (m->nr_names == MAX_ARGS)
		m->wrong = "too many arguments";
	else
		snprintf(m->names[m->nr_names++], sizeof(*m->names), "%s", name);
	return false;
}

/* The argument with the value of an expression: "skb_len" of "skb.len". */
static void add_argument(struct maker *m, const char *expr, size_t len, char *name, size_t size)
{
	char text[256];
	size_t i, n = 0;

	if (len >= sizeof(text)) {
		m->wrong = "a key or a field is too long";
		len = 0;
	}
	memcpy(text, expr, len);
	text[len] = '\0';
	for (i = 0; i < len && n + 1 < size; i++)
		if (isalnum((unsigned char)expr[i]))
			name[n++] = expr[i];
		else if (n && name[n - 1] != '_')
			name[n++] = '_';
	while (n && name[n - 1] == '_')
		n--;
	name[n] = '\0';
	if (!n || isdigit((unsigned char)*name)) {
		m->wrong = "a key or a field is a name, or begins with one";
		return;
	}
	if (known_name(m, name))
		return;
	fprintf(m->args, " %s=", name);
	if (!strncmp(text, "arg", 3) && text[3 + strspn(text + 3, "0123456789")] == '\0' && text[3])
		fprintf(m->args, "$%s", text);
	else if (!m->spell || !m->spell(m->ctx, m->r->what, text, m->args))
		fputs(text, m->args);
}

static void add_fixed(struct maker *m, const struct builtin *b)
{
	if (!known_name(m, b->word))
		fprintf(m->args, " %s", b->argument);
}

static void write_key(struct maker *m, FILE *out, const char *key)
{
	const char *modifier = modifier_of(key);
	const struct builtin *b = find_builtin(key, modifier - key);
	char name[64];

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

/* All that a hit has to be, joined by "and"; nothing is written if all hits count. */
static void write_conditions(struct maker *m, FILE *out)
{
	const struct request *r = m->r;
	const char *before = " if ";

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
	if (r->longer) {
		add_fixed(m, find_builtin("ns", 2));
		fprintf(out, "%sns > %llu", before, r->longer);
	}
}

/* ---- all of it ---- */

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
	if (m->timed)
		fputs(":vals=ns.dist", out);
	fputs(":size=65536", out);
	write_conditions(m, out);
	fclose(out);
	return text;
}

static char *make_definition(struct maker *m, const char *event, const char *args)
{
	const char *what = m->r->what;
	char *text;
	int len;

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

const char *recipe_make(struct recipe *recipe, const struct request *r, bool timed,
			recipe_spell *spell, void *ctx)
{
	struct maker m = { .r = r, .timed = timed, .spell = spell, .ctx = ctx };
	char *args = NULL;
	size_t size;

	*recipe = (struct recipe){ .event = timed ? "lat" : "count" };
	m.pattern = strpbrk(r->what, "*?[");
	m.returns = timed || asks_for_return(r);
	m.args = open_memstream(&args, &size);
	if (!m.args)
		return "no memory";
	if (timed)
		add_fixed(&m, find_builtin("ns", 2));
	recipe->trigger = make_trigger(&m);
	fclose(m.args);
	recipe->definition = make_definition(&m, recipe->event, args);
	free(args);
	if (!m.wrong && (!recipe->trigger || !recipe->definition))
		m.wrong = "no memory";
	if (m.wrong)
		recipe_free(recipe);
	return m.wrong;
}

void recipe_free(struct recipe *recipe)
{
	free(recipe->definition);
	free(recipe->trigger);
	*recipe = (struct recipe){};
}
