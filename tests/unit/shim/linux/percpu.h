/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#ifndef SHIM_PERCPU_H
#define SHIM_PERCPU_H

#define __percpu

#endif
