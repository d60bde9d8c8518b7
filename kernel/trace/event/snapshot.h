/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * snapshot.h - an instance's second buffer.
 *
 * Taking a snapshot exchanges the two buffers.  The records so far stay in one
 * of them.  Recording goes on in the other, after the records that it held.
 * The two exist as long as the instance.  The second has only a little memory
 * unless it is "allocated".
 *
 * Process context, may sleep.
 */
#ifndef PE_SNAPSHOT_H
#define PE_SNAPSHOT_H

struct pe_instance;

/* snapshot.c */

/* The caller has made @inst's first buffer; exit comes before that is destroyed. */
int pe_snapshot_init(struct pe_instance *inst);
void pe_snapshot_exit(struct pe_instance *inst);

/**
 * pe_snapshot_arm() - keep the snapshot allocated, for pe_snapshot_hit()
 * @inst: the instance
 *
 * Calls nest; while it is armed pe_snapshot_free() fails.  Return: 0, -ENOMEM.
 */
int pe_snapshot_arm(struct pe_instance *inst);
void pe_snapshot_disarm(struct pe_instance *inst);

/* Allocates it if needed, in the buffer's size, and takes a snapshot.  -ENOMEM. */
int pe_snapshot_take(struct pe_instance *inst);
/* Empties it and frees its memory; needs no memory.  -EBUSY while it is armed. */
int pe_snapshot_free(struct pe_instance *inst);
/* @cpu or PE_ALL_CPUS. */
void pe_snapshot_clear(struct pe_instance *inst, int cpu);

#endif
