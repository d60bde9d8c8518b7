/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kretprobe.h - return probes: the engine's interface for other modules.
 *
 * A struct pe_kretprobe is a pe_kprobe on a function's entry with
 * PE_KPROBE_RETURN among its flags.  It goes through the same functions, alone
 * or mixed with others: pe_register_kprobes(&rp->kp ...), pe_enable_kprobes(),
 * pe_disable_kprobes(), pe_unregister_kprobes().  kp.handler is not used.
 *
 * The instance of a call lives on the stack of the task that makes it, from
 * entry to return: there is no pool that could run dry.  Removing a probe does
 * not wait for calls in progress; they return as if it had never been there.
 */
#ifndef PE_KRETPROBE_H
#define PE_KRETPROBE_H

#include <linux/container_of.h>
#include <linux/types.h>
#include <pe/kprobe.h>

struct pe_kretprobe;

/**
 * typedef pe_kretprobe_entry_t - a probed function has been entered
 * @rp: the probe
 * @hit: registers at the entry: arguments are in place; ->ip as for a kprobe
 * @data: rp->data_size bytes of the instance, 8-byte aligned, not initialised
 *
 * Same rules as pe_kprobe_handler_t.
 * Return: whether the return handler is to see this call.
 */
typedef bool (*pe_kretprobe_entry_t)(struct pe_kretprobe *rp, const struct pe_hit *hit,
				     void *data);

/**
 * typedef pe_kretprobe_handler_t - a probed function has returned
 * @hit: registers after the return: ->ax has the value, ->sp is behind the
 *	return address, ->ip is @ret_ip
 * @ret_ip: where it returns to, whatever other tracers have put on the stack; beside a
 *	BPF program of type fexit, its trampoline, which calls the function
 * @data: as the entry handler left it
 *
 * Same rules as pe_kprobe_handler_t.  Not called for calls entered while the
 * probe was disabled, nor after it has been disabled.
 */
typedef void (*pe_kretprobe_handler_t)(struct pe_kretprobe *rp, const struct pe_hit *hit,
				       unsigned long ret_ip, void *data);

/*
 * Written on their own CPU; sums by pe_kretprobe_stat().  Calls in progress:
 * entries - returns - dropped.
 */
struct pe_kretprobe_stat {
	unsigned long entries;		/* instances made */
	unsigned long returns;		/* return handler runs */
	unsigned long skipped;		/* the entry handler said no */
	unsigned long no_stack;		/* missed: too little stack was left */
	/* returned while disabled, within a handler, or where RCU was not watching */
	unsigned long dropped;
};

/**
 * struct pe_kretprobe - one return probe
 * @kp: flags includes PE_KPROBE_RETURN; kp.missed counts entries within a handler
 * @entry: may be NULL
 * @handler: caller
 * @data_size: bytes of @data per instance, at most PE_KRETPROBE_DATA_MAX
 * @stat: engine; per CPU
 */
struct pe_kretprobe {
	struct pe_kprobe kp;
	pe_kretprobe_entry_t entry;
	pe_kretprobe_handler_t handler;
	unsigned int data_size;
	struct pe_kretprobe_stat __percpu *stat;
};

#define PE_KRETPROBE_DATA_MAX	256

/* Return probes on one function, at most. */
#define PE_KRETPROBES_MAX	64

/** pe_kretprobe_stat() - sum of the counters over all CPUs.  Process context, sleeps. */
void pe_kretprobe_stat(const struct pe_kretprobe *rp, struct pe_kretprobe_stat *sum);

/**
 * struct pe_kretprobe_usage - what return probes hold of all kinds
 * @functions: that have slots; those that have lost their last probe keep them
 *	as long as calls are in progress, and a little longer
 * @sets: generations of the probes of these functions
 * @in_flight: calls in progress
 */
struct pe_kretprobe_usage {
	unsigned long functions;
	unsigned long sets;
	unsigned long in_flight;
};

/**
 * pe_kretprobe_usage() - how much of it there is now
 *
 * Context: process, sleeps.  Everything becomes 0 some time after the last probe
 * has been unregistered and the last call has returned.  A call that ends with its
 * task, as that of do_exit(), never returns.
 */
void pe_kretprobe_usage(struct pe_kretprobe_usage *usage);

#endif
