// SPDX-License-Identifier: GPL-2.0
/*
 * snapshot.c - an instance's second buffer, and what concerns both.
 *
 * Exchanging the two is two stores, under the bit BUSY, which is only tried for
 * in a hit: never waited for, so any context may do it.  In process context it is
 * taken for as long as something is done with one or the other buffer, which then
 * stay in their places; snap_mutex is around that.
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
#include <linux/mutex.h>
#include <linux/processor.h>
#include "rb_buffer.h"
#include "snapshot.h"
#include "trace.h"

/* Bits of pe_instance.snap_flags. */
#define BUSY	0	/* somebody exchanges the buffers or relies on their places */
#define READY	1	/* the second has its memory; changed under BUSY */

static void begin(struct pe_instance *inst)
{
	mutex_lock(&inst->snap_mutex);
	while (test_and_set_bit_lock(BUSY, &inst->snap_flags))
		cpu_relax();	/* a hit, for a few instructions */
}

static void end(struct pe_instance *inst)
{
	clear_bit_unlock(BUSY, &inst->snap_flags);
	mutex_unlock(&inst->snap_mutex);
}

/* With BUSY.  [H] */
static void exchange(struct pe_instance *inst)
{
	struct pe_buffer *first = inst->buffer;

	WRITE_ONCE(inst->buffer, inst->snap);
	WRITE_ONCE(inst->snap, first);
}

static void wake(struct irq_work *work)
{
	struct pe_instance *inst = container_of(work, struct pe_instance, snap_wake);

	pe_buffer_wake(READ_ONCE(inst->buffer));
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
		irq_work_queue(&inst->snap_wake);
	return ready;
}

/* begin(), with the second buffer allocated; where that fails nothing was begun. */
static int begin_ready(struct pe_instance *inst)
{
	int ret = pe_buffer_expand(inst->buffer);

	if (ret)
		return ret;
	begin(inst);
	ret = pe_buffer_match(inst->snap, inst->buffer);
	if (ret)
		end(inst);
	else
		set_bit(READY, &inst->snap_flags);
	return ret;
}

int pe_snapshot_arm(struct pe_instance *inst)
{
	int ret = begin_ready(inst);

	if (ret)
		return ret;
	inst->snap_users++;
	end(inst);
	return 0;
}

void pe_snapshot_disarm(struct pe_instance *inst)
{
	begin(inst);
	inst->snap_users--;
	end(inst);
}

int pe_snapshot_take(struct pe_instance *inst)
{
	int ret = begin_ready(inst);

	if (ret)
		return ret;
	exchange(inst);
	end(inst);
	pe_buffer_wake(inst->buffer);
	return 0;
}

int pe_snapshot_free(struct pe_instance *inst)
{
	int ret = -EBUSY;

	begin(inst);
	if (!inst->snap_users) {
		clear_bit(READY, &inst->snap_flags);
		ret = pe_buffer_shrink(inst->snap);
	}
	end(inst);
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

/*
 * The second first: when there is no memory for it, nothing was done.  If there is
 * none for the other, they differ in size, until the next snapshot.
 */
int pe_instance_resize(struct pe_instance *inst, unsigned long kb, int cpu)
{
	int ret = 0;

	begin(inst);
	if (test_bit(READY, &inst->snap_flags))
		ret = pe_buffer_resize(inst->snap, kb, cpu);
	if (!ret)
		ret = pe_buffer_resize(inst->buffer, kb, cpu);
	end(inst);
	return ret;
}

/* Likewise. */
int pe_instance_set_page_shift(struct pe_instance *inst, unsigned int shift)
{
	int ret;

	begin(inst);
	ret = pe_buffer_set_page_shift(inst->snap, shift);
	if (!ret)
		ret = pe_buffer_set_page_shift(inst->buffer, shift);
	end(inst);
	return ret;
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

void pe_instance_record_disable(struct pe_instance *inst, int cpu)
{
	begin(inst);
	pe_buffer_record_disable(inst->buffer, cpu);
	pe_buffer_record_disable(inst->snap, cpu);
	end(inst);
}

void pe_instance_record_enable(struct pe_instance *inst, int cpu)
{
	begin(inst);
	pe_buffer_record_enable(inst->snap, cpu);
	pe_buffer_record_enable(inst->buffer, cpu);
	end(inst);
}

int pe_snapshot_init(struct pe_instance *inst)
{
	mutex_init(&inst->snap_mutex);
	init_irq_work(&inst->snap_wake, wake);
	inst->snap = pe_buffer_create(inst->common);
	return inst->snap ? 0 : -ENOMEM;
}

void pe_snapshot_exit(struct pe_instance *inst)
{
	irq_work_sync(&inst->snap_wake);
	pe_buffer_destroy(inst->snap);
	mutex_destroy(&inst->snap_mutex);
}
