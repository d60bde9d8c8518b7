/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#ifndef PE_SHIM_EXPORT_H
#define PE_SHIM_EXPORT_H
#define EXPORT_SYMBOL_GPL(name)
#endif
