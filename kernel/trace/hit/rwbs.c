// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * rwbs.c - a block request's operation and flags, as the letters of the kernel's events.  [H]
 */
#include <linux/blk_types.h>
#include <linux/kernel.h>
#include <linux/types.h>
#include "fetch.h"
#include "kernel/know/compat.h"

/* Their type is sparse's, and of later kernels. */
#define BITS(name)	((__force u32)(name))

/* The letters that this kernel's events have for an operation; the first row is for others. */
static const struct {
	u32 operation;
	char letters[4];
} pe_rwbs_operations[] = {
	{ BITS(REQ_OP_LAST), "N" },
	{ BITS(REQ_OP_READ), "R" },
	{ BITS(REQ_OP_WRITE), "W" },
	{ BITS(REQ_OP_FLUSH), "F" },
	{ BITS(REQ_OP_DISCARD), "D" },
	{ BITS(REQ_OP_SECURE_ERASE), "DE" },
#if PE_HAVE_RWBS_ZONES
	{ BITS(REQ_OP_WRITE_ZEROES), "WZ" },
	{ BITS(REQ_OP_ZONE_APPEND), "ZA" },
	{ BITS(REQ_OP_ZONE_OPEN), "ZO" },
	{ BITS(REQ_OP_ZONE_CLOSE), "ZC" },
	{ BITS(REQ_OP_ZONE_FINISH), "ZF" },
	{ BITS(REQ_OP_ZONE_RESET), "ZR" },
	{ BITS(REQ_OP_ZONE_RESET_ALL), "ZRA" },
#endif
};

/* Letters after that of the operation, in this order. */
static const struct {
	u32 flag;
	char letter;
} pe_rwbs_flags[] = {
	{ BITS(REQ_FUA), 'F' },
	{ BITS(REQ_RAHEAD), 'A' },
	{ BITS(REQ_SYNC), 'S' },
	{ BITS(REQ_META), 'M' },
#if PE_HAVE_RWBS_ZONES
	{ BITS(REQ_ATOMIC), 'U' },
#endif
};

/* Before them "F", after them the NUL. */
static_assert(1 + sizeof(pe_rwbs_operations[0].letters) - 1 + ARRAY_SIZE(pe_rwbs_flags) + 1 <=
	      PE_RWBS_LEN);

static const char *pe_rwbs_operation(u64 flags)
{
	unsigned int i;

	for (i = ARRAY_SIZE(pe_rwbs_operations) - 1; i > 0; i--)
		if ((flags & BITS(REQ_OP_MASK)) == pe_rwbs_operations[i].operation)
			break;
	return pe_rwbs_operations[i].letters;
}

/* Seam of fetch_hit.c. */
void pe_rwbs_text(u64 flags, char to[PE_RWBS_LEN])
{
	const char *operation = pe_rwbs_operation(flags);
	unsigned int i;

	if (flags & BITS(REQ_PREFLUSH))
		*to++ = 'F';
	while (*operation)
		*to++ = *operation++;
	for (i = 0; i < ARRAY_SIZE(pe_rwbs_flags); i++)
		if (flags & pe_rwbs_flags[i].flag)
			*to++ = pe_rwbs_flags[i].letter;
	*to = '\0';
}
