/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * picture.h - a table on a whole screen, and the keys that change how it is shown.
 */
#ifndef PE_TOOL_PICTURE_H
#define PE_TOOL_PICTURE_H

#include "screen.h"
#include "show.h"
#include "wait.h"

/**
 * struct picture - what is on the screen
 * @screen: the terminal
 * @show: whose table it is; NULL: not another's
 * @r: the question, with the order of rows as it is now
 * @interval: nanoseconds between two pictures
 * @rows: rows that are shown
 * @row: the one that is chosen
 * @filter: rows contain this text
 * @typing: it is being typed
 * @paused: the picture stays
 * @help: the keys are shown
 * @histogram: that of the chosen row is shown
 * @note: the last message, up to the next key
 * @order: which of the columns that tables can be sorted by it is
 * @before: the question of @show, which it gets back
 * @format: the form of @show, likewise
 */
struct picture {
	struct screen screen;
	struct show *show;
	struct request r;
	unsigned long long interval;
	size_t rows;
	long row;
	char filter[64];
	bool typing, paused, help, histogram;
	char note[200];
	/* private */
	size_t order;
	const struct request *before;
	const struct format *format;
};

/** picture_begin() - take the screen; 0, or -1 after a message */
int picture_begin(struct picture *p, unsigned long long interval);

/** picture_end() - give it back; @failed: the last message is why */
void picture_end(struct picture *p, bool failed);

/** picture_of() - from now on it shows @s: its first rows, in its own order; NULL: nothing */
void picture_of(struct picture *p, struct show *s);

/**
 * picture_table() - read the table, and write it with its balance
 * @p: the picture, of something
 * @again: the table that was read last, in the order of now
 * @lines: how many there are for it
 * @out: gets it
 *
 * Return: 0, or -1 after a message.
 */
int picture_table(struct picture *p, bool again, size_t lines, FILE *out);

/** picture_first_row() - the line of picture_table() with the first row, from 0; -1: none */
long picture_first_row(const struct picture *p);

/** picture_clock() - "17:31:02  each 1 s" */
void picture_clock(const struct picture *p, FILE *out);

/** picture_order() - in which order, which rows, and whether it stays */
void picture_order(const struct picture *p, FILE *out);

/** picture_key() - what a key changes, if it is one for tables */
void picture_key(struct picture *p, int key);

/**
 * picture_keys() - take all keys that are there
 * @p: the picture
 * @take: what one does, with @arg; false: it is the end
 * @arg: for @take
 *
 * Return: false: it is the end, or the terminal has gone.
 */
bool picture_keys(struct picture *p, bool (*take)(void *arg, int key), void *arg);

/** picture_type() - a key of a text that is typed; true: it is whole */
bool picture_type(char *text, size_t size, int key);

/** picture_back() - if a key leads back from the help or a histogram, do so and say true */
bool picture_back(struct picture *p);

/** picture_stop() - after Ctrl-Z: the terminal is as it was while this program is stopped */
void picture_stop(struct picture *p, struct wait *w);

#endif
