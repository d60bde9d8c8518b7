// SPDX-License-Identifier: GPL-2.0
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
#include "event_set.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_probe.h"

static size_t allocated(const void *memory, size_t size)
{
	return is_vmalloc_addr(memory) ? PAGE_ALIGN(size) : ksize(memory);
}

static size_t event_memory(const struct pe_event *event)
{
	const struct pe_event_link *link;
	size_t bytes = ksize(event) + ksize(event->name) +
		       allocated(event->args, event->nargs * sizeof(*event->args));

	list_for_each_entry(link, &event->links, event_list)
		bytes += ksize(link);
	return bytes;
}

static size_t probe_memory(const struct pe_event_probe *probe)
{
	const struct pe_program *program = &probe->program;
	unsigned int nargs = probe->event->nargs;

	if (probe->set && !probe->is_head)
		return ksize(probe) + ksize(probe->before) + ksize(probe->place);
	return ksize(probe) + ksize(probe->before) + ksize(probe->symbol) +
	       (probe->place == probe->symbol ? 0 : ksize(probe->place)) +
	       (probe->set ? pe_event_set_memory(probe->set) : 0) +
	       allocated(program->args, nargs * sizeof(*program->args)) +
	       allocated(program->saved, PAGE_SIZE) +
	       allocated(probe->symrefs, nargs * sizeof(*probe->symrefs));
}

void pe_event_probes_memory(struct pe_event_memory *memory)
{
	const struct pe_event_probe *probe;
	const struct pe_event *event;

	*memory = (struct pe_event_memory){};
	mutex_lock(&pe_event_mutex);
	list_for_each_entry(event, &pe_events, list)
		memory->events += event_memory(event);
	pe_for_each_probe(event, probe) {
		memory->probes += probe_memory(probe);
		if (!probe->set || probe->is_head)
			memory->counters += sizeof(*probe->stat) * num_possible_cpus();
		cond_resched();
	}
	mutex_unlock(&pe_event_mutex);
}
