/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * kprobe.h - the probe engine's interface for other modules.
 *
 * A struct pe_kprobe asks the engine to call a handler each time the instruction
 * at an address is about to be executed.  The handler observes, or it may change registers
 * and divert execution.  Another one can be called after the instruction.  An address may
 * have any number of probes.  The engine chooses how to arm it: through ftrace at a
 * function's entry, by a breakpoint at other places, which may become a jump.
 * pe_kprobe_mechanism() tells which.
 *
 * Life: the caller owns the memory, fills the fields marked "caller" and calls
 * pe_register_kprobes().  The engine owns the other fields until
 * pe_unregister_kprobes() returns.  No handler of a probe runs after that.
 */
#ifndef PE_KPROBE_H
#define PE_KPROBE_H

#include <linux/percpu.h>
#include <linux/types.h>

struct module;
struct pt_regs;
struct seq_file;
struct pe_kprobe;
struct pe_piece;
struct pe_site;

/* Contexts that can interrupt one another on a CPU; each can interrupt those listed before it. */
enum pe_level {
	PE_LEVEL_TASK,
	PE_LEVEL_SOFTIRQ,
	PE_LEVEL_IRQ,
	PE_LEVEL_NMI,
	PE_NR_LEVELS,
};

/**
 * struct pe_hit - one arrival at a probed instruction
 * @preempt_count: preempt_count() of the probed context, without the additions of
 *	the engine and of the exception entry.
 * @level: context of the probed code; PE_LEVEL_IRQ also where an interrupt that has come while a
 *	handler ran is ending.  A CPU never enters a handler at a level at which it is already
 *	running one.  So per-CPU scratch memory indexed by the level is private to the handler
 *	call, also of a probe with PE_KPROBE_NESTS.
 * @regs: registers at the probed instruction.  ->ip is as handlers of the kernel's kprobes see it,
 *	with every mechanism: on x86 the probed address plus one.  For a post
 *	handler: registers after the instruction; ->ip is where execution goes on.
 */
struct pe_hit {
	unsigned int preempt_count;
	enum pe_level level;
	struct pt_regs *regs;
};

/**
 * typedef pe_kprobe_handler_t - an instruction is about to be executed
 * @kp: the probe
 * @hit: the arrival
 *
 * The engine calls it in the probed context, which may be any, NMI included; preemption is
 * off.  Interrupts are off under a breakpoint, and otherwise as they are in the probed code.  It
 * may not sleep, allocate, print or change the registers.
 *
 * While it runs, the CPU runs no other handler of a probe without PE_KPROBE_NESTS, whatever
 * interrupts it.  So it may take a raw spinlock that only such handlers take.  If other code takes
 * the lock, too, neither that code nor code that can interrupt it may be probed.
 */
typedef void (*pe_kprobe_handler_t)(struct pe_kprobe *kp, const struct pe_hit *hit);

/**
 * typedef pe_kprobe_change_t - the same, and the handler may change registers
 * @kp: the probe
 * @hit: the arrival
 *
 * The rules of pe_kprobe_handler_t hold, except that the handler may change any register in
 * @hit->regs but ->sp and those of segments.  The code that runs next sees the changes; so do the
 * handlers of the probes after this one.
 *
 * The handler returns false to let execution go on at the probed instruction; then the engine
 * ignores what it has done to ->ip.  To divert execution, the handler sets ->ip to another
 * address and returns true.  Then
 *
 *   - the probed instruction is not executed, and execution goes on at ->ip;
 *   - the hit ends: no handler of a probe after this one runs, no post handler, and no entry
 *     handler of a return probe on the function.  Nothing counts that as a miss.
 *
 * At a function's entry, ->sp points to the return address.  So a handler ends the call when
 * it sets the value, and sets ->ip to a `ret`.  ->ip may be any code that can be called or
 * jumped to with these registers and this stack.  That code must stay: a task may still be on
 * its way there when pe_unregister_kprobes() returns.  synchronize_rcu_tasks() waits for it.
 *
 * At an entry that ftrace patches, other tracers have their part in what arrives at ->ip.  If BPF
 * programs are attached to the function (fentry, fexit), only its arguments do: code that ends
 * the call has to load the value itself, and begins with what the CPU may demand where an indirect
 * call leads: on x86 ENDBR64, for IBT.  Any other tracer loses a change of a register that calls of
 * ftrace use: on x86 ->r11.  On a CPU that demands it, such handlers are refused there with
 * -EOPNOTSUPP.
 */
