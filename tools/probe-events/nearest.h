/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * nearest.h - which name may have been meant?
 */
#ifndef PE_TOOL_NEAREST_H
#define PE_TOOL_NEAREST_H

#include <stddef.h>

/** nearest_distance() - so many letters have to be changed, added, left out; @b_len: 255 at most */
size_t nearest_distance(const char *a, size_t a_len, const char *b, size_t b_len);

/**
 * nearest_name() - which name may have been meant?
 * @wanted: what was typed
 * @len: its length
 * @names: a name in each line
 * @found: gets the length of what is returned
 *
 * Names that begin so come first, then those with the fewest letters changed: a third at most.
 *
 * Return: the name, a part of @names; NULL: none is near.
 */
const char *nearest_name(const char *wanted, size_t len, const char *names, size_t *found);

#endif
