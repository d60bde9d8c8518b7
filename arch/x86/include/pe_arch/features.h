/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * features.h - what x86's headers are asked.  A part of kernel/know/features.c, which alone
 * includes it; kernel_compat.h has what becomes of the answers.
 */
#include <asm/current.h>
#include <asm/text-patching.h>
#if __has_include(<asm/ibt.h>)
#include <asm/ibt.h>
#define HAS_IBT_H	1
#else
#define HAS_IBT_H	0
#endif

/* The change of text in use: smp_text_poke_single() and its like, text_poke_bp() before. */
ASK(PE_HAVE_SMP_TEXT_POKE, (void)&smp_text_poke_single)

/* Variables of each CPU are members of one structure. */
ASK(PE_HAVE_PCPU_HOT, (void)raw_cpu_read(pcpu_hot.preempt_count))

/* What only tests use.  sparse does not know how to ask for a header. */
ASK(PE_HAVE_IBT_H, static_assert(HAS_IBT_H))
ASK(PE_HAVE_IS_ENDBR_ADDRESS, (void)__is_endbr((u32)0))
