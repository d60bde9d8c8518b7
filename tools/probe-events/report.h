/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#ifndef PE_TOOL_REPORT_H
#define PE_TOOL_REPORT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * complain() - "probe-events: MESSAGE" on stderr
 * @format: as printf's, without newline
 *
 * Return: -1, for the caller to pass on.
 */
[[gnu::format(printf, 1, 2)]] int complain(const char *format, ...);

/** mention() - the same of what is no error: programs that read results are not told */
[[gnu::format(printf, 1, 2)]] void mention(const char *format, ...);

/*
 * complain_at() - likewise, of a word that was typed: the line is shown, with a caret below it
 * @at: the word, or a part of it.  If it is none, or NULL, it is the option that the message names.
 * @format: as printf's, without newline
 *
 * Return: -1, for the caller to pass on.
 */
[[gnu::format(printf, 2, 3)]] int complain_at(const char *at, const char *format, ...);

/**
 * complain_of() - likewise, of a command that was refused: where it was typed, if it was
 * @what: the message
 * @command: the command
 * @where: its byte at fault, from 0; -1: none is
 *
 * Return: -1, for the caller to pass on.
 */
int complain_of(const char *what, const char *command, int where);

/**
 * report_to() - pass messages on to another place, too
 * @also: gets them, as complain_of() has them: of complain(), @command is NULL.  NULL: no more.
 * @ctx: for @also
 */
void report_to(void (*also)(void *ctx, const char *what, const char *command, int where),
	       void *ctx);

/** report_told() - has there been a message?  Those of mention() are none */
bool report_told(void);

/**
 * report_into() - messages are for this place, not for standard error
 * @note: gets the last one; NULL: standard error again
 * @size: of @note
 */
void report_into(char *note, size_t size);

/** report_presets() - who knows whether there is a preset of a name, with its @ */
void report_presets(bool (*is_preset)(const char *name));

/** report_advice() - who knows what would work in place of a word that is refused: advice() */
void report_advice(void (*advise)(const char *what, const char *word, size_t len, bool filter,
				  char *text, size_t size));

/** report_first() - what is to be done before a message is written; NULL: nothing */
void report_first(void (*wipe)(void));

/** report_painted() - what is written before and after our name in a message: colours */
void report_painted(const char *begin, const char *end);

#endif
