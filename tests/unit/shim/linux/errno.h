/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#ifndef PE_SHIM_ERRNO_H
#define PE_SHIM_ERRNO_H
#define EPERM 1
#define ENOENT 2
#define E2BIG 7
#define EAGAIN 11
#define ENOMEM 12
#define EFAULT 14
#define EBUSY 16
#define EEXIST 17
#define ENODEV 19
#define EINVAL 22
#define ENOSPC 28
#define EDOM 33
#define ERANGE 34
#define ENAMETOOLONG 36
#define ENODATA 61
#define EILSEQ 84
#define EOPNOTSUPP 95
#define EADDRNOTAVAIL 99
#endif
