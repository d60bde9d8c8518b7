/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * rb_buffer_write.h - records in the ring of this CPU.  [H]
 */
#ifndef PE_RB_BUFFER_WRITE_H
#define PE_RB_BUFFER_WRITE_H

#include <linux/compiler.h>
#include <linux/smp.h>
#include "rb_buffer.h"
#include "rb_write.h"

/*
 * Writing, [H]: any context with preemption off from reserve to commit, which is
 * pe_rb_commit().  Everything as in rb_write.h.
 */
static inline void *pe_buffer_reserve(struct pe_buffer *buf, unsigned int len,
				      struct pe_rb_handle *h)
{
	return pe_rb_reserve(&buf->cpus[raw_smp_processor_id()]->rb, len, h);
}

#endif
