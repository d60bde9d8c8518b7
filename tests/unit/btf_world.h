/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * btf_world.h - type data of a small program, made here.
 *
 *	typedef unsigned long size_t;
 *	enum color { RED };
 *	struct inner {
 *		int a;
 *		union { int u; struct { char deep; short deeper; }; };
 *		char name[8];
 *		int numbers[4];
 *	};
 *	struct outer {
 *		unsigned int one : 1, five : 5, byte : 8, rest : 18;
 *		enum color color : 3;
 *		struct inner in;
 *		const struct outer *volatile next;
 *		const char *text;
 *		signed char *bytes;
 *		void *any;
 *		u128 huge;
 *	};
 *	struct task_struct {
 *		int pid;
 *		const struct outer *mm;
 *		char comm[8];
 *	};
 *	struct table {
 *		struct inner rows[3];
 *		struct outer *links[2];
 *		int grid[2][3];			(one array of six, as pahole has it)
 *		int nested[2][3];
 *		struct table *(*many)[2];
 *		const char *names[];
 *	};
 *	struct hints {				(enumerations that are packed, or of 64 bits)
 *		enum of_1 u1;			(1 byte)
 *		enum signed_1 s1;
 *		enum of_2 u2;			(2 bytes)
 *		enum signed_2 s2;
 *		enum of_8 e8;			(8 bytes, as older type data says it)
 *		enum values_8 v8;		(BTF_KIND_ENUM64)
 *		enum of_1 bits : 3;
 *	};
 *	struct outer *fn(const struct outer *o, size_t n, char *s, enum color c, bool b, int i,
 *			 s8 *bytes, struct inner by_value);
 *	void nothing(void);
 *	long none(void);
 *	int many(int ..., ...);
 */
#ifndef PE_TEST_BTF_WORLD_H
#define PE_TEST_BTF_WORLD_H

#include <uapi/linux/btf.h>
#include "btf_blob.h"
#include "harness.h"

struct btf_world {
	struct btf_header header;
	u32 types[768];
	char strings[2048];
	u32 used, nr, text;
};

static inline u32 world_name(struct btf_world *w, const char *name)
{
	u32 at = w->text;

	if (!name[0])
		return 0;
	memcpy(w->strings + at, name, strlen(name) + 1);
	w->text += strlen(name) + 1;
	return at;
}

static inline void world_word(struct btf_world *w, u32 word)
{
	w->types[w->used++] = word;
}

/* A type's three words; members and the like follow.  @size: or the type that it refers to. */
static inline u32 world_type(struct btf_world *w, const char *name, u32 kind, u32 vlen, u32 size)
{
	world_word(w, world_name(w, name));
	world_word(w, kind << 24 | vlen);
	world_word(w, size);
	return ++w->nr;
}

#define WORLD_KFLAG	(1u << 7)	/* with @kind: offsets have the width of a bitfield */

static inline void world_member(struct btf_world *w, const char *name, u32 type, u32 bit, u32 bits)
{
	world_word(w, world_name(w, name));
	world_word(w, type);
	world_word(w, bits << 24 | bit);
}

static inline void world_param(struct btf_world *w, const char *name, u32 type)
{
	world_word(w, world_name(w, name));
	world_word(w, type);
}

static inline u32 world_int(struct btf_world *w, const char *name, u32 encoding, u32 bits)
{
	u32 id = world_type(w, name, BTF_KIND_INT, 0, (bits + 7) / 8);

	world_word(w, encoding << 24 | bits);
	return id;
}

static inline u32 world_array(struct btf_world *w, u32 type, u32 n)
{
	u32 id = world_type(w, "", BTF_KIND_ARRAY, 0, 0);

	world_word(w, type);
	world_word(w, 1);
	world_word(w, n);
	return id;
}

