/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * units.h - numbers as people read them.  Pure.
 */
#ifndef PE_TOOL_UNITS_H
#define PE_TOOL_UNITS_H

#define UNITS_TEXT 32	/* bytes, the most that any of these writes */

/** print_count() - 1,204,330; returns @text, of UNITS_TEXT bytes */
char *print_count(char *text, unsigned long long count);

/**
 * print_time() - 1.204ms: four digits and a unit
 * @text: gets it, at most UNITS_TEXT bytes
 * @ns: nanoseconds
 * @unit: ns, us, ms or s; NULL: by size
 *
 * Return: @text.
 */
char *print_time(char *text, unsigned long long ns, const char *unit);

#endif
