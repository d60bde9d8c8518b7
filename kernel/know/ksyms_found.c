// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * ksyms_found.c - what ksyms.c has found.
 */
#include "kernel/know/ksyms.h"

bool pe_ksym_found[PE_KSYM_NR_FUNCS];
struct pe_ksym_data pe_ks_data;

#define KSYM_DEFINE(name, ...)	DEFINE_STATIC_CALL_NULL(pe_ks_##name, pe_ks_t_##name);
PE_KSYM_FUNCS(KSYM_DEFINE)
KSYM_DEFINE(module_kallsyms_on_each_symbol)
