// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_lock.c - the handlers of pe_lock_cases.h, with probes of ours.
 */
#include "include/compat/linux/kprobes.h"
#include "pe_lock_cases.h"
