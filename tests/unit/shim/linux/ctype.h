/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#ifndef PE_SHIM_CTYPE_H
#define PE_SHIM_CTYPE_H
/* Like the kernel's: bytes from 0xa0 on are Latin-1, and a char may be negative. */
static inline int isdigit(int c) { return c >= '0' && c <= '9'; }
static inline int isupper(int c)
{
	c = (unsigned char)c;
	return (c >= 'A' && c <= 'Z') || (c >= 0xc0 && c <= 0xde && c != 0xd7);
}
static inline int islower(int c)
{
	c = (unsigned char)c;
	return (c >= 'a' && c <= 'z') || (c >= 0xdf && c != 0xf7);
}
static inline int isalpha(int c) { return isupper(c) || islower(c); }
static inline int isalnum(int c) { return isalpha(c) || isdigit(c); }
static inline int isspace(int c)
{
	c = (unsigned char)c;
	return c == ' ' || (c >= '\t' && c <= '\r') || c == 0xa0;
}
static inline int isascii(int c) { return !(c & ~0x7f); }
static inline int isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
static inline int isprint(int c)
{
	c = (unsigned char)c;
	return (c >= ' ' && c < 127) || c >= 0xa0;
}
#endif
