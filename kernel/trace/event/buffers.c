// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * buffers.c - settings of both buffers of an instance: sizes, clock, switches.
 *
 * Sizes change under snap_mutex alone, and a hit may exchange the buffers meanwhile.  That
 * does no harm: both get the same sizes.  While the snapshot is not allocated, the sizes
 * differ, but no hit exchanges them.  The memory for both is taken first, so both change or
 * none.
 *
 * snapshot.c says what keeps the two in their places.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/processor.h>
#include "buffers.h"
#include "kernel/trace/hit/snapshot_hit.h"
#include "kernel/trace/ring/rb_buffer.h"
#include "kernel/trace/ring/rb_resize.h"
#include "kernel/trace/ring/rb_wait.h"
#include "kernel/trace/trace_instance.h"

void pe_buffers_hold(struct pe_instance *inst)
{
	lockdep_assert_held(&inst->snap_mutex);
	while (test_and_set_bit_lock(PE_SNAP_BUSY, &inst->snap_flags))	/* busy:A */
		cpu_relax();	/* a hit holds it, for a few instructions */
}

void pe_buffers_release(struct pe_instance *inst)
{
	lockdep_assert_held(&inst->snap_mutex);
	clear_bit_unlock(PE_SNAP_BUSY, &inst->snap_flags);	/* busy:A */
}

static void pe_buffers_begin(struct pe_instance *inst)
{
	mutex_lock(&inst->snap_mutex);
	pe_buffers_hold(inst);
}

static void pe_buffers_end(struct pe_instance *inst)
{
	pe_buffers_release(inst);
	mutex_unlock(&inst->snap_mutex);
}

void pe_buffers_wake(struct pe_instance *inst)
{
	pe_waits_wake(inst->waits);
	pe_waits_wake(inst->snap_waits);
}

/* Find the two, with snap_mutex held: for work that tolerates an exchange by a hit. */
static void pe_find_both(struct pe_instance *inst, struct pe_buffer **buffer,
			 struct pe_buffer **snap)
{
	lockdep_assert_held(&inst->snap_mutex);
	pe_buffers_hold(inst);
	*buffer = inst->buffer;
	*snap = inst->snap;
	pe_buffers_release(inst);
}

int pe_buffers_add_ring(struct pe_instance *inst, int cpu)
{
	struct pe_buffer *buffer, *snap;
	int ret;

	mutex_lock(&inst->snap_mutex);
	pe_find_both(inst, &buffer, &snap);
	ret = pe_buffer_add_ring(buffer, cpu);
	if (!ret)
		ret = pe_buffer_add_ring(snap, cpu);
	mutex_unlock(&inst->snap_mutex);
	return ret;
}

/* Gives both @sizes; the snapshot only those of its sub-buffers, unless @snap_too. */
static int pe_change_sizes(struct pe_instance *inst, const struct pe_sizes *sizes, bool snap_too)
{
	struct pe_sizes shift_only = { .cpu = PE_ALL_CPUS, .shift = sizes->shift };
	struct pe_buffer *buffer, *snap;
	int ret;

	pe_find_both(inst, &buffer, &snap);
	ret = pe_buffer_prepare(buffer, sizes);
	if (ret)
		return ret;
	ret = pe_buffer_prepare(snap, snap_too ? sizes : &shift_only);
	if (ret) {
		pe_buffer_forget(buffer);
		return ret;
	}
	pe_buffer_apply(buffer);
	pe_buffer_apply(snap);
	if (sizes->kb)
		WRITE_ONCE(inst->expanded, true);	/* read by pe_size_show() */
	return 0;
}

/* log2 of the size of sub-buffers, the same in both buffers. */
static unsigned int pe_page_shift(struct pe_instance *inst)
{
	return READ_ONCE(pe_instance_buffer(inst)->page_shift);
}

/* Give the buffer the full size that it has when it is first used. */
static int pe_event_buffers_expand(struct pe_instance *inst, bool snap_too)
{
	struct pe_sizes sizes = {
		.kb = PE_BUFFER_DEFAULT_KB, .cpu = PE_ALL_CPUS, .shift = pe_page_shift(inst),
	};

	return pe_change_sizes(inst, &sizes, snap_too);
}

int pe_buffers_expand(struct pe_instance *inst)
{
	int ret = 0;

	mutex_lock(&inst->snap_mutex);
	if (!inst->expanded)
		ret = pe_event_buffers_expand(inst, false);
	mutex_unlock(&inst->snap_mutex);
	return ret;
}

int pe_buffers_resize(struct pe_instance *inst, unsigned long kb, int cpu)
{
	struct pe_sizes sizes = { .kb = kb, .cpu = cpu };
	int ret;

	if (!kb)
		return -EINVAL;
	mutex_lock(&inst->snap_mutex);
	sizes.shift = pe_page_shift(inst);
	/* Otherwise the other CPUs would keep their two pages. */
	if (!inst->expanded)
		sizes.rest_kb = PE_BUFFER_DEFAULT_KB;
	ret = pe_change_sizes(inst, &sizes, pe_snapshot_allocated(inst));
	mutex_unlock(&inst->snap_mutex);
	return ret;
}

int pe_buffers_set_page_shift(struct pe_instance *inst, unsigned int shift)
{
	struct pe_sizes sizes = { .cpu = PE_ALL_CPUS, .shift = shift };
	int ret;

	mutex_lock(&inst->snap_mutex);
	ret = pe_change_sizes(inst, &sizes, false);
	mutex_unlock(&inst->snap_mutex);
	return ret;
}

int pe_buffers_fill_snapshot(struct pe_instance *inst)
{
	int ret;

	lockdep_assert_held(&inst->snap_mutex);
	if (!inst->expanded)
		return pe_event_buffers_expand(inst, true);
	ret = pe_buffer_prepare_like(inst->snap, inst->buffer);
	if (!ret)
		pe_buffer_apply(inst->snap);
	return ret;
}

void pe_buffers_set_clock(struct pe_instance *inst, unsigned int clock)
{
	pe_buffers_begin(inst);
	/* Each call starts the counter anew, so the buffer that is written comes last. */
	pe_buffer_set_clock(inst->snap, clock);
	pe_buffer_set_clock(inst->buffer, clock);
	pe_buffers_end(inst);
}

void pe_buffers_set_overwrite(struct pe_instance *inst, bool on)
{
	pe_buffers_begin(inst);
	pe_buffer_set_overwrite(inst->buffer, on);
	pe_buffer_set_overwrite(inst->snap, on);
	pe_buffers_end(inst);
}

void pe_buffers_empty(struct pe_instance *inst)
{
	pe_buffers_begin(inst);
	pe_buffer_reset(inst->buffer, PE_ALL_CPUS);
	pe_buffer_reset(inst->snap, PE_ALL_CPUS);
	pe_buffers_end(inst);
}

void pe_buffers_reset(struct pe_instance *inst, int cpu)
{
	pe_buffers_begin(inst);
	pe_buffer_reset(inst->buffer, cpu);
	pe_buffers_end(inst);
}

void pe_buffers_record_disable(struct pe_instance *inst, const struct cpumask *cpus)
{
	pe_buffers_begin(inst);
	pe_buffer_pair_record_disable(inst->buffer, inst->snap, cpus);
	pe_buffers_end(inst);
}

void pe_buffers_record_enable(struct pe_instance *inst, const struct cpumask *cpus)
{
	pe_buffers_begin(inst);
	pe_buffer_record_enable(inst->snap, cpus);
	pe_buffer_record_enable(inst->buffer, cpus);
	pe_buffers_end(inst);
}
