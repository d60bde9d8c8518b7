/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * enums.h - names of an enumeration's numbers, by type data (BTF).
 */
#ifndef PE_TOOL_ENUMS_H
#define PE_TOOL_ENUMS_H

#include <stdbool.h>
#include <stddef.h>

struct btf;

/**
 * struct enumeration - an enumeration
 * @of: its enumerators, in the order of the source
 * @nr: how many
 * @bits: of a value in a record; 64 at most
 * @size: bytes of a value
 * @is_signed: some are below 0
 */
struct enumeration {
	struct enumerator {
		long long value;
		char *name;
	} *of;
	size_t nr;
	unsigned int bits, size;
	bool is_signed;
};

/**
 * enum_read() - the enumeration that a type is
 * @e: gets it, for enum_free()
 * @btf: the type data
 * @id: of the type
 * @bits: of a bit field; 0: the value has the type's size
 *
 * Return: 0; -1: the type is none, or no memory.
 */
int enum_read(struct enumeration *e, const struct btf *btf, unsigned int id, unsigned int bits);

/**
 * enum_name() - the name of a number
 * @e: the enumeration
 * @number: as a record or a table has it, with or without a sign
 *
 * Of several names of one number, the first counts.
 *
 * Return: NULL if it has none.
 */
const char *enum_name(const struct enumeration *e, long long number);

/** enum_free() - the end of enum_read()'s result */
void enum_free(struct enumeration *e);

#endif
