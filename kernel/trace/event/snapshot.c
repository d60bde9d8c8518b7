// SPDX-License-Identifier: GPL-2.0
/*
 * snapshot.c - an instance's second buffer, and what concerns both.
 *
 * Exchanging the two is two stores, under the bit BUSY, which is only tried for
 * in a hit: never waited for, so any context may do it.  In process context it is
 * taken for as long as something is done with one or the other buffer, which then
 * stay in their places; snap_mutex is around that.
 *
 * Sizes change under snap_mutex alone, and a hit may exchange the buffers meanwhile:
 * both get the same sizes, or, while the snapshot is not allocated, stay in their
 * places.  The memory for both is taken first, so both change or none.
 *
 * A writer that has found one buffer and is interrupted by a snapshot writes into
 * that one nevertheless: rings do not mind, and its record is in the snapshot.  The
 * same holds for a reader, which follows at its next step.  Those who wait for
 * records do so in pe_instance.common, for both buffers, and are woken once.
 *
 * Order of locks: snap_mutex, then that of a buffer.
 */
#include <linux/bitops.h>
#include <linux/container_of.h>
#include <linux/errno.h>
#include <linux/irq_work.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/processor.h>
#include "kernel/trace/ring/rb_buffer.h"
#include "kernel/trace/ring/rb_resize.h"
#include "kernel/trace/ring/rb_wait.h"
#include "snapshot.h"
#include "kernel/trace/trace_instance.h"

/* Bits of pe_instance.snap_flags. */
#define BUSY	0	/* somebody exchanges the buffers or relies on their places */
#define READY	1	/* the second has its memory; changed under BUSY */

static void hold_places(struct pe_instance *inst)
{
	lockdep_assert_held(&inst->snap_mutex);
	while (test_and_set_bit_lock(BUSY, &inst->snap_flags))
		cpu_relax();	/* a hit, for a few instructions */
}

static void release_places(struct pe_instance *inst)
{
	clear_bit_unlock(BUSY, &inst->snap_flags);
}

static void begin(struct pe_instance *inst)
{
	mutex_lock(&inst->snap_mutex);
	hold_places(inst);
}

static void end(struct pe_instance *inst)
{
	release_places(inst);
	mutex_unlock(&inst->snap_mutex);
}

/* With BUSY.  [H] */
static void exchange(struct pe_instance *inst)
{
	struct pe_buffer *first = inst->buffer;

	WRITE_ONCE(inst->buffer, inst->snap);
	WRITE_ONCE(inst->snap, first);
}

void pe_instance_wake(struct pe_instance *inst)
{
	pe_buffer_wake(pe_instance_buffer(inst));
}

static void wake(struct irq_work *work)
{
	pe_instance_wake(container_of(work, struct pe_instance, wake));
}

/* [H] */
void pe_instance_wake_later(struct pe_instance *inst)
{
	if (pe_can_wake())
		irq_work_queue(&inst->wake);
}

/* [H] */
bool pe_snapshot_hit(struct pe_instance *inst)
{
	bool ready;

	if (test_and_set_bit_lock(BUSY, &inst->snap_flags))
		return false;
	ready = test_bit(READY, &inst->snap_flags);
	if (ready)
		exchange(inst);
	clear_bit_unlock(BUSY, &inst->snap_flags);
	if (ready)
		pe_instance_wake_later(inst);
	return ready;
}

/* Where they are; under snap_mutex, for what a hit may not mind that exchanges them. */
static void find_both(struct pe_instance *inst, struct pe_buffer **buffer,
		      struct pe_buffer **snap)
{
	hold_places(inst);
	*buffer = inst->buffer;
	*snap = inst->snap;
	release_places(inst);
}

int pe_instance_add_ring(struct pe_instance *inst, int cpu)
{
	struct pe_buffer *buffer, *snap;
	int ret;

	mutex_lock(&inst->snap_mutex);
	find_both(inst, &buffer, &snap);
	ret = pe_buffer_add_ring(buffer, cpu);
	if (!ret)
		ret = pe_buffer_add_ring(snap, cpu);
	mutex_unlock(&inst->snap_mutex);
	return ret;
}

/* Gives both @sizes; the snapshot only those of its sub-buffers, unless @snap_too. */
static int change_sizes(struct pe_instance *inst, const struct pe_sizes *sizes, bool snap_too)
{
	struct pe_sizes shift_only = { .cpu = PE_ALL_CPUS, .shift = sizes->shift };
	struct pe_buffer *buffer, *snap;
	int ret;

	find_both(inst, &buffer, &snap);
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
		WRITE_ONCE(inst->expanded, true);
	return 0;
}

/* Of both. */
static unsigned int page_shift(struct pe_instance *inst)
{
	return READ_ONCE(pe_instance_buffer(inst)->page_shift);
}

/* The full size that a buffer has when it is first used. */
static int expand(struct pe_instance *inst, bool snap_too)
{
	struct pe_sizes sizes = {
		.kb = PE_BUFFER_DEFAULT_KB, .cpu = PE_ALL_CPUS, .shift = page_shift(inst),
	};

	return change_sizes(inst, &sizes, snap_too);
}

int pe_instance_expand(struct pe_instance *inst)
{
	int ret = 0;

	mutex_lock(&inst->snap_mutex);
	if (!inst->expanded)
		ret = expand(inst, false);
	mutex_unlock(&inst->snap_mutex);
	return ret;
}

