/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * fakes.h - the surroundings that stubs.c provides: memory and symbols.
 *
 * Memory is what pe_fake_map() has mapped.  Every other address faults.  While nothing is
 * mapped, kernel memory is the memory of the test itself.  Two functions exist:
 * "text_start", 0x100 bytes, and "mod_fn" of a module "mod", 0x40 bytes.  The current
 * task is called "unit-test" and is at pe_fake_task, at first PE_FAKE_TASK.  There are 70
 * CPUs.
 */
#ifndef PE_TEST_FAKES_H
#define PE_TEST_FAKES_H

#define PE_FAKE_TEXT	0xffffffff81000000UL
#define PE_FAKE_MOD	0xffffffffc0000000UL
#define PE_FAKE_COMM	"unit-test"
extern char pe_fake_comm[16];
#define PE_FAKE_CPUS	70u
#define PE_FAKE_TASK	0xffff888012340000UL
#define PE_FAKE_CPU_OFFSET	0x68UL

extern unsigned long pe_fake_task;

/* Maps @n bytes at @addr, as kernel or as user memory; they stay the caller's. */
void pe_fake_map(unsigned long addr, const void *bytes, unsigned long n, int user);
void pe_fake_unmap_all(void);

/* Until pe_fake_unmap_all(), user memory is another task's: functions that check it refuse. */
void pe_fake_foreign_mm(void);

#endif
