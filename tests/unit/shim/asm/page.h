/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#ifndef PE_SHIM_PAGE_H
#define PE_SHIM_PAGE_H
#define PAGE_SIZE 4096UL
#define THREAD_SIZE (4 * PAGE_SIZE)
#endif
