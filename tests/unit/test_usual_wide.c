// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* The same where the bit that says that no reschedule is wanted is in a word of its own. */
#define CONFIG_HAS_SEPARATE_PREEMPT_RESCHED_BITS 1
#include "test_usual.c"
