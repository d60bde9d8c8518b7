/* SPDX-License-Identifier: GPL-2.0 */
/*
 * buffers.h - what concerns both buffers of an instance.
 *
 * Process context, may sleep.  A property of an instance's buffer is changed here, for
 * both.
 */
#ifndef PE_BUFFERS_H
#define PE_BUFFERS_H

#include <linux/types.h>

struct cpumask;
struct irq_work;
struct pe_instance;

/* buffers.c */

/* The rings of a CPU, if it has none, of the sizes that were asked for.  -ENOMEM. */
int pe_buffers_add_ring(struct pe_instance *inst, int cpu);

/* Gives the buffer its real size, once; called when an event is enabled first. */
int pe_buffers_expand(struct pe_instance *inst);

/*
 * Sizes, of both buffers or of none.  @kb per CPU, @cpu or PE_ALL_CPUS; records are
 * kept as far as they fit.  @shift: log2 of the size of sub-buffers, PAGE_SHIFT to
 * PE_BUFFER_MAX_SHIFT; both are empty afterwards.
 *
 * Return: 0; -EINVAL for 0 KB; -ENOMEM, and then nothing has changed.
 */
int pe_buffers_resize(struct pe_instance *inst, unsigned long kb, int cpu);
int pe_buffers_set_page_shift(struct pe_instance *inst, unsigned int shift);

/* Empties the buffer alone.  @cpu or PE_ALL_CPUS. */
void pe_buffers_reset(struct pe_instance *inst, int cpu);

/* Readers that wait look again, whether they are to go on. */
void pe_buffers_wake(struct pe_instance *inst);

/* As pe_buffer_...(), for both buffers. */
void pe_buffers_set_clock(struct pe_instance *inst, unsigned int clock);
void pe_buffers_set_overwrite(struct pe_instance *inst, bool on);
void pe_buffers_empty(struct pe_instance *inst);
void pe_buffers_record_disable(struct pe_instance *inst, const struct cpumask *cpus);
void pe_buffers_record_enable(struct pe_instance *inst, const struct cpumask *cpus);

/*
 * For snapshot.c, with pe_instance.snap_mutex: keep the two in their places, for a
 * moment; give the snapshot the memory that the buffer has, or is to have.  -ENOMEM.
 */
void pe_buffers_hold(struct pe_instance *inst);
void pe_buffers_release(struct pe_instance *inst);
int pe_buffers_fill_snapshot(struct pe_instance *inst);
void pe_buffers_wake_work(struct irq_work *work);	/* of pe_instance.wake */

#endif
