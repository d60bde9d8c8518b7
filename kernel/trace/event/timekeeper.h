/* SPDX-License-Identifier: GPL-2.0 */
/*
 * timekeeper.h - is the kernel's clock the TSC?  Process context.
 */
#ifndef PE_TIMEKEEPER_H
#define PE_TIMEKEEPER_H

/* Before the first hit is compiled, and after the last has ended.  Return: 0 or an error. */
int pe_timekeeper_init(void);
void pe_timekeeper_exit(void);

/* Has it become the TSC again?  May sleep for long, as it waits for all tasks. */
void pe_timekeeper_renew(void);

#endif
