// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * prototypes.c - parameters and results of kernel functions, by the kernel's type data (BTF).
 *
 * A look-up by name goes through all types, so the functions of each set are sorted once.
 * The module that was asked for last stays loaded: callers ask for a module's functions in a row.
 */
#define _GNU_SOURCE
#include <bpf/btf.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "prototypes.h"

/* The functions of the kernel, or of a module. */
struct set {
	struct btf *btf;
	struct btf_dump *dump;
	__u32 *ids;		/* of its functions, by name */
	size_t nr;
	char module[64];
};

struct prototypes {
	struct set kernel, module;
	FILE *out;		/* of the print that runs */
};

[[gnu::format(printf, 2, 0)]]
static void print_part(void *ctx, const char *format, va_list args)
{
	struct prototypes *all = ctx;

	vfprintf(all->out, format, args);
}

static const char *name_of(const struct btf *btf, __u32 id)
{
	return btf__name_by_offset(btf, btf__type_by_id(btf, id)->name_off);
}

static int compare_ids(const void *a, const void *b, void *btf)
{
	__u32 x = *(const __u32 *)a, y = *(const __u32 *)b;

	return strcmp(name_of(btf, x), name_of(btf, y)) ?: (x > y) - (x < y);
}

static void drop_set(struct set *set)
{
	btf_dump__free(set->dump);
	btf__free(set->btf);
	free(set->ids);
	*set = (struct set){};
}

/* Takes @btf over.  The first type is 1, or that after the kernel's last one. */
static int make_set(struct prototypes *all, struct set *set, struct btf *btf, __u32 first)
{
	__u32 id, end = btf ? btf__type_cnt(btf) : 0;

	*set = (struct set){ .btf = btf };
	if (!btf)
		return -1;
	set->ids = calloc(end, sizeof(*set->ids));
	set->dump = btf_dump__new(btf, print_part, all, NULL);
	if (!set->ids || !set->dump) {
		drop_set(set);
		return -1;
	}
	for (id = first; id < end; id++)
		if (btf_is_func(btf__type_by_id(btf, id)))
			set->ids[set->nr++] = id;
	qsort_r(set->ids, set->nr, sizeof(*set->ids), compare_ids, btf);
	return 0;
}

struct prototypes *prototypes_make(struct btf *btf)
{
	struct prototypes *all = calloc(1, sizeof(*all));

	if (!all)
		btf__free(btf);
	if (all && make_set(all, &all->kernel, btf, 1)) {
		free(all);
		return NULL;
	}
	return all;
}

struct prototypes *prototypes_load(void)
{
	return prototypes_make(btf__load_vmlinux_btf());
}

/* A module without type data is an empty set. */
static struct set *set_of(struct prototypes *all, const char *module)
{
	if (!*module)
		return &all->kernel;
	if (strcmp(module, all->module.module)) {
		drop_set(&all->module);
		make_set(all, &all->module, btf__load_module_btf(module, all->kernel.btf),
			 btf__type_cnt(all->kernel.btf));
		snprintf(all->module.module, sizeof(all->module.module), "%s", module);
	}
	return &all->module;
}

/* The prototype of a function: of several, the first one, as the modules have it. */
static const struct btf_type *prototype(const struct set *set, const char *name)
{
	size_t low = 0, high = set->nr;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (strcmp(name_of(set->btf, set->ids[middle]), name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == set->nr || strcmp(name_of(set->btf, set->ids[low]), name))
		return NULL;
	return btf__type_by_id(set->btf, btf__type_by_id(set->btf, set->ids[low])->type);
}

static void print_type(const struct set *set, __u32 id, const char *name)
{
	LIBBPF_OPTS(btf_dump_emit_type_decl_opts, opts, .field_name = name, .strip_mods = false);

	btf_dump__emit_type_decl(set->dump, id, &opts);
}

void prototypes_print(struct prototypes *all, const char *module, const char *name, FILE *out)
{
	const struct set *set = all ? set_of(all, module) : NULL;
	const struct btf_type *proto = set && set->btf ? prototype(set, name) : NULL;
	const struct btf_param *param;
	int i;

	if (!proto)
		return;
	all->out = out;
	fputc('(', out);
	for (i = 0, param = btf_params(proto); i < btf_vlen(proto); i++, param++) {
		if (i)
			fputs(", ", out);
		if (!param->type)	/* "..." is a last parameter without type */
			fputs("...", out);
		else
			print_type(set, param->type,
				   btf__name_by_offset(set->btf, param->name_off));
	}
	fputs(") -> ", out);
	print_type(set, proto->type, "");
}

static __u32 without_names(const struct btf *btf, __u32 id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);

	while (btf_is_mod(type) || btf_is_typedef(type)) {
		id = type->type;
		type = btf__type_by_id(btf, id);
	}
	return id;
}

