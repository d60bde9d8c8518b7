/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * naming.h - names in place of a key's numbers: KEY.enum and errno.
 *
 * The table has numbers, which are the same on all kernels only by chance: so the names go with
 * them from here on, also into what is saved.
 */
#ifndef PE_TOOL_NAMING_H
#define PE_TOOL_NAMING_H

#include "enums.h"
#include "request.h"
#include "table.h"
#include "types.h"

/**
 * struct naming - which of a question's keys have names; all 0 at first, for naming_free()
 * @at: if something is wrong, the key
 * @of: what kind of names each has
 * @enums: the names
 * @any: a key has names
 */
struct naming {
	const char *at;
	/* private */
	enum naming_kind { NAMING_NONE, NAMING_ENUM, NAMING_ERRNO } of[REQUEST_KEYS];
	struct enumeration enums[REQUEST_KEYS];
	bool any;
};

/**
 * naming_begin() - look for the names
 * @n: gets them
 * @r: the question
 * @t: the types
 *
 * Return: NULL, or what is wrong: a text of @t's.
 */
const char *naming_begin(struct naming *n, const struct request *r, struct types *t);

/**
 * naming_has() - has a key names?
 * @n: the names
 * @key: its number in the question
 * @number: what is recorded; of errno, what is no error becomes 0
 * @name: gets its name; NULL: it has none
 */
bool naming_has(const struct naming *n, size_t key, long long *number, const char **name);

/** naming_apply() - put the names into a table; 0, or -1 without memory */
int naming_apply(const struct naming *n, struct table *t);

/** naming_free() - the end */
void naming_free(struct naming *n);

#endif
