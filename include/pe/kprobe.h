/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kprobe.h - the probe engine's interface for other modules.
 *
 * A struct pe_kprobe asks for a handler to be called each time the instruction
 * at an address is about to be executed.  Any number of them may stand on one
 * address.  How the address is armed (through ftrace at a function's entry, by
 * a breakpoint elsewhere) is the engine's choice and can be read from
 * pe_kprobe_mechanism().
 *
 * Life: the caller owns the memory, fills the fields marked "caller" and calls
 * pe_register_kprobes(); the engine owns the others until
 * pe_unregister_kprobes() returns.  No handler of a probe runs after that.
 */
#ifndef PE_KPROBE_H
#define PE_KPROBE_H

#include <linux/types.h>

struct module;
struct pt_regs;
struct seq_file;
struct pe_kprobe;
struct pe_site;

/* Contexts that can interrupt one another on a CPU, innermost last. */
enum pe_level {
	PE_LEVEL_TASK,
	PE_LEVEL_SOFTIRQ,
	PE_LEVEL_IRQ,
	PE_LEVEL_NMI,
	PE_NR_LEVELS,
};

/**
 * struct pe_hit - one arrival at a probed instruction
 * @regs: registers at the probed instruction.  ->ip is the probed address plus
 *	one, whatever the mechanism, as handlers of the kernel's kprobes see it.
 * @preempt_count: preempt_count() of the probed context, without what the
 *	engine and the exception entry have added.
 * @level: context of the probed code.  A handler of one level is never
 *	re-entered at the same level on the same CPU, so per-CPU scratch
 *	memory indexed by it is private to the handler call.
 */
struct pe_hit {
	struct pt_regs *regs;
	unsigned int preempt_count;
	enum pe_level level;
};

/*
 * Called in the probed context: any, NMI included; preemption is off.  May not
 * sleep, lock, allocate, print or change the registers.
 */
typedef void (*pe_kprobe_handler_t)(struct pe_kprobe *kp, const struct pe_hit *hit);

/* Caller: start disabled; pe_enable_kprobes() arms it. */
#define PE_KPROBE_DISABLED	0x1
/* Engine: the code it stood on has been unloaded; it will not fire again. */
#define PE_KPROBE_GONE		0x2
/* Caller: part of a struct pe_kretprobe; see kretprobe.h. */
#define PE_KPROBE_RETURN	0x4
/* Caller: not for users to switch off: pe_kprobes_arm_all() leaves it alone. */
#define PE_KPROBE_ALWAYS	0x8
/* Engine: switched off by pe_kprobes_arm_all(), like all but those. */
#define PE_KPROBE_STOPPED	0x10

/* How a site is armed. */
enum pe_mechanism {
	PE_MECH_NONE,		/* not armed */
	PE_MECH_ENTRY,		/* function entry, ftrace owns the bytes */
	PE_MECH_JUMP,		/* five-byte jump to a detour */
	PE_MECH_INT3,		/* breakpoint, out-of-line execution or emulation */
	PE_NR_MECHANISMS,
};

/**
 * struct pe_kprobe - one probe
 * @symbol: caller; "[MOD:]SYM", or NULL when @addr is given.  Must be unique
 *	among the symbols (-EADDRNOTAVAIL otherwise).
 * @offset: caller; bytes from @symbol or @addr.
 * @addr: caller when @symbol is NULL; after registration the probed address
 *	(behind an ENDBR64 when the function's first byte was asked for).
 * @handler: caller.
 * @flags: PE_KPROBE_*; the engine changes it under its own mutex.
 * @missed: hits whose handlers did not run because a handler was already
 *	running on that CPU at that level.  Per CPU, allocated by the engine;
 *	read the sum with pe_kprobe_missed().
 * @on_entry: engine; the probed address is a function's entry, so the
 *	function's arguments are in their registers.
 * @reason: engine; set when registering or enabling, all of them perhaps, fails because
 *	of this probe, for a reason that errno cannot tell, else NULL.  A constant string.
 */
struct pe_kprobe {
	const char *symbol;
	unsigned long offset;
	unsigned long addr;
	pe_kprobe_handler_t handler;
	unsigned int flags;

	unsigned long __percpu *missed;
	bool on_entry;
	const char *reason;

	/* engine only */
	struct pe_site *site;
	struct list_head node;		/* in site->probes (RCU) or ->returns */
};

/**
 * pe_register_kprobes() - check and add probes, all or none
 * @kps: the probes
 * @n: how many
 *
 * Every address is checked before any byte of text is changed.  Probes without
 * PE_KPROBE_DISABLED are armed together: one round of patching for the whole
 * set.  Context: process, may sleep; takes the engine's mutex.
 *
 * Return: 0, or the error of the first probe refused, whose @reason is set:
 * -ENOENT no such symbol, -EADDRNOTAVAIL symbol not unique, -EILSEQ not an
 * instruction boundary (or a breakpoint or ud2 stands there), -EINVAL cannot
 * be probed, -EBUSY the bytes belong to someone else, -ENOSPC no room for one
 * more function with return probes, or for one more of them on a function,
 * -ENOMEM, -EPERM the kernel is locked down.
 */
int pe_register_kprobes(struct pe_kprobe **kps, unsigned int n);

/**
 * pe_unregister_kprobes() - remove probes and wait until no handler runs
 * @kps: registered probes
 * @n: how many; they share the waiting
 *
 * Context: process, sleeps for an RCU grace period.
 */
