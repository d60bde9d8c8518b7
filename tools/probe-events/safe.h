/* SPDX-License-Identifier: GPL-2.0 */
/*
 * safe.h - texts that others have chosen, on a terminal.
 */
#ifndef PE_TOOL_SAFE_H
#define PE_TOOL_SAFE_H

#include <stdio.h>

/**
 * put_safe() - a text in a column
 * @text: bytes of it that would change the screen or the line are written as \xNN
 * @width: blanks follow up to that
 * @out: where
 */
void put_safe(const char *text, int width, FILE *out);

#endif
