/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * <linux/kprobes.h> for modules that use the probes of probe_core.ko.
 *
 * With this directory before the kernel's, sources that were written for the kernel's kprobes are
 * compiled for ours, without an edit, on kernels with kprobes and without.
 * Documentation/c-api.md says how to build, and what differs.
 *
 * It takes the place of the kernel's header, hence the same guard.  It has what the kernel exports
 * to modules, and no more.
 */
#ifndef _LINUX_KPROBES_H
#define _LINUX_KPROBES_H

#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/linkage.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <asm/kprobes.h>	/* NOKPROBE_SYMBOL(), __kprobes */

#ifndef CONFIG_KPROBES
typedef u8 kprobe_opcode_t;
#endif

struct kprobe;
struct kretprobe;
struct kretprobe_instance;

typedef int (*kprobe_pre_handler_t)(struct kprobe *p, struct pt_regs *regs);
typedef void (*kprobe_post_handler_t)(struct kprobe *p, struct pt_regs *regs, unsigned long flags);
typedef int (*kretprobe_handler_t)(struct kretprobe_instance *ri, struct pt_regs *regs);

/**
 * struct kprobe - a probe at an instruction
 * @nmissed: hits whose handlers did not run, because a handler was running on that CPU
 * @addr: given, or found by @symbol_name and @offset
 * @symbol_name: "[MOD:]SYM", or NULL if @addr is given
 * @offset: bytes from @symbol_name or @addr
 * @pre_handler: before the instruction; or NULL.  If it returns a value other than 0, it has set
 *	->ip, and the instruction is not executed
 * @post_handler: after the instruction; or NULL.  Its flags are 0
 * @flags: KPROBE_FLAG_*; at registration, what may be given
 */
struct kprobe {
	unsigned long nmissed;
	kprobe_opcode_t *addr;
	const char *symbol_name;
	unsigned int offset;
	kprobe_pre_handler_t pre_handler;
	kprobe_post_handler_t post_handler;
	u32 flags;
};

#define KPROBE_FLAG_GONE		1	/* the probed code has been unloaded */
#define KPROBE_FLAG_DISABLED		2	/* may be given */
#define KPROBE_FLAG_FTRACE		8	/* ftrace patches the probed address */
#define KPROBE_FLAG_ON_FUNC_ENTRY	16	/* it is a function's entry */
/*
 * May be given; the kernel has no such flag, and ignores it.  The pre_handler changes no register
 * and returns 0: the engine ignores whatever else it does.  So the probe is armed as if it only
 * observed.
 */
#define KPROBE_FLAG_OBSERVES		0x100

static inline bool kprobe_gone(struct kprobe *p)
{
	return p->flags & KPROBE_FLAG_GONE;
}

static inline bool kprobe_disabled(struct kprobe *p)
{
	return p->flags & (KPROBE_FLAG_DISABLED | KPROBE_FLAG_GONE);
}

static inline bool kprobe_ftrace(struct kprobe *p)
{
	return p->flags & KPROBE_FLAG_FTRACE;
}

/**
 * struct kretprobe - a probe at a function's return
 * @kp: where, and flags; @kp.nmissed counts calls that were entered while a handler was running on
 *	that CPU: no handler is called for them, at the entry or the return
 * @handler: after the return; or NULL
 * @entry_handler: at the entry; or NULL.  If it returns a value other than 0, @handler is not
 *	called for this call
 * @maxactive: not used: there is no pool of instances
 * @nmissed: calls whose return was missed: too little stack at the entry, or a return at another
 *	level than that of the entry, where an event's handler was running
 * @data_size: bytes of &kretprobe_instance.data, at most KRETPROBE_MAX_DATA_SIZE
 */
struct kretprobe {
	struct kprobe kp;
	kretprobe_handler_t handler;
	kretprobe_handler_t entry_handler;
	int maxactive;
	int nmissed;
	size_t data_size;
};

/* An instance is in the frame of its call, on the task's stack. */
#define KRETPROBE_MAX_DATA_SIZE		1008

/**
 * struct kretprobe_instance - a call of a function with a return probe
 * @rp: the probe; get_kretprobe() asks for it
 * @node: as the kernel's with rethook have it
 * @ret_addr: where the function returns to; set for the handler, not for the entry_handler.  The
 *	name in kernels without rethook; get_kretprobe_retaddr() asks for it
 * @data: what the entry_handler has left, for the handler; not initialised
 */
struct kretprobe_instance {
	struct kretprobe *rp;
	union {
		struct {
			unsigned long ret_addr;
		} node;
		kprobe_opcode_t *ret_addr;
	};
	char data[];
};

static inline struct kretprobe *get_kretprobe(struct kretprobe_instance *ri)
{
	return ri->rp;
}

static inline unsigned long get_kretprobe_retaddr(struct kretprobe_instance *ri)
{
	return ri->node.ret_addr;
}

/* capi.c has the descriptions. */
int pe_capi_register_kprobes(struct kprobe **kps, int num, struct module *owner);
int pe_capi_register_kretprobes(struct kretprobe **rps, int num, struct module *owner);
void pe_capi_unregister_kprobes(struct kprobe **kps, int num);
void pe_capi_unregister_kretprobes(struct kretprobe **rps, int num);
int pe_capi_enable_kprobe(struct kprobe *kp);
int pe_capi_disable_kprobe(struct kprobe *kp);

static inline int register_kprobes(struct kprobe **kps, int num)
{
	return pe_capi_register_kprobes(kps, num, THIS_MODULE);
}

static inline int register_kprobe(struct kprobe *p)
{
	return register_kprobes(&p, 1);
}

static inline void unregister_kprobes(struct kprobe **kps, int num)
{
	pe_capi_unregister_kprobes(kps, num);
}

static inline void unregister_kprobe(struct kprobe *p)
{
	unregister_kprobes(&p, 1);
}

static inline int register_kretprobes(struct kretprobe **rps, int num)
{
	return pe_capi_register_kretprobes(rps, num, THIS_MODULE);
}

static inline int register_kretprobe(struct kretprobe *rp)
{
	return register_kretprobes(&rp, 1);
}

static inline void unregister_kretprobes(struct kretprobe **rps, int num)
{
	pe_capi_unregister_kretprobes(rps, num);
}

static inline void unregister_kretprobe(struct kretprobe *rp)
{
	unregister_kretprobes(&rp, 1);
}

static inline int enable_kprobe(struct kprobe *kp)
{
	return pe_capi_enable_kprobe(kp);
}

static inline int disable_kprobe(struct kprobe *kp)
{
	return pe_capi_disable_kprobe(kp);
}

static inline int enable_kretprobe(struct kretprobe *rp)
{
	return enable_kprobe(&rp->kp);
}

static inline int disable_kretprobe(struct kretprobe *rp)
{
	return disable_kprobe(&rp->kp);
}

#endif
