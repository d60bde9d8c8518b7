// SPDX-License-Identifier: GPL-2.0
/*
 * safe.c - texts that others have chosen, on a terminal.
 */
#include "safe.h"

void put_safe(const char *text, int width, FILE *out)
{
	int is = 0;

	for (; *text; text++) {
		unsigned char c = *text;

		if (c < 32 || c == 127)
			is += fprintf(out, "\\x%02x", c);
		else
			is += (fputc(c, out), (c & 0xc0) != 0x80);
	}
	fprintf(out, "%*s", width > is ? width - is : 0, "");
}
