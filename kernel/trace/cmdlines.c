// SPDX-License-Identifier: GPL-2.0
/*
 * cmdlines.c - which name a pid had when it last left a record.
 *
 * A direct-mapped table: a pid has one slot, the last pid that needs it owns it.
 * So a name may get lost, and its records show "<...>", but is never another's.
 *
 * Each slot is a small seqlock that writers never wait for: odd means that
 * somebody is writing.  A writer that finds it odd (another CPU, or the context
 * that it has interrupted) leaves the name unsaved; the task's next record tries
 * again.  A reader that finds it odd or changed reads again.
 *
 * A task's name is torn while it is being changed, and the record may come from
 * an interrupt in the middle of that.  Whoever changes it holds the task's
 * alloc_lock, so a name is saved only if that was free before and after it was
 * read, and if two readings agree.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include "record.h"
#include "trace.h"

#define NR_SLOTS	4096		/* a power of 2 */
#define NR_TRIES	1000
#define UNKNOWN		"<...>"

struct name {
	u64 words[TASK_COMM_LEN / sizeof(u64)];
};

struct slot {
	u32 seq;
	s32 pid;
	struct name name;
};

static struct slot slots[NR_SLOTS];

static struct slot *slot_of(s32 pid)
{
	return &slots[(u32)pid % NR_SLOTS];
}

/* [H] */
static void read_current(struct name *name)
{
	memcpy(name, current->comm, sizeof(*name));
	barrier();	/* two readings are two readings */
}

static bool same_name(const struct name *a, const struct name *b)
{
	return !((a->words[0] ^ b->words[0]) | (a->words[1] ^ b->words[1]));
}

/* [H] False when it is being changed. */
static bool read_stable(struct name *name)
{
	struct name again;

	if (spin_is_locked(&current->alloc_lock))
		return false;
	smp_rmb();	/* the lock, then the name */
	read_current(name);
	smp_rmb();	/* the name, then the lock */
	if (spin_is_locked(&current->alloc_lock))
		return false;
	smp_rmb();	/* the first reading, then the second */
	read_current(&again);
	return same_name(name, &again);
}

/* [H] */
static noinline void save(struct slot *slot, s32 pid)
{
	u32 seq = READ_ONCE(slot->seq);
	struct name name;

	if (seq & 1 || !read_stable(&name))
		return;
	if (cmpxchg(&slot->seq, seq, seq + 1) != seq)
		return;
	WRITE_ONCE(slot->pid, pid);
	WRITE_ONCE(slot->name.words[0], name.words[0]);
	WRITE_ONCE(slot->name.words[1], name.words[1]);
	/* Pairs with the acquire of readers. */
	smp_store_release(&slot->seq, seq + 2);
}

/**
 * pe_cmdline_save() - remember the current task's name  [H]
 *
 * Any context with preemption off.  A few instructions when it is known already;
 * that check reads the slot without its lock: a wrong answer saves a name once
 * more, or once less, and the task's next record puts it right.
 */
void pe_cmdline_save(void)
{
	s32 pid = current->pid;
	struct slot *slot = slot_of(pid);
	u64 head, tail;

	memcpy(&head, current->comm, sizeof(u64));
	memcpy(&tail, current->comm + sizeof(u64), sizeof(u64));
	if (likely(slot->pid == pid && slot->name.words[0] == head &&
		   slot->name.words[1] == tail))
		return;
	if (pid)
		save(slot, pid);
}

/**
 * pe_cmdline_find() - the name of a pid that has left records
 * @pid: from a record
 * @comm: "<idle>" for pid 0, "<...>" when it is not known
 *
 * Any context.
 */
void pe_cmdline_find(s32 pid, char comm[TASK_COMM_LEN])
{
	struct slot *slot = slot_of(pid);
	unsigned int tries;
	struct name name;
	u32 seq;
	s32 owner;

	if (!pid) {
		strscpy(comm, "<idle>", TASK_COMM_LEN);
		return;
	}
	for (tries = 0; tries < NR_TRIES; tries++) {
		/* Pairs with the release of the last writer. */
		seq = smp_load_acquire(&slot->seq);
		if (seq & 1) {
			cpu_relax();
			continue;
		}
		owner = READ_ONCE(slot->pid);
		name.words[0] = READ_ONCE(slot->name.words[0]);
		name.words[1] = READ_ONCE(slot->name.words[1]);
		smp_rmb();	/* pairs with the cmpxchg() of the next writer */
		if (READ_ONCE(slot->seq) != seq)
			continue;
		if (owner != pid)
			break;
		memcpy(comm, &name, sizeof(name));
		comm[TASK_COMM_LEN - 1] = 0;
		return;
	}
	strscpy(comm, UNKNOWN, TASK_COMM_LEN);
}

/* Seam of fetch_hit.c, see record.h.  [H] */
void pe_current_comm(char comm[TASK_COMM_LEN])
{
	memcpy(comm, current->comm, TASK_COMM_LEN);
	comm[TASK_COMM_LEN - 1] = 0;
}
