// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_profile.c - kprobe_profile, kprobe_losses: what became of hits.
 */
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include "files.h"
#include "kernel/trace/event/event.h"
#include "kernel/trace/event/event_source.h"
#include "kernel/trace/hit/event_hit.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_probe.h"
#include "small_file.h"

static int pe_profile_show(struct seq_file *m, void *v)
{
	const struct pe_source *source = list_entry(v, struct pe_source, all);
	struct pe_engine_stat engine;
	struct pe_event_stat stat;

	pe_source_stat(source, &stat);
	pe_source_engine_stat(source, &engine);
	seq_printf(m, "  %-44s %15lu %15lu\n", pe_source_event(source)->name, stat.hits,
		   engine.missed + engine.no_stack);
	return 0;
}

static const struct seq_operations pe_profile_list = PE_SOURCES_LIST(pe_profile_show);

const struct pe_small_file pe_profile_file = { .list = &pe_profile_list };

/*
 * The header is position 0, the sources follow.  A handler in progress has counted its hit but not
 * yet its record.  Handlers run with preemption off: wait for them.  Then the sums are right for
 * probes that are no longer armed.
 */
static void *pe_losses_start(struct seq_file *m, loff_t *pos)
{
	if (!*pos)
		synchronize_rcu();
	mutex_lock(&pe_event_mutex);
	return seq_list_start_head(&pe_sources, *pos);
}

static void pe_losses_show_header(struct seq_file *m)
{
	unsigned int i;

	seq_printf(m, "%-48s %-38s %12s %12s %12s %12s %12s %12s", "event", "place",
		   "hits", "records", "recursion", "no_stack", "dropped", "in_flight");
	for (i = 0; i < PE_NR_LOSSES; i++)
		seq_printf(m, " %12s", pe_loss_names[i]);
	seq_printf(m, " %12s %12s %12s\n", "mirrored", "counted", "extra");
}

/*
 * A table with the same columns in every line: hits + extra = records + the
 * columns between.
 *
 * A return probe's hits are the calls that the engine has counted at their
 * entries.  The event layer counts what they became at their returns; the
 * engine counts the calls that never reached the event layer.
 */
static int pe_losses_show(struct seq_file *m, void *v)
{
	const struct pe_source *source;
	struct pe_engine_stat engine;
	struct pe_event_stat stat;
	char hashed[PE_PLACE_HASHED];
	unsigned long hits, in_flight;
	unsigned int i;
	int pad;

	if (v == &pe_sources) {
		pe_losses_show_header(m);
		return 0;
	}
	source = list_entry(v, struct pe_source, all);
	pe_source_stat(source, &stat);
	pe_source_engine_stat(source, &engine);
	hits = pe_source_event(source)->is_return ? engine.calls : stat.hits;
	/* While calls go on, returns may be counted later than their entries. */
	in_flight = max_t(long, 0, engine.calls - engine.returns - engine.dropped);

	pad = 47 - (int)strlen(pe_source_event(source)->group);
	seq_printf(m, "%s/%-*s %-38s %12lu %12lu %12lu %12lu %12lu %12lu",
		   pe_source_event(source)->group, max(pad, 1), pe_source_event(source)->name,
		   pe_source_place(m, source, hashed),
		   hits + engine.missed + engine.no_stack, stat.records, engine.missed,
		   engine.no_stack, engine.dropped, in_flight);
	for (i = 0; i < PE_NR_LOSSES; i++)
		seq_printf(m, " %12lu", stat.lost[i]);
	seq_printf(m, " %12lu %12lu %12lu\n", stat.mirrored, stat.counted, stat.extra);
	return 0;
}

static const struct seq_operations pe_losses_list = {
	.start = pe_losses_start,
	.next = pe_sources_next,
	.stop = pe_sources_stop,
	.show = pe_losses_show,
};

const struct pe_small_file pe_losses_file = { .list = &pe_losses_list };
