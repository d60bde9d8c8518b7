/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * kretprobe.h - return probes: the engine's interface for other modules.
 *
 * A struct pe_kretprobe is a pe_kprobe on a function's entry with
 * PE_KPROBE_RETURN among its flags.  The functions for it are the same, alone
 * or mixed with others: pe_register_kprobes(&rp->kp ...), pe_enable_kprobes(),
 * pe_disable_kprobes(), pe_unregister_kprobes().  kp.handler, kp.change and kp.post are not
 * used.
 *
 * Each call of the function has a frame of ours on its task's stack, from entry to
 * return.  So there is no pool that could run dry.  Removing a probe does not wait for
 * calls in progress: they return as if the probe had never been there.
 */
#ifndef PE_KRETPROBE_H
#define PE_KRETPROBE_H

#include <linux/kernel.h>
#include <linux/types.h>
#include <pe/kprobe.h>

struct pe_kretprobe;

/**
 * typedef pe_kretprobe_entry_t - a probed function has been entered
 * @rp: the probe
 * @hit: registers at the entry: arguments are in place; ->ip as for a kprobe
 * @data: rp->data_size bytes of the call's frame, 8-byte aligned, not initialised
 *
 * The rules are those of pe_kprobe_handler_t, but the handler may change the registers of
 * arguments: on x86 ->di, ->si, ->dx, ->cx, ->r8, ->r9.  The function sees the changes.  The
 * handler cannot divert the call: a change of ->ip is ignored.  Interrupts are off in it under a
 * breakpoint, but not with PE_KPROBE_NESTS.
 *
 * Probes at the function's entry (struct pe_kprobe) run before it.  If one of them diverts,
 * the function is not called, and no entry handler runs.  So the calls of a function are the
 * diverted ones, and &pe_kretprobe_stat: entries + skipped + no_stack, and kp.missed.
 *
 * Return: true if the return handler is to see this call.
 */
typedef bool (*pe_kretprobe_entry_t)(struct pe_kretprobe *rp, const struct pe_hit *hit,
				     void *data);

/**
 * typedef pe_kretprobe_handler_t - a probed function has returned
 * @rp: the probe
 * @hit: registers after the return: with the value; on x86, ->sp is past the return address;
 *	->ip is @ret_ip
 * @ret_ip: the address to which the function returns, even if other tracers have put
 *	their own on the stack.  If a BPF program of type fexit is attached, it is the
 *	program's trampoline, which calls the function.
 * @data: as the entry handler left it
 *
 * The rules are those of pe_kprobe_handler_t, but the handler may change the registers of the
 * function's value: on x86 ->ax and ->dx.  Interrupts are as they are when the function returns.
 * The engine does not call it for a call if the entry was missed, or the call was entered while the
 * probe was disabled, nor after the probe has been disabled.
 */
typedef void (*pe_kretprobe_handler_t)(struct pe_kretprobe *rp, const struct pe_hit *hit,
				       unsigned long ret_ip, void *data);

/*
 * Each CPU writes its own; pe_kretprobe_stat() gives the sums.  Calls in progress:
 * entries - returns - dropped.
 */
struct pe_kretprobe_stat {
	unsigned long entries;		/* calls entered with a frame */
	unsigned long returns;		/* return handler runs */
	unsigned long skipped;		/* the entry handler returned false */
	unsigned long no_stack;		/* missed: too little stack was left */
	/* returned while disabled, within a handler, or while RCU was not watching */
	unsigned long dropped;
};

/**
 * struct pe_kretprobe - one return probe
 * @kp: its flags include PE_KPROBE_RETURN; kp.missed counts calls that were entered while a
 *	handler was running; neither @entry nor @handler sees them
 * @entry: caller; may be NULL
 * @handler: caller
 * @data_size: caller; bytes of a handler's @data in each call's frame, at most
 *	PE_KRETPROBE_DATA_MAX
 * @stat: engine; per CPU
 */
struct pe_kretprobe {
	struct pe_kprobe kp;
	pe_kretprobe_entry_t entry;
	pe_kretprobe_handler_t handler;
	unsigned int data_size;
	struct pe_kretprobe_stat __percpu *stat;

	/* private: the engine's */
	pe_kretprobe_handler_t call;	/* what a return calls for @handler */
};

/*
 * Most data of one probe.  It is on the task's stack in each call.  The frame of a call has the
 * data of all return probes on the function, and up to 384 bytes of arguments; more than 1280
 * bytes in all are refused with -ENOSPC, and the reason has their number.  A call with a frame of
 * more than 256 bytes needs half of the stack below it; if it finds less, it is a miss
 * (no_stack).  So a user with much data does better to keep a pointer here.
 */
#define PE_KRETPROBE_DATA_MAX	1024

/* Most return probes on one function. */
#define PE_KRETPROBES_MAX	64

/**
 * pe_kretprobe_stat() - sum of the counters over all CPUs
 * @rp: the probe; it is neither registered nor unregistered meanwhile
 * @sum: filled; all 0 if the probe is not registered
 *
 * Context: process, sleeps.
 */
void pe_kretprobe_stat(const struct pe_kretprobe *rp, struct pe_kretprobe_stat *sum);

/**
 * struct pe_kretprobe_call - a call in progress of a function with return probes
 * @rp: a probe that wants its return; unregistering it waits until the visit is over
 * @task: whose call it is
 * @data: a copy of what the entry handler left for the probe
 * @exact: the task was on no CPU all the time, or is the reader.  Otherwise the call may have
 *	ended, also long ago, @data may be of two moments or already changed by the return handler
 */
struct pe_kretprobe_call {
	struct pe_kretprobe *rp;
	struct task_struct *task;
	const void *data;
	bool exact;
};

/* In an RCU section; must not sleep.  @call and what it points to are there until it returns. */
typedef void (*pe_kretprobe_visit_t)(const struct pe_kretprobe_call *call, void *arg);

/**
 * pe_kretprobes_visit() - who is in a function with return probes?
 * @visit: is called for each probe of each call in progress
 * @arg: passed to @visit
 *
 * Reads the stacks of all tasks, while everything goes on; nothing is written or stopped.  The
 * unwinder finds all calls of tasks that are on no CPU.  For tasks on other CPUs, the stack is
 * searched for frames, which may be of ended calls.  Calls in interrupts and of idle tasks are not
 * found.
 *
 * Context: process, sleeps.  Return probes are neither registered nor unregistered meanwhile.
 */
void pe_kretprobes_visit(pe_kretprobe_visit_t visit, void *arg);

/**
 * pe_kretprobes_settle() - wait until calls take the shortest way to return probes that there is
 *
 * When return probes come or go, this may take a second or two.  Meanwhile calls take a longer
 * way, with the same result.
 *
 * Context: process, sleeps, takes the engine's mutex.
 */
void pe_kretprobes_settle(void);

/**
 * struct pe_kretprobe_usage - what all return probes hold
 * @functions: functions with slots.  A function that has lost its last probe keeps them
 *	as long as its calls are in progress, and a little longer.
 * @sets: sets of probes of these functions, present and past
 * @in_flight: calls in progress
 */
struct pe_kretprobe_usage {
	unsigned long functions;
	unsigned long sets;
	unsigned long in_flight;
};

/**
 * pe_kretprobe_usage() - what return probes hold now
 * @usage: filled
 *
 * Everything becomes 0 some time after the last probe has been unregistered and the last
 * call has returned.  A call that ends with its task never returns, for example do_exit().
 *
 * Context: process, sleeps.
 */
void pe_kretprobe_usage(struct pe_kretprobe_usage *usage);

#endif
