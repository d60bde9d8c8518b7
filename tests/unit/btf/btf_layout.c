// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * btf_layout.c - what btf_walk.c finds in real type data, as text.
 *
 * Reads a .BTF section from the standard input.  Writes a line for each member of each structure
 * with a name of its own, those of anonymous structures in it included: the structure, the
 * member, its first bit, the bits of a bitfield or 0, the size of a number or "-".
 */
#include <uapi/linux/btf.h>
#include <pe/btf.h>
#include "btf_blob.h"
#include "harness.h"
#include "kernel/trace/parse/btf_walk.h"
#include "kernel/trace/parse/lex.h"

#define MAX_BYTES	(64UL << 20)
#define MAX_DEPTH	64

long read(int fd, void *to, unsigned long n);

static struct btf btf;
static const char *keyword, *owner;
static const struct btf_type *top;

static u32 kind_of(const struct btf_type *t)
{
	return BTF_INFO_KIND(t->info);
}

static bool is_struct(const struct btf_type *t)
{
	return kind_of(t) == BTF_KIND_STRUCT || kind_of(t) == BTF_KIND_UNION;
}

static void show_member(const char *name)
{
	const struct btf_type *t;
	struct pe_btf_member m;
	u32 bit = 0, bits = 0;
	const char *type;

	if (pe_btf_find_member(&btf, top, pe_str_of(name), &m)) {
		printf("%s %s %s missing\n", keyword, owner, name);
		return;
	}
	t = pe_btf_strip(&btf, m.type);
	type = t && kind_of(t) == BTF_KIND_INT ? pe_btf_type_name(t, &bit, &bits) : NULL;
	printf("%s %s %s %u %u ", keyword, owner, name, m.bit, m.bits);
	if (type && !bits && !m.bits)
		printf("%lu\n", strtoul(type + 1, NULL, 10) / 8);
	else
		printf("-\n");
}

static void show_members(const struct btf_type *t, unsigned int depth)
{
	const struct btf_member *m = (const void *)(t + 1);
	unsigned int i;

	for (i = 0; i < BTF_INFO_VLEN(t->info); i++, m++) {
		const struct btf_type *inner = pe_btf_strip(&btf, m->type);

		if (m->name_off)
			show_member(pe_btf_name(&btf, m->name_off));
		else if (inner && is_struct(inner) && depth < MAX_DEPTH)
			show_members(inner, depth + 1);
	}
}

static u32 hash_of(const char *name)
{
	u32 hash = 5381;

	while (*name)
		hash = hash * 33 + *name++;
	return hash % (4 * btf.blob.nr);
}

/* The place of a name in a table of ids, four times as large as it has to be. */
static u32 *place_of(u32 *table, const char *name)
{
	u32 i;

	for (i = hash_of(name); table[i]; i = (i + 1) % (4 * btf.blob.nr))
		if (!strcmp(pe_btf_name(&btf, pe_btf_type(&btf, table[i])->name_off), name))
			break;
	return &table[i];
}

static const char *name_of(u32 id)
{
	const struct btf_type *t = pe_btf_type(&btf, id);

	return is_struct(t) ? pe_btf_name(&btf, t->name_off) : "";
}

/* Of several structures with a name, others show one, and not always the same one. */
static void show_all(u32 *first, u8 *again)
{
	u32 id, *place;

	for (id = 1; id < btf.blob.nr; id++) {
		if (!name_of(id)[0])
			continue;
		place = place_of(first, name_of(id));
		if (*place)
			again[*place] = again[id] = 1;
		else
			*place = id;
	}
	for (id = 1; id < btf.blob.nr; id++) {
		if (!name_of(id)[0] || again[id])
			continue;
		top = pe_btf_type(&btf, id);
		keyword = kind_of(top) == BTF_KIND_STRUCT ? "struct" : "union";
		owner = name_of(id);
		show_members(top, 0);
	}
}

int main(void)
{
	char *bytes = malloc(MAX_BYTES);
	unsigned long len = 0;
	const char *wrong;
	u32 *first;
	u8 *again;
	long n;

	while (len < MAX_BYTES && (n = read(0, bytes + len, MAX_BYTES - len)) > 0)
		len += n;
	if (pe_blob_open(&btf, bytes, len))
		return 1;
	wrong = pe_btf_blob_check(&btf.blob);
	if (wrong) {
		printf("%s\n", wrong);
		return 1;
	}
	first = calloc(4UL * btf.blob.nr, sizeof(*first));
	again = calloc(btf.blob.nr, 1);
	show_all(first, again);
	free(first);
	free(again);
	pe_blob_close(&btf);
	free(bytes);
	return 0;
}
