// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_inside.c - inside: the calls of an event's functions that have not returned yet.
 *
 * The engine finds them on the stacks of all tasks, with the words that were saved at the entry.
 * Arguments are fetched from these words as at a return, but later and by the reader.  So what
 * only the return or the calling task knows is not told: registers, its name, its memory.
 *
 * A visit cannot allocate memory.  If there is not enough, it only counts, and is repeated.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>
#include <pe/kretprobe.h>
#include <pe/nofault.h>
#include <pe_arch/abi.h>
#include "files.h"
#include "kernel/trace/event/event.h"
#include "kernel/trace/event/event_probe.h"
#include "kernel/trace/event/event_source.h"
#include "kernel/trace/hit/elapsed.h"
#include "kernel/trace/hit/fetch.h"
#include "kernel/trace/parse/limits.h"
#include "kernel/trace/print/print.h"
#include "kernel/trace/print/safe_text.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_probe.h"
#include "link_file.h"

/* A call in progress; in @saved, a time is how long ago that was. */
struct pe_inside_call {
	const struct pe_event_probe *probe;
	u64 ns;
	pid_t pid;
	int cpu;
	char comm[TASK_COMM_LEN];
	char state;
	bool exact;
	u64 saved[];
};

#define INSIDE_FIRST	1000UL		/* calls for which there is room at first */

/*
 * Calls of one event: an array of @room elements of @size bytes, which would need @n.  @began: the
 * monotonic time of which all that is shown is told: looking takes long, and a call that is found
 * later is not older by that.
 */
struct pe_inside {
	const struct pe_event *event;
	u64 began;
	void *calls;
	size_t size;
	unsigned int room, n;
};

static struct pe_inside_call *pe_inside_nth(const struct pe_inside *in, unsigned int i)
{
	return in->calls + i * in->size;
}

/* From the entry's @word to @began; *@now: to now. */
static u64 pe_inside_since(u64 word, u64 began, u64 *now)
{
	s64 late;		/* clocks may step back by a little */

	preempt_disable();
	*now = pe_elapsed_since(word);
	late = ktime_get_mono_fast_ns() - began;
	preempt_enable();
	return *now - clamp_t(s64, late, 0, *now);
}

/* In the engine's RCU section; pe_event_mutex is held, so sources and events stay. */
static void pe_inside_note(const struct pe_kretprobe_call *found, void *arg)
{
	struct pe_inside *in = arg;
	const struct pe_event_probe *probe = pe_event_return_of(in->event, found->rp);
	struct task_struct *task = found->task;
	struct pe_inside_call *call;
	int time_word;
	u64 ns = 0, now = 0;

	lockdep_assert_held(&pe_event_mutex);
	if (!probe)
		return;
	time_word = probe->program.time_word;
	if (time_word >= 0)
		ns = pe_inside_since(((const u64 *)found->data)[time_word], in->began, &now);
	/*
	 * A leftover in which the return has written how long the call has taken.  Clocks may
	 * differ by the part by which one of them has been slewed.
	 */
	if (!found->exact && now - (now >> 10) > ktime_get_mono_fast_ns() - task->start_time)
		return;
	if (in->n++ >= in->room)
		return;
	call = pe_inside_nth(in, in->n - 1);
	call->probe = probe;
	call->pid = task->pid;
	call->cpu = found->exact && task != current ? -1 : task_cpu(task);
	call->state = task_state_to_char(task);
	call->exact = found->exact;
	memcpy(call->comm, task->comm, sizeof(call->comm));
	call->comm[sizeof(call->comm) - 1] = 0;
	memcpy(call->saved, found->data, probe->program.nr_saved * sizeof(u64));
	call->ns = ns;
	if (time_word >= 0)
		call->saved[time_word] = ns;
}

/* Calls that may have ended are last. */
static int pe_inside_cmp(const void *a, const void *b)
{
	const struct pe_inside_call *x = a, *y = b;

	if (x->exact != y->exact)
		return x->exact ? -1 : 1;
	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return x->pid - y->pid;
}

/* How many calls the counters have in progress: those in interrupts, too. */
static unsigned long pe_inside_in_flight(const struct pe_event *event)
{
	const struct pe_source *source = NULL;
	struct pe_engine_stat stat;
	unsigned long sum = 0;

	while ((source = pe_source_next(event, source))) {
		pe_source_engine_stat(source, &stat);
		sum += stat.calls - stat.returns - stat.dropped;
	}
	return sum;
}

/*
 * Memory for a few more than there should be: meanwhile, there may be more.  The counters only
 * tell where to begin: they include calls that never end, as those of do_exit().
 */
