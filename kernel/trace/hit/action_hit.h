/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * action_hit.h - variables and actions of a histogram trigger at a hit.  [H]
 */
#ifndef PE_ACTION_HIT_H
#define PE_ACTION_HIT_H

#include <linux/types.h>
#include "kernel/trace/parse/hist.h"

struct pe_built;
struct pe_table_from;
struct pe_table_key;
struct pe_trigger;

/* action_hit.c */

/**
 * pe_refs_read() - the variables of other triggers that a trigger reads  [H]
 * @values: PE_HIST_REFS of them, filled
 * @hist: the trigger
 * @nr_words: of @key
 * @key: of the hit
 *
 * Return: are all of them set, for this key?
 */
bool pe_refs_read(u64 *values, const struct pe_hist *hist, unsigned int nr_words,
		  const struct pe_table_key *key);

/**
 * pe_vars_hit() - set the trigger's variables, and do what its actions say  [H]
 * @trigger: it has some
 * @built: the hit's record
 * @key: of the hit
 * @from: the hit
 */
void pe_vars_hit(const struct pe_trigger *trigger, const struct pe_built *built,
		 const struct pe_table_key *key, const struct pe_table_from *from);

#endif
