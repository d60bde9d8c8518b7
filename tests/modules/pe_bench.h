/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * pe_bench.h - functions in assembler for pe_bench.ko.  [asm too]
 *
 * ftrace does not know them.  So a probe at the entry of one is a breakpoint or a jump, as in
 * the middle of a function.  A return probe uses the same means there.  The functions differ
 * in the first instruction, by which the kernel's kprobes choose how to execute it:
 *
 *	pe_bench_stepped	only by a single step
 *	pe_bench_boosted	from a copy followed by a jump; a branch into the next bytes
 *				keeps a jump from replacing it
 *	pe_bench_jumped		replaced by a jump, for which it is long enough
 */
#ifndef PE_BENCH_H
#define PE_BENCH_H

#ifndef __ASSEMBLY__

unsigned long pe_bench_stepped(unsigned long a, unsigned long b, const char *s);
unsigned long pe_bench_boosted(unsigned long a, unsigned long b, const char *s);
unsigned long pe_bench_jumped(unsigned long a, unsigned long b, const char *s);

#endif

#endif
