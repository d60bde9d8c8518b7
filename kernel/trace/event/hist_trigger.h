/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * hist_trigger.h - histogram triggers of events in instances.
 */
#ifndef PE_HIST_TRIGGER_H
#define PE_HIST_TRIGGER_H

#include <linux/types.h>

struct pe_event_link;
struct pe_trigger_cmd;
struct pe_trigger_step;

/* hist_trigger.c.  Callers hold pe_event_mutex. */

/**
 * pe_hist_command() - carry out a line that begins with "hist"
 * @link: the event in the instance
 * @cmd: the line
 * @step: who writes it, and what for
 *
 * Return: 0 or -errno; errors are in the error log.
 */
int pe_hist_command(struct pe_event_link *link, const struct pe_trigger_cmd *cmd,
		    struct pe_trigger_step *step);

#endif
