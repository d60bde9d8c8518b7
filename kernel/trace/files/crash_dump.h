/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * crash_dump.h - records that are not read yet go to the console in a crash, and at sysrq-z.
 */
#ifndef PE_CRASH_DUMP_H
#define PE_CRASH_DUMP_H

/* crash_dump.c */

/* From now on a crash finds the instances.  0, or -ENOMEM. */
int pe_crash_dump_init(void);
/* Before the first instance goes. */
void pe_crash_dump_exit(void);

#endif
