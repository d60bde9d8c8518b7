/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * sysctl.h - /proc/sys/debug/kprobes-optimization (sysctl.c).
 */
#ifndef PE_SYSCTL_H
#define PE_SYSCTL_H

/* When the module is loaded, and before anything is torn down. */
void pe_sysctl_init(void);
void pe_sysctl_exit(void);

#endif
