// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * types.c - what the kernel's type data says of a question: read when it is asked for first.
 */
#define _GNU_SOURCE
#include <bpf/btf.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "functions.h"
#include "text.h"
#include "types.h"

static struct prototypes *load(struct types *t)
{
	if (!t->tried)
		t->all = prototypes_load();
	t->tried = true;
	return t->all;
}

/* The module that a symbol is in; false: it is in none, or in several places. */
static bool find_module(const char *symbol, char *module, size_t size)
{
	char *kallsyms = read_file("/proc/kallsyms");
	struct functions found = {};
	size_t i, nr = 0;

	if (kallsyms && !functions_find(&found, kallsyms, symbol))
		for (i = 0; i < found.nr; i++)
			nr += !strcmp(found.of[i].name, symbol);
	snprintf(module, size, "%s", nr == 1 ? found.of[0].module : "");
	functions_free(&found);
	free(kallsyms);
	return *module;
}

/* "MOD:FUNC", "t:MOD:NAME"; NULL: it is not in a module. */
static char *in_module(const char *function)
{
	bool tracepoint = !strncmp(function, "t:", 2);
	const char *name = function + 2 * tracepoint;
	char symbol[256], module[64], *where = NULL;

	snprintf(symbol, sizeof(symbol), "%s%s", tracepoint ? "__traceiter_" : "", name);
	if (find_module(symbol, module, sizeof(module)) &&
	    asprintf(&where, "%s%s:%s", tracepoint ? "t:" : "", module, name) < 0)
		where = NULL;
	return where;
}

/*
 * The modules know a function of a module without its name, too: the kernel's come first, and all
 * symbols are read only for one that is none of the kernel's.
 */
static const char *where_is(struct types *t, const char *function)
{
	const char *name = function + 2 * !strncmp(function, "t:", 2);
	struct prototypes_value v;

	if (!load(t) || strpbrk(name, ":*?[+@") ||
	    prototypes_value(t->all, function, "ret", &v) != PROTOTYPES_NO_FUNCTION)
		return function;
	if (!t->of || strcmp(t->of, function)) {
		free(t->of);
		free(t->where);
		t->of = strdup(function);
		t->where = in_module(function);
	}
	return t->where ?: function;
}

static bool spell(void *ctx, const char *function, const char *expr, FILE *out)
{
	struct types *t = ctx;
	const char *where;
	char known[256], *dot;

	if (!strchr(expr, '.') || strstr(expr, "->") || strlen(expr) >= sizeof(known))
		return false;
	where = where_is(t, function);
	if (prototypes_spell(load(t), where, expr, out))
		return true;
	/* The modules say which field there is none of, and what there is, if the rest is right. */
	snprintf(known, sizeof(known), "%s", expr);
	while ((dot = strrchr(known, '.'))) {
		*dot = '\0';
		if (!prototypes_spell(load(t), where, known, out))
			continue;
		for (expr += dot - known; *expr; expr++)
			fputs(*expr == '.' ? "->" : (char [2]){ *expr }, out);
		return true;
	}
	return false;
}

[[gnu::format(printf, 2, 3)]]
static const char *wrong(struct types *t, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(t->wrong, sizeof(t->wrong), format, args);
	va_end(args);
	return t->wrong;
}

/* How the source writes a type; for free(). */
static char *type_text(struct types *t, const struct prototypes_value *v)
{
	char *text = NULL;
	size_t size, len;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	prototypes_print_type(t->all, v, out);
	fclose(out);
	/* Of one without a name, all is printed: " {" is where that begins. */
	text[strcspn(text, "{")] = '\0';
	len = strlen(text);
	if (len && text[len - 1] == ' ')
		text[len - 1] = '\0';
	return text;
}

/* ---- results ---- */

static struct recipe_result result_of_int(const struct btf_type *type)
{
	static const char * const names[] = { [1] = "s8", [2] = "s16", [4] = "s32", [8] = "s64" };
	bool is_signed = btf_is_any_enum(type) || btf_int_encoding(type) & BTF_INT_SIGNED;