typedef bool (*pe_kprobe_change_t)(struct pe_kprobe *kp, const struct pe_hit *hit);

/**
 * typedef pe_kprobe_post_t - a probed instruction has been executed
 * @kp: the probe
 * @hit: registers after the instruction.  ->ip is where execution goes on: the next
 *	instruction, the target of a jump, the first instruction of a called function, the
 *	caller after a return.  At an entry that ftrace patches: the address after the call
 *	of ftrace
 *
 * The rules are those of pe_kprobe_change_t, but the engine ignores a change of ->ip.
 *
 * It runs once for each arrival, unless a handler has diverted, or the arrival is a miss, or
 * the instruction faults.  Under a breakpoint, most instructions are executed from a copy.
 * Then the task may be interrupted between its two handlers, be preempted and move to another
 * CPU; and the post handler may see the end of an instruction that began before the
 * probe was registered or enabled.  Do not call pe_hit_stack() in it.
 */
typedef void (*pe_kprobe_post_t)(struct pe_kprobe *kp, const struct pe_hit *hit);

/* Why a handler has not run for a hit. */
enum pe_miss {
	PE_MISS_BUSY,		/* a handler was running on that CPU; see PE_KPROBE_NESTS */
	PE_MISS_NO_STACK,	/* of a return probe: too little stack was left at the entry */
	PE_MISS_RETURN,		/* of a return probe: one was running when the call returned */
};

/**
 * typedef pe_kprobe_miss_t - a hit has been missed
 * @kp: the probe
 * @why: and counted, in @kp->missed or &pe_kretprobe.stat
 *
 * For users that keep a count of their own.  The rules of pe_kprobe_handler_t hold, but it may not
 * take a lock: it may interrupt itself, and a handler of the same probe.  A return while RCU
 * is not watching is not reported: only the set of return probes counts it.
 */
typedef void (*pe_kprobe_miss_t)(struct pe_kprobe *kp, enum pe_miss why);

/* Caller: start disabled; pe_enable_kprobes() arms it. */
#define PE_KPROBE_DISABLED	0x1
/* Engine: the probed code has been unloaded; the probe will not fire again. */
#define PE_KPROBE_GONE		0x2
/* Caller: part of a struct pe_kretprobe; see kretprobe.h. */
#define PE_KPROBE_RETURN	0x4
/* Caller: pe_kprobes_arm_all() leaves the probe alone: users cannot disarm it. */
#define PE_KPROBE_ALWAYS	0x8
/* Engine: disarmed by pe_kprobes_arm_all(), which spares PE_KPROBE_ALWAYS only. */
#define PE_KPROBE_STOPPED	0x10
/* Engine: the probe has @change or @post. */
#define PE_KPROBE_CHANGES	0x20
/*
 * Caller: the handlers may interrupt one another, and themselves.  A hit at a higher level (enum
 * pe_level) is served while a handler runs, so none is lost to the chance that it interrupts one.
 * Such handlers take no lock.  Without this flag, a CPU runs at most one handler of all those
 * probes at a time, over all levels, as with the kernel's kprobes; the other hits are in @missed.
 */
#define PE_KPROBE_NESTS		0x40
/* Engine: the probe has no PE_KPROBE_NESTS. */
#define PE_KPROBE_ALONE		0x80

/* How a site is armed. */
enum pe_mechanism {
	PE_MECH_NONE,		/* not armed */
	PE_MECH_ENTRY,		/* function entry, ftrace owns the bytes */
	PE_MECH_JUMP,		/* a breakpoint that has become a jump to a detour */
	PE_MECH_BREAKPOINT,	/* breakpoint, out-of-line execution or emulation */
	PE_NR_MECHANISMS,
};

