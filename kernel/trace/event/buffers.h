/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * buffers.h - operations on both buffers of an instance.
 *
 * Process context, may sleep.  Code that changes a property of an instance's
 * buffer calls these functions, which change it in both.
 */
#ifndef PE_BUFFERS_H
#define PE_BUFFERS_H

#include <linux/types.h>

struct cpumask;
struct pe_instance;

/* buffers.c */

/* Makes a CPU's rings, of the sizes that were asked for, if it has none.  -ENOMEM. */
int pe_buffers_add_ring(struct pe_instance *inst, int cpu);

/* Gives the buffer its real size, once; called before an event is first enabled. */
int pe_buffers_expand(struct pe_instance *inst);

/*
 * Change the sizes of both buffers or of neither.  @kb per CPU, @cpu or PE_ALL_CPUS;
 * records are kept as far as they fit.  @shift: log2 of the size of
 * sub-buffers, PAGE_SHIFT to PE_BUFFER_MAX_SHIFT; it empties both buffers.
 *
 * Return: 0; -EINVAL for 0 KB; -ENOMEM, and then nothing has changed.
 */
int pe_buffers_resize(struct pe_instance *inst, unsigned long kb, int cpu);
int pe_buffers_set_page_shift(struct pe_instance *inst, unsigned int shift);

/* Empties the buffer, not the snapshot.  @cpu or PE_ALL_CPUS. */
void pe_buffers_reset(struct pe_instance *inst, int cpu);

/* Waiting readers check again whether to go on. */
void pe_buffers_wake(struct pe_instance *inst);

/* As pe_buffer_...(), for both buffers. */
void pe_buffers_set_clock(struct pe_instance *inst, unsigned int clock);
void pe_buffers_set_overwrite(struct pe_instance *inst, bool on);
void pe_buffers_empty(struct pe_instance *inst);
void pe_buffers_record_disable(struct pe_instance *inst, const struct cpumask *cpus);
void pe_buffers_record_enable(struct pe_instance *inst, const struct cpumask *cpus);

/*
 * For snapshot.c, with pe_instance.snap_mutex held.  Hold keeps the two in
 * place until release.  Fill gives the snapshot as much memory as the buffer
 * has, or will have; -ENOMEM.
 */
void pe_buffers_hold(struct pe_instance *inst);
void pe_buffers_release(struct pe_instance *inst);
int pe_buffers_fill_snapshot(struct pe_instance *inst);

#endif
