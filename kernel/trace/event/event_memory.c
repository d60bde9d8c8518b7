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

static size_t pe_probe_memory(const struct pe_event_probe *probe)
{
	const struct pe_program *program = &probe->program;
	unsigned int nargs = probe->event->nargs;

	if (probe->set && !probe->is_head)
		return ksize(probe) + ksize(probe->before) + ksize(probe->place);
	return ksize(probe) + ksize(probe->before) + ksize(probe->symbol) +
	       (probe->place == probe->symbol ? 0 : ksize(probe->place)) +
	       (probe->set ? pe_event_set_memory(probe->set) : 0) +
	       pe_event_memory_allocated(program->args, nargs * sizeof(*program->args)) +
	       pe_event_memory_allocated(program->saved, PAGE_SIZE) +
	       pe_event_memory_allocated(probe->symrefs, nargs * sizeof(*probe->symrefs));
}

void pe_event_probes_memory(struct pe_event_memory *memory)
{
	const struct pe_event_probe *probe;
	const struct pe_event *event;

	*memory = (struct pe_event_memory){};
	mutex_lock(&pe_event_mutex);
	list_for_each_entry(event, &pe_events, list)
		memory->events += pe_event_memory_memory(event);
	pe_for_each_probe(event, probe) {
		memory->probes += pe_probe_memory(probe);
		if (!probe->set || probe->is_head)
			memory->counters += sizeof(*probe->stat) * num_possible_cpus();
		cond_resched();
	}
	mutex_unlock(&pe_event_mutex);
}
