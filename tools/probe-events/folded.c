// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * folded.c - frames of stacks for flame graphs: FRAME;FRAME N.
 */
#include "folded.h"

void folded_frame(const char *text, FILE *out)
{
	for (; *text; text++) {
		unsigned char c = *text;

		if (c < 32 || c == 127 || c == ';')
			fprintf(out, "\\x%02x", c);
		else
			fputc(c, out);
	}
}