static int pe_inside_find(struct pe_inside *in)
{
	in->n = min(pe_inside_in_flight(in->event), INSIDE_FIRST);
	do {
		kvfree(in->calls);
		in->room = in->n + in->n / 4 + 16;
		in->calls = kvcalloc(in->room, in->size, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
		if (!in->calls)
			return -ENOMEM;
		in->n = 0;
		in->began = ktime_get_mono_fast_ns();
		pe_kretprobes_visit(pe_inside_note, in);
		if (fatal_signal_pending(current))
			return -EINTR;
	} while (in->n > in->room);
	sort(in->calls, in->n, in->size, pe_inside_cmp, NULL);
	return 0;
}

/*
 * Can the reader fetch what the calling task would?  Not if a step is in user memory, or is the
 * CPU's.  @arg becomes a fetch of at most one step, from an address that is the kernel's: following
 * all of them again might lead elsewhere.
 */
static bool pe_inside_can_tell(struct pe_arg *arg, const struct pe_program *program,
			       const u64 *saved)
{
	struct pe_fetch *fetch = &arg->fetch;
	bool is_text = pe_type_is_string(arg->type) && !pe_type_names_value(arg->type);
	unsigned int i;

	if (fetch->load == PE_LOAD_STR)
		return true;
	if (fetch->load == PE_LOAD_SAVED && fetch->index == program->since_word)
		return false;
	if (fetch->load == PE_LOAD_SAVED)
		fetch->imm = saved[fetch->index];
	else if (fetch->load != PE_LOAD_IMM)
		return false;
	fetch->load = PE_LOAD_IMM;
	if (is_text && (arg->count || arg->type->class == PE_CLASS_USTRING))
		return false;
	for (i = 0; i < fetch->nr_derefs; i++) {
		const struct pe_deref *deref = &fetch->deref[i];
		u64 at = fetch->imm + deref->off;

		if (deref->cpu || deref->user || pe_arch_is_user(at) ||
		    pe_arch_is_user(at + arg->size))
			return false;
		if (i + 1 == fetch->nr_derefs) {
			fetch->deref[0] = *deref;
			fetch->nr_derefs = 1;
			return true;
		}
		if (!pe_read_nofault(&fetch->imm, at, sizeof(fetch->imm)))
			return false;
	}
	return !is_text || !pe_arch_is_user(fetch->imm);
}

/* @rec: room for the fixed part of a record and one string */
static void pe_inside_show_args(struct seq_file *m, const struct pe_inside_call *call, void *rec)
{
	struct pe_program one = call->probe->program;
	const struct pe_arg *arg, *end = one.end;
	struct pe_arg told;
	unsigned int len;

	if (one.args == end)
		seq_puts(m, " -");
	for (arg = one.args; arg < end; arg++) {
		told = *arg;
		if (!pe_inside_can_tell(&told, &one, call->saved)) {
			seq_printf(m, " %s=-", arg->name);
			continue;
		}
		one.rest = &told;
		one.end = &told + 1;
		len = pe_fetch_rest(rec, one.fixed + PE_MAX_STRING_SIZE, &one,
				    (struct pe_fetch_source){ .saved = call->saved });
		pe_record_print_arg(m, arg, rec, len);
	}
}

static void pe_inside_show_call(struct seq_file *m, const struct pe_inside_call *call, void *rec)
{
	char hashed[PE_PLACE_HASHED];
	u64 s;
	u32 ns;

	seq_printf(m, "pid %d comm ", call->pid);
	pe_seq_safe_text(m, call->comm);
	seq_printf(m, " state %c since %s", call->state, call->exact ? "" : "~");
	s = div_u64_rem(call->ns, NSEC_PER_SEC, &ns);
	if (call->probe->program.time_word < 0)
		seq_putc(m, '-');
	else
		seq_printf(m, "%llu.%09u", s, ns);
	if (call->cpu < 0)
		seq_puts(m, " cpu -");
	else
		seq_printf(m, " cpu %d", call->cpu);
	seq_printf(m, " func %s args", pe_event_probe_place(m, call->probe, hashed));
	pe_inside_show_args(m, call, rec);
	seq_putc(m, '\n');
}

static void pe_inside_measure(struct pe_inside *in, size_t *rec_size)
{
	const struct pe_source *source = NULL;
	unsigned int words = 0;

	*rec_size = 0;
	while ((source = pe_source_next(in->event, source))) {
		words = max(words, source->one.program.nr_saved + 0U);
		*rec_size = max(*rec_size, source->one.program.fixed + (size_t)PE_MAX_STRING_SIZE);
	}
	in->size = struct_size_t(struct pe_inside_call, saved, words);
}

static void pe_inside_show(struct seq_file *m, const struct pe_event_link *link)
{
	struct pe_inside in = { .event = link->event };
	size_t rec_size;
	unsigned int i;
	void *rec;

	if (!in.event->is_return) {
		seq_puts(m, "# not a return event: its calls are not followed\n");
		return;
	}
	pe_inside_measure(&in, &rec_size);
	rec = kvzalloc(rec_size, GFP_KERNEL_ACCOUNT);
	if (!rec || pe_inside_find(&in)) {
		seq_puts(m, "# no memory, or killed\n");
		goto free;
	}
	/* If it does not fit, all is shown again, into more memory. */
	for (i = 0; i < in.n && !seq_has_overflowed(m); i++) {
		pe_inside_show_call(m, pe_inside_nth(&in, i), rec);
		cond_resched();
	}
	seq_printf(m, "# %u calls, in_flight %lu\n", in.n, pe_inside_in_flight(in.event));
free:
	kvfree(in.calls);
	kvfree(rec);
}

const struct pe_link_file pe_event_inside_file = { .show = pe_inside_show };