/* What a value is: its type, and if it is a bit field, of how many bits. */
struct value {
	__u32 id;
	unsigned int bits;
};

/* A member, also of one in a member without a name; false: there is none. */
static bool find_member(const struct btf *btf, __u32 id, const char *name, struct value *v)
{
	const struct btf_type *type = btf__type_by_id(btf, id);
	const struct btf_member *member;
	int i;

	if (!btf_is_composite(type) || !*name)
		return false;
	for (i = 0, member = btf_members(type); i < btf_vlen(type); i++, member++) {
		const char *is = btf__name_by_offset(btf, member->name_off);

		if (!strcmp(is, name)) {
			*v = (struct value){ member->type, btf_member_bitfield_size(type, i) };
			return true;
		}
		if (!*is && find_member(btf, without_names(btf, member->type), name, v))
			return true;
	}
	return false;
}

bool prototypes_struct_has(const struct btf *btf, const char *name, const char *member)
{
	int id = btf ? btf__find_by_name_kind(btf, name, BTF_KIND_STRUCT) : 0;
	struct value v;

	return id > 0 && find_member(btf, id, member, &v);
}

/* "NAME[N]": the name, and true if an element is meant. */
static bool cut_index(char *field)
{
	char *bracket = strchr(field, '[');
	size_t digits = bracket ? strspn(bracket + 1, "0123456789") : 0;

	if (!digits || strcmp(bracket + 1 + digits, "]"))
		return false;
	*bracket = '\0';
	return true;
}

/* What a pointer leads to, or an array has. */
static bool find_element(const struct btf *btf, struct value *v)
{
	const struct btf_type *type = btf__type_by_id(btf, without_names(btf, v->id));

	if (btf_is_ptr(type))
		v->id = type->type;
	else if (btf_is_array(type))
		v->id = btf_array(type)->type;
	else
		return false;
	return v->id;
}

/* The fields after a parameter; false where there is none of that name. */
static bool follow_fields(const struct btf *btf, struct value *v, char *fields, FILE *out)
{
	char *field;

	while ((field = strsep(&fields, "."))) {
		__u32 id = without_names(btf, v->id);
		const char *between = ".";

		if (btf_is_ptr(btf__type_by_id(btf, id))) {
			between = "->";
			id = without_names(btf, btf__type_by_id(btf, id)->type);
		}
		fprintf(out, "%s%s", between, field);
		if (cut_index(field)) {
			if (!find_member(btf, id, field, v) || !find_element(btf, v))
				return false;
		} else if (!find_member(btf, id, field, v)) {
			return false;
		}
	}
	return true;
}

/* A tracepoint's arguments are those of its iterator, after one that is not the user's. */
static const struct btf_type *find_function(struct prototypes *all, const char *function,
					    const struct set **set, int *hidden)
{
	char module[64] = "", name[256];
	const char *colon = strchr(function, ':');

	*hidden = !strncmp(function, "t:", 2);
	if (*hidden)
		colon = strchr(function + 2, ':');
	if (colon)
		snprintf(module, sizeof(module), "%.*s",
			 (int)(colon - function) - 2 * *hidden, function + 2 * *hidden);
	snprintf(name, sizeof(name), "%s%s", *hidden ? "__traceiter_" : "",
		 colon ? colon + 1 : function + 2 * *hidden);
	*set = all ? set_of(all, module) : NULL;
	return *set && (*set)->btf ? prototype(*set, name) : NULL;
}

/* A parameter by its name, or by its number: arg2.  Those in front of @hidden are none. */
static bool find_param(const struct btf *btf, const struct btf_type *proto, int hidden,
		       const char *name, struct value *v)
{
	const struct btf_param *param = btf_params(proto);
	int i, nr = 0;
	char end;

	for (i = hidden; *name && i < btf_vlen(proto); i++)
		if (!strcmp(btf__name_by_offset(btf, param[i].name_off), name))
			break;
	if (i >= btf_vlen(proto) && sscanf(name, "arg%d%c", &nr, &end) == 1 && nr > 0)
		i = hidden + nr - 1;
	if (!*name || i < hidden || i >= btf_vlen(proto) || !param[i].type)
		return false;
	*v = (struct value){ param[i].type, 0 };
	return true;
}

