// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * hit_env.c - where this kernel keeps what compiled hits read; the C code they go to.  [H] in
 * part.
 */
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/thread_info.h>
#include <asm/asm.h>
#include <asm/msr.h>
#include <asm/vsyscall.h>
#include <pe/code.h>
#include <pe/kprobe.h>
#include <pe/nofault.h>
#include <pe/symbols.h>
#include "arch/x86/entry/code_area.h"
#include "arch/x86/hit/hit_env.h"
#include "arch/x86/hit/hit_exit.h"
#include "arch/x86/hit/hit_parts.h"
#include "kernel/know/compat.h"
#include "kernel/probe/hit.h"
#include "kernel/trace/hit/cmdlines.h"
#include "kernel/trace/hit/elapsed.h"
#include "kernel/trace/ring/rb.h"
#include "kernel/trace/ring/rb_buffer.h"
#include "kernel/trace/ring/rb_write.h"

/* ---- the C code, with preemption off.  [H] ---- */

/*
 * The code has found that it is not the only writer, or that more than publishing has to be done.
 * If nest is 0, it has published, and another writer has written before nest was 0 (leave:J).
 */
void pe_hit_leave_c(struct pe_rb *rb)
{
	if (!rb->nest)
		WRITE_ONCE(rb->nest, 1);	/* read by the writers of rb.c, leave:J */
	pe_rb_leave(rb);
}

/* Here it is on. */
void pe_hit_resched_c(void)
{
	preempt_disable_notrace();
	preempt_enable_notrace();
}

/*
 * Here it may be on.  Some clocks are read by functions that can be probed.  So a handler is said
 * to be running: their hits are recursion, as those from pe_event_entry() are.  The code has seen
 * that none is, at an entry.
 */
static u64 pe_hit_read_time(u64 (*read)(u64 word), u64 word)
{
	unsigned long level;
	struct pe_hit hit;
	bool begun;
	u64 time;

	preempt_disable_notrace();
	pe_hit_called(&hit, NULL, PREEMPT_DISABLE_OFFSET);
	level = hit.level;
	begun = pe_hit_begin(level);
	time = read(word);
	if (begun)
		pe_hit_end(level);
	preempt_enable_notrace();
	return time;
}

static u64 pe_hit_mono(u64 unused)
{
	return pe_elapsed_mono();
}

u64 pe_hit_time_c(void)
{
	return pe_hit_read_time(pe_hit_mono, 0);
}

u64 pe_hit_since_c(u64 word)
{
	return pe_hit_read_time(pe_elapsed_since, word);
}

struct pe_hit_word pe_hit_read_c(unsigned long addr, unsigned int size)
{
	struct pe_hit_word word = {};

	word.ok = (long)addr < 0 ? pe_read_nofault(&word.value, addr, size) :
				   pe_read_user_nofault(&word.value, addr, size);
	if (!word.ok)
		word.value = 0;
	return word;
}

unsigned long pe_hit_user_end __read_mostly;

#define CPU_OFFSET(var)	((s64)(unsigned long __force)&(var))

/* ---- the clock ---- */

/*
 * How native_sched_clock() makes nanoseconds of the TSC: the kernel's per-CPU "cyc2ns".  There
 * are two copies, so that one can be read while the other changes, and a count of changes; when
 * it is even, the first copy is the one to be read.
 */
struct cyc2ns {
	struct {
		u32 mul;
		u32 shift;
		u64 offset;
	} data[2];
	u32 seq;
};

/* Multiplier from the first copy of all CPUs.  Changed when no hit uses it. */
static u64 pe_hit_clock_mul __read_mostly;

static u64 pe_hit_env_ns_of(const struct cyc2ns *c, u64 tsc)
{
	return mul_u64_u32_shr(tsc, c->data[0].mul, c->data[0].shift) + c->data[0].offset;
}

/* Is it what sched_clock() says?  On this CPU, with interrupts off. */
static bool pe_is_sched_clock(const struct cyc2ns *c)
{
	u64 before = sched_clock(), now = pe_hit_env_ns_of(c, rdtsc()), after = sched_clock();

	return before <= now && now <= after;
}

/*
 * The value that ->seq of each CPU had.  The CPU that boots has been measured more often than
 * others.  Code reads it if CPUs differ.
 */
