// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * mirror_hit.c - bring a hit to perf, to BPF programs and to the kernel's tracefs.  [H]
 *
 * The kernel's functions that are called here are those that its own probe events call, in
 * any context: they allocate nothing and take no lock.  perf has a buffer for each level of
 * context.  If it is in use, the hit is counted as refused.
 *
 * The kernel may call us from there: a BPF program or an unwinder may run into a probe.  The
 * engine runs one handler per level only, so such a hit is counted as recursion.
 *
 * A listener that goes is unlinked, then the kernel waits for RCU.  Hits run with preemption
 * off, so none uses it after that.
 */
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/ptrace.h>
#include <linux/rculist.h>
#include <linux/string.h>
#include <pe_arch/hit_entry.h>
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_probe.h"
#include "make_record.h"
#include "mirror_hit.h"

/* Fits into a scratch block, and with the ring's own headers into a page. */
#define MIRROR_ROOM	4000
static_assert(MIRROR_ROOM < PERF_MAX_TRACE_SIZE - 2 * sizeof(u64));
static_assert(sizeof(struct trace_entry) == offsetof(struct pe_record_head, ip));

/* A record in scratch memory. */
struct record {
	const void *rec;
	unsigned int len;
};

/*
 * The kernel's filters look for the end of a text that could not be read, so a NUL follows the
 * record.
 */
static void pe_mirror_hit_copy(void *to, const struct record *r)
{
	memcpy(to, r->rec, r->len);
	((char *)to)[r->len] = '\0';
}

/*
 * perf walks the stack from these registers.  So they are those of the probed instruction, not
 * those after a breakpoint, which handlers see.
 */
static void pe_set_regs(struct pt_regs *regs, const struct pe_hit *hit, bool is_return)
{
	*regs = *hit->regs;
	if (!is_return)
		instruction_pointer_set(regs, instruction_pointer(regs) - PE_HIT_IP_PAST);
}

static void pe_to_perf(struct pe_mirror *mirror, const struct record *r, struct pt_regs *regs)
{
	struct trace_event_call *call = &mirror->call;
	struct hlist_head *head = this_cpu_ptr(call->perf_events);
	unsigned int size;
	void *raw;
	int rctx;

	if (hlist_empty(head) && !bpf_prog_array_valid(call)) {
		this_cpu_inc(mirror->stat->unheard);
		return;
	}
	/* perf puts a u32 before it, and wants the sum to be whole words. */
	size = ALIGN(r->len + 1 + sizeof(u32), sizeof(u64)) - sizeof(u32);
	raw = perf_trace_buf_alloc(size, NULL, &rctx);
	if (!raw) {
		this_cpu_inc(mirror->stat->refused);
		return;
	}
	pe_mirror_hit_copy(raw, r);
	/* The program first, if there is one: it may drop the record.  It gives the buffer back. */
	perf_trace_run_bpf_submit(raw, size, rctx, call, 1, regs, head, NULL);
	this_cpu_inc(mirror->stat->sent);
}

static void pe_to_file(struct pe_mirror *mirror, struct trace_event_file *file,
		       const struct record *r, struct pt_regs *regs)
{
	struct trace_event_buffer fbuffer;
	u16 type;

	if (trace_trigger_soft_disabled(file)) {
		this_cpu_inc(mirror->stat->unheard);
		return;
	}
	if (!trace_event_buffer_reserve(&fbuffer, file, r->len + 1)) {
		this_cpu_inc(mirror->stat->refused);
		return;
	}
	/* The flags are ours, which are those of the probed code; the id is the kernel's. */
	type = ((struct trace_entry *)fbuffer.entry)->type;
	pe_mirror_hit_copy(fbuffer.entry, r);
	((struct trace_entry *)fbuffer.entry)->type = type;
	fbuffer.regs = regs;
	trace_event_buffer_commit(&fbuffer);
	this_cpu_inc(mirror->stat->sent);
}

void pe_mirror_hit(struct pe_event_probe *probe, const struct pe_arrival *a)
{
	struct pe_mirror *mirror = READ_ONCE(probe->event->mirror);
	bool perf = READ_ONCE(mirror->perf);
	struct pe_mirror_file *file;
	struct record r;
	struct pt_regs regs;

	this_cpu_inc(probe->stat->mirrored);
	/* It has just begun or ended to be used. */
	if (unlikely(!perf && list_empty(&mirror->files))) {
		this_cpu_inc(mirror->stat->unheard);
		return;
	}
	r.rec = pe_record_make(probe, a, MIRROR_ROOM, &r.len);
	pe_set_regs(&regs, a->hit, probe->program.is_return);
	list_for_each_entry_rcu(file, &mirror->files, list, true)
		pe_to_file(mirror, file->file, &r, &regs);
	/* Last: it may write to the registers. */
	if (perf)
		pe_to_perf(mirror, &r, &regs);
}
