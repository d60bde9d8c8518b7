// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * rwbs.c - a block request's operation and flags, as the letters of the kernel's events.  [H]
 */
#include <linux/blk_types.h>
#include <linux/kernel.h>
#include <linux/types.h>
#include "fetch.h"

static char *pe_rwbs_operation(char *to, u64 flags)
{
	switch (flags & (__force u64)REQ_OP_MASK) {
	case (__force u64)REQ_OP_READ:
		*to++ = 'R';
		break;
	case (__force u64)REQ_OP_WRITE:
		*to++ = 'W';
		break;
	case (__force u64)REQ_OP_FLUSH:
		*to++ = 'F';
		break;
	case (__force u64)REQ_OP_DISCARD:
		*to++ = 'D';
		break;
	case (__force u64)REQ_OP_SECURE_ERASE:
		*to++ = 'D';
		*to++ = 'E';
		break;
	default:
		*to++ = 'N';
	}
	return to;
}

/* Seam of fetch_hit.c. */
void pe_rwbs_text(u64 flags, char to[PE_RWBS_LEN])
{
	/* Letters after that of the operation, in this order. */
	static const struct {
		u64 flag;
		char letter;
	} after[] = {
		{ (__force u64)REQ_FUA, 'F' }, { (__force u64)REQ_RAHEAD, 'A' },
		{ (__force u64)REQ_SYNC, 'S' }, { (__force u64)REQ_META, 'M' },
	};
	unsigned int i;

	if (flags & (__force u64)REQ_PREFLUSH)
		*to++ = 'F';
	to = pe_rwbs_operation(to, flags);
	for (i = 0; i < ARRAY_SIZE(after); i++)
		if (flags & after[i].flag)
			*to++ = after[i].letter;
	*to = '\0';
}
