/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * words.h - numbers as words, by the form that a preset gives a field.
 */
#ifndef PE_TOOL_WORDS_H
#define PE_TOOL_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#define WORDS_TEXT 96	/* bytes, the most that words_print() writes */

/** struct words - what is known of types; all 0 at first, for words_free() */
struct words {
	/* private */
	struct btf *btf;
	bool tried;
};

/**
 * words_print() - a number in a form
 * @w: loads the kernel's type data, if it is needed
 * @form: "open": flags of open(2); "sig": a signal; "enum=TYPE": by the kernel's type data, and
 *	  - for -1
 * @value: the number
 * @text: gets it, of WORDS_TEXT bytes
 *
 * Return: false if there is no such form, or no word for the number: @text is not changed.
 */
bool words_print(struct words *w, const char *form, long long value, char *text);

/**
 * words_offset() - where a member is in one of the kernel's structures
 * @w: likewise
 * @structure: its name
 * @member: the member's, also of one in a member without a name
 *
 * Return: bytes from the structure's begin; -1: nothing is known of it.
 */
long words_offset(struct words *w, const char *structure, const char *member);

/** words_inet() - ADDRESS:PORT; @six: bytes of an IPv6 address, or NULL; all as in packets */
void words_inet(unsigned int four, const unsigned char *six, unsigned short port, char *text,
		size_t size);

/** words_free() - the end */
void words_free(struct words *w);

#endif