int pe_instance_resize(struct pe_instance *inst, unsigned long kb, int cpu)
{
	struct pe_sizes sizes = { .kb = kb, .cpu = cpu };
	int ret;

	if (!kb)
		return -EINVAL;
	mutex_lock(&inst->snap_mutex);
	sizes.shift = page_shift(inst);
	/* Else the other CPUs would keep their two pages for good. */
	if (!inst->expanded)
		sizes.rest_kb = PE_BUFFER_DEFAULT_KB;
	ret = change_sizes(inst, &sizes, pe_snapshot_allocated(inst));
	mutex_unlock(&inst->snap_mutex);
	return ret;
}

int pe_instance_set_page_shift(struct pe_instance *inst, unsigned int shift)
{
	struct pe_sizes sizes = { .cpu = PE_ALL_CPUS, .shift = shift };
	int ret;

	mutex_lock(&inst->snap_mutex);
	ret = change_sizes(inst, &sizes, false);
	mutex_unlock(&inst->snap_mutex);
	return ret;
}

/* Allocates the snapshot.  While it is not, the two stay in their places. */
static int make_ready(struct pe_instance *inst)
{
	int ret;

	lockdep_assert_held(&inst->snap_mutex);
	if (pe_snapshot_allocated(inst))
		return 0;
	if (inst->expanded) {
		ret = pe_buffer_prepare_like(inst->snap, inst->buffer);
		if (!ret)
			pe_buffer_apply(inst->snap);
	} else {
		ret = expand(inst, true);
	}
	if (ret)
		return ret;
	hold_places(inst);
	set_bit(READY, &inst->snap_flags);
	release_places(inst);
	return 0;
}

int pe_snapshot_arm(struct pe_instance *inst)
{
	int ret;

	mutex_lock(&inst->snap_mutex);
	ret = make_ready(inst);
	if (!ret)
		inst->snap_users++;
	mutex_unlock(&inst->snap_mutex);
	return ret;
}

void pe_snapshot_disarm(struct pe_instance *inst)
{
	mutex_lock(&inst->snap_mutex);
	inst->snap_users--;
	mutex_unlock(&inst->snap_mutex);
}

int pe_snapshot_take(struct pe_instance *inst)
{
	int ret;

	mutex_lock(&inst->snap_mutex);
	ret = make_ready(inst);
	if (!ret) {
		hold_places(inst);
		exchange(inst);
		release_places(inst);
	}
	mutex_unlock(&inst->snap_mutex);
	if (!ret)
		pe_instance_wake(inst);
	return ret;
}

int pe_snapshot_free(struct pe_instance *inst)
{
	int ret = -EBUSY;

	mutex_lock(&inst->snap_mutex);
	if (!inst->snap_users) {
		hold_places(inst);
		clear_bit(READY, &inst->snap_flags);
		release_places(inst);
		pe_buffer_shrink(inst->snap);
		ret = 0;
	}
	mutex_unlock(&inst->snap_mutex);
	return ret;
}

void pe_snapshot_clear(struct pe_instance *inst, int cpu)
{
	begin(inst);
	if (test_bit(READY, &inst->snap_flags))
		pe_buffer_reset(inst->snap, cpu);
	end(inst);
}

bool pe_snapshot_allocated(const struct pe_instance *inst)
{
	return test_bit(READY, &inst->snap_flags);
}

void pe_instance_set_clock(struct pe_instance *inst, unsigned int clock)
{
	begin(inst);
	/* Each starts the counter anew: it has to be the last that counts. */
	pe_buffer_set_clock(inst->snap, clock);
	pe_buffer_set_clock(inst->buffer, clock);
	end(inst);
}

void pe_instance_set_overwrite(struct pe_instance *inst, bool on)
{
	begin(inst);
	pe_buffer_set_overwrite(inst->buffer, on);
	pe_buffer_set_overwrite(inst->snap, on);
	end(inst);
}

void pe_instance_empty(struct pe_instance *inst)
{
	begin(inst);
	pe_buffer_reset(inst->buffer, PE_ALL_CPUS);
	pe_buffer_reset(inst->snap, PE_ALL_CPUS);
	end(inst);
}

void pe_instance_reset(struct pe_instance *inst, int cpu)
{
	begin(inst);
	pe_buffer_reset(inst->buffer, cpu);
	end(inst);
}

void pe_instance_record_disable(struct pe_instance *inst, const struct cpumask *cpus)
{
	begin(inst);
	pe_buffers_record_disable(inst->buffer, inst->snap, cpus);
	end(inst);
}

void pe_instance_record_enable(struct pe_instance *inst, const struct cpumask *cpus)
{
	begin(inst);
	pe_buffer_record_enable(inst->snap, cpus);
	pe_buffer_record_enable(inst->buffer, cpus);
	end(inst);
}

int pe_snapshot_init(struct pe_instance *inst)
{
	mutex_init(&inst->snap_mutex);
	init_irq_work(&inst->wake, wake);
	inst->snap = pe_buffer_create(inst->common);
	return inst->snap ? 0 : -ENOMEM;
}

void pe_snapshot_exit(struct pe_instance *inst)
{
	irq_work_sync(&inst->wake);
	pe_buffer_destroy(inst->snap);
	mutex_destroy(&inst->snap_mutex);
}
