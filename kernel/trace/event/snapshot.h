/* SPDX-License-Identifier: GPL-2.0 */
/*
 * snapshot.h - an instance's second buffer.
 *
 * A snapshot is taken by exchanging the two: what was recorded stands still in the
 * one, and recording goes on in the other, behind what that held.  Both exist as
 * long as the instance; the second has memory to speak of only while it is
 * "allocated".
 *
 * Process context, may sleep.
 */
#ifndef PE_SNAPSHOT_H
#define PE_SNAPSHOT_H

struct pe_instance;

/* snapshot.c */

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

/* Allocates it if it is not, in the buffer's size, and takes one.  -ENOMEM. */
int pe_snapshot_take(struct pe_instance *inst);
/* Empties it and gives its memory back, which takes none.  -EBUSY while it is armed. */
int pe_snapshot_free(struct pe_instance *inst);
/* @cpu or PE_ALL_CPUS. */
void pe_snapshot_clear(struct pe_instance *inst, int cpu);

#endif
