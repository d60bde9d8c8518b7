/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * compat.h - every difference between the supported kernels (5.10 to 7.3).
 *
 * The code is written for 6.12; this header makes an older or newer kernel
 * look like it, with <pe_arch/kernel_compat.h>.  features.c asks the headers what the
 * kernel has.  The versions in comments are those of the kernel's own releases.
 */
#ifndef PE_COMPAT_H
#define PE_COMPAT_H

#include <linux/context_tracking_state.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/kconfig.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sysctl.h>
#include <linux/timekeeping.h>
#include <linux/types.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include "kernel/know/features.gen.h"

/* Of the architecture; the second asks features.gen.h, too. */
#include <pe_arch/hit_entry.h>
#include <pe_arch/kernel_compat.h>

/*
 * Executable memory: execmem_alloc(type, size) since 6.10, module_alloc(size)
 * before.  Since 6.17 its memory may be read-only when it comes, and that of
 * execmem_alloc_rw() is not.
 */
#if PE_HAVE_EXECMEM
#include <linux/execmem.h>
#endif

/* The list of who is told of a panic: in kernel.h before 5.14. */
#if PE_HAVE_PANIC_NOTIFIER_H
#include <linux/panic_notifier.h>
#endif

/* Keeps the compiler from clearing a variable on a hot path that fills it anyway; since 6.12. */
#ifndef __uninitialized
#define __uninitialized	__attribute__((__uninitialized__))
#endif

/* Since 6.4 a module has kinds of memory instead of two layouts. */
#if PE_HAVE_MODULE_MEM
static inline unsigned long pe_module_text_base(const struct module *mod)
{
	return (unsigned long)mod->mem[MOD_TEXT].base;
}

static inline unsigned long pe_module_text_size(const struct module *mod)
{
	return mod->mem[MOD_TEXT].size;
}
#else
static inline unsigned long pe_module_text_base(const struct module *mod)
{
	return (unsigned long)mod->core_layout.base;
}

static inline unsigned long pe_module_text_size(const struct module *mod)
{
	return mod->core_layout.text_size;
}
#endif

/*
 * The @i-th range of a module's data in memory, tables of addresses among it; false: there are
 * fewer.
 */
static inline bool pe_module_data(const struct module *mod, unsigned int i, unsigned long *start,
				  unsigned long *size)
{
#if PE_HAVE_MODULE_MEM
	static const enum mod_mem_type types[] = { MOD_DATA, MOD_RODATA, MOD_RO_AFTER_INIT };

	if (i >= ARRAY_SIZE(types))
		return false;
	*start = (unsigned long)mod->mem[types[i]].base;
	*size = mod->mem[types[i]].size;
#else
	if (i)
		return false;
	*start = (unsigned long)mod->core_layout.base + mod->core_layout.text_size;
	*size = mod->core_layout.size - mod->core_layout.text_size;
#endif
	return true;
}

/*
 * In an NMI, or an exception like one: did RCU watch the interrupted code?  If not, the count
 * of context tracking is 1.  Named ct_dynticks_nmi_nesting() before 6.11.  Before 6.0 it is RCU's
 * own, which modules cannot read: then what an idle task does outside of interrupts counts as not
 * watched.  Of some of that, it is not true.
 */
static __always_inline bool pe_nmi_in_watched(void)
{
#if !defined(CONFIG_CONTEXT_TRACKING_IDLE) && defined(CONFIG_TREE_RCU)
	return !is_idle_task(current) || (preempt_count() - PE_EXCEPTION_ADDS) &
					 (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_MASK);
#elif !defined(CONFIG_CONTEXT_TRACKING_IDLE)
	return true;
#elif PE_HAVE_CT_NMI_NESTING
	return ct_nmi_nesting() != 1;
#else
	return ct_dynticks_nmi_nesting() != 1;
#endif
}

/*
 * May code of tasks that idle be probed where RCU is not watching?  Since 6.3 all of it is noinstr.
 */
#define PE_IDLE_UNWATCHED	(!PE_HAVE_CT_CPUIDLE)

/*
 * Is RCU watching this CPU?  Preemption is off.  The same as rcu_is_watching(), inline.
 * CT_RCU_WATCHING was named RCU_DYNTICKS_IDX before 6.12.
 */
static __always_inline bool pe_rcu_is_watching(void)
{
#if defined(CONFIG_CONTEXT_TRACKING_IDLE) && defined(CT_RCU_WATCHING)
	return raw_cpu_read(context_tracking.state.counter) & CT_RCU_WATCHING;
#elif defined(CONFIG_CONTEXT_TRACKING_IDLE) && defined(RCU_DYNTICKS_IDX)
	return raw_cpu_read(context_tracking.state.counter) & RCU_DYNTICKS_IDX;
#else
	return rcu_is_watching();
#endif
}