static DEFINE_PER_CPU(u32, pe_seq_was);

/* Do all CPUs have the same factor, with no change in progress? */
static bool pe_hit_env_is_settled(const struct cyc2ns *c, const struct cyc2ns *first)
{
	return !(c->seq & 1) && c->data[0].mul == first->data[0].mul &&
	       c->data[0].shift == first->data[0].shift && c->data[0].shift < 64 &&
	       c->data[0].shift && c->data[0].mul &&
	       !memcmp(&c->data[0], &c->data[1], sizeof(c->data[0]));
}

/*
 * The kernel does not promise that layout, and a hypervisor may bring another sched_clock().  So
 * it is compared.  @first: any CPU's.  @again: it is just being changed.
 */
static bool pe_knows_cyc2ns(const struct cyc2ns __percpu *all, struct cyc2ns *first, bool *again)
{
	unsigned long flags;
	bool same = true;
	unsigned int i;
	int cpu;

	*first = *per_cpu_ptr(all, cpumask_first(cpu_possible_mask));
	for_each_possible_cpu(cpu)
		same &= pe_hit_env_is_settled(per_cpu_ptr(all, cpu), first);
	*again = !same;
	for (i = 0; i < 100 && same; i++) {
		local_irq_save(flags);
		same = pe_is_sched_clock(this_cpu_ptr(all));
		local_irq_restore(flags);
	}
	return same;
}

static void pe_remember_seq(struct pe_hit_env *env, const struct cyc2ns __percpu *all)
{
	u32 first = READ_ONCE(per_cpu_ptr(all, cpumask_first(cpu_possible_mask))->seq);
	bool same = true;
	int cpu;

	for_each_possible_cpu(cpu) {
		per_cpu(pe_seq_was, cpu) = READ_ONCE(per_cpu_ptr(all, cpu)->seq);
		same &= per_cpu(pe_seq_was, cpu) == first;
	}
	env->clock.seq_was = first;
	env->clock.seq_of_cpu = same ? 0 : CPU_OFFSET(pe_seq_was);
}

static bool pe_seq_has_changed(const struct cyc2ns __percpu *all)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		if (READ_ONCE(per_cpu_ptr(all, cpu)->seq) != per_cpu(pe_seq_was, cpu))
			return true;
	}
	return false;
}

/* Values read between two equal reads of ->seq are consistent. */
static bool pe_find_cyc2ns(struct pe_hit_env *env, unsigned long offset)
{
	const struct cyc2ns __percpu *all = (struct cyc2ns __percpu __force *)offset;
	struct cyc2ns c;

	if (!offset || !pe_is_near(offset))
		return false;
	pe_remember_seq(env, all);
	if (!pe_knows_cyc2ns(all, &c, &env->clock.again))
		return false;
	env->clock.seq = offset + offsetof(struct cyc2ns, seq);
	env->clock.offset = offset + offsetof(struct cyc2ns, data[0].offset);
	pe_hit_clock_mul = c.data[0].mul;
	env->clock.mul = (unsigned long)&pe_hit_clock_mul;
	env->clock.shift = c.data[0].shift;
	env->clock.again = pe_seq_has_changed(all);
	return !env->clock.again;
}

static void pe_find_clock(struct pe_hit_env *env)
{
	env->clock.again = false;
	env->clock.read = 0;
	if (!pe_find_cyc2ns(env, pe_symbol_lookup("cyc2ns")))
		env->clock.read = (unsigned long)pe_hit_clock;
}

/* ---- the rest ---- */

static void pe_find_task(struct pe_hit_env *env)
{
	static_assert(offsetof(struct task_struct, tgid) == offsetof(struct task_struct, pid) + 4);
	static_assert(offsetof(struct task_struct, thread_info) == 0);
	env->flags = offsetof(struct thread_info, flags);
	env->flags_mask = _TIF_NEED_RESCHED;
#ifdef CONFIG_ARCH_HAS_PREEMPT_LAZY
	env->flags_mask |= BIT(TIF_NEED_RESCHED_LAZY);
#endif
	env->migration = PE_MIGRATION_OFFSET;
#ifdef CONFIG_PREEMPT_RT
	env->softirq = offsetof(struct task_struct, softirq_disable_cnt);
#endif
	env->task_flags = offsetof(struct task_struct, flags);
	env->idle = PF_IDLE;
	env->idle_unwatched = PE_IDLE_UNWATCHED;
	env->pid = offsetof(struct task_struct, pid);
	env->mm = offsetof(struct task_struct, mm);
	env->pagefault_disabled = offsetof(struct task_struct, pagefault_disabled);
	env->comm = offsetof(struct task_struct, comm);
}

