/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * emitters.h - instructions of compiled hits: a tree of addresses, a call of a function, what joins
 * them, on x86.  For those of kernel/compiled/.
 */
#include "arch/x86/emit/emit.h"
#include "arch/x86/emit/emit_call.h"
#include "arch/x86/emit/emit_tree.h"
