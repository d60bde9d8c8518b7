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

/* The letters that this kernel's events have for an operation; the first row is for others. */
static const struct {
	blk_opf_t operation;
	char letters[4];
} pe_rwbs_operations[] = {
	{ REQ_OP_LAST, "N" },
	{ REQ_OP_READ, "R" },
	{ REQ_OP_WRITE, "W" },
	{ REQ_OP_FLUSH, "F" },
	{ REQ_OP_DISCARD, "D" },
	{ REQ_OP_SECURE_ERASE, "DE" },
#if PE_HAVE_RWBS_ZONES
	{ REQ_OP_WRITE_ZEROES, "WZ" },
	{ REQ_OP_ZONE_APPEND, "ZA" },
	{ REQ_OP_ZONE_OPEN, "ZO" },
	{ REQ_OP_ZONE_CLOSE, "ZC" },
	{ REQ_OP_ZONE_FINISH, "ZF" },
	{ REQ_OP_ZONE_RESET, "ZR" },
	{ REQ_OP_ZONE_RESET_ALL, "ZRA" },
#endif
};

/* Letters after that of the operation, in this order. */
static const struct {
	blk_opf_t flag;
	char letter;
} pe_rwbs_flags[] = {
	{ REQ_FUA, 'F' },
	{ REQ_RAHEAD, 'A' },
	{ REQ_SYNC, 'S' },
	{ REQ_META, 'M' },
#if PE_HAVE_RWBS_ZONES
	{ REQ_ATOMIC, 'U' },
#endif
};

/* Before them "F", after them the NUL. */
static_assert(1 + sizeof(pe_rwbs_operations[0].letters) - 1 + ARRAY_SIZE(pe_rwbs_flags) + 1 <=
	      PE_RWBS_LEN);

static const char *pe_rwbs_operation(blk_opf_t flags)
{
	unsigned int i;

	for (i = ARRAY_SIZE(pe_rwbs_operations) - 1; i > 0; i--)
		if ((flags & REQ_OP_MASK) == pe_rwbs_operations[i].operation)
			break;
	return pe_rwbs_operations[i].letters;
}

/* Seam of fetch_hit.c. */
void pe_rwbs_text(u64 value, char to[PE_RWBS_LEN])
{
	blk_opf_t flags = (__force blk_opf_t)value;
	const char *operation = pe_rwbs_operation(flags);
	unsigned int i;

	if (flags & REQ_PREFLUSH)
		*to++ = 'F';
	while (*operation)
		*to++ = *operation++;
	for (i = 0; i < ARRAY_SIZE(pe_rwbs_flags); i++)
		if (flags & pe_rwbs_flags[i].flag)
			*to++ = pe_rwbs_flags[i].letter;
	*to = '\0';
}