/*
 * Functions that ftrace calls get a struct ftrace_regs since 5.11, before it a struct pt_regs, or
 * NULL.  Setting where a call goes on has this name since 6.2.
 */
#if defined(CONFIG_FUNCTION_TRACER) && !PE_HAVE_FTRACE_REGS
#define ftrace_regs		pt_regs
#define ftrace_get_regs(fregs)	(fregs)
#define ftrace_regs_set_instruction_pointer instruction_pointer_set
#endif
#ifndef ftrace_regs_set_instruction_pointer
#define ftrace_regs_set_instruction_pointer ftrace_instruction_pointer_set
#endif

/*
 * ftrace calls an ops that has no such flag directly, and one that has it by way of a function that
 * drops calls.  Before 5.11 it was the other way round.
 */
#if PE_HAVE_FTRACE_RECURSION_SAFE
#define PE_FTRACE_NO_GUARD	FTRACE_OPS_FL_RECURSION_SAFE
#else
#define PE_FTRACE_NO_GUARD	0
#endif

/*
 * Change a filter by several addresses: all or none since 6.0.  Before, it is one by one: if one is
 * refused, those before it have been changed, and stay so.  @done: how many have been changed.
 */
#ifdef CONFIG_DYNAMIC_FTRACE
static inline int pe_set_filter_ips(struct ftrace_ops *ops, unsigned long *ips, unsigned int n,
				    bool remove, bool reset, unsigned int *done)
{
	int err = 0;

#if PE_HAVE_FTRACE_FILTER_IPS
	err = ftrace_set_filter_ips(ops, ips, n, remove, reset);
	*done = err ? 0 : n;
#else
	for (*done = 0; *done < n; (*done)++) {
		err = ftrace_set_filter_ip(ops, ips[*done], remove, reset && !*done);
		if (err)
			break;
	}
#endif
	return err;
}
#endif

/* task_struct.curr_ret_stack when the function graph tracer keeps no return address of the task. */
#if PE_HAVE_SHADOW_STACK_WORDS
#define PE_GRAPH_EMPTY		0
#else
#define PE_GRAPH_EMPTY		(-1)
#endif

/*
 * A task may be preempted in an out-of-line copy of an instruction.  Only tasks-RCU can
 * tell when the last task has left.  Every preemptible kernel with kprobes, ftrace or BPF
 * has it.
 */
#if defined(CONFIG_PREEMPTION) && !defined(CONFIG_TASKS_RCU)
#error "A preemptible kernel without CONFIG_TASKS_RCU cannot be probed: set CONFIG_FORCE_TASKS_RCU"
#endif

/*
 * Bits of preempt_count() that say "serving a softirq".  On PREEMPT_RT a softirq is
 * preemptible, so the bits are in the task instead of preempt_count().
 */
static inline unsigned int pe_softirq_bits(unsigned int preempt_count)
{
#ifdef CONFIG_PREEMPT_RT
	return current->softirq_disable_cnt & SOFTIRQ_MASK;
#else
	return preempt_count & SOFTIRQ_MASK;
#endif
}

/*
 * Is a reschedule wanted that may wait until the task leaves the kernel?  Only kernels
 * with lazy preemption have this.  In others the name, if it exists, is an alias of the
 * ordinary flag.
 */
static __always_inline bool pe_need_resched_lazy(void)
{
#ifdef CONFIG_ARCH_HAS_PREEMPT_LAZY
	return TIF_NEED_RESCHED_LAZY != TIF_NEED_RESCHED &&
	       test_thread_flag(TIF_NEED_RESCHED_LAZY);
#else
	return false;
#endif
}

/*
 * Inode operations get a mnt_idmap since 6.3, a user_namespace since 5.12, neither before;
 * generic_fillattr() the wanted fields since 6.6; times have accessors and
 * simple_inode_init_ts() since 6.7.
 */
#if PE_HAVE_IDMAP
#define PE_IDMAP_ARGS(first)	struct mnt_idmap *idmap, first
#define PE_WITH_IDMAP(first)	idmap, first
#elif PE_HAVE_IDMAP_USER_NS
#define PE_IDMAP_ARGS(first)	struct user_namespace *idmap, first
#define PE_WITH_IDMAP(first)	idmap, first
#else
#define PE_IDMAP_ARGS(first)	first
#define PE_WITH_IDMAP(first)	first
#endif

static inline void pe_fillattr(PE_IDMAP_ARGS(u32 mask), struct inode *inode, struct kstat *stat)
{
#if PE_HAVE_FILLATTR_MASK
	generic_fillattr(PE_WITH_IDMAP(mask), inode, stat);
#else
	generic_fillattr(PE_WITH_IDMAP(inode), stat);
#endif
}

