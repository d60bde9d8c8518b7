// SPDX-License-Identifier: GPL-2.0
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
#include "kernel/arch.h"
#include "kernel/btf_source.h"
#include "kernel/kprobes.h"
#include "kernel/ksyms.h"
#include "kernel/mech/ftrace.h"
#include "kernel/mech/code.h"
#include "kernel/mech/jump.h"
#include "kernel/mech/slots.h"
#include "kernel/policy/policy.h"
#include "kernel/return/return.h"
#include "kernel/site.h"
#include "kernel/symbols.h"
#include "kernel/sysctl.h"
#include "kernel/table.h"

static int __init pe_core_init(void)
{
	int err;

	err = pe_ksyms_init();
	if (err)
		return err;
	err = pe_sites_init();
	if (err)
		return err;
	err = pe_module_names_init();
	if (err)
		goto undo_sites;
	err = pe_return_init();
	if (err)
		goto undo_names;
	pe_blacklist_init();
	pe_protect_module(pe_arena_module);
	err = pe_reach_init();
	if (err)
		goto undo_return;
	pe_ret_addr_init();
	pe_ftrace_hit_init();
	pe_arch_return_init();
	err = pe_arch_hit_init();
	if (err)
		goto undo_reach;
	err = pe_module_event_init();
	if (err)
		goto undo_hit;
	err = pe_capi_init();
	if (err)
		goto undo_module_event;
	pe_sysctl_init();
	return 0;

undo_module_event:
	pe_module_event_exit();
undo_hit:
	pe_arch_hit_exit();
undo_reach:
	pe_reach_exit();
undo_return:
	pe_return_exit_sets();
undo_names:
	pe_module_names_exit();
	pe_tables_exit();
undo_sites:
	pe_sites_exit();
	return err;
}

/*
 * The three steps of removal:
 *
 *   1. Make unreachable: no probe is registered, so no text and no ftrace filter leads here.
 *   2. Wait: no CPU is in the breakpoint handler after its call has been put back, and no
 *      task is in a slot after the grace periods.
 *   3. Release: slots.  Those of return probes stay in the arena as long as they are needed.
 */
static void __exit pe_core_exit(void)
{
	unsigned long unwatched;

	WARN_ON(!hash_empty(pe_sites) || !list_empty(&pe_gone_sites));
	pe_sysctl_exit();
	pe_capi_exit();
	pe_module_event_exit();
	pe_code_exit();
	pe_jumps_exit();
	pe_arch_hit_exit();
	pe_return_exit_sets();
	pe_ftrace_exit();
	pe_slots_exit();
	pe_reach_exit();
	pe_module_names_exit();
	pe_tables_exit();
	pe_btf_file_exit();
	pe_sites_exit();
	unwatched = pe_kprobes_unwatched();
	if (unwatched)
		pr_warn("%lu hits could not be served (RCU not watching)\n",
			unwatched);
}

module_init(pe_core_init);
module_exit(pe_core_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Dynamic probes in kernel text: the engine");
