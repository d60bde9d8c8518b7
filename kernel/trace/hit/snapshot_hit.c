// SPDX-License-Identifier: GPL-2.0
/*
 * snapshot_hit.c - taking a snapshot at a hit.  [H]
 *
 * event/snapshot.c says what protects the two buffers, and what its barriers order.
 */
#include <linux/bitops.h>
#include "kernel/trace/trace_instance.h"
#include "snapshot_hit.h"

bool pe_snapshot_hit(struct pe_instance *inst)
{
	bool ready;

	if (test_and_set_bit_lock(PE_SNAP_BUSY, &inst->snap_flags))	/* busy:A */
		return false;
	ready = test_bit(PE_SNAP_READY, &inst->snap_flags);
	if (ready)
		pe_snapshot_exchange(inst);
	clear_bit_unlock(PE_SNAP_BUSY, &inst->snap_flags);		/* busy:A */
	return ready;
}