void pe_unregister_kprobes(struct pe_kprobe **kps, unsigned int n);

/**
 * pe_enable_kprobes() - arm registered probes in one round of patching
 * Return: 0, or, when none has been armed: -ENODEV when one is gone, -EBUSY when
 * somebody else has the bytes of one or ftrace refuses it, -EAGAIN when BPF keeps changing
 * its programs on one (it has a @reason), -ENOMEM.
 */
int pe_enable_kprobes(struct pe_kprobe **kps, unsigned int n);

/**
 * pe_disable_kprobes() - disarm probes that stay registered
 *
 * Handlers already running may still finish after the return; use
 * synchronize_rcu() where that matters.
 */
void pe_disable_kprobes(struct pe_kprobe **kps, unsigned int n);

static inline int pe_register_kprobe(struct pe_kprobe *kp)
{
	return pe_register_kprobes(&kp, 1);
}

static inline void pe_unregister_kprobe(struct pe_kprobe *kp)
{
	pe_unregister_kprobes(&kp, 1);
}

static inline int pe_enable_kprobe(struct pe_kprobe *kp)
{
	return pe_enable_kprobes(&kp, 1);
}

static inline void pe_disable_kprobe(struct pe_kprobe *kp)
{
	pe_disable_kprobes(&kp, 1);
}

/** pe_kprobe_missed() - sum of @missed over all CPUs.  Any context. */
unsigned long pe_kprobe_missed(const struct pe_kprobe *kp);

/** pe_kprobe_mechanism() - how the probe is armed now.  Process context. */
enum pe_mechanism pe_kprobe_mechanism(const struct pe_kprobe *kp);

/*
 * Whether probes are to fire at all, those with PE_KPROBE_ALWAYS excepted:
 * kprobes/enabled.  Disarming keeps every probe's own state.  Process context.
 * An error may be about some probes that somebody else keeps from being armed: these have
 * a @reason then, and all others are armed, as pe_kprobes_armed() says.
 */
int pe_kprobes_arm_all(bool on);
bool pe_kprobes_armed(void);

/**
 * pe_kprobes_unwatched() - calls that could be no hits
 *
 * RCU was not watching, or the CPU was not online yet or no more, so no probe could be
 * looked up for them: they are in nobody's counts.  Any context.  Return: how many since
 * the engine was loaded.
 */
unsigned long pe_kprobes_unwatched(void);

/*
 * Text of kprobes/list and kprobes/blacklist, one line per entry, in the form
 * of the kernel's debugfs files (for list: address, kind, symbol+offset,
 * module, flags).  Process context, take the engine's mutex.
 * pe_kprobe_show_unregistered(): a line for a probe with a @symbol that the engine does
 * not have; its flag is @flag.
 */
void pe_kprobes_show_list(struct seq_file *m);
bool pe_show_addresses(const struct seq_file *m);	/* may its reader see kernel addresses? */
void pe_kprobe_show_unregistered(struct seq_file *m, const struct pe_kprobe *kp, const char *flag);
void pe_kprobes_show_blacklist(struct seq_file *m);

/**
 * pe_protect_module() - refuse probes in a module's text
 * For modules whose code runs inside handlers; undone when it is unloaded.
 */
void pe_protect_module(struct module *mod);

/*
 * Symbols.  All process context; may take milliseconds.
 *
 * pe_symbol_lookup(): address of "[MOD:]SYM", data symbols included, 0 if
 * unknown.  pe_symbol_count(): how many functions or data carry the name.
 * pe_symbol_at(): start and size of the symbol that holds @addr; false if none.
 */
unsigned long pe_symbol_lookup(const char *name);
unsigned int pe_symbol_count(const char *name);
bool pe_symbol_at(unsigned long addr, unsigned long *start, unsigned long *size);

/*
 * Entries of all functions that ftrace can trace, those of modules as well: for
 * kvfree(), or ERR_PTR(-ENOMEM).  Some may be gone when it returns.  Process context.
 * pe_traceable_known(): is there an ftrace to ask?
 */
unsigned long *pe_traceable_functions(size_t *nr);
bool pe_traceable_known(void);

/**
 * pe_addr_on_entry() - is this a function's entry?
 * @addr: symbol address; @offset: bytes from it
 * True for offset 0, and for the first byte behind an ENDBR64.
 */
bool pe_addr_on_entry(unsigned long addr, unsigned long offset);

/*
 * Memory reads that survive a bad address; any context, NMI included.
 * pe_read_nofault: kernel memory.  pe_strncpy_nofault: like the kernel's
 * strncpy_from_kernel_nofault(): length with the final NUL, or -EFAULT.
 * The _user forms read the current task's memory.
 */
bool pe_read_nofault(void *dst, unsigned long src, size_t n);
bool pe_read_user_nofault(void *dst, unsigned long src, size_t n);
long pe_strncpy_nofault(char *dst, unsigned long src, long n);
long pe_strncpy_user_nofault(char *dst, unsigned long src, long n);

/*
 * pe_hit_stack(): the probed place and those it was called from, in a handler; see
 * arch/x86/stack.c.  @returned: in that of a return probe.
 */
unsigned int pe_hit_stack(const struct pe_hit *hit, bool returned, u64 *to, unsigned int max);

#endif