/**
 * struct pe_kprobe - one probe
 * @symbol: caller; "[MOD:]SYM[,N]", or NULL if @addr is given.  The symbol must be
 *	unique (-EADDRNOTAVAIL otherwise), or @symbol says by its N which one is meant.
 * @offset: caller; bytes from @symbol or @addr.
 * @addr: caller if @symbol is NULL; after registration the probed address.  If the
 *	caller asked for a function's first byte, it is past the architecture's mark there.
 * @handler: caller; or NULL if @change or @post is given.
 * @change: caller; NULL, or a handler that may change registers and divert, in place of
 *	@handler.
 * @post: caller; NULL, or a handler to be called after the instruction.
 * @miss: caller; NULL, or to be called for each miss.
 * @owner: caller; NULL, or the module to be named in kprobes/list.
 * @flags: PE_KPROBE_*; the engine changes it under its own mutex.
 * @missed: engine; hits that did not run their handler, because a handler was running on
 *	that CPU: any at that level or, without PE_KPROBE_NESTS, one without that flag at any
 *	level.  Per CPU; pe_kprobe_missed() gives the sum.
 * @on_entry: engine; the probed address is a function's entry, so the
 *	function's arguments are in their registers.
 * @reason: engine; a constant string, or NULL.  Set if registering or enabling fails
 *	because of this probe, for a reason that errno cannot tell.
 *
 * Handlers of several probes at an address run in the order of registration, all of those
 * before the instruction, then all of those after it.  If one diverts, the rest does not run:
 * see pe_kprobe_change_t.
 *
 * Costs of @change and @post:
 *
 *   - A function's entry is then armed by an ftrace_ops that may divert.  ftrace allows one
 *     such ops for each function.  So enabling fails with -EBUSY beside a live patch, or a
 *     kprobe of the kernel with a post_handler.  Probes at that entry, of any kind, share ours.
 *   - A hit of a breakpoint costs a second exception, if there is a @post and the instruction
 *     is executed from a copy.
 *   - With a @post, a probed `ret` is emulated, and the CPU mispredicts it.
 *
 * A breakpoint does not become a jump at such a site.
 * A site with probes that only observe costs nothing more.
 */
struct pe_kprobe {
	const char *symbol;
	unsigned long offset;
	unsigned long addr;
	pe_kprobe_handler_t handler;
	pe_kprobe_change_t change;
	pe_kprobe_post_t post;
	pe_kprobe_miss_t miss;
	struct module *owner;
	unsigned int flags;

	bool on_entry;
	unsigned long __percpu *missed;
	const char *reason;

	/* private: the engine's */
	pe_kprobe_handler_t call;	/* what a hit calls for @handler */
	struct pe_site *site;
	struct pe_piece *code;		/* NULL: not compiled; see <pe/code.h> */
	struct list_head node;		/* in site->probes[], the list of its kind (RCU) */
};

/**
 * pe_register_kprobes() - check and add probes, all or none
 * @kps: the probes
 * @n: how many
 *
 * The engine checks every address before it changes a byte of text.  It arms all probes
 * without PE_KPROBE_DISABLED together, in one batch.
 *
 * Context: process, may sleep; takes the engine's mutex.  If it fails, it may wait like
 * pe_unregister_kprobes().
 * Return: 0, or the error of the first refused probe, which gets a @reason:
 * * -ENOENT: no such symbol
 * * -EADDRNOTAVAIL: the symbol is not unique
 * * -EILSEQ: not an instruction boundary, or what is there only traps
 * * -EINVAL: the code cannot be probed, or the probe's handlers do not fit together
 * * -EBUSY: the bytes are reserved text; or another user diverts the function; or a post
 *   handler and a return probe meet at a function's entry under a breakpoint
 * * -EOPNOTSUPP: no handler can run after the instruction: on x86 a jump through %fs or %gs; or
 *   one may change registers at an entry that ftrace patches, and the CPU checks targets of calls
 * * -ENOSPC: no room for another function with return probes, or for another return
 *   probe on this function
 * * -ENOMEM
 * * -EPERM: the kernel is locked down
 */
int pe_register_kprobes(struct pe_kprobe **kps, unsigned int n);

/**
 * pe_register_kprobes_some() - add those probes that can be added, and armed unless disabled
 * @kps: the probes
 * @n: how many
 * @errs: filled: of each probe, 0 or the error, as pe_register_kprobes() returns it
 *
 * A refused probe has a @reason, unless memory was short.  It is not registered.
 *
 * Context: as of pe_register_kprobes().
 */
