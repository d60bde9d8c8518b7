/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * pe_stock_returns.h - the kernel's own kprobes, whose calls are asked as since 5.11.
 *
 * Not in compat.h: modules with probes of ours have functions of the same names.
 */
#ifndef PE_TEST_STOCK_RETURNS_H
#define PE_TEST_STOCK_RETURNS_H

#include <linux/kprobes.h>
#include "kernel/know/compat.h"

#if !PE_HAVE_GET_KRETPROBE
#define get_kretprobe(ri)		((ri)->rp)
#define get_kretprobe_retaddr(ri)	((unsigned long)(ri)->ret_addr)
#endif

#endif
