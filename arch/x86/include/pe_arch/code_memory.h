/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * code_memory.h - where the code of compiled hits lies, and the functions that begin it, on x86.
 * For those of kernel/compiled/ and kernel/trace/event/compile.c.
 */
#include "arch/x86/entry/code_area.h"
