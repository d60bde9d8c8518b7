// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * call_env.c - where this kernel keeps what the code of calls looks at.
 */
#include <linux/build_bug.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/stddef.h>
#include <linux/thread_info.h>
#include "arch/x86/emit/emit_call.h"
#include "arch/x86/entry/return_arena.h"
#include "kernel/arch.h"
#include "kernel/know/compat.h"
#include "kernel/probe/hit.h"

#define CPU_OFFSET(var)	((s64)(unsigned long __force)&(var))

/* pe_arch_find_return() has returned true. */
void pe_arch_call_env(struct pe_call_env *env)
{
	static_assert(sizeof_field(struct task_struct, flags) == 4);
	*env = (struct pe_call_env){
		.current_task = CPU_OFFSET(pe_cpu_current_task),
		.busy = CPU_OFFSET(pe_hit_cpu) + offsetof(struct pe_hit_cpu, busy),
		.task_flags = offsetof(struct task_struct, flags),
		.task_stack = offsetof(struct task_struct, stack),
		.unusual = PF_EXITING | PF_IDLE,
		.stack_size = THREAD_SIZE,
		.reserve = PE_STACK_RESERVE + PE_REGS_SIZE,
		.enter = (unsigned long)pe_return_enter_set,
		.interpret = (unsigned long)pe_code_call_interpret,
	};
	pe_arch_find_return(&env->ret);
}
