// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * folded.c - frames of stacks for flame graphs: FRAME;FRAME N.
 */
#include "folded.h"
#include "safe.h"

void folded_frame(const char *text, FILE *out)
{
	size_t len;

	for (; *text; text += len) {
		unsigned char c = *text;

		len = safe_length(text) ?: 1;
		if (c < 32 || c == 127 || c == ';' || !safe_for(text, out)) {
			fprintf(out, "\\x%02x", c);
			len = 1;
		} else {
			fwrite(text, 1, len, out);
		}
	}
}
