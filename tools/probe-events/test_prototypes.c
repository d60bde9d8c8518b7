// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_prototypes.c - types of parameters, fields and results, of type data that is made here.
 */
#define _GNU_SOURCE
#include <bpf/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "expect.h"
#include "prototypes.h"

static struct prototypes *all;
static struct btf *data;	/* of @all */

/*
 *	typedef enum { } state_t;
 *	struct s { union { state_t state : 3; }; struct s *next; enum kind kinds[4]; };
 *	enum kind f(struct s *s, state_t plain, int n);
 *	void g(void);
 *	int __traceiter_tp(void *data, state_t st);
 */
static void make_types(void)
{
	struct btf *btf = btf__new_empty();
	int number, kind, state, anonymous, s, pointer, address, nothing, proto;

	number = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	kind = btf__add_enum(btf, "kind", 4);
	btf__add_enum_value(btf, "KIND_ONE", 1);
	state = btf__add_typedef(btf, "state_t", btf__add_enum(btf, NULL, 4));
	anonymous = btf__add_union(btf, NULL, 4);
	btf__add_field(btf, "state", state, 0, 3);
	s = btf__add_struct(btf, "s", 32);
	pointer = s + 1;
	btf__add_field(btf, "", anonymous, 0, 0);
	btf__add_field(btf, "next", pointer, 64, 0);
	btf__add_field(btf, "kinds", s + 2, 128, 0);
	btf__add_ptr(btf, s);
	btf__add_array(btf, number, kind, 4);
	proto = btf__add_func_proto(btf, kind);
	btf__add_func_param(btf, "s", pointer);
	btf__add_func_param(btf, "plain", state);
	btf__add_func_param(btf, "n", number);
	btf__add_func(btf, "f", BTF_FUNC_STATIC, proto);
	proto = btf__add_func_proto(btf, number);
	btf__add_func_param(btf, "args", pointer);
	btf__add_func(btf, "k", BTF_FUNC_STATIC, proto);
	nothing = btf__add_func_proto(btf, 0);
	btf__add_func(btf, "g", BTF_FUNC_STATIC, nothing);
	address = btf__add_ptr(btf, 0);
	proto = btf__add_func_proto(btf, number);
	btf__add_func_param(btf, "data", address);
	btf__add_func_param(btf, "st", state);
	btf__add_func(btf, "__traceiter_tp", BTF_FUNC_STATIC, proto);
	data = btf;
	all = prototypes_make(btf);
}

/* "TYPE", "TYPE:BITS", or why not. */
static void type_is(const char *function, const char *expr, const char *wanted)
{
	static const char * const not[] = {
		[PROTOTYPES_NO_FUNCTION] = "no function", [PROTOTYPES_NO_VALUE] = "no value",
		[PROTOTYPES_VOID] = "void",
	};
	struct prototypes_value v;
	enum prototypes_has has = prototypes_value(all, function, expr, &v);
	char *got = NULL;
	size_t size;
	FILE *out = open_memstream(&got, &size);

	if (has == PROTOTYPES_KNOWN)
		prototypes_print_type(all, &v, out);
	else
		fputs(not[has], out);
	if (has == PROTOTYPES_KNOWN && v.bits)
		fprintf(out, ":%u", v.bits);
	fclose(out);
	if (strcmp(got, wanted)) {
		printf("%s of %s: got %s, wanted %s\n", expr, function, got, wanted);
		failed = 1;
	}
	free(got);
}

static void spells(const char *function, const char *expr, const char *wanted)
{
	char *got = NULL;
	size_t size;
	FILE *out = open_memstream(&got, &size);
	bool known = prototypes_spell(all, function, expr, out);

	fclose(out);
	if (known != !!*wanted || strcmp(got, wanted)) {
		printf("%s of %s: got %s, wanted %s\n", expr, function, got, wanted);
		failed = 1;
	}
	free(got);
}

static void enums_are(const char *function, const char *wanted)
{
	char *got = NULL;
	size_t size;
	FILE *out = open_memstream(&got, &size);

	prototypes_enums(all, function, out);
	fclose(out);
	if (strcmp(got, wanted)) {
		printf("enums of %s: got %s, wanted %s\n", function, got, wanted);
		failed = 1;
	}
	free(got);
}

static void test_types(void)
{
	type_is("f", "ret", "enum kind");
	type_is("f", "plain", "state_t");
	type_is("f", "arg2", "state_t");
	type_is("f", "arg3", "int");
	type_is("f", "arg4", "no value");
	type_is("f", "arg0", "no value");
	type_is("f", "arg2x", "no value");
	type_is("f", "s.state", "state_t:3");
	type_is("f", "s->next->next->state", "state_t:3");
	type_is("f", "s.next.kinds[2]", "enum kind");
	type_is("f", "s[1].state", "state_t:3");
	type_is("f", "s.nothing", "no value");
	type_is("f", "s[", "no value");
	type_is("f", "s[1", "no value");
	type_is("f", "s.next.kinds[]", "no value");
	type_is("f", "s.next.kinds[1]x", "no value");
	type_is("f", "n.state", "no value");
	type_is("f", "n[1]", "no value");
	type_is("f", "ret.state", "no value");
	type_is("f", "", "no value");
	type_is("f", "s.", "no value");
	type_is("g", "ret", "void");
	type_is("g", "x", "no value");
	type_is("h", "ret", "no function");
	type_is("", "ret", "no function");
	type_is("t:tp", "st", "state_t");
	type_is("t:tp", "arg1", "state_t");
	type_is("t:tp", "data", "no value");
	type_is("t:f", "plain", "no function");
}

int main(void)
{
	make_types();
	if (!all)
		return 1;
	test_types();
	spells("f", "s.next.state", "s->next->state");
	spells("f", "s.next.kinds[2]", "s->next->kinds[2]");
	spells("f", "s.nothing", "");
	spells("f", "arg1.state", "");
	spells("k", "args.state", "args->state");
	enums_are("f", "plain, ret");
	enums_are("g", "");
	enums_are("t:tp", "st");
	enums_are("h", "");
	if (!prototypes_struct_has(data, "s", "state") || prototypes_struct_has(data, "s", "f") ||
	    prototypes_struct_has(data, "f", "s") || prototypes_struct_has(NULL, "s", "state")) {
		puts("members of struct s: not next, state and kinds");
		failed = 1;
	}
	prototypes_free(all);
	return failed;
}
