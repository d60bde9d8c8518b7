/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#ifndef PE_TOOL_PLACE_H
#define PE_TOOL_PLACE_H

/* Where the command finds them. */
#define TRACING "/sys/kernel/tracing"

/**
 * place_files() - put our files where tracing tools look for the kernel's
 *
 * Moves the calling process into a mount namespace of its own, in which every place of
 * tracefs shows our files.  No other process sees that.  Later mounts and unmounts of other
 * processes are seen here.  The caller must have a single thread.
 *
 * Return: 0, or -1 after a message.
 */
int place_files(void);

/**
 * place_mirrors() - make mirrors of all our events, find the kernel's files
 *
 * Moves the calling process into a mount namespace of its own, in which the kernel's own files are
 * at /sys/kernel/tracing, also where ours cover them outside.  The mirrors stay.
 *
 * Return: 0, or -1 after a message.
 */
int place_mirrors(void);

/**
 * place_of_files() - where our files are mounted
 *
 * Return: the directory, or NULL after a message.
 */
const char *place_of_files(void);

#endif
