/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#ifndef PE_TOOL_TEXT_H
#define PE_TOOL_TEXT_H

/**
 * read_file() - the whole text of a file, /proc and /sys included
 * @path: the file
 *
 * Return: the text, for free(), or NULL with errno set.  A NUL byte ends the text.
 */
char *read_file(const char *path);

/**
 * read_open() - likewise, of a file that is open
 * @fd: the file, from where it is; it stays open
 *
 * Return: the text, for free(), or NULL with errno set.
 */
char *read_open(int fd);

/**
 * read_text() - read_file(), with a message if it fails
 * @path: the file
 *
 * Return: the text, for free(), or NULL after a message.
 */
char *read_text(const char *path);

#endif
