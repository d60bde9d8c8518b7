/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * filter_hit.h - a filter on a record.  [P][H]
 */
#ifndef PE_FILTER_HIT_H
#define PE_FILTER_HIT_H

#include <linux/types.h>

struct pe_filter;

/* filter_hit.c */

/**
 * pe_filter_match() - does a record pass?
 * @filter: the compiled expression
 * @rec: a complete record with its string data
 * @len: its bytes; nothing past them is read
 * @cpu: the CPU that makes the record
 *
 * Any context, preemption off.
 */
bool pe_filter_match(const struct pe_filter *filter, const void *rec,
		     unsigned int len, unsigned int cpu);

/* Does a text match a shell pattern (*, ?, [a-z], [!a-z], \c)? */
bool pe_glob_match(const char *pattern, const char *text, size_t len);

#endif