void pe_register_kprobes_some(struct pe_kprobe **kps, unsigned int n, int *errs);

/**
 * pe_insn_bounds() - the instructions around an address that begins none
 * @addr: in the kernel's or a module's text
 * @before: filled: the instruction that holds it
 * @after: filled: the one after that
 *
 * Context: process, takes the engine's mutex.
 * Return: false if @addr begins an instruction, or cannot be decoded.
 */
bool pe_insn_bounds(unsigned long addr, unsigned long *before, unsigned long *after);

/**
 * pe_unregister_kprobes() - remove probes and wait until no handler runs
 * @kps: registered probes
 * @n: how many; one wait serves all of them
 *
 * Context: process, sleeps for an RCU grace period.  It also takes the kernel's CPU hotplug
 * lock for reading, so the caller may hold no lock that a hotplug callback takes.
 */
void pe_unregister_kprobes(struct pe_kprobe **kps, unsigned int n);

/**
 * pe_enable_kprobes() - arm registered probes in one batch, all or none
 * @kps: registered probes
 * @n: how many
 *
 * Context: process, may sleep; takes the engine's mutex.
 * Return: 0, or an error, and then no probe has been armed:
 * * -ENODEV: one is gone
 * * -EBUSY: the bytes of one are reserved text, or ftrace refuses it
 * * -EAGAIN: BPF keeps changing its programs on the function of one, which has a @reason
 * * -ENOMEM
 */
int pe_enable_kprobes(struct pe_kprobe **kps, unsigned int n);

/**
 * pe_disable_kprobes() - disarm probes that stay registered
 * @kps: registered probes
 * @n: how many
 *
 * Handlers that are running may still finish after the return.  synchronize_rcu() waits
 * for them.
 *
 * Context: process, may sleep; takes the engine's mutex.
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

/**
 * pe_kprobe_missed() - count hits that did not run their handler
 * @kp: the probe; it is neither registered nor unregistered meanwhile
 *
 * Context: any.
 * Return: the sum of @kp->missed over all CPUs; 0 if the probe is not registered.
 */
unsigned long pe_kprobe_missed(const struct pe_kprobe *kp);

/**
 * pe_kprobe_mechanism() - how is the probe armed now?
 * @kp: the probe
 *
 * Context: process, takes the engine's mutex.
 * Return: the mechanism, PE_MECH_NONE if the probe is not armed.
 */
enum pe_mechanism pe_kprobe_mechanism(const struct pe_kprobe *kp);

/*
 * kprobes/enabled: the switch for all probes, except those with PE_KPROBE_ALWAYS.
 *
 * pe_kprobes_arm_all() sets it.  Disarming keeps every probe's own state.  Process
 * context.  After an error, some probes may be unarmed because another part of the kernel
 * prevents it.  Then these have a @reason, and all others are armed: pe_kprobes_armed()
 * is true.
 * pe_kprobes_armed() reads it.
 */
int pe_kprobes_arm_all(bool on);
bool pe_kprobes_armed(void);

/*
 * kprobes/optimization: may breakpoints become jumps?  Process context; they take the engine's
 * mutex.  pe_kprobes_optimize(false) returns when none is a jump any more;
 * pe_kprobes_optimize(true) at once, and sites become jumps some time later.  0; -EOPNOTSUPP: on
 * this architecture none does.
 * pe_kprobes_show_detours(): how many detours there are, of how many.
 */
int pe_kprobes_optimize(bool on);
bool pe_kprobes_optimized(void);
void pe_kprobes_show_detours(struct seq_file *m);

/**
 * pe_protect_module() - refuse probes in a module's text
 * @mod: a module with code that runs in handlers
 *
 * Unloading the module undoes it.  Context: process, takes the engine's mutex.
 */
void pe_protect_module(struct module *mod);

/*
 * pe_hit_stack(): the addresses of the probed code and of its callers, innermost first.
 * Call it in a handler.  @returned: the handler is one of a return probe.  callers.c has
 * the details.
 */
unsigned int pe_hit_stack(const struct pe_hit *hit, bool returned, u64 *to, unsigned int max);

#endif
