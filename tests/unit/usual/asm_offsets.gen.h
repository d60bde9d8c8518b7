/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/* What Kbuild makes for a kernel: here test_usual.c's structures, and the kernel's bits of preempt_count(). */
#define PE_CPU_PREEMPT_COUNT	0
#define PE_CPU_CURRENT		8
#ifdef CONFIG_HAS_SEPARATE_PREEMPT_RESCHED_BITS
#define PE_COUNT_PLAIN		1
#define PE_COUNT_BITS		-1
#else
#define PE_COUNT_PLAIN		-0x7fffffff
#define PE_COUNT_BITS		0x7fffffff
#endif
#define PE_COUNT_US		1
#define PE_COUNT_NO_TASK	0xff0100
#define PE_SOFTIRQ_OFFSET	0x100
#define PE_TASK_SOFTIRQ		4
#define PE_KPROBE_CALL		8
#define PE_HIT_BUSY		4
#define PE_SET_PLAIN		8
#define PE_SET_COUNTERS		16
#define PE_COUNT_RETURNS	8
#define PE_RP_FLAGS		0
#define PE_RP_NOT_FIRING	7
#define PE_RP_CALL		8
#define PE_MARKS_ANY		3
