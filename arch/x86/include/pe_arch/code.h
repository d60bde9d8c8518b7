/* SPDX-License-Identifier: GPL-2.0 */
/*
 * code.h - where the code of compiled hits lies, and the functions that begin it, on x86.  For
 * those of kernel/compiled/ and kernel/trace/event/compile.c.
 */
#include "arch/x86/entry/code.h"
