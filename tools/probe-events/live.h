/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * live.h - a text on a terminal that is replaced by the next one.
 */
#ifndef PE_TOOL_LIVE_H
#define PE_TOOL_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/**
 * struct live - a place on a terminal
 * @out: the terminal
 * @width: its columns
 * @height: its lines
 * @known: it says so itself; else these are what most have
 * @drawn: how many lines are drawn, above the cursor
 * @up: moves the cursor up, by terminfo
 * @clear: clears from the cursor to the screen's end
 */
struct live {
	FILE *out;
	size_t width, height, drawn;
	bool known;
	const char *up, *clear;
};

/**
 * live_begin() - is there a terminal on which texts can be replaced?
 * @l: the place
 * @out: perhaps a terminal
 *
 * Return: false if not.
 */
bool live_begin(struct live *l, FILE *out);

/** live_resize() - look how large the terminal is */
void live_resize(struct live *l);

/** live_rows() - so many rows of a table have room, with all that is around them */
size_t live_rows(const struct live *l);

/** live_draw() - replace what is drawn; what is too long or too wide is cut off */
void live_draw(struct live *l, const char *text);

/** live_erase() - nothing is drawn then */
void live_erase(struct live *l);

/**
 * live_cut() - a text's lines, no longer than that
 * @text: the text; characters are UTF-8
 * @width: columns
 * @height: lines, of which the rest is left out
 * @out: gets them
 *
 * Return: how many lines were written.
 */
size_t live_cut(const char *text, size_t width, size_t height, FILE *out);

/** live_fit() - how many bytes of a line take no more than that many columns */
size_t live_fit(const char *line, size_t len, size_t width);

#endif
