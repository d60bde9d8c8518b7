/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#ifndef PE_TOOL_FOLDED_H
#define PE_TOOL_FOLDED_H

#include <stdio.h>

/** folded_frame() - a frame of a stack for flame graphs: what parts frames, and lines, is \xNN */
void folded_frame(const char *text, FILE *out);

#endif
