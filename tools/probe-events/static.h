/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#ifndef PE_TOOL_STATIC_H
#define PE_TOOL_STATIC_H

/**
 * define_static() - define the static events that are not there yet
 * @files: where our files are mounted
 * @dir: the files of definitions are there, *.events; NULL: those that came with this program
 *
 * What no alternative can define on this kernel is left out, with one message about all.
 *
 * Return: 0, or -1 after a message if nothing could be defined.
 */
int define_static(const char *files, const char *dir);

/**
 * static_text() - the file of definitions that has an event
 * @name: "GRP/EVENT"
 *
 * Return: its text, for free(); NULL if none of those that came with this program has it.
 */
char *static_text(const char *name);

#endif
