/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/* Shim of <linux/sched.h>: no other task wants the CPU. */
#ifndef PE_SHIM_LINUX_SCHED_H
#define PE_SHIM_LINUX_SCHED_H

#define cond_resched()	do { } while (0)

#endif
