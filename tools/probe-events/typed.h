/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * typed.h - the line as it was typed, and where in it something is wrong.
 *
 * Pure.  A column is a byte of the line, from 0; -1: it is about no word of it.  What questions are
 * made of are parts of the words, so a pointer to one says where it was typed.
 */
#ifndef PE_TOOL_TYPED_H
#define PE_TOOL_TYPED_H

#include <stdbool.h>
#include <stdio.h>

/**
 * typed_begin() - keep what was typed
 * @argc: how many words, the verb included
 * @argv: the words, which may be moved and cut after that
 */
void typed_begin(int argc, char **argv);

/** typed_column() - where a part of a word was typed */
int typed_column(const char *at);

/** typed_named() - where the last of the options is that a message names */
int typed_named(const char *message);

/**
 * typed_of_command() - where that was typed of which a command was made
 * @command: as it was written
 * @where: its byte at fault
 */
int typed_of_command(const char *command, int where);

/** typed_word() - the word at a column: @len bytes of what is returned; NULL: none begins there */
const char *typed_word(int column, int *len);

/**
 * typed_key() - the name at a column, if it is one of a key or of a filter
 * @column: where it begins
 * @len: gets its length
 * @filter: gets whether it is a filter's
 *
 * Return: where it is; NULL: it is something else.
 */
const char *typed_key(int column, int *len, bool *filter);

/** typed_show() - the line with a caret below a column; nothing if it is -1 */
void typed_show(int column, FILE *out);

#endif