static inline void pe_inode_init_times(struct inode *inode)
{
#if PE_HAVE_INODE_INIT_TS
	simple_inode_init_ts(inode);
#else
	inode->i_ctime = current_time(inode);
	inode->i_mtime = inode->i_ctime;
	inode->i_atime = inode->i_ctime;
#endif
}

/*
 * mkdir() gives a directory entry, or NULL for the one that it was given, since 6.15.  Since 6.14,
 * d_revalidate() gets the name and its directory.
 */
#if PE_HAVE_MKDIR_DENTRY
typedef struct dentry *pe_mkdir_result;
#define PE_MKDIR_RESULT(err)	ERR_PTR(err)
#else
typedef int pe_mkdir_result;
#define PE_MKDIR_RESULT(err)	(err)
#endif
#if PE_HAVE_REVALIDATE_NAME
#define PE_REVALIDATE_ARGS(dentry)	struct inode *pe_dir, const struct qstr *pe_name, \
					struct dentry *dentry, unsigned int pe_flags
#else
#define PE_REVALIDATE_ARGS(dentry)	struct dentry *dentry, unsigned int pe_flags
#endif

/*
 * An inode's state is a structure since 6.19; generic_delete_inode() has another name since 6.18;
 * the operations of a file system's directory entries are set by a function since 6.17.
 */
static inline bool pe_inode_is_new(struct inode *inode)
{
#if PE_HAVE_INODE_STATE_READ
	return inode_state_read_once(inode) & I_NEW;
#else
	return inode->i_state & I_NEW;
#endif
}

#if PE_HAVE_INODE_JUST_DROP
#define pe_drop_inode	inode_just_drop
#else
#define pe_drop_inode	generic_delete_inode
#endif

static inline void pe_set_default_d_op(struct super_block *sb, const struct dentry_operations *ops)
{
#if PE_HAVE_SET_DEFAULT_D_OP
	set_default_d_op(sb, ops);
#else
	sb->s_d_op = ops;
#endif
}

/* A task's state: renamed in 5.14, when it got its accessors. */
static __always_inline unsigned int pe_task_state(const struct task_struct *task)
{
#if PE_HAVE_TASK_STATE_UNDERSCORES
	return READ_ONCE(task->__state);
#else
	return READ_ONCE(task->state);
#endif
}

/* How often a task has disabled that it migrates, and where it counts that: since 5.11. */
#if PE_HAVE_MIGRATION_DISABLED
#define PE_MIGRATION_OFFSET	offsetof(struct task_struct, migration_disabled)
static_assert(sizeof_field(struct task_struct, migration_disabled) == 2);
#else
#define PE_MIGRATION_OFFSET	0
#endif

static __always_inline unsigned int pe_migration_disabled(const struct task_struct *task)
{
#if PE_HAVE_MIGRATION_DISABLED
	return task->migration_disabled;
#else
	return 0;
#endif
}

/*
 * Has a grace period passed since get_state_synchronize_rcu()?  Without this question, which came
 * with 5.12, it passes now.
 */
static inline bool pe_rcu_has_passed(unsigned long state)
{
#if PE_HAVE_RCU_POLL
	return poll_state_synchronize_rcu(state);
#else
	cond_synchronize_rcu(state);
	return true;
#endif
}

/* Always inline in later kernels.  A copy in our modules would be a namesake of the kernel's. */
__always_inline int get_order(unsigned long size);

/* A function gets no canary on the stack: since 5.13, with compilers that can do so. */
#ifndef __no_stack_protector
#define __no_stack_protector
#endif

/* Names of later kernels. */
#if !PE_HAVE_XA_LIMIT_16B
#define xa_limit_16b	XA_LIMIT(0, USHRT_MAX)
#endif
#if !PE_HAVE_LIST_COUNT_NODES
#define list_count_nodes	pe_list_count_nodes
static inline size_t pe_list_count_nodes(struct list_head *head)
{
	struct list_head *pos;
	size_t n = 0;

	list_for_each(pos, head)
		n++;
	return n;
}
#endif
#ifndef struct_size_t
#define struct_size_t(type, member, n)	struct_size((type *)NULL, member, n)
#endif

/* The clock TAI can be read in an NMI since 6.1.  Before, there is none of that name. */
#if PE_HAVE_TAI_FAST
#define PE_TAI_CLOCK		"tai"
#define pe_tai_ns		ktime_get_tai_fast_ns
#else
#define PE_TAI_CLOCK		NULL
#define pe_tai_ns		ktime_get_real_fast_ns
#endif

