/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/* The format is the same for all: that of the C library's headers is the kernel's. */
#ifndef PE_SHIM_UAPI_BTF_H
#define PE_SHIM_UAPI_BTF_H
#include <linux/types.h>
#include "/usr/include/linux/btf.h"
#endif
