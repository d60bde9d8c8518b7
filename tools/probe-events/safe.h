/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * safe.h - texts that others have chosen, on a terminal.
 */
#ifndef PE_TOOL_SAFE_H
#define PE_TOOL_SAFE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/**
 * safe_length() - the character at the front of a text
 * @text: not at its end
 *
 * Return: its length in bytes; 0 if it is none, or would change the screen or the line: then a
 * byte is to be written as \xNN.
 */
size_t safe_length(const char *text);

/**
 * safe_for() - may the character at the front of a text be written as it is?
 * @text: not at its end
 * @out: where; what is no terminal gets all bytes
 */
bool safe_for(const char *text, FILE *out);

/** safe_text() - a text with \xNN in place of such bytes, for free(); NULL without memory */
char *safe_text(const char *text);

/**
 * put_safe() - a text in a column
 * @text: what safe_length() says no to is written as \xNN
 * @width: blanks follow up to that
 * @out: where
 */
void put_safe(const char *text, int width, FILE *out);

#endif
