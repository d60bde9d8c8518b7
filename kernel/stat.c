// SPDX-License-Identifier: GPL-2.0
/*
 * stat.c - what the engine counts for all probes together, and for one.
 */
#include <linux/export.h>
#include <pe/kprobe.h>
#include "kernel/stat.h"

unsigned long pe_kprobes_unwatched(void)
{
	return pe_counter_sum(&pe_unwatched);
}
EXPORT_SYMBOL_GPL(pe_kprobes_unwatched);

unsigned long pe_kprobe_missed(const struct pe_kprobe *kp)
{
	return pe_counter_sum(kp->missed);
}
EXPORT_SYMBOL_GPL(pe_kprobe_missed);
