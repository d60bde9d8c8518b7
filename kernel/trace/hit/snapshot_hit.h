/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * snapshot_hit.h - hits exchange an instance's two buffers.  [H]
 */
#ifndef PE_SNAPSHOT_HIT_H
#define PE_SNAPSHOT_HIT_H

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/types.h>
#include "kernel/trace/trace_instance.h"

/* Bits of pe_instance.snap_flags. */
#define PE_SNAP_BUSY	0	/* a CPU exchanges the buffers or relies on their places */
#define PE_SNAP_READY	1	/* the second buffer has its memory; changed under BUSY */

/* The caller holds PE_SNAP_BUSY. */
static inline void pe_snapshot_exchange(struct pe_instance *inst)
{
	struct pe_buffer *first = inst->buffer;

	WRITE_ONCE(inst->buffer, inst->snap);	/* read by pe_instance_buffer() */
	WRITE_ONCE(inst->snap, first);	/* read by pe_instance_snap() */
}

/* Does the second buffer have more than its minimal memory? */
static inline bool pe_snapshot_allocated(const struct pe_instance *inst)
{
	return test_bit(PE_SNAP_READY, &inst->snap_flags);
}

/* snapshot_hit.c */

/*
 * Take PE_SNAP_BUSY, if there is a second buffer: then pe_snapshot_end().  Any context; false: as
 * pe_snapshot_hit().
 */
bool pe_snapshot_begin(struct pe_instance *inst);
void pe_snapshot_end(struct pe_instance *inst);

/**
 * pe_snapshot_hit() - take a snapshot now
 * @inst: the instance
 *
 * Any context.  A reader that waits finds the buffers in their new places.
 *
 * Return: false if none was taken: it is not allocated, or another context is
 * exchanging or changing the buffers at this moment.
 */
bool pe_snapshot_hit(struct pe_instance *inst);

#endif
