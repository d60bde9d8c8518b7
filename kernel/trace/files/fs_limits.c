// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_limits.c - limits, kprobes/cost: what all events may cost, and what each of them does.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/time64.h>
#include "files.h"
#include "kernel/trace/event/cost.h"
#include "kernel/trace/event/event.h"
#include "kernel/trace/event/event_enable.h"
#include "kernel/trace/event/event_source.h"
#include "kernel/trace/event/instance.h"
#include "kernel/trace/event/limit.h"
#include "kernel/trace/parse/limit_words.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "kernel/trace/trace_probe.h"
#include "link_file.h"
#include "refusal.h"
#include "small_file.h"

static ssize_t pe_limits_write(struct file *file, const char __user *buf, size_t count)
{
	char *text = pe_copy_text(buf, count);
	int ret;

	if (IS_ERR(text))
		return pe_refused(&pe_top, file, buf, count, PTR_ERR(text));
	ret = pe_limits_set(strim(text));
	kfree(text);
	return ret ?: count;
}

const struct pe_small_file pe_limits_file = {
	.print = pe_limits_show,
	.write = pe_limits_write,
	.tells = true,
};

/* ---- kprobes/cost ---- */

static const char *pe_cost_state(const struct pe_event *event)
{
	if (pe_limit_tripped(event))
		return "tripped";
	return pe_event_armed(event) ? "armed" : "off";
}

/* The share of all CPUs' time between the last two looks. */
static void pe_cost_put_share(struct seq_file *m, u64 ns)
{
	u64 whole = pe_cost_last.interval * num_online_cpus();
	char share[PE_LIMIT_SHARE_TEXT] = "-";

	if (whole)
		pe_limit_print_share(share, div64_u64(ns * PE_LIMIT_WHOLE, whole));
	seq_puts(m, share);
}

static void pe_cost_show_source(struct seq_file *m, struct pe_source *source)
{
	const struct pe_event *event = pe_source_event(source);
	const struct pe_limit *limit = pe_limit_of(event);
	struct pe_limit_words words = {};
	char text[PE_LIMIT_TEXT], hashed[PE_PLACE_HASHED];
	struct pe_event_stat stat;

	pe_source_stat(source, &stat);
	if (limit)
		words = limit->words;
	pe_limit_print(text, &words);
	seq_printf(m, "%s/%s\t%s\t%lu\t%u\t%s\t%llu\t", event->group, event->name,
		   pe_source_place(m, source, hashed), stat.hits, source->cost.price,
		   pe_cost_price_is(source), source->cost.ns);
	pe_cost_put_share(m, source->cost.last);
	seq_printf(m, "\t%s\t%s\n", pe_cost_state(event), text);
}

void pe_costs_show(struct seq_file *m)
{
	struct pe_source *source;
	u64 ns = 0;

	mutex_lock(&pe_event_mutex);
	seq_puts(m, "event\tplace\thits\tprice\tis\tns\tcpu\tstate\tlimit\n");
	list_for_each_entry(source, &pe_sources, all) {
		pe_cost_update(source);
		pe_cost_show_source(m, source);
		ns += source->cost.ns;
		cond_resched();
	}
	seq_printf(m, "#\ttotal\t-\t-\t-\t%llu\t", ns);
	pe_cost_put_share(m, pe_cost_last.ns);
	seq_printf(m, "\t%llu ms\t-\n", div_u64(pe_cost_last.interval, NSEC_PER_MSEC));
	mutex_unlock(&pe_event_mutex);
}
