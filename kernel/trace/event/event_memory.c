// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * event_memory.c - the memory that events and their probes take.
 */
#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include "event.h"
#include "event_probe.h"
#include "event_source.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_probe.h"

static size_t pe_event_memory_allocated(const void *memory, size_t size)
{
	return is_vmalloc_addr(memory) ? PAGE_ALIGN(size) : ksize(memory);
}

static size_t pe_event_memory_memory(const struct pe_event *event)
{
	const struct pe_event_link *link;
	size_t bytes = ksize(event) + ksize(event->name) +
		       pe_event_memory_allocated(event->args, event->nargs * sizeof(*event->args));

	list_for_each_entry(link, &event->links, event_list)
		bytes += ksize(link);
	return bytes;
}

/* A probe's own, or that of one of several. */
static size_t pe_probe_memory(const struct pe_event_probe *probe)
{
	return (probe == &probe->source->one ? 0 : ksize(probe)) + ksize(probe->before) +
	       ksize(probe->symbol);
}

static size_t pe_source_memory(const struct pe_source *source)
{
	const struct pe_program *program = &source->one.program;
	unsigned int nargs = source->one.event->nargs;
	const struct pe_event_probe *probe;
	const struct pe_refused *refused;
	size_t bytes = ksize(source) +
		(source->place == source->one.symbol ? 0 : ksize(source->place)) +
		pe_event_memory_allocated(program->args, nargs * (sizeof(*program->args) +
								  sizeof(struct pe_symref))) +
		pe_event_memory_allocated(program->saved, PAGE_SIZE);

	list_for_each_entry(refused, &source->refused, list)
		bytes += ksize(refused);
	list_for_each_entry(probe, &source->probes, mine) {
		bytes += pe_probe_memory(probe);
		cond_resched();
	}
	return bytes;
}

void pe_event_probes_memory(struct pe_event_memory *memory)
{
	unsigned int cpus = num_possible_cpus();
	const struct pe_source *source;
	const struct pe_event *event;

	*memory = (struct pe_event_memory){};
	mutex_lock(&pe_event_mutex);
	list_for_each_entry(event, &pe_events, list) {
		memory->events += pe_event_memory_memory(event);
		if (event->since)
			memory->counters += sizeof(*event->since) * cpus;
	}
	list_for_each_entry(source, &pe_sources, all) {
		memory->probes += pe_source_memory(source);
		memory->counters += sizeof(*source->one.stat) * cpus;
		cond_resched();
	}
	mutex_unlock(&pe_event_mutex);
}
