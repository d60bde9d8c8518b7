// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * utf8.c - names are bytes that others have chosen: is this a character?
 */
#include "utf8.h"

size_t utf8_read(const char *text, unsigned int *code)
{
	static const unsigned int least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *s = (const unsigned char *)text;
	size_t len = *s < 0x80 ? 1 : *s < 0xc2 ? 0 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 :
		     *s < 0xf5 ? 4 : 0, i;
	unsigned int value = len > 1 ? *s & (0xff >> (len + 1)) : *s;

	for (i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (s[i] & 0x3f);
	}
	if (len > 1 && (value < least[len] || value > 0x10ffff ||
			(value >= 0xd800 && value <= 0xdfff)))
		return 0;
	if (code)
		*code = value;
	return len;
}