/* "arg2", and perhaps fields. */
static bool is_numbered(const char *expr)
{
	size_t digits = strncmp(expr, "arg", 3) ? 0 : strspn(expr + 3, "0123456789");

	return digits && (!expr[3 + digits] || expr[3 + digits] == '.');
}

/* Arrows are dots, as the type says. */
static char *with_dots(const char *expr)
{
	char *copy = strdup(expr), *arrow;

	while (copy && (arrow = strstr(copy, "->"))) {
		*arrow = '.';
		memmove(arrow + 1, arrow + 2, strlen(arrow + 2) + 1);
	}
	return copy;
}

/* A parameter and its fields, or "ret"; @out gets how the modules write it. */
static bool find_value(const struct set *set, const struct btf_type *proto, int hidden,
		       const char *expr, struct value *v, FILE *out)
{
	char *copy = with_dots(expr), *fields = copy, *name = copy ? strsep(&fields, ".") : NULL;
	bool known = false, element;

	if (name && !strcmp(name, "ret") && !fields) {
		*v = (struct value){ proto->type, 0 };
		known = proto->type;
	} else if (name) {
		fputs(name, out);
		element = cut_index(name);
		known = find_param(set->btf, proto, hidden, name, v) &&
			(!element || find_element(set->btf, v)) &&
			follow_fields(set->btf, v, fields, out);
	}
	free(copy);
	return known;
}

bool prototypes_spell(struct prototypes *all, const char *function, const char *expr, FILE *out)
{
	const struct set *set;
	int hidden;
	const struct btf_type *proto = find_function(all, function, &set, &hidden);
	char *spelt = NULL;
	bool known = false;
	struct value v;
	size_t size;
	FILE *text;

	text = proto ? open_memstream(&spelt, &size) : NULL;
	if (text) {
		known = find_value(set, proto, hidden, expr, &v, text);
		fclose(text);
	}
	/* A number is no name: what follows it would need a cast. */
	if (known && !is_numbered(expr))
		fputs(spelt, out);
	free(spelt);
	return known && !is_numbered(expr);
}

enum prototypes_has prototypes_value(struct prototypes *all, const char *function,
				     const char *expr, struct prototypes_value *value)
{
	const struct set *set;
	int hidden;
	const struct btf_type *proto = find_function(all, function, &set, &hidden);
	struct value v = {};
	char *spelt = NULL;
	bool known;
	size_t size;
	FILE *text = proto ? open_memstream(&spelt, &size) : NULL;

	if (!text)
		return PROTOTYPES_NO_FUNCTION;
	known = find_value(set, proto, hidden, expr, &v, text);
	fclose(text);
	free(spelt);
	if (!strcmp(expr, "ret") && !proto->type)
		return PROTOTYPES_VOID;
	*value = (struct prototypes_value){ set->btf, without_names(set->btf, v.id), v.id, v.bits };
	return known ? PROTOTYPES_KNOWN : PROTOTYPES_NO_VALUE;
}

void prototypes_print_type(struct prototypes *all, const struct prototypes_value *value, FILE *out)
{
	all->out = out;
	print_type(value->btf == all->kernel.btf ? &all->kernel : &all->module, value->named, "");
}

void prototypes_enums(struct prototypes *all, const char *function, FILE *out)
{
	const struct set *set;
	int hidden, i;
	const struct btf_type *proto = find_function(all, function, &set, &hidden);
	const struct btf_param *param = proto ? btf_params(proto) : NULL;
	const char *between = "";

	for (i = hidden; proto && i <= btf_vlen(proto); i++) {
		__u32 id = i < btf_vlen(proto) ? param[i].type : hidden ? 0 : proto->type;
		const struct btf_type *type = btf__type_by_id(set->btf,
							      without_names(set->btf, id));

		if (!id || !btf_is_any_enum(type))
			continue;
		fprintf(out, "%s%s", between, i == btf_vlen(proto) ? "ret" :
			btf__name_by_offset(set->btf, param[i].name_off));
		between = ", ";
	}
}

void prototypes_free(struct prototypes *all)
{
	if (!all)
		return;
	drop_set(&all->module);
	drop_set(&all->kernel);
	free(all);
}
