/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * existing.h - WHAT as e:GRP/EVENT: an event that is defined, as a preset with its probes.
 *
 * The modules let a session use another's event in an instance of its own only, and count what
 * becomes of its hits for all users together.  So the question gets an event of its own at the same
 * places, with the same fields: the other one is neither enabled nor changed.
 *
 * Pure: lists of definitions come from the caller.
 */
#ifndef PE_TOOL_EXISTING_H
#define PE_TOOL_EXISTING_H

#include <stdbool.h>
#include <stdio.h>
#include "request.h"

/** existing_is() - is WHAT one? */
bool existing_is(const char *what);

/**
 * existing_preset() - the text of the preset that stands for an event
 * @r: the question, with its WHAT
 * @list: definitions: dynamic_events, static_events, or a file of static events
 * @release: the kernel's; definitions that follow each other are alternatives; NULL: they are all
 *	     probes of the event
 * @all: all its fields are wanted, else only those of keys and filter
 * @out: gets the text
 *
 * Fields with a name of something that every hit has, comm or pid, get "its_" before it.
 *
 * Return: how many probes it has; 0: the list does not have the event.
 */
size_t existing_preset(const struct request *r, const char *list, const char *release, bool all,
		       FILE *out);

#endif
