// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_capi_stock.c - the cases of pe_capi_cases.h, with the kernel's own kprobes.
 */
#include "pe_stock_returns.h"

#include "pe_capi_cases.h"	/* with the names that are defined there */
