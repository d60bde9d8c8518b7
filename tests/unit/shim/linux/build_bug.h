/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#ifndef PE_SHIM_BUILD_BUG_H
#define PE_SHIM_BUILD_BUG_H
#ifndef static_assert
#define static_assert(e, ...) _Static_assert(e, "" #e)
#endif
#define BUILD_BUG_ON(e) _Static_assert(!(e), "BUILD_BUG_ON " #e)
#endif
