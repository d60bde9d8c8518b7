// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * snapshot.c - an instance's second buffer.
 *
 * Exchanging the two buffers is two stores, under the bit PE_SNAP_BUSY.  A hit
 * only tries for the bit and never waits for it, so any context may exchange
 * them.  Process context, under snap_mutex, holds the bit while it works on a
 * buffer.  Then both stay in their places.
 *
 * The bit is a lock, and orders what its holders do (busy:A in snapshot_hit.c and
 * buffers.c: acquire when it is set, release when it is cleared).  A holder sees the
 * places and PE_SNAP_READY as the holder before it has left them.  Writers and
 * readers take a buffer's address without the bit.  All buffers outlive them, so that
 * needs no order.
 *
 * A writer that has found one buffer and is interrupted by a snapshot still
 * writes into that buffer: rings allow it, and its record is in the snapshot.  The
 * same is true of a reader, which follows at its next step.  A reader that waits
 * follows when the next look finds the other buffer there (rb_wait.c).
 *
 * Order of locks: snap_mutex, then a buffer's.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include "buffers.h"
#include "kernel/trace/hit/snapshot_hit.h"
#include "kernel/trace/ring/rb_buffer.h"
#include "kernel/trace/ring/rb_resize.h"
#include "kernel/trace/trace_instance.h"
#include "snapshot.h"

/* Allocates the snapshot.  Until then, the two stay in their places. */
static int pe_snapshot_make_ready(struct pe_instance *inst)
{
	int ret;

	lockdep_assert_held(&inst->snap_mutex);
	if (pe_snapshot_allocated(inst))
		return 0;
	ret = pe_buffers_fill_snapshot(inst);
	if (ret)
		return ret;
	pe_buffers_hold(inst);
	set_bit(PE_SNAP_READY, &inst->snap_flags);
	pe_buffers_release(inst);
	return 0;
}

int pe_snapshot_arm(struct pe_instance *inst)
{
	int ret;

	mutex_lock(&inst->snap_mutex);
	ret = pe_snapshot_make_ready(inst);
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
	ret = pe_snapshot_make_ready(inst);
	if (!ret) {
		pe_buffers_hold(inst);
		pe_snapshot_exchange(inst);
		pe_buffers_release(inst);
	}
	mutex_unlock(&inst->snap_mutex);
	return ret;
}

int pe_snapshot_free(struct pe_instance *inst)
{
	int ret = -EBUSY;

	mutex_lock(&inst->snap_mutex);
	if (!inst->snap_users) {
		pe_buffers_hold(inst);
		clear_bit(PE_SNAP_READY, &inst->snap_flags);
		pe_buffers_release(inst);
		pe_buffer_shrink(inst->snap);
		ret = 0;
	}
	mutex_unlock(&inst->snap_mutex);
	return ret;
}

void pe_snapshot_clear(struct pe_instance *inst, int cpu)
{
	mutex_lock(&inst->snap_mutex);
	pe_buffers_hold(inst);
	if (pe_snapshot_allocated(inst))
		pe_buffer_reset(inst->snap, cpu);
	pe_buffers_release(inst);
	mutex_unlock(&inst->snap_mutex);
}

int pe_snapshot_init(struct pe_instance *inst)
{
	mutex_init(&inst->snap_mutex);
	inst->snap = pe_buffer_create(&inst->counter);
	return inst->snap ? 0 : -ENOMEM;
}

void pe_snapshot_exit(struct pe_instance *inst)
{
	pe_buffer_destroy(inst->snap);
	mutex_destroy(&inst->snap_mutex);
}
