/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/* Shim of <linux/sched.h>: no other task wants the CPU, but tests can see who would let it run. */
#ifndef PE_SHIM_LINUX_SCHED_H
#define PE_SHIM_LINUX_SCHED_H

extern __thread unsigned long pe_fake_rescheds;

#define cond_resched()	((void)pe_fake_rescheds++)

#endif
