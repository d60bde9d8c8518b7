/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * timekeeper.h - does the kernel's clock count cycles?  Process context.
 */
#ifndef PE_TIMEKEEPER_H
#define PE_TIMEKEEPER_H

/* Before the first hit is compiled, and after the last has ended.  Return: 0 or an error. */
#ifdef PE_NO_CODE
static inline int pe_timekeeper_init(void) { return 0; }
static inline void pe_timekeeper_exit(void) { }
#else
int pe_timekeeper_init(void);
void pe_timekeeper_exit(void);
#endif

/* Does it again?  May sleep for long, as it waits for all tasks. */
void pe_timekeeper_renew(void);

#endif
