/* SPDX-License-Identifier: GPL-2.0 */
/*
 * count_hit.h - a hit of a histogram trigger.
 */
#ifndef PE_COUNT_HIT_H
#define PE_COUNT_HIT_H

#include <linux/atomic.h>
#include <linux/types.h>
#include "table_hit.h"

struct pe_built;
struct pe_trigger;

/**
 * struct pe_table_hits - what hits see of a table
 * @shape: of its rows; constant
 * @clock: of its times; enum pe_clock_id, constant
 * @epoch: its last bit says which banks hits count in; ../table/table.c
 * @banks: of each possible CPU, two; NULL: the CPU has never been online, or there was no memory
 * @unbanked: hits on CPUs that have none
 * @unbanked_paused: likewise, while the trigger was paused
 * @unbanked_filtered: likewise, that its filter refused
 */
struct pe_table_hits {
	struct pe_table_shape shape;
	unsigned int clock;
	unsigned int epoch;
	struct pe_bank *(*banks)[2];
	atomic_long_t unbanked;
	atomic_long_t unbanked_paused;
	atomic_long_t unbanked_filtered;
};

/* count_hit.c */

/* Call these before the first hit, and after the last.  0 or -ENOMEM. */
int pe_count_init(void);
void pe_count_exit(void);

/**
 * pe_count_hit() - count a hit in its trigger's table  [H]
 * @trigger: it has a table
 * @built: the hit's record
 *
 * Any context, preemption off.
 * Return: has it been counted, or was the trigger paused, or did its filter say no?
 */
bool pe_count_hit(const struct pe_trigger *trigger, const struct pe_built *built);

#endif
