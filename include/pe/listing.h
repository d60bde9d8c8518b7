/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * listing.h - what the engine shows of all probes.
 */
#ifndef PE_LISTING_H
#define PE_LISTING_H

#include <linux/types.h>

struct pe_kprobe;
struct seq_file;

/**
 * pe_kprobes_unwatched() - calls and breakpoints that could not be matched to a probe
 *
 * RCU was not watching, or the CPU was not online.  So no probe could be looked up, and no
 * probe's counters include them.
 *
 * Context: any.
 * Return: how many since the engine was loaded.
 */
unsigned long pe_kprobes_unwatched(void);

/**
 * struct pe_memory - memory that probes take in the engine, in bytes as they are allocated
 * @probes: how many are registered
 * @sites: addresses with probes, and what makes them faster: jumps, compiled hits
 * @counters: of each probe, on each possible CPU
 * @returns: what functions with return probes keep
 * @copies: pages with copies of instructions
 * @detours: of jumps
 * @slots: of functions with return probes
 * @compiled: code of hits, and of the way to it
 *
 * The last three are parts of the modules' own text, which are there also without any probe.
 */
struct pe_memory {
	size_t probes, sites, counters, returns;
	size_t copies, detours, slots, compiled;
};

/* The struct pe_kprobe is its owner's, and not counted.  Process context, the engine's mutex. */
void pe_kprobes_memory(struct pe_memory *memory);

/*
 * Text of kprobes/list and kprobes/blacklist: one line per entry, in the form of the
 * kernel's debugfs files.  A line of list has address, kind, symbol+offset, module and
 * flags.  Process context; they take the engine's mutex.
 *
 * pe_kprobe_show_unregistered() writes a line for a probe with a @symbol that is not
 * registered.  @flag is its flag.
 *
 * pe_kprobes_show_optimized() writes kprobes/optimized: a line for each probed address, with
 * address, symbol+offset, module, mechanism, and why a breakpoint is no jump.
 */
void pe_kprobes_show_list(struct seq_file *m);
void pe_kprobes_show_optimized(struct seq_file *m);
bool pe_show_addresses(const struct seq_file *m);	/* may its reader see kernel addresses? */
void pe_kprobe_show_unregistered(struct seq_file *m, const struct pe_kprobe *kp,
				 const char *symbol, const char *flag);
void pe_kprobes_show_blacklist(struct seq_file *m);

#endif
