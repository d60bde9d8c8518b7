/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#ifndef PE_SHIM_TYPES_H
#define PE_SHIM_TYPES_H
typedef __UINT8_TYPE__ u8, __u8, uint8_t;
typedef __UINT16_TYPE__ u16, __u16, uint16_t;
typedef __UINT32_TYPE__ u32, __u32, uint32_t;
typedef unsigned long long u64, __u64;
typedef __UINT64_TYPE__ uint64_t;
typedef __INT8_TYPE__ s8, __s8, int8_t;
typedef __INT16_TYPE__ s16, __s16, int16_t;
typedef __INT32_TYPE__ s32, __s32, int32_t;
typedef long long s64, __s64;
typedef __INT64_TYPE__ int64_t;
typedef __SIZE_TYPE__ size_t;
typedef long ssize_t;
typedef long long loff_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef unsigned short umode_t;
typedef unsigned int gfp_t;
struct list_head { struct list_head *next, *prev; };
#define bool _Bool
#define true 1
#define false 0
#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
#define __user
#define __rcu
#define __must_check __attribute__((warn_unused_result))
#endif
