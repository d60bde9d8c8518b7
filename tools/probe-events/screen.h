/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * screen.h - the whole terminal: a screen of its own, and keys as they are typed.
 */
#ifndef PE_TOOL_SCREEN_H
#define PE_TOOL_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <termios.h>

/* What screen_key() returns beside bytes. */
enum { KEY_NONE = -1, KEY_UP = 256, KEY_DOWN, KEY_BACKTAB, KEY_GONE };

/**
 * struct screen - a terminal
 * @width: its columns
 * @height: its lines
 * @on: its screen is ours
 * @out: the terminal, to write to
 * @before: its modes, which it gets back
 * @enter: terminfo's text that takes the screen
 * @leave: the one that gives it back
 * @home: the one that goes to the first column of the first line
 * @clear_line: the one that clears the rest of a line
 * @clear: the one that clears the rest of the screen
 * @reverse: the one that begins reverse video
 * @normal: the one that ends it
 */
struct screen {
	size_t width, height;
	bool on;
	/* private */
	FILE *out;
	struct termios before;
	const char *enter, *leave, *home, *clear_line, *clear, *reverse, *normal;
};

/**
 * screen_begin() - are standard input and output such a terminal?
 * @s: gets it
 *
 * Return: 0, or -1 after a message.
 */
int screen_begin(struct screen *s);

/** screen_on() - take the screen: keys come at once and are not shown */
void screen_on(struct screen *s);

/** screen_off() - give it back as it was */
void screen_off(struct screen *s);

/** screen_resize() - look how large it is */
void screen_resize(struct screen *s);

/**
 * screen_draw() - show a text, and nothing else
 * @s: the screen
 * @text: its lines, cut where they are too long or too many
 * @marked: the number of a line that is shown reversed; -1: none is
 */
void screen_draw(struct screen *s, const char *text, long marked);

/** screen_key() - a key that was typed; KEY_NONE: there is none, KEY_GONE: the terminal has gone */
int screen_key(struct screen *s);

#endif
