/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * near.h - names that a user may have meant.  [P]
 */
#ifndef PE_NEAR_H
#define PE_NEAR_H

#include <linux/types.h>

#define PE_NEAR_LEN	128	/* of a name with its NUL; longer ones are never near */

/* How a symbol's name is made of another's by the compiler. */
enum pe_clone {
	PE_CLONE_NO,
	PE_CLONE_WHOLE,		/* the function with other parameters: .isra.0, .constprop.0 */
	PE_CLONE_PART,		/* some of its code: .part.0, .cold */
};

/**
 * struct pe_near - a search for names near another
 * @want: the name
 * @call: of @want, if it is what another kernel or machine calls a system call: the call's name
 * @distance: of @name; names at this distance or a greater one are not near
 * @name: the nearest one so far, or ""
 */
struct pe_near {
	const char *want;
	const char *call;
	unsigned int distance;
	char name[PE_NEAR_LEN];
};

/* near.c */

void pe_near_init(struct pe_near *near, const char *want);

/**
 * pe_near_offer() - look at one more name
 * @near: the search
 * @name: the name
 *
 * The first of the nearest names is kept.
 */
void pe_near_offer(struct pe_near *near, const char *name);

/**
 * pe_name_distance() - how many characters must be changed, added, left out, or exchanged with
 *	the next one, to make one name of another
 * @a: one name
 * @b: the other
 * @max: what is too far
 *
 * Return: the distance, or @max if it is not less.
 */
unsigned int pe_name_distance(const char *a, const char *b, unsigned int max);

/* Is a symbol in text a function's?  Padding in front of one is none, nor is a part of one. */
bool pe_name_is_function(const char *name);

/* Is a symbol a clone of @plain? */
enum pe_clone pe_name_is_clone(const char *name, const char *plain);

#endif
