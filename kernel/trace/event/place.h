/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * place.h - which symbol a command means, and what to say if there is none.
 *
 * All in process context; a search takes tens of milliseconds.
 */
#ifndef PE_PLACE_H
#define PE_PLACE_H

#include <linux/types.h>
#include "kernel/trace/parse/limits.h"

struct pe_place;
struct pe_placed;
struct pe_symbol;

/* The text that error_log has in brackets, as strings of a command. */
struct pe_hint {
	char text[PE_HINT_LEN];
};

/**
 * pe_place_find() - look for the symbol of a place
 * @place: that
 * @found: filled
 * @hint: filled if several functions have that name
 */
void pe_place_find(const struct pe_place *place, struct pe_symbol *found, struct pe_hint *hint);

/**
 * pe_place_clone() - the clones of the symbols of all of a command's places
 * @placed: the command.  Its place becomes the first that has some, or, if that has one, that
 *	clone; the last if none has any.  Nothing comes after it: each has been tried
 * @hint: filled, unless there is one clone
 *
 * Return: how many there are.
 */
unsigned int pe_place_clone(struct pe_placed *placed, struct pe_hint *hint);

/* Suggest alternatives to a symbol that several functions have. */
void pe_hint_number(struct pe_hint *hint, const struct pe_place *place, unsigned int count);

/**
 * pe_hint_bounds() - which instructions are near an address that begins none
 * @hint: filled
 * @place: they are counted from its symbol, if it has one
 * @found: that
 * @addr: the address
 *
 * Return: the hint's text, or NULL if nothing can be said.
 */
const char *pe_hint_bounds(struct pe_hint *hint, const struct pe_place *place,
			   const struct pe_symbol *found, unsigned long addr);

#endif
