/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * count_hit.h - a hit of a histogram trigger.
 */
#ifndef PE_COUNT_HIT_H
#define PE_COUNT_HIT_H

#include <linux/atomic.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include <pe/kprobe.h>
#include "table_hit.h"
#include "vars_hit.h"

struct pe_built;
struct pe_trigger;

/* A CPU's banks; NULL: it has never been online, or there was no memory. */
struct pe_banks {
	struct pe_bank *of_epoch[2];
};

/* Contexts of a CPU: a hit's level, or a mark, which a hit of its level may interrupt. */
#define PE_VARS_MARK		PE_NR_LEVELS
#define PE_VARS_CONTEXTS	(PE_NR_LEVELS + 1)

struct pe_vars_spares {
	struct pe_vars_spare of_context[PE_VARS_CONTEXTS];
};

/**
 * struct pe_table_hits - what hits see of a table
 * @shape: of its rows; constant
 * @clock: of its times; enum pe_clock_id, constant
 * @banks: of each possible CPU
 * @now: those of the epoch that hits count in; ../table/table.c
 * @vars: variables; NULL if the trigger has none.  ../table/vars.c; hits: pe_vars:D
 * @unbanked: hits on CPUs that have none
 * @unbanked_paused: likewise, while the trigger was paused
 * @unbanked_filtered: likewise, that its filter refused
 * @unbanked_unset: likewise, that found a variable not set
 */
struct pe_table_hits {
	struct pe_table_shape shape;
	unsigned int clock;
	struct pe_banks __percpu *banks;
	struct pe_bank * __percpu *now;
	struct pe_vars_map *vars;
	atomic_long_t unbanked;
	atomic_long_t unbanked_paused;
	atomic_long_t unbanked_filtered;
	atomic_long_t unbanked_unset;
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
 * Return: has it been counted, or was the trigger paused, did its filter say no, or was a
 * variable not set?
 */
bool pe_count_hit(const struct pe_trigger *trigger, const struct pe_built *built);

#endif
