// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_lock_stock.c - the handlers of pe_lock_cases.h, with the kernel's own kprobes.
 */
#include "pe_stock_returns.h"

#include "pe_lock_cases.h"	/* with the names that are defined there */
