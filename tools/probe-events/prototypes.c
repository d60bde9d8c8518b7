// SPDX-License-Identifier: GPL-2.0
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
	return strcmp(name_of(btf, *(const __u32 *)a), name_of(btf, *(const __u32 *)b));
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

struct prototypes *prototypes_load(void)
{
	struct prototypes *all = calloc(1, sizeof(*all));

	if (all && make_set(all, &all->kernel, btf__load_vmlinux_btf(), 1)) {
		free(all);
		return NULL;
	}
	return all;
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

/* The prototype of a function; NULL if there is none. */
static const struct btf_type *prototype(const struct set *set, const char *name)
{
	size_t low = 0, high = set->nr;

	while (low < high) {
		size_t middle = (low + high) / 2;
		int order = strcmp(name_of(set->btf, set->ids[middle]), name);

		if (!order)
			return btf__type_by_id(set->btf,
					       btf__type_by_id(set->btf, set->ids[middle])->type);
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
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

/* The type of a member, also of one in a member without a name; 0: there is none. */
static __u32 member_type(const struct btf *btf, __u32 id, const char *name)
{
	const struct btf_type *type = btf__type_by_id(btf, id);
	const struct btf_member *member;
	int i;

	if (!btf_is_composite(type))
		return 0;
	for (i = 0, member = btf_members(type); i < btf_vlen(type); i++, member++) {
		const char *is = btf__name_by_offset(btf, member->name_off);
		__u32 found = 0;

		if (!strcmp(is, name))
			return member->type;
		if (!*is)
			found = member_type(btf, without_names(btf, member->type), name);
		if (found)
			return found;
	}
	return 0;
}

static __u32 param_type(const struct btf *btf, const struct btf_type *proto, const char *name)
{
	const struct btf_param *param;
	int i;

	for (i = 0, param = btf_params(proto); i < btf_vlen(proto); i++, param++)
		if (!strcmp(btf__name_by_offset(btf, param->name_off), name))
			return param->type;
	return 0;
}

/* The fields behind a parameter; false where there is none of that name. */
static bool spell_fields(const struct btf *btf, __u32 id, char *fields, FILE *out)
{
	char *field;

	while ((field = strsep(&fields, "."))) {
		const char *between = ".";

		id = without_names(btf, id);
		if (btf_is_ptr(btf__type_by_id(btf, id))) {
			between = "->";
			id = without_names(btf, btf__type_by_id(btf, id)->type);
		}
		id = member_type(btf, id, field);
		if (!id)
			return false;
		fprintf(out, "%s%s", between, field);
	}
	return true;
}

bool prototypes_spell(struct prototypes *all, const char *function, const char *expr, FILE *out)
{
	char module[64] = "", *copy = strdup(expr), *fields = copy, *name, *spelt = NULL;
	const char *colon = strchr(function, ':');
	const struct btf_type *proto;
	const struct set *set;
	bool known = false;
	size_t size;
	FILE *text;
	__u32 id;

	if (colon)
		snprintf(module, sizeof(module), "%.*s", (int)(colon - function), function);
	set = all ? set_of(all, module) : NULL;
	proto = set && set->btf ? prototype(set, colon ? colon + 1 : function) : NULL;
	name = copy ? strsep(&fields, ".") : NULL;
	id = proto && name ? param_type(set->btf, proto, name) : 0;
	text = id ? open_memstream(&spelt, &size) : NULL;
	if (text) {
		fputs(name, text);
		known = spell_fields(set->btf, id, fields, text);
		fclose(text);
	}
	if (known)
		fputs(spelt, out);
	free(spelt);
	free(copy);
	return known;
}

void prototypes_free(struct prototypes *all)
{
	if (!all)
		return;
	drop_set(&all->module);
	drop_set(&all->kernel);
	free(all);
}