	/* An address as a number: errors are at its end, too. */
	if (!is_signed && type->size == 8)
		return (struct recipe_result){ RESULT_POINTER, "s64", NULL };
	if (!is_signed || type->size > 8 || !names[type->size])
		return (struct recipe_result){ RESULT_NEVER, NULL, NULL };
	return (struct recipe_result){ RESULT_NUMBER, names[type->size], NULL };
}

static struct recipe_result result(void *ctx, const char *function)
{
	struct recipe_result r = { RESULT_UNKNOWN, "s32", NULL };
	struct types *t = ctx;
	struct prototypes_value v;
	const struct btf_type *type;
	char *text;

	switch (prototypes_value(load(t), where_is(t, function), "ret", &v)) {
	case PROTOTYPES_KNOWN:
		break;
	case PROTOTYPES_VOID:
		r.kind = RESULT_NEVER;
		r.wrong = wrong(t, "%s returns nothing, so no error", function);
		return r;
	default:
		return r;
	}
	type = btf__type_by_id(v.btf, v.id);
	if (btf_is_ptr(type))
		return (struct recipe_result){ RESULT_POINTER, "s64", NULL };
	if (btf_is_int(type) || btf_is_any_enum(type))
		r = result_of_int(type);
	else
		r.kind = RESULT_NEVER;
	if (r.kind == RESULT_NEVER) {
		text = type_text(t, &v);
		r.wrong = wrong(t, "%s returns %s, which is never below 0: by ret, or if ret eq N",
				function, text ?: "what");
		free(text);
	}
	return r;
}

/* ---- enumerations ---- */

/* What would work instead. */
static const char *no_enum(struct types *t, const char *function, const char *expr,
			   const struct prototypes_value *v)
{
	char *type = type_text(t, v), *others = NULL;
	size_t size;
	FILE *out = open_memstream(&others, &size);

	if (out) {
		prototypes_enums(t->all, function, out);
		fclose(out);
	}
	wrong(t, "%s of %s is %s%s, no enum: 'by %s' shows its number%s%s", expr, function,
	      type ?: "something else", v->bits ? " (a bit field)" : "", expr,
	      others && *others ? "; enums are " : ", and no parameter is one", others ?: "");
	free(others);
	free(type);
	return t->wrong;
}

const char *types_enum(struct types *t, const char *function, const char *expr,
		       struct enumeration *e)
{
	char name[256];
	struct prototypes_value v;
	const char *where;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(expr, ":"), expr);
	if (*function == '@')
		return wrong(t, ".enum: a preset shows names by itself");
	if (strpbrk(function, "*?[") || request_is_list(function))
		return wrong(t, ".enum: several functions have no types in common");
	if (!load(t))
		return wrong(t, ".enum needs the kernel's type data (BTF): 'by %s' shows numbers",
			     name);
	where = where_is(t, function);
	switch (prototypes_value(t->all, where, name, &v)) {
	case PROTOTYPES_NO_FUNCTION:
		return wrong(t, ".enum: the type data does not have %s: 'by %s' shows numbers",
			     function, name);
	case PROTOTYPES_VOID:
		return wrong(t, ".enum: %s returns nothing", function);
	case PROTOTYPES_NO_VALUE:
		return wrong(t, ".enum: %s has no %s: a parameter is wanted, or ret",
			     function, name);
	case PROTOTYPES_KNOWN:
		break;
	}
	return enum_read(e, v.btf, v.id, v.bits) ? no_enum(t, where, name, &v) : NULL;
}

/* A register or a packed field is wider than the enumeration that is in it. */
static const char *number(void *ctx, const char *function, const char *expr)
{
	static const char * const names[] = { [1] = "s8", [2] = "s16", [4] = "s32", [8] = "s64" };
	struct enumeration e;
	const char *type;

	if (types_enum(ctx, function, expr, &e))
		return NULL;
	/* A type would take all of the word that a bit field is in. */
	type = e.bits != 8 * e.size ? NULL : names[e.size];
	enum_free(&e);
	return type;
}

struct recipe_types types_recipe(struct types *t)
{
	return (struct recipe_types){ spell, result, number, t };
}

void types_free(struct types *t)
{
	prototypes_free(t->all);
	free(t->where);
	free(t->of);
	*t = (struct types){};
}
