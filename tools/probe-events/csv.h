/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * csv.h - a field of RFC 4180.
 */
#ifndef PE_TOOL_CSV_H
#define PE_TOOL_CSV_H

#include <stdio.h>

/** csv_text() - a text, in quotes if it has to be */
void csv_text(const char *text, FILE *out);

#endif
