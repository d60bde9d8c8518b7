/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * at_load.h - events that parameters of the module define.
 */
#ifndef PE_AT_LOAD_H
#define PE_AT_LOAD_H

/* at_load.c */

/* Call while the module is loaded, before users see files.  Failures are in the kernel's log. */
void pe_events_at_load(void);

#endif