/* Conditions about locks: since 5.12. */
#ifndef lockdep_assert
#define lockdep_assert(condition)	do { } while (0)
#endif

/* The function of a timer is given with the rest since 6.13. */
static inline void pe_hrtimer_setup(struct hrtimer *timer,
				    enum hrtimer_restart (*function)(struct hrtimer *),
				    clockid_t clock, enum hrtimer_mode mode)
{
#if PE_HAVE_HRTIMER_SETUP
	hrtimer_setup(timer, function, clock, mode);
#else
	hrtimer_init(timer, clock, mode);
	timer->function = function;
#endif
}

/* The queue of schedule_work(): system_wq before 6.17. */
#if PE_HAVE_SYSTEM_PERCPU_WQ
#define pe_system_wq	system_percpu_wq
#else
#define pe_system_wq	system_wq
#endif

/* Splicing by way of ->read_iter(): renamed in 6.5. */
#if PE_HAVE_COPY_SPLICE_READ
#define pe_splice_read copy_splice_read
#else
#define pe_splice_read generic_file_splice_read
#endif

/* How far after its symbol a function's call of ftrace may be: no limit without ftrace. */
#ifndef FTRACE_MCOUNT_MAX_OFFSET
#define FTRACE_MCOUNT_MAX_OFFSET ULONG_MAX
#endif

/*
 * Handlers of sysctls get a constant table since 6.11.  Registering takes the table's length since
 * 6.6; before, an empty entry is its end.
 */
#if PE_HAVE_CONST_CTL_TABLE
#define PE_CTL_TABLE		const struct ctl_table
#else
#define PE_CTL_TABLE		struct ctl_table
#endif
#if PE_HAVE_REGISTER_SYSCTL_SZ
#define pe_register_sysctl	register_sysctl_sz
#else
#define pe_register_sysctl(dir, table, n)	register_sysctl(dir, table)
#endif

/*
 * The variable of kernel.ftrace_dump_on_oops: a number before 6.9, text since.  Handlers of
 * sysrq keys get a u8 since 6.6.
 */
#if PE_HAVE_SYSRQ_U8
typedef u8 pe_sysrq_key;
#else
typedef int pe_sysrq_key;
#endif

/* Direct calls from functions' entries to given code: renamed in 6.4.  Only tests use them. */
#if PE_HAVE_DIRECT_OPS
#define pe_register_direct		register_ftrace_direct
#define pe_unregister_direct(ops, addr)	unregister_ftrace_direct(ops, addr, false)
#else
#define pe_register_direct		register_ftrace_direct_multi
#define pe_unregister_direct		unregister_ftrace_direct_multi
#endif

/*
 * The rest is for tests, too.  DECLARE_TRACE() adds "_tp" to the name since 6.16; an ftrace_ops is
 * asked about an address since 6.19; an fprobe gets struct ftrace_regs since 6.14; a timer is ended
 * by another name since 6.2, and by that alone since 6.15.
 */
#ifdef DECLARE_TRACE_EVENT
#define PE_DECLARE_TRACE	DECLARE_TRACE_EVENT
#else
#define PE_DECLARE_TRACE	DECLARE_TRACE
#endif
#if PE_HAVE_OPS_FUNC_IP
#define PE_OPS_FUNC_ARGS	struct ftrace_ops *ops, unsigned long ip, enum ftrace_ops_cmd cmd
#else
#define PE_OPS_FUNC_ARGS	struct ftrace_ops *ops, enum ftrace_ops_cmd cmd
#endif
#if PE_HAVE_FPROBE_FTRACE_REGS
#define pe_fprobe_regs		ftrace_regs
#else
#define pe_fprobe_regs		pt_regs
#endif
/*
 * Without struct ftrace_regs, NULL are no registers.  Code of idle tasks that RCU does not watch
 * begins and ends by other names before 6.0.  Irq work that stays in hard interrupts on PREEMPT_RT,
 * too, has an initialiser since 5.11.
 */
#if PE_HAVE_FTRACE_REGS
#define PE_NO_FTRACE_REGS(fregs)	(fregs)
#else
#define PE_NO_FTRACE_REGS(fregs)	NULL
#endif
#if !PE_HAVE_CT_IDLE
#define ct_idle_enter		rcu_idle_enter
#define ct_idle_exit		rcu_idle_exit
#endif
#ifndef IRQ_WORK_INIT_HARD
#define IRQ_WORK_INIT_HARD(fn)	{ .flags = ATOMIC_INIT(IRQ_WORK_HARD_IRQ), .func = (fn) }
#endif
#if PE_HAVE_TIMER_DELETE_SYNC
#define pe_timer_delete_sync	timer_delete_sync
#else
#define pe_timer_delete_sync	del_timer_sync
#endif

#endif
