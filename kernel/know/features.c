// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * features.c - what the kernel's headers are asked, before anything else is built.
 *
 * A version does not say what a kernel has: distributions take changes from later ones.  So each
 * question is a line of code, and the answer is whether the compiler takes it.  Kbuild compiles
 * this file once, to no object; features.awk looks at which question each error is in, and writes
 * features.gen.h, where every name below is 1 or 0.  Only compat.h includes that.
 *
 * A question begins a line.  An error outside of questions, or an answer to one of the two
 * questions that have only one, ends the build: then the compiler was not asked as it should be.
 *
 * What the headers do not show is not asked here: names of symbols are in ksyms.h, and reach.c
 * and its like have lists.
 */
#include <linux/context_tracking.h>
#include <linux/cpuidle.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/hrtimer.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sysctl.h>
#include <linux/sysrq.h>
#include <linux/timekeeping.h>
#include <linux/timer.h>
#include <linux/trace_events.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#if __has_include(<asm/alternative.h>)
#include <asm/alternative.h>
#endif
#if __has_include(<linux/execmem.h>)
#include <linux/execmem.h>
#endif
#if __has_include(<linux/fprobe.h>)
#include <linux/fprobe.h>
#endif
#if __has_include(<linux/panic_notifier.h>)
#define HAS_PANIC_NOTIFIER_H	1
#else
#define HAS_PANIC_NOTIFIER_H	0
#endif
#include <trace/events/block.h>

#define ASK(name, ...)	void name(void) { __VA_ARGS__; }

static struct inode *inode;
static struct trace_event_call *event_call;
static struct super_block *super;
static struct inode_operations inode_ops;
static struct dentry_operations dentry_ops;
static int (*match_fn)(void *, unsigned long);
static int (*symbol_fn)(void *, const char *, unsigned long);
static int (*user_ns_permission)(struct user_namespace *, struct inode *, int);
static int (*const_handler)(const struct ctl_table *, int, void *, size_t *, loff_t *);
#if __has_include(<linux/fprobe.h>)
static struct fprobe fprobe;
#endif
#ifdef CONFIG_FUNCTION_TRACER
static struct ftrace_ops ftrace_ops;
#endif

/* The two that have one answer. */
ASK(PE_ASK_YES, (void)inode->i_ino)
ASK(PE_ASK_NO, (void)inode->pe_no_such_member)

/* Questions of the architecture. */
#include <pe_arch/features.h>

/* Executable memory. */
ASK(PE_HAVE_EXECMEM, (void)execmem_alloc(EXECMEM_KPROBES, 1))
ASK(PE_HAVE_EXECMEM_RW, (void)execmem_alloc_rw(EXECMEM_KPROBES, 1))

/* Alternatives may be changed after boot. */
ASK(PE_HAVE_ALTERNATIVES_RESERVED, (void)alternatives_text_reserved(NULL, NULL))

/* Functions that are called for each symbol are not given a module. */
ASK(PE_HAVE_SYMBOL_FN_NO_MODULE, module_kallsyms_on_each_symbol("", symbol_fn, NULL))

/* The kernel's symbols with one name. */
ASK(PE_HAVE_KALLSYMS_MATCH, kallsyms_on_each_match_symbol(match_fn, "", NULL))

/* A module has kinds of memory instead of two layouts. */
ASK(PE_HAVE_MODULE_MEM, (void)THIS_MODULE->mem[MOD_TEXT].base)

/* Code of idle tasks that RCU does not watch is noinstr: it is entered by this. */
ASK(PE_HAVE_CT_CPUIDLE, ct_cpuidle_enter())

/* Context tracking: the count of NMIs has this name. */
ASK(PE_HAVE_CT_NMI_NESTING, (void)ct_nmi_nesting())

/* ftrace: what it calls gets its own kind of registers; which ops it guards; many at once. */
ASK(PE_HAVE_FTRACE_REGS, (void)ftrace_get_regs((struct ftrace_regs *)0))
ASK(PE_HAVE_FTRACE_RECURSION_SAFE, (void)FTRACE_OPS_FL_RECURSION_SAFE)
ASK(PE_HAVE_FTRACE_FILTER_IPS, (void)ftrace_set_filter_ips(NULL, NULL, 1, 0, 0))

