// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * core_main.c - loading and unloading of probe_core.
 *
 * Unloading needs every probe to be gone already, and it is: a module that registers
 * one links against this module and so keeps it in memory.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/hashtable.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <pe/listing.h>
#include <pe/version.h>
#include "kernel/arch.h"
#include "kernel/compiled/round.h"
#include "kernel/engine.h"
#include "kernel/jump/jump.h"
#include "kernel/know/btf_source.h"
#include "kernel/know/ksyms.h"
#include "kernel/know/lookup_cache.h"
#include "kernel/know/names.h"
#include "kernel/mech/ftrace.h"
#include "kernel/mech/slots.h"
#include "kernel/policy/policy.h"
#include "kernel/probe/retire.h"
#include "kernel/probe/site.h"
#include "kernel/return/return.h"
#include "kernel/sysctl.h"

/* Hits lead there. */
static const struct pe_reach_ours pe_core_code[PE_REACH_OURS] = {
	{ PE_REACH_TRAP, pe_breakpoint },
#ifndef PE_NO_JUMPS
	/* The same of a jump, which a breakpoint becomes */
	{ PE_REACH_TRAP, pe_detour_stub },
#endif
	/* The entry and the exit of a function that is called through. */
	{ PE_REACH_RETURN, pe_return_entry },
	{ PE_REACH_RETURN, pe_return_exit },
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
	/* The entry of a function that ftrace patches, before its handlers */
	{ PE_REACH_RETURN, pe_entry_stub_divert },
#endif
	{}
};

static int __init pe_core_init(void)
{
	bool names;
	int err;

	err = pe_ksyms_init();
	if (err)
		goto undo_lookups;
	err = pe_sites_init();
	if (err)
		goto undo_lookups;
	err = pe_modules_init();
	if (err)
		goto undo_sites;
	err = pe_return_init();
	if (err)
		goto undo_modules;
	names = pe_blacklist_init();
	names &= pe_return_check_init();
	pe_protect_module(pe_arena_module);
	err = pe_reach_init(pe_core_code, names);
	if (err)
		goto undo_return;
	pe_ret_addr_init();
	pe_ftrace_hit_init();
	pe_arch_return_init();
	err = pe_arch_hit_init();
	if (err)
		goto undo_reach;
	pe_sysctl_init();
	return 0;

undo_reach:
	pe_reach_exit();
undo_return:
	pe_return_exit_sets();
	pe_retire_drain();
undo_modules:
	pe_modules_exit();
	pe_jumps_exit();	/* a module that came or went has begun its work */
undo_sites:
	pe_sites_exit();
undo_lookups:
	pe_lookups_exit();
	return err;
}

/*
 * The three steps of removal:
 *
 *   1. Make unreachable: no probe is registered, so no text and no ftrace filter leads here.
 *   2. Wait: no CPU is in the breakpoint handler after its call has been put back, and no
 *      task is in a slot after the grace periods.
 *   3. Release: slots.  Slots of return probes stay in the arena as long as they are needed.
 */
static void __exit pe_core_exit(void)
{
	unsigned long unwatched;

	WARN_ON(!hash_empty(pe_sites) || !list_empty(&pe_gone_sites));
	pe_sysctl_exit();
	pe_modules_exit();
	pe_code_exit();
	pe_jumps_exit();
	pe_arch_hit_exit();
	pe_return_exit_sets();
	pe_ftrace_ops_exit();
	pe_retire_drain();
	pe_slots_exit();
	pe_reach_exit();
	pe_lookups_exit();
	pe_btf_file_exit();
	pe_sites_exit();
	unwatched = pe_kprobes_unwatched();
	if (unwatched)
		pr_warn("%lu hits could not be served (RCU not watching)\n",
			unwatched);
}

module_init(pe_core_init);
module_exit(pe_core_exit);

MODULE_AUTHOR("The probe-events maintainers");
MODULE_LICENSE("GPL");
MODULE_VERSION(PE_VERSION);
MODULE_DESCRIPTION("Dynamic probes in kernel text: the engine");
