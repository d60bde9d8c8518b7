/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rb_buffer_write.h - records in the ring of this CPU.  [H]
 */
#ifndef PE_RB_BUFFER_WRITE_H
#define PE_RB_BUFFER_WRITE_H

#include <linux/compiler.h>
#include <linux/container_of.h>
#include <linux/smp.h>
#include "rb_buffer.h"
#include "rb_wait.h"
#include "rb_write.h"

/*
 * Writing, [H]: any context with preemption off from reserve to commit.
 * Everything as in rb.h; commit also wakes readers (through irq_work).
 */
static inline void *pe_buffer_reserve(struct pe_buffer *buf, unsigned int len,
				      struct pe_rb_handle *h)
{
	return pe_rb_reserve(&buf->cpus[raw_smp_processor_id()]->rb, len, h);
}

static inline void pe_buffer_commit(struct pe_buffer *buf, struct pe_rb_handle *h)
{
	struct pe_buffer_cpu *bc = container_of(h->rb, struct pe_buffer_cpu, rb);

	pe_rb_commit(h);
	if (unlikely(READ_ONCE(bc->waiting) | READ_ONCE(bc->wait_pages) |
		     READ_ONCE(buf->waiting_all)))
		pe_buffer_kick(bc);
}

#endif