/* The function graph tracer keeps words, of which none is -1, not an array of structures. */
ASK(PE_HAVE_SHADOW_STACK_WORDS, current->ret_stack = (unsigned long *)0)

/* File systems. */
ASK(PE_HAVE_IDMAP, inode_ops.permission = (int (*)(struct mnt_idmap *, struct inode *, int))0)
ASK(PE_HAVE_IDMAP_USER_NS, inode_ops.permission = user_ns_permission)
ASK(PE_HAVE_FILLATTR_MASK, generic_fillattr(NULL, (u32)0, inode, NULL))
ASK(PE_HAVE_INODE_INIT_TS, simple_inode_init_ts(inode))
ASK(PE_HAVE_MKDIR_DENTRY, struct dentry *made = inode_ops.mkdir(NULL, inode, NULL, 0))
ASK(PE_HAVE_REVALIDATE_NAME, dentry_ops.d_revalidate(inode, NULL, NULL, 0))
ASK(PE_HAVE_INODE_STATE_READ, (void)inode_state_read_once(inode))
ASK(PE_HAVE_INODE_JUST_DROP, (void)inode_just_drop(inode))
ASK(PE_HAVE_SET_DEFAULT_D_OP, set_default_d_op(super, &dentry_ops))
ASK(PE_HAVE_COPY_SPLICE_READ, (void)&copy_splice_read)

/* Timers and work. */
ASK(PE_HAVE_HRTIMER_SETUP, hrtimer_setup(NULL, NULL, CLOCK_MONOTONIC, HRTIMER_MODE_REL))
ASK(PE_HAVE_TIMER_DELETE_SYNC, timer_delete_sync(NULL))
ASK(PE_HAVE_SYSTEM_PERCPU_WQ, (void)system_percpu_wq)

/* Events of tracing may come and go without a module, and are counted. */
ASK(PE_HAVE_EVENT_REFS, (void)event_call->refcnt)

/* Tasks and RCU. */
ASK(PE_HAVE_TASK_STATE_UNDERSCORES, (void)current->__state)
ASK(PE_HAVE_MIGRATION_DISABLED, (void)current->migration_disabled)
ASK(PE_HAVE_RCU_POLL, (void)poll_state_synchronize_rcu(0UL))

/* Lists, numbers and clocks. */
ASK(PE_HAVE_LIST_COUNT_NODES, (void)list_count_nodes((struct list_head *)0))
ASK(PE_HAVE_XA_LIMIT_16B, (void)xa_limit_16b)
ASK(PE_HAVE_TAI_FAST, (void)ktime_get_tai_fast_ns())

/* Who is told of a panic: a header of its own.  sparse does not know how to ask for one. */
ASK(PE_HAVE_PANIC_NOTIFIER_H, static_assert(HAS_PANIC_NOTIFIER_H))

/* Sysctls and keys. */
ASK(PE_HAVE_CONST_CTL_TABLE, proc_handler *handler = const_handler)
ASK(PE_HAVE_REGISTER_SYSCTL_SZ, (void)register_sysctl_sz("", NULL, (size_t)0))
ASK(PE_HAVE_DUMP_SWITCH_TEXT, (void)ftrace_dump_on_oops_enabled())
ASK(PE_HAVE_SYSRQ_U8, struct sysrq_key_op op = { .handler = (void (*)(u8))0 })

/* Letters of a block request: those of zones, and of atomic writes, need more than 8 bytes. */
ASK(PE_HAVE_RWBS_ZONES, static_assert(RWBS_LEN > 8))

/* What only tests use. */
ASK(PE_HAVE_CT_IDLE, ct_idle_enter())
ASK(PE_HAVE_DIRECT_OPS, register_ftrace_direct((struct ftrace_ops *)0, 0UL))
ASK(PE_HAVE_GET_KRETPROBE, (void)get_kretprobe((struct kretprobe_instance *)0))
ASK(PE_HAVE_OPS_FUNC_IP, ftrace_ops.ops_func(NULL, 0UL, 0))
ASK(PE_HAVE_FPROBE_FTRACE_REGS, fprobe.entry_handler(NULL, 0UL, 0UL, (struct ftrace_regs *)0, NULL))
