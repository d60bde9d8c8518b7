/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#ifndef PE_TOOL_LIMIT_H
#define PE_TOOL_LIMIT_H

/**
 * limit_set() - give something a limit
 * @dir: where our files are
 * @what: GROUP/EVENT, or "all"
 * @words: the limit
 * @nr: how many words
 *
 * Return: 0, or an exit status after a message.
 */
int limit_set(const char *dir, const char *what, char **words, int nr);

/**
 * limit_why() - why a limit has stopped an event
 * @dir: where our files are
 * @event: GROUP/EVENT in the top instance
 *
 * Return: "ttl 5s at SECONDS", for free(); NULL: none has.
 */
char *limit_why(const char *dir, const char *event);

#endif
