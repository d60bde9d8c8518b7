/* SPDX-License-Identifier: GPL-2.0 */
/*
 * flow.h - where control may go in a function, on x86.  For kernel/policy/reach.c.
 */
#include "arch/x86/flow.h"
