// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * words.c - numbers as words, by the form that a preset gives a field.
 *
 * The names of an enumeration are those of the kernel that runs, not of one that was known when
 * this was compiled.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <bpf/btf.h>
#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include "words.h"

static const struct btf *types(struct words *w)
{
	if (!w->tried)
		w->btf = btf__load_vmlinux_btf();
	w->tried = true;
	return w->btf;
}

/* ---- forms ---- */

/* The way of access, which all have, and the flags that tell something. */
static void print_open(long long value, char *text)
{
	static const struct {
		int flag;
		const char *name;
	} flags[] = {
		{ O_CREAT, "CREAT" }, { O_EXCL, "EXCL" }, { O_TRUNC, "TRUNC" },
		{ O_APPEND, "APPEND" }, { O_DIRECTORY, "DIRECTORY" }, { O_PATH, "PATH" },
	};
	static const char * const ways[] = { "RDONLY", "WRONLY", "RDWR", "NONE" };
	size_t len = snprintf(text, WORDS_TEXT, "%s", ways[value & O_ACCMODE]), i;

	for (i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if ((value & flags[i].flag) == flags[i].flag)
			len += snprintf(text + len, WORDS_TEXT - len, "|%s", flags[i].name);
}

/* "NO_SOCKET" of SK_RST_REASON_NO_SOCKET, if the type is sk_rst_reason. */
static const char *without_type(const char *name, const char *type)
{
	size_t i;

	for (i = 0; type[i]; i++)
		if (toupper((unsigned char)type[i]) != name[i])
			return name;
	return name[i] == '_' && name[i + 1] ? name + i + 1 : name;
}

static bool print_enum(struct words *w, const char *name, long long value, char *text)
{
	const struct btf *btf = types(w);
	int id = btf ? btf__find_by_name_kind(btf, name, BTF_KIND_ENUM) : -1, i;
	const struct btf_type *type = id > 0 ? btf__type_by_id(btf, id) : NULL;

	for (i = 0; type && i < btf_vlen(type); i++) {
		if (btf_enum(type)[i].val != value)
			continue;
		snprintf(text, WORDS_TEXT, "%s",
			 without_type(btf__name_by_offset(btf, btf_enum(type)[i].name_off), name));
		return true;
	}
	return false;
}

bool words_print(struct words *w, const char *form, long long value, char *text)
{
	const char *name;

	if (!strcmp(form, "open")) {
		print_open(value, text);
		return true;
	}
	if (!strcmp(form, "sig")) {
		name = value > 0 && value < 32 ? sigabbrev_np(value) : NULL;
		if (name)
			snprintf(text, WORDS_TEXT, "%s", name);
		return name;
	}
	if (!strncmp(form, "enum=", 5) && value == -1) {	/* this kernel does not tell */
		snprintf(text, WORDS_TEXT, "-");
		return true;
	}
	return !strncmp(form, "enum=", 5) && print_enum(w, form + 5, value, text);
}

void words_inet(unsigned int four, const unsigned char *six, unsigned short port, char *text,
		size_t size)
{
	char address[INET6_ADDRSTRLEN];

	if (six)
		inet_ntop(AF_INET6, six, address, sizeof(address));
	else
		inet_ntop(AF_INET, &four, address, sizeof(address));
	snprintf(text, size, six ? "[%s]:%u" : "%s:%u", address, ntohs(port));
}

/* ---- structures ---- */

/* Bits from the begin of a type; -1: it has no such member. */
static long member_bits(const struct btf *btf, __u32 id, const char *name)
{
	const struct btf_type *type = btf__type_by_id(btf, id);
	const struct btf_member *member;
	int i;

	while (type && (btf_is_mod(type) || btf_is_typedef(type)))
		type = btf__type_by_id(btf, type->type);
	if (!type || !btf_is_composite(type))
		return -1;
	for (i = 0, member = btf_members(type); i < btf_vlen(type); i++, member++) {
		const char *is = btf__name_by_offset(btf, member->name_off);
		long below = *is ? -1 : member_bits(btf, member->type, name);

		if (!strcmp(is, name))
			return btf_member_bit_offset(type, i);
		if (below >= 0)
			return btf_member_bit_offset(type, i) + below;
	}
	return -1;
}

long words_offset(struct words *w, const char *structure, const char *member)
{
	const struct btf *btf = types(w);
	int id = btf ? btf__find_by_name_kind(btf, structure, BTF_KIND_STRUCT) : -1;
	long bits = id > 0 ? member_bits(btf, id, member) : -1;

	return bits < 0 ? -1 : bits / 8;
}

void words_free(struct words *w)
{
	btf__free(w->btf);
	*w = (struct words){};
}
