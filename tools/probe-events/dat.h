/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * dat.h - what trace-cmd has recorded: trace.dat, by libtracecmd and libtraceevent.
 */
#ifndef PE_TOOL_DAT_H
#define PE_TOOL_DAT_H

#include <stdbool.h>
#include "saved.h"

/** dat_is() - does the file begin as one of trace-cmd's? */
bool dat_is(const char *path);

/**
 * dat_read() - its records, as lines of -f json
 * @path: the file
 * @each: gets them: a start, each record as a hit, and an end whose balance has what the file says
 *	  was overwritten
 * @ctx: for @each
 *
 * Records of all buffers are in the order of time.  A hit has the event, too, and of our events
 * also the caller.
 *
 * Return: 0, or -1 after a message.
 */
int dat_read(const char *path, saved_each *each, void *ctx);

#endif
