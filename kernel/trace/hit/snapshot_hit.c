// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * snapshot_hit.c - taking a snapshot at a hit.  [H]
 *
 * event/snapshot.c says what protects the two buffers, and what its barriers order.
 */
#include <linux/bitops.h>
#include "kernel/trace/trace_instance.h"
#include "snapshot_hit.h"

bool pe_snapshot_begin(struct pe_instance *inst)
{
	if (test_and_set_bit_lock(PE_SNAP_BUSY, &inst->snap_flags))	/* busy:A */
		return false;
	if (test_bit(PE_SNAP_READY, &inst->snap_flags))
		return true;
	pe_snapshot_end(inst);
	return false;
}

void pe_snapshot_end(struct pe_instance *inst)
{
	clear_bit_unlock(PE_SNAP_BUSY, &inst->snap_flags);		/* busy:A */
}

bool pe_snapshot_hit(struct pe_instance *inst)
{
	if (!pe_snapshot_begin(inst))
		return false;
	pe_snapshot_exchange(inst);
	pe_snapshot_end(inst);
	return true;
}
