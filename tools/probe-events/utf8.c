// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * utf8.c - names are bytes that others have chosen: is this a character, and is it seen?
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

bool utf8_hidden(unsigned int c)
{
	static const struct {
		unsigned int first, last;
	} ranges[] = {
		{ 0, 31 }, { 127, 0x9f }, { 0xad, 0xad }, { 0x61c, 0x61c }, { 0x115f, 0x1160 },
		{ 0x180e, 0x180e }, { 0x200b, 0x200f }, { 0x2028, 0x202e }, { 0x2060, 0x206f },
		{ 0x3164, 0x3164 }, { 0xe000, 0xf8ff }, { 0xfdd0, 0xfdef }, { 0xfeff, 0xfeff },
		{ 0xffa0, 0xffa0 }, { 0xfff0, 0xffff }, { 0xe0000, 0x10ffff },
	};
	size_t i;

	for (i = 0; i < sizeof(ranges) / sizeof(*ranges); i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	return (c & 0xfffe) == 0xfffe;
}
