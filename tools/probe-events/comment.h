/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * comment.h - what was typed, as the comment of a session, and back.
 *
 * Words are apart by blanks.  A word with a blank is in single quotes, as is an empty one; a quote,
 * a backslash and a control character are \xNN.  The modules show bytes above 126 so, too.  Pure.
 */
#ifndef PE_TOOL_COMMENT_H
#define PE_TOOL_COMMENT_H

#include <stdbool.h>

#define COMMENT_ROOM 256	/* PE_SESSION_COMMENT of the modules, with a NUL */

/**
 * comment_make() - make it
 * @text: gets it: COMMENT_ROOM bytes
 * @argc: how many words
 * @argv: the words
 *
 * Return: false if it is cut, as there is no room for all: it ends with " ...".
 */
bool comment_make(char *text, int argc, char **argv);

/**
 * comment_split() - the words again
 * @text: as the file sessions shows it; cut in place
 * @words: gets them, and a NULL
 * @most: for how many there is room, the NULL included
 *
 * Anyone may have written the comment: look at the words before they are shown.
 *
 * Return: how many, or -1 if not all that was typed is there.
 */
int comment_split(char *text, char **words, int most);

#endif