static inline u32 world_struct_inner(struct btf_world *w, u32 i32, u32 i16, u32 chr)
{
	u32 deep, either, name, numbers, id;

	deep = world_type(w, "", BTF_KIND_STRUCT, 2, 4);
	world_member(w, "deep", chr, 0, 0);
	world_member(w, "deeper", i16, 16, 0);
	either = world_type(w, "", BTF_KIND_UNION, 2, 4);
	world_member(w, "u", i32, 0, 0);
	world_member(w, "", deep, 0, 0);
	name = world_array(w, chr, 8);
	numbers = world_array(w, i32, 4);
	id = world_type(w, "inner", BTF_KIND_STRUCT, 4, 32);
	world_member(w, "a", i32, 0, 0);
	world_member(w, "", either, 32, 0);
	world_member(w, "name", name, 64, 0);
	world_member(w, "numbers", numbers, 128, 0);
	return id;
}

static inline void world_functions(struct btf_world *w, u32 i32, u32 i64, u32 ptr)
{
	u32 proto, i;

	proto = world_type(w, "", BTF_KIND_FUNC_PROTO, 0, 0);
	world_type(w, "nothing", BTF_KIND_FUNC, 0, proto);
	proto = world_type(w, "", BTF_KIND_FUNC_PROTO, 0, i64);
	world_type(w, "none", BTF_KIND_FUNC, 0, proto);
	proto = world_type(w, "", BTF_KIND_FUNC_PROTO, 9, i32);
	for (i = 0; i < 8; i++) {
		char name[] = "a_long_name_of_parameter_0";

		name[sizeof(name) - 2] += i;
		world_param(w, name, ptr);
	}
	world_param(w, "", 0);
	world_type(w, "many", BTF_KIND_FUNC, 0, proto);
	proto = world_type(w, "", BTF_KIND_FUNC_PROTO, 2, i32);
	world_param(w, "first", i32);
	world_param(w, "", 0);
	world_type(w, "dots", BTF_KIND_FUNC, 0, proto);
}

static inline void world_struct_table(struct btf_world *w, u32 i32, u32 inner, u32 p_outer,
				      u32 p_text)
{
	u32 rows, links, grid, three, nested, p_table, two, many, names;

	rows = world_array(w, inner, 3);
	links = world_array(w, p_outer, 2);
	grid = world_array(w, i32, 6);
	three = world_array(w, i32, 3);
	nested = world_array(w, three, 2);
	p_table = world_type(w, "", BTF_KIND_PTR, 0, w->nr + 5);
	two = world_array(w, p_table, 2);
	many = world_type(w, "", BTF_KIND_PTR, 0, two);
	names = world_array(w, p_text, 0);
	world_type(w, "table", BTF_KIND_STRUCT, 6, 168);
	world_member(w, "rows", rows, 0, 0);
	world_member(w, "links", links, 96 * 8, 0);
	world_member(w, "grid", grid, 112 * 8, 0);
	world_member(w, "nested", nested, 136 * 8, 0);
	world_member(w, "many", many, 160 * 8, 0);
	world_member(w, "names", names, 168 * 8, 0);
}

static inline u32 world_enum(struct btf_world *w, const char *name, u32 kind, u32 size)
{
	u32 id = world_type(w, name, kind, 1, size);

	world_word(w, world_name(w, "ONE"));
	world_word(w, 1);
	if ((kind & ~WORLD_KFLAG) == BTF_KIND_ENUM64)
		world_word(w, 0);
	return id;
}

static inline void world_struct_hints(struct btf_world *w)
{
	u32 u1 = world_enum(w, "of_1", BTF_KIND_ENUM, 1);
	u32 s1 = world_enum(w, "signed_1", BTF_KIND_ENUM | WORLD_KFLAG, 1);
	u32 u2 = world_enum(w, "of_2", BTF_KIND_ENUM, 2);
	u32 s2 = world_enum(w, "signed_2", BTF_KIND_ENUM | WORLD_KFLAG, 2);
	u32 e8 = world_enum(w, "of_8", BTF_KIND_ENUM, 8);
	u32 v8 = world_enum(w, "values_8", BTF_KIND_ENUM64, 8);

	world_type(w, "hints", BTF_KIND_STRUCT | WORLD_KFLAG, 7, 32);
	world_member(w, "u1", u1, 0, 0);
	world_member(w, "s1", s1, 8, 0);
	world_member(w, "u2", u2, 16, 0);
	world_member(w, "s2", s2, 32, 0);
	world_member(w, "e8", e8, 64, 0);
	world_member(w, "v8", v8, 128, 0);
	world_member(w, "bits", u1, 194, 3);
}

