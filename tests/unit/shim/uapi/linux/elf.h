/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/* As with btf.h: the format is the same for all. */
#ifndef PE_SHIM_UAPI_ELF_H
#define PE_SHIM_UAPI_ELF_H
#include <linux/types.h>
#include "/usr/include/linux/elf.h"
#endif
