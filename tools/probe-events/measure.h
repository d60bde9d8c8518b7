/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#ifndef PE_TOOL_MEASURE_H
#define PE_TOOL_MEASURE_H

#include "show.h"
#include "verb.h"
#include "wait.h"

/** measure_live() - show what is counted until it is over; 0, or -1 after a message */
typedef int measure_live(struct show *s, struct wait *w);

/**
 * measure() - count, show, and end
 * @verb: the verb
 * @argc: how many words, the verb included
 * @argv: the words
 * @timed: how long calls take, not only how many there are
 * @top: what shows it meanwhile; NULL: as count and lat do
 *
 * Return: the exit status.
 */
int measure(const struct verb *verb, int argc, char **argv, bool timed, measure_live *top);

#endif
