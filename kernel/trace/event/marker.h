/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * marker.h - the event of trace_marker, ftrace:print.
 */
#ifndef PE_MARKER_H
#define PE_MARKER_H

#include <linux/types.h>

struct pe_event;
struct pe_event_link;
struct pe_instance;

bool pe_event_is_marker(const struct pe_event *event);

/**
 * pe_marker_link() - link a new instance to the event
 * @inst: the instance
 *
 * pe_event_mutex held.  Return: the link, which goes with those of other events; or ERR_PTR().
 */
struct pe_event_link *pe_marker_link(struct pe_instance *inst);

#endif
