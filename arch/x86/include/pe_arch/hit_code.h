/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * hit_code.h - what the code of a hit is made from, and its size, on x86.  For
 * kernel/trace/event/compile.c.
 */
#include "arch/x86/hit/hit_env.h"
