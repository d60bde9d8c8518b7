/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * progress.h - one line on standard error that is replaced, and wiped at the end.
 *
 * Nothing is drawn unless standard error is a terminal that can do so, and the user wants it.
 */
#ifndef PE_TOOL_PROGRESS_H
#define PE_TOOL_PROGRESS_H

#include <stdbool.h>
#include <stdio.h>

#define PROGRESS_STEP 200000000ULL	/* ns between two drawings at least */

/** progress_allow() - is the line wanted?  Before the first call it is not. */
void progress_allow(bool wanted);

/** progress_guard() - a signal that ends this program wipes the line first */
void progress_guard(void);

/** progress_shown() - is it wanted, and can it be drawn? */
bool progress_shown(void);

/** progress_beside() - may it be drawn while an answer goes to @out? */
bool progress_beside(FILE *out);

/** progress_draw() - show a text of one line in its place, as far as the terminal is wide */
void progress_draw(const char *text);

/** progress_wipe() - nothing is there any more */
void progress_wipe(void);

/**
 * progress_begin() - something begins that may take long, and tells nothing meanwhile
 * @what: what is done; after 0.3 s it is shown with the time that it has taken
 */
void progress_begin(const char *what);

/** progress_end() - the end of what progress_begin() has shown */
void progress_end(void);

/**
 * progress_part() - a part of a file has been read
 * @done: so much of it
 * @all: all of it; 0: not known
 *
 * The share is shown after 0.3 s.
 */
void progress_part(unsigned long long done, unsigned long long all);

/** progress_records() - likewise, of a file of which no share is known: so many records */
void progress_records(unsigned long long nr);

#endif
