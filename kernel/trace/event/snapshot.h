/* SPDX-License-Identifier: GPL-2.0 */
/*
 * snapshot.h - an instance's second buffer, and what concerns both.
 *
 * A snapshot is taken by exchanging the two: what was recorded stands still in the
 * one, and recording goes on in the other, behind what that held.  Both exist as
 * long as the instance; the second has memory to speak of only while it is
 * "allocated".
 *
 * Process context, may sleep, unless marked [H].  Whoever changes a property of an
 * instance's buffer does it here, for both.
 */
#ifndef PE_SNAPSHOT_H
#define PE_SNAPSHOT_H

#include <linux/types.h>

struct cpumask;
struct file_operations;
struct pe_instance;

/* With @inst's first buffer made; before pe_instance.buffer is destroyed. */
int pe_snapshot_init(struct pe_instance *inst);
void pe_snapshot_exit(struct pe_instance *inst);

/**
 * pe_snapshot_arm() - keep the snapshot allocated, for pe_snapshot_hit()
 *
 * Nests; while it is armed pe_snapshot_free() fails.  Return: 0, -ENOMEM.
 */
int pe_snapshot_arm(struct pe_instance *inst);
void pe_snapshot_disarm(struct pe_instance *inst);

/**
 * pe_snapshot_hit() - take a snapshot now  [H]
 *
 * Any context.  Readers are woken from an irq_work.
 *
 * Return: false when none was taken: it is not allocated, or somebody else is
 * taking or changing it at this moment.
 */
bool pe_snapshot_hit(struct pe_instance *inst);

/* Allocates it if it is not, in the buffer's size, and takes one.  -ENOMEM. */
int pe_snapshot_take(struct pe_instance *inst);
/* Empties it and gives its memory back, which takes none.  -EBUSY while it is armed. */
int pe_snapshot_free(struct pe_instance *inst);
/* @cpu or PE_ALL_CPUS. */
void pe_snapshot_clear(struct pe_instance *inst, int cpu);
bool pe_snapshot_allocated(const struct pe_instance *inst);

/* The rings of a CPU, if it has none, of the sizes that were asked for.  -ENOMEM. */
int pe_instance_add_ring(struct pe_instance *inst, int cpu);

/* Gives the buffer its real size, once; called when an event is enabled first. */
int pe_instance_expand(struct pe_instance *inst);

/*
 * Sizes, of both buffers or of none.  @kb per CPU, @cpu or PE_ALL_CPUS; records are
 * kept as far as they fit.  @shift: log2 of the size of sub-buffers, PAGE_SHIFT to
 * PE_BUFFER_MAX_SHIFT; both are empty afterwards.
 *
 * Return: 0; -EINVAL for 0 KB; -ENOMEM, and then nothing has changed.
 */
int pe_instance_resize(struct pe_instance *inst, unsigned long kb, int cpu);
int pe_instance_set_page_shift(struct pe_instance *inst, unsigned int shift);

/* Empties the buffer alone.  @cpu or PE_ALL_CPUS. */
void pe_instance_reset(struct pe_instance *inst, int cpu);

/* Readers that wait look again, whether they are to go on. */
void pe_instance_wake(struct pe_instance *inst);
void pe_instance_wake_later(struct pe_instance *inst);	/* [H] */

/* As pe_buffer_...(), for both buffers. */
void pe_instance_set_clock(struct pe_instance *inst, unsigned int clock);
void pe_instance_set_overwrite(struct pe_instance *inst, bool on);
void pe_instance_empty(struct pe_instance *inst);
void pe_instance_record_disable(struct pe_instance *inst, const struct cpumask *cpus);
void pe_instance_record_enable(struct pe_instance *inst, const struct cpumask *cpus);

#endif
