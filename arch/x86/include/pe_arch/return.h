/* SPDX-License-Identifier: GPL-2.0 */
/*
 * return.h - return probes, on x86.  For kernel/return/.
 */
#ifndef PE_ARCH_INCLUDE_RETURN_H
#define PE_ARCH_INCLUDE_RETURN_H

#include "arch/x86/return.h"
#include "arch/x86/return_scan.h"

#endif
