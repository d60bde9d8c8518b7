/* SPDX-License-Identifier: GPL-2.0 */
/*
 * place.h - which symbol a command means, and what to say if there is none.
 *
 * All in process context; a search takes tens of milliseconds.
 */
#ifndef PE_PLACE_H
#define PE_PLACE_H

#include <pe/kprobe.h>

struct pe_spec;

#define PE_HINT_LEN	256

/* What error_log says in brackets, as strings of a command. */
struct pe_hint {
	char text[PE_HINT_LEN];
};

/**
 * pe_place_find() - look for the symbol of a place
 * @spec: of several alternatives, it is left at the first that exists, or at the last.  If there
 *	is no such symbol, but one clone of it, @spec then names that
 * @found: filled
 * @hint: filled if none is found, or several are
 */
void pe_place_find(struct pe_spec *spec, struct pe_symbol *found, struct pe_hint *hint);

/**
 * pe_place_clone() - the clones of the symbols of a place
 * @spec: as of pe_place_find(); at the alternative that has some
 * @hint: filled, unless there is one clone
 *
 * Return: how many there are.  If it is one, @spec names it.
 */
unsigned int pe_place_clone(struct pe_spec *spec, struct pe_hint *hint);

/* What to use instead of a symbol that several functions have. */
void pe_hint_number(struct pe_hint *hint, const struct pe_spec *spec, unsigned int count);

/* Which instructions are near; NULL if that does not help. */
const char *pe_hint_bounds(struct pe_hint *hint, unsigned long addr);

#endif
