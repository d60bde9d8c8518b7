// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * recipe_filter.c - what a hit has to be, as a filter of the modules' files.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "errors.h"
#include "match.h"
#include "named.h"
#include "preset.h"
#include "recipe_maker.h"

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

static bool is_error(const struct request *r, const char *field, const char *value)
{
	int number;

	return recipe_is_errno(r, field) ||
	       (!strcmp(field, "ret") && named_number(field, value, &number));
}

bool recipe_filters_errors(const struct request *r)
{
	size_t i;

	for (i = 0; i + 2 < r->nr_filter; i++)
		if (operator_of(r->filter[i + 1]) && is_error(r, r->filter[i], r->filter[i + 2]))
			return true;
	return false;
}

/* The result; of one that is no error there is no name to compare with. */
static void write_errno(struct recipe_maker *m, FILE *out, const char *operator, const char *value)
{
	if ((strcmp(operator_of(operator), "==") && strcmp(operator_of(operator), "!=")) ||
	    !named_error(value, strlen(value))) {
		m->at = value;
		m->wrong = "'errno' is one by name: if errno eq ENOENT, or ne";
	}
	recipe_add_fixed(m, recipe_builtin("ret", 3));
	fputs("ret", out);
}

static void write_field(struct recipe_maker *m, FILE *out, const char *word)
{
	const struct recipe_builtin *b = recipe_builtin(word, strlen(word));
	char name[64];

	m->at = word;
	if (b && b->field) {
		fputs(b->field, out);
	} else if (b && b->argument) {
		recipe_add_fixed(m, b);
		fputs(b->word, out);
	} else if (b) {
		m->wrong = "'caller' and 'stack' are keys, not fields of a filter";
	} else {
		recipe_add(m, word, strlen(word), false, name, sizeof(name));
		fputs(name, out);
	}
}

/*
 * A number stands as it is, and for a name that is one; a text is quoted, and after "has" it may be
 * anywhere in the field.
 */
static void write_value(struct recipe_maker *m, FILE *out, const char *field, const char *operator,
			const char *value)
{
	int named;
	bool number = isdigit((unsigned char)*value) ||
		      (*value == '-' && isdigit((unsigned char)value[1]));

	if (strchr(value, '"')) {
		m->at = value;
		m->wrong = "a text of a filter has no quotes in it";
	}
	if (!strcmp(field, "comm"))	/* also of digits only */
		number = false;
	if (!strcmp(operator, "has"))
		fprintf(out, " ~ \"*%s*\"", value);
	else if (!number && named_number(field, value, &named))
		fprintf(out, " %s %d", operator_of(operator), named);
	else if (number && strcmp(operator_of(operator), "~"))
		fprintf(out, " %s %s", operator_of(operator), value);
	else
		fprintf(out, " %s \"%s\"", operator_of(operator), value);
}

static void write_filter(struct recipe_maker *m, FILE *out)
{
	const struct request *r = m->r;
	const char *field;
	size_t i = 0;

	while (i < r->nr_filter && !m->wrong) {
		if (joiner_of(r->filter[i])) {
			fputs(joiner_of(r->filter[i++]), out);
			continue;
		}
		if (i + 2 >= r->nr_filter || !operator_of(r->filter[i + 1])) {
			m->at = r->filter[i + 1 < r->nr_filter ? i + 1 : i];
			m->wrong = FILTER_IS;
			return;
		}
		field = r->filter[i];
		if (recipe_is_errno(r, field)) {
			write_errno(m, out, r->filter[i + 1], r->filter[i + 2]);
			field = "ret";
		} else {
			write_field(m, out, field);
		}
		if (m->wrong)
			return;
		write_value(m, out, field, r->filter[i + 1], r->filter[i + 2]);
		i += 3;
	}
	if (m->wrong)
		return;
	m->wrong = match_check(r->filter, r->nr_filter);
	m->at = r->filter[r->nr_filter - 1];
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

/* "(ret == -2 || ret == -13)" */
static void write_errors(struct recipe_maker *m, FILE *out)
{
	const char *name = m->r->errors;

	recipe_add_fixed(m, recipe_builtin("ret", 3));
	fputc('(', out);
	while (*name) {
		size_t len = strcspn(name, ",");
		unsigned int nr = error_number(name, len);

		if (!nr) {
			m->at = name;
			m->wrong = "-x wants names of errors: ENOENT,EACCES";
			break;
		}
		fprintf(out, "%sret == -%u", name == m->r->errors ? "" : " || ", nr);
		name += len;
		name += *name == ',';
	}
	fputc(')', out);
}

/*
 * The task's cgroup, or its ancestor at that level.  A cgroup that is not as deep has none there,
 * and what is read then means nothing.
 */
static void write_cgroup(struct recipe_maker *m, FILE *out)
{
	const struct cgroup *in = &m->r->in;
	const char *own = "$current->cgroups->dfl_cgrp";

	fprintf(m->args, " " RECIPE_CGROUP "=%s->", own);
	fprintf(m->args, in->by_ids ? "ancestor_ids[%u]" : "ancestors[%u]->kn->id", in->level);
	if (in->level) {
		fprintf(m->args, " " RECIPE_LEVEL "=%s->level", own);
		fprintf(out, RECIPE_LEVEL " >= %u && ", in->level);
	}
	fprintf(out, RECIPE_CGROUP " == %llu", in->id);
}

/* All that a hit has to be, joined by "and"; nothing is written if all hits are wanted. */
static void write_conditions(struct recipe_maker *m, FILE *out)
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
		recipe_add_fixed(m, recipe_builtin("pid", 3));
		fputs(before, out);
		write_numbers(out, "pid", r->pids);
		before = " && ";
	}
	if (r->tids) {
		fputs(before, out);
		write_numbers(out, "common_pid", r->tids);
		before = " && ";
	}
	if (r->cgroup) {
		fputs(before, out);
		write_cgroup(m, out);
		before = " && ";
	}
	if (r->cpus) {
		fprintf(out, "%scpu & CPUS{%s}", before, r->cpus);
		before = " && ";
	}
	if (r->comm) {
		if (strchr(r->comm, '"')) {
			m->at = r->comm;
			m->wrong = "a name of option -n has no quotes in it";
		}
		fprintf(out, "%scomm == \"%s\"", before, r->comm);
		before = " && ";
	}
	if (r->fail) {
		recipe_add_fixed(m, recipe_builtin("ret", 3));
		fprintf(out, m->errors_only ? "%s(ret >= -%d && ret < 0)" : "%sret < 0", before,
			ERROR_MOST);
		before = " && ";
	}
	if (r->errors) {
		fputs(before, out);
		write_errors(m, out);
		before = " && ";
	}
	if (r->longer && r->preset && r->preset->spent) {
		fprintf(out, "%s%s > %llu", before, r->preset->spent, r->longer);
	} else if (r->longer) {
		recipe_add_fixed(m, recipe_builtin("ns", 2));
		fprintf(out, "%sns > %llu", before, r->longer);
	}
}

char *recipe_filter(struct recipe_maker *m)
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
