/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * paint.h - colours: what is lost is red, what is well is green, bars are blue.
 *
 * Sequences begin and end around texts whose widths have been counted before.
 */
#ifndef PE_TOOL_PAINT_H
#define PE_TOOL_PAINT_H

#include <stdbool.h>
#include <stdio.h>

/** enum paint - a colour */
enum paint { PAINT_NONE, PAINT_BAD, PAINT_GOOD, PAINT_BAR };

/**
 * paint_words() - what the command line says of colours, before anything is written
 * @argc: how many words
 * @argv: the words; the last --color before "--" counts, and what is wrong is not told here
 */
void paint_words(int argc, char **argv);

/**
 * paint_answer() - an answer for people begins
 * @out: gets it: a file or a pipe gets colours with "always" only; NULL: it is not for people
 */
void paint_answer(FILE *out);

/** paint() - the following text of the answer has this colour; PAINT_NONE: no colour any more */
void paint(enum paint colour, FILE *out);

/** paint_length() - bytes of the sequence at the front of a text; 0: there is none of ours */
size_t paint_length(const char *text);

/** paint_wanted() - may this file get colours? */
bool paint_wanted(FILE *out);

/** paint_sequence() - of a colour, whether it is wanted or not */
const char *paint_sequence(enum paint colour);

#endif
