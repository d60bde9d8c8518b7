/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * utf8.h - names are bytes that others have chosen: is this a character, and is it seen?  Pure.
 */
#ifndef PE_TOOL_UTF8_H
#define PE_TOOL_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/**
 * utf8_read() - a character of UTF-8
 * @text: begins with it; not at its end
 * @code: gets its number; NULL: it is of no interest
 *
 * Return: its length; 0 if these bytes are no character.
 */
size_t utf8_read(const char *text, unsigned int *code);

/** utf8_hidden() - is this character not seen, or does it change how others are seen? */
bool utf8_hidden(unsigned int c);

#endif
