// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * code_env.c - facts about this kernel that all code made at run time needs.
 */
#include <linux/string.h>
#include <linux/types.h>
#include <asm/cpufeature.h>
#include "kernel/arch.h"

/**
 * pe_arch_find_return() - how does this kernel return?
 * @ret: becomes 0: by the instruction; or by a jump there
 *
 * As the return in our own text, which the kernel has patched while loading the module.
 *
 * Context: any.  Return: false: code cannot do it.
 */
bool pe_arch_find_return(u64 *ret)
{
	s32 distance;

#ifdef X86_FEATURE_CALL_DEPTH
	if (cpu_feature_enabled(X86_FEATURE_CALL_DEPTH))
		return false;	/* every call would have to be counted */
#endif
	switch (pe_code_ret[0]) {
	case 0xc3:
		*ret = 0;
		return true;
	case 0xe9:
		memcpy(&distance, pe_code_ret + 1, sizeof(distance));
		*ret = (unsigned long)pe_code_ret + 5 + distance;
		return true;
	default:
		return false;
	}
}