/* Does a return preserve the flag that says that memory could be read? */
static bool pe_returns_keep_flags(void)
{
	static const u64 word = 1;
	u64 addr = (unsigned long)&word;
	bool kept;

	asm volatile("call pe_hit_load8\n\tsetc %1"
		     : "+a" (addr), "=qm" (kept), ASM_CALL_CONSTRAINT : : "memory", "cc");
	return kept && addr == word;
}

static void pe_find_functions(struct pe_hit_env *env)
{
	/* hit_mem.S */
	static_assert(PE_HIT_STRING_MAX == 64 && PE_ARCH_VSYSCALL == (-10UL << 20));
	static_assert(VSYSCALL_ADDR == PE_ARCH_VSYSCALL && PAGE_SIZE == PE_ARCH_VSYSCALL_SIZE);
	env->leave = (unsigned long)pe_hit_leave;
	env->resched = (unsigned long)pe_hit_resched;
	env->time = (unsigned long)pe_hit_time;
	env->since = (unsigned long)pe_hit_since;
	env->skew = (unsigned long)&pe_elapsed.skew;
	env->factor = (unsigned long)&pe_elapsed.factor;
	env->load[0] = (unsigned long)pe_hit_load1;
	env->load[1] = (unsigned long)pe_hit_load2;
	env->load[2] = (unsigned long)pe_hit_load4;
	env->load[3] = (unsigned long)pe_hit_load8;
	env->load_user[0] = (unsigned long)pe_hit_load_user1;
	env->load_user[1] = (unsigned long)pe_hit_load_user2;
	env->load_user[2] = (unsigned long)pe_hit_load_user4;
	env->load_user[3] = (unsigned long)pe_hit_load_user8;
	env->string = (unsigned long)pe_hit_string;
	env->string_user = (unsigned long)pe_hit_string_user;
}

/* Has the kernel measured the TSC again?  Then hits that have been compiled are interpreted. */
bool pe_hit_env_is_old(const struct pe_hit_env *env)
{
	unsigned long offset = env->clock.seq - offsetof(struct cyc2ns, seq);

	if (env->clock.read)
		return env->clock.again;
	return pe_seq_has_changed((struct cyc2ns __percpu __force *)offset);
}

/* It does not change with the clock: written once. */
static const char *pe_write_shared(struct pe_hit_env *env)
{
	u8 code[PE_CODE_SHARED_SIZE];
	struct pe_emit e = { .code = code, .size = sizeof(code), .addr = env->places.shared };

	if (env->shared.context)
		return NULL;
	pe_emit_hit_shared(&e, env);
	if (!e.bad) {
		pe_code_share(code, e.len);
		return NULL;
	}
	env->shared.context = 0;
	return "the code would reach too far";
}

const char *pe_hit_env_init(struct pe_hit_env *env)
{
	const char *why;

	static_assert(offsetof(struct pe_buffer_cpu, rb) == 0);
	why = pe_code_places(&env->places);
	if (why)
		return why;
	if (!pe_returns_keep_flags())
		return "returns change flags here";
	pe_hit_user_end = TASK_SIZE_MAX;
	env->preempt_count = CPU_OFFSET(pe_cpu_preempt_count);
	env->current_task = CPU_OFFSET(pe_cpu_current_task);
	env->cpu_number = CPU_OFFSET(pe_cpu_number);
	env->cpu_offset = CPU_OFFSET(this_cpu_off);
	env->name = CPU_OFFSET(pe_cmdline_last);
	env->cpus = offsetof(struct pe_buffer, cpus);
	env->preempts = IS_ENABLED(CONFIG_PREEMPT_COUNT);
	pe_find_functions(env);
	pe_find_task(env);
	pe_find_clock(env);
	return pe_write_shared(env);
}
