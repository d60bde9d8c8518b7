/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * narrow.h - lines on a terminal that end where it does, so that each takes one row.
 */
#ifndef PE_TOOL_NARROW_H
#define PE_TOOL_NARROW_H

#include <stddef.h>
#include <stdio.h>

/** narrow_width() - columns of a terminal; 0: @out is none */
size_t narrow_width(FILE *out);

/**
 * narrow_open() - a file whose lines are cut, if it is a terminal
 * @out: the file, which stays open
 *
 * The terminal may get another size meanwhile.
 *
 * Return: @out itself if it is no terminal, or there is no memory; else another one, for
 * narrow_close().
 */
FILE *narrow_open(FILE *out);

/** narrow_close() - the end of narrow_open()'s result; 0, or EOF if not all could be written */
int narrow_close(FILE *narrow, FILE *out);

#endif
