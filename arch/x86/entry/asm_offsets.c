// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * asm_offsets.c - facts about this kernel and our own structures that assembler needs.
 *
 * It is compiled to assembler only.  Kbuild makes asm_offsets.gen.h of that, a header with a
 * constant for each line here.
 */
#include <linux/compiler.h>
#include <linux/kbuild.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/stddef.h>
#include <linux/thread_info.h>
#include <pe/kretprobe.h>
#include "arch/x86/entry/usual.h"
#include "kernel/arena/arena.h"
#include "kernel/know/compat.h"
#include "kernel/probe/hit.h"

static void __used pe_asm_offsets(void)
{
	/* Variables of each CPU, by their names. */
	DEFINE(PE_CPU_PREEMPT_COUNT, &pe_cpu_preempt_count);
	DEFINE(PE_CPU_CURRENT, &pe_cpu_current_task);

	/* preempt_count() of a task where nothing is counted but us; no reschedule is wanted */
	DEFINE(PE_COUNT_PLAIN, (s32)(PE_USUAL_COUNT + PREEMPT_DISABLE_OFFSET));
	DEFINE(PE_COUNT_US, PREEMPT_DISABLE_OFFSET);
	DEFINE(PE_COUNT_BITS, ~(s32)PREEMPT_NEED_RESCHED);
	DEFINE(PE_COUNT_NO_TASK, NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET);
	DEFINE(PE_SOFTIRQ_OFFSET, SOFTIRQ_OFFSET);

#ifdef CONFIG_PREEMPT_RT
	DEFINE(PE_TASK_SOFTIRQ, offsetof(struct task_struct, softirq_disable_cnt));
#endif

	DEFINE(PE_KPROBE_CALL, offsetof(struct pe_kprobe, call));
	DEFINE(PE_HIT_BUSY, offsetof(struct pe_hit_cpu, busy));
	DEFINE(PE_SET_PLAIN, offsetof(struct pe_return_set, plain));
	DEFINE(PE_SET_COUNTERS, offsetof(struct pe_return_set, counters));
	DEFINE(PE_COUNT_RETURNS, offsetof(struct pe_return_counters, returns));
	DEFINE(PE_RP_FLAGS, offsetof(struct pe_kretprobe, kp.flags));
	DEFINE(PE_RP_NOT_FIRING, PE_KPROBE_NOT_FIRING);
	DEFINE(PE_RP_CALL, offsetof(struct pe_kretprobe, call));
	DEFINE(PE_MARKS_ANY, PE_MARKS);
}
