/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * lookup_cache.h - tables that are made when they are asked, and go soon after (lookup_cache.c).
 */
#ifndef PE_LOOKUP_CACHE_H
#define PE_LOOKUP_CACHE_H

#include <linux/list.h>

/**
 * struct pe_lookup - what is known of the kernel, in an order that is quickly searched
 * @make: memory of kvmalloc() with all that is to be known, or NULL; may sleep
 * @data: what @make has returned last, until it is freed
 * @made: in the list of tables with @data
 */
struct pe_lookup {
	void *(*make)(void);
	void *data;
	struct list_head made;
};

/*
 * Process context, may sleep; with any other mutex of ours held.
 *
 * pe_lookup_ask(): the table's data, or NULL if it cannot be made.  It stays until
 * pe_lookup_asked(), and no other table may be asked meanwhile.
 * pe_lookup_drop(): what it says is out of date.
 * pe_lookups_exit(): no table will be asked any more.
 */
void *pe_lookup_ask(struct pe_lookup *table);
void pe_lookup_asked(void);
void pe_lookup_drop(struct pe_lookup *table);
void pe_lookups_exit(void);

#endif