static inline void world_make(struct btf_world *w)
{
	u32 i32, u32_, chr, schr, i16, size, i64, boolean, huge, color, inner, outer, p_outer, proto;
	u32 next;

	memset(w, 0, sizeof(*w));
	w->text = 1;
	i32 = world_int(w, "int", BTF_INT_SIGNED, 32);
	u32_ = world_int(w, "unsigned int", 0, 32);
	chr = world_int(w, "char", 0, 8);
	schr = world_int(w, "signed char", BTF_INT_SIGNED, 8);
	i16 = world_int(w, "short", BTF_INT_SIGNED, 16);
	size = world_int(w, "unsigned long", 0, 64);
	i64 = world_int(w, "long", BTF_INT_SIGNED, 64);
	boolean = world_int(w, "_Bool", BTF_INT_BOOL, 8);
	huge = world_int(w, "unsigned __int128", 0, 128);
	color = world_type(w, "color", BTF_KIND_ENUM, 1, 4);
	world_word(w, world_name(w, "RED"));
	world_word(w, 0);
	inner = world_struct_inner(w, i32, i16, chr);
	/* const struct outer *volatile next, before it: types may refer to later ones */
	outer = w->nr + 8;
	world_type(w, "", BTF_KIND_CONST, 0, outer);
	p_outer = world_type(w, "", BTF_KIND_PTR, 0, w->nr);
	next = world_type(w, "", BTF_KIND_VOLATILE, 0, p_outer);
	world_type(w, "", BTF_KIND_CONST, 0, chr);
	world_type(w, "", BTF_KIND_PTR, 0, w->nr);	/* text */
	world_type(w, "", BTF_KIND_PTR, 0, schr);	/* bytes */
	world_type(w, "", BTF_KIND_PTR, 0, 0);		/* any */
	world_type(w, "outer", BTF_KIND_STRUCT | WORLD_KFLAG, 11, 96);
	world_member(w, "one", u32_, 0, 1);
	world_member(w, "five", u32_, 1, 5);
	world_member(w, "byte", u32_, 8, 8);
	world_member(w, "rest", u32_, 14, 18);
	world_member(w, "color", color, 35, 3);
	world_member(w, "in", inner, 64, 0);
	world_member(w, "next", next, 320, 0);
	world_member(w, "text", outer - 3, 384, 0);
	world_member(w, "bytes", outer - 2, 448, 0);
	world_member(w, "any", outer - 1, 512, 0);
	world_member(w, "huge", huge, 640, 0);
	size = world_type(w, "size_t", BTF_KIND_TYPEDEF, 0, size);
	proto = world_type(w, "", BTF_KIND_FUNC_PROTO, 8, p_outer);
	world_param(w, "o", p_outer);
	world_param(w, "n", size);
	world_param(w, "s", outer - 3);
	world_param(w, "c", color);
	world_param(w, "b", boolean);
	world_param(w, "i", i32);
	world_param(w, "bytes", outer - 2);
	world_param(w, "by_value", inner);
	world_type(w, "fn", BTF_KIND_FUNC, 0, proto);
	world_functions(w, i32, i64, p_outer);
	world_array(w, chr, 8);
	world_type(w, "task_struct", BTF_KIND_STRUCT, 3, 24);
	world_member(w, "pid", i32, 0, 0);
	world_member(w, "mm", p_outer, 64, 0);
	world_member(w, "comm", w->nr - 1, 128, 0);
	world_struct_table(w, i32, inner, p_outer, outer - 3);
	world_struct_hints(w);
	w->header = (struct btf_header){
		.magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = sizeof(w->header),
		.type_len = w->used * sizeof(u32), .str_off = sizeof(w->types), .str_len = w->text,
	};
}

#endif
