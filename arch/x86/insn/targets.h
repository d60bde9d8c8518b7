/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * targets.h - find text that control may reach from elsewhere (targets.c).  [P]
 */
#ifndef PE_ARCH_TARGETS_H
#define PE_ARCH_TARGETS_H

#include <linux/types.h>

/**
 * struct pe_targets - a bit for each byte of a text
 * @start: its first address
 * @end: the address after it
 * @bits: set: control may come here by something that pe_targets_scan() or
 *	pe_targets_words() has seen, or that the caller has marked
 */
struct pe_targets {
	unsigned long start, end;
	u64 *bits;
};

/* Reach of a branch with an 8-bit distance, from the byte after it. */
#define PE_SHORT_BACK		128
#define PE_SHORT_FORWARD	127
/* Bytes after those to be scanned that pe_targets_scan() looks at. */
#define PE_TARGETS_AHEAD	16

static inline size_t pe_targets_bytes(unsigned long start, unsigned long end)
{
	return (end - start + 63) / 64 * sizeof(u64);
}

static inline void pe_targets_mark(struct pe_targets *t, unsigned long addr)
{
	unsigned long i = addr - t->start;

	if (i < t->end - t->start)
		t->bits[i / 64] |= 1ULL << i % 64;
}

/* How many of @size bytes at @addr, and of those to be looked at after them, are in the text. */
static inline size_t pe_targets_avail(const struct pe_targets *t, unsigned long addr, size_t size)
{
	size_t left = t->end - addr;

	return left < size + PE_TARGETS_AHEAD ? left : size + PE_TARGETS_AHEAD;
}

void pe_targets_scan(struct pe_targets *t, const u8 *code, size_t size, size_t avail,
		     unsigned long addr);
void pe_targets_words(struct pe_targets *t, const unsigned long *words, size_t n);
bool pe_targets_any(const struct pe_targets *t, unsigned long from, unsigned long to);

/**
 * enum pe_ways - what pe_ways_scan() has found in code
 * @PE_WAYS_INTO: a branch into the range, or its address as a constant
 * @PE_WAYS_INDIRECT: a jump to an address in a register or in memory
 * @PE_WAYS_UNKNOWN: bytes that are no instruction
 */
enum pe_ways {
	PE_WAYS_INTO = 1,
	PE_WAYS_INDIRECT = 2,
	PE_WAYS_UNKNOWN = 4,
};

unsigned int pe_ways_scan(const u8 *code, size_t size, size_t avail, unsigned long addr,
			  unsigned long from, unsigned long to);

#endif
