/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * hit_env.h - facts about this kernel that compiled hits need.
 */
#ifndef PE_ARCH_HIT_ENV_H
#define PE_ARCH_HIT_ENV_H

#include "arch/x86/hit/emit_hit.h"

/* Process context.  Return: NULL, or why hits cannot be compiled here: a constant string. */
const char *pe_hit_env_init(struct pe_hit_env *env);

/* Would it say something else now? */
bool pe_hit_env_is_old(const struct pe_hit_env *env);

#endif
