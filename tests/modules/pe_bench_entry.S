/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/* pe_bench_entry.S - see pe_bench.h. */
#include <linux/linkage.h>
#include <asm/nospec-branch.h>
#include "pe_bench.h"
#include "pe_func.h"

	.text

PE_FUNC_START(pe_bench_jumped)
	lea	0x1000(%rdi,%rsi), %rax
	not	%rax
	RET
SYM_FUNC_END(pe_bench_jumped)
PE_FUNC_START(pe_bench_stepped)
	not	%rdi
	mov	%rdi, %rax
	RET
SYM_FUNC_END(pe_bench_stepped)

PE_FUNC_START(pe_bench_boosted)
	mov	%rdi, %rax
1:	xor	%ecx, %ecx
	dec	%rcx
	jns	1b		/* never taken */
	RET
SYM_FUNC_END(pe_bench_boosted)
