/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * compile_link.h - what compiled hits of an event do in one instance.
 */
#ifndef PE_EVENT_COMPILE_LINK_H
#define PE_EVENT_COMPILE_LINK_H

#include <linux/types.h>

struct pe_event_link;
struct pe_event_probe;
struct pe_hit_part;

/**
 * pe_compile_link() - say what hits do in an instance: a record, a count in a table, or both
 * @part: set, but for what depends on other parts and on the call's frame
 * @probe: of the event
 * @link: the event in the instance; its variant is not 0
 * @entry: the probe is at a function's first instruction
 *
 * Context: process, pe_event_mutex held.
 * Return: NULL, or why it cannot be compiled: a constant string.
 */
const char *pe_compile_link(struct pe_hit_part *part, const struct pe_event_probe *probe,
			    const struct pe_event_link *link, bool entry);

#endif
