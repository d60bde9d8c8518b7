// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * ret_addr.c - other tracers' return addresses on the stack.  [H]
 *
 * The kernel's function graph tracer and its return probes replace a function's return
 * address with the address of their trampoline.  They keep the true one in a list of the
 * task.
 */
#include <linux/ftrace.h>
#include <linux/llist.h>
#include <linux/sched.h>
#include "kernel/know/ksyms.h"
#include "kernel/return/return.h"

/**
 * pe_other_tracer_return() - the true return address for a word on the stack
 * @ret: a return address of the current task
 * @where: where on the stack it is
 *
 * One function may have both tracers, in any order.
 * Return: the true address; @ret, if no tracer has replaced it.
 */
unsigned long pe_other_tracer_return(unsigned long ret, unsigned long *where)
{
	struct llist_node *cur = NULL;
	unsigned long found;
	int idx = 0, tries;

	for (tries = 0; tries < 2; tries++) {
		if (ret == pe_graph_trampoline && pe_graph_trampoline)
			found = pe_ks(ftrace_graph_ret_addr)(current, &idx, ret, where);
		else if (ret == pe_rethook_trampoline && pe_ks_has(rethook_find_ret_addr))
			found = pe_ks(rethook_find_ret_addr)(current, (unsigned long)where, &cur);
		else
			break;
		if (!found)
			break;
		ret = found;
	}
	return ret;
}

/* Called once, at load. */
void pe_ret_addr_init(void)
{
	if (pe_ks_has(ftrace_graph_ret_addr))
		pe_graph_trampoline = pe_ksym_address("return_to_handler");
	/* Kernels without rethook keep the true address in a list that only they can walk. */
	if (pe_ks_has(rethook_find_ret_addr))
		pe_rethook_trampoline = pe_ksym_address("arch_rethook_trampoline");
	else
		pe_rethook_trampoline = pe_ksym_address("kretprobe_trampoline");
	pe_kretprobed = (void *)pe_ksym_address("kretprobe_inst_table");
}
