// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * cmdlines.c - the name and thread group that a pid had when it last left a
 * record.  [H] in part.
 *
 * A direct-mapped table: a pid has one slot, and the last pid that needs a slot
 * owns it.  So a name may get lost, and its records show "<...>".  But a record
 * never shows another task's name.
 *
 * Each slot is a small seqlock for which writers never wait: odd means that a
 * writer is in it.  A writer that finds it odd (because of another CPU, or the
 * context that it has interrupted) leaves the name unsaved; the task's next
 * record tries again.  A reader that finds it odd or changed reads again.
 *
 * A task's name is torn while it is being changed, and the record may come from
 * an interrupt in the middle of that.  The changing CPU holds the task's
 * alloc_lock.  So a name is saved only if that lock was free before and after
 * the name was read, and if two readings agree.
 *
 * Orders between CPUs:
 *
 *   save:A / read_slot:A   release store of seq / acquire load.  A reader that sees an even seq
 *           sees the name that it belongs to.
 *   save:B / read_slot:B   fully ordered cmpxchg of seq, then writing the name / reading
 *           the name, smp_rmb(), reading seq.  A reader that has read a word of the next name
 *           sees that seq has changed.
 *   The version that compiled hits compare is read before the name there, and was even; and again
 *           after it.  The architecture's emitter sees to it that their loads are in order.
 *   read_stable:C   pairs with task_lock() and task_unlock() in the kernel's
 *           __set_task_comm(): lock, name, lock, name are read in this order.  A change
 *           that has begun before the last reading shows in one of the four.
 *   resize:D / find:D   release store of table / the dependency of its slots on its
 *           address.  A CPU that has the new table sees what was copied to it.
 *
 * Changing its size replaces the table.  Handlers have preemption off, so a
 * grace period later none looks for a slot in the old one, and after another one none uses
 * the slot that it has found before.  The grace period does not cover
 * the idle task, where RCU may not be watching.  But the idle task, pid 0,
 * never touches the table.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <pe/nofault.h>
#include "cmdline_slot.h"
#include "cmdlines.h"
#include "fetch.h"

#define DEFAULT_SIZE	4096
#define MAX_SIZE	32768		/* pids of a small system */
#define NR_TRIES	1000
#define UNKNOWN		"<...>"

struct name {
	u64 words[TASK_COMM_LEN / sizeof(u64)];
};

/* @mask: number of slots, a power of 2, less 1 */
struct table {
	u32 mask;
	struct pe_cmdline_slot slots[];
};

static struct table *pe_cmdlines_table;

/*
 * The slot that a hit on this CPU has found to hold its task's name: compiled hits look there
 * first (emit_hit.c), and compare.
 */
static struct pe_cmdline_slot pe_no_slot = { .pid = -1 };	/* not even the idle task's */
DEFINE_PER_CPU(struct pe_cmdline_last, pe_cmdline_last);

/* Serialises changes of @table, and keeps it for code that may sleep. */
static DEFINE_MUTEX(pe_cmdlines_mutex);

static struct pe_cmdline_slot *pe_cmdlines_slot_of(struct table *t, s32 pid)
{
	return &t->slots[(u32)pid & t->mask];
}

/* [H] */
static void pe_read_current(struct name *name)
{
	memcpy(name, current->comm, sizeof(*name));
	barrier();	/* the compiler must not merge two readings */
}

static bool pe_same_name(const struct name *a, const struct name *b)
{
	return !((a->words[0] ^ b->words[0]) | (a->words[1] ^ b->words[1]));
}

/* [H] False if the name is being changed. */
static bool pe_read_stable(struct name *name)
{
	struct name again;

	if (spin_is_locked(&current->alloc_lock))
		return false;
	smp_rmb();	/* read_stable:C, the lock, then the name */
	pe_read_current(name);
	smp_rmb();	/* read_stable:C, the name, then the lock */
	if (spin_is_locked(&current->alloc_lock))
		return false;
	smp_rmb();	/* read_stable:C, the first reading, then the second */
	pe_read_current(&again);
	return pe_same_name(name, &again);
}

/*
 * For compiled hits: they copy the bytes after the NUL as well, so these have to be 0, as the
 * kernel's task names have them.  [H]
 */
static u32 pe_clean_length(const struct name *name)
{
	const char *bytes = (const char *)name->words;
	u32 len = strnlen(bytes, TASK_COMM_LEN), i;

	for (i = len; i < TASK_COMM_LEN; i++) {
		if (bytes[i])
			return 0;
	}
	return len < TASK_COMM_LEN ? len + 1 : 0;
}

/* [H] */
static noinline void pe_cmdlines_save(struct pe_cmdline_slot *slot, s32 pid)
{
	u32 seq = READ_ONCE(slot->seq);
	struct name name;

	if (seq & 1 || !pe_read_stable(&name))
		return;
	if (cmpxchg(&slot->seq, seq, seq + 1) != seq)	/* save:B */
		return;
	WRITE_ONCE(slot->pid, pid);
	WRITE_ONCE(slot->tgid, current->tgid);
	WRITE_ONCE(slot->words[0], name.words[0]);
	WRITE_ONCE(slot->words[1], name.words[1]);
	WRITE_ONCE(slot->len, pe_clean_length(&name));
	smp_store_release(&slot->seq, seq + 2);		/* save:A */
}

/* [H] */
static void pe_remember_last(struct pe_cmdline_slot *slot)
{
	u64 version = READ_ONCE(slot->version);

	if (unlikely(version & PE_CMDLINE_ODD || !(u32)version))
		version = PE_CMDLINE_NEVER;
	this_cpu_write(pe_cmdline_last.version, version);
	this_cpu_write(pe_cmdline_last.slot, slot);
}

/**
 * pe_cmdline_save() - remember the current task's name  [H]
 *
 * Any context with preemption off.  A few instructions if the name is already
 * known.  That check reads the slot without its lock.  A wrong answer saves a
 * name once more or once less; the task's next record corrects it.
 */
void pe_cmdline_save(void)
{
	s32 pid = current->pid;
	struct pe_cmdline_slot *slot;
	u64 head, tail;

	if (unlikely(!pid))
		return;
	slot = pe_cmdlines_slot_of(READ_ONCE(pe_cmdlines_table), pid);	/* find:D */
	memcpy(&head, current->comm, sizeof(u64));
	memcpy(&tail, current->comm + sizeof(u64), sizeof(u64));
	if (likely(slot->pid == pid && slot->words[0] == head &&
		   slot->words[1] == tail && slot->tgid == current->tgid)) {
		pe_remember_last(slot);
		return;
	}
	pe_cmdlines_save(slot, pid);
}

/* False if no pid owns the slot, or if it changes all the time. */
static bool pe_read_slot(const struct pe_cmdline_slot *slot, struct pe_cmdline *line)
{
	struct name name;
	unsigned int tries;
	u32 seq;

	for (tries = 0; tries < NR_TRIES; tries++) {
		seq = smp_load_acquire(&slot->seq);	/* read_slot:A */
		if (seq & 1) {
			cpu_relax();
			continue;
		}
		line->pid = READ_ONCE(slot->pid);
		line->tgid = READ_ONCE(slot->tgid);
		name.words[0] = READ_ONCE(slot->words[0]);
		name.words[1] = READ_ONCE(slot->words[1]);
		smp_rmb();				/* read_slot:B */
		if (READ_ONCE(slot->seq) != seq)
			continue;
		memcpy(line->comm, &name, sizeof(name));
		line->comm[TASK_COMM_LEN - 1] = 0;
		return line->pid;
	}
	return false;
}

/**
 * pe_cmdline_find() - the name and thread group of a pid that has left records
 * @pid: from a record
 * @comm: "<idle>" for pid 0, "<...>" if it is not known
 *
 * Any context.  Return: the thread group, 0 for pid 0 or if it is not known.
 */
s32 pe_cmdline_find(s32 pid, char comm[TASK_COMM_LEN])
{
	struct pe_cmdline line;
	bool found = false;

	if (!pid) {
		strscpy(comm, "<idle>", TASK_COMM_LEN);
		return 0;
	}
	preempt_disable();
	found = pe_read_slot(pe_cmdlines_slot_of(READ_ONCE(pe_cmdlines_table), pid),
			     &line); /* find:D */
	preempt_enable();
	if (!found || line.pid != pid) {
		strscpy(comm, UNKNOWN, TASK_COMM_LEN);
		return 0;
	}
	memcpy(comm, line.comm, TASK_COMM_LEN);
	return line.tgid;
}

bool pe_cmdline_next(unsigned long *i, struct pe_cmdline *line)
{
	lockdep_assert_held(&pe_cmdlines_mutex);
	for (; *i <= pe_cmdlines_table->mask; ++*i) {
		if (pe_read_slot(&pe_cmdlines_table->slots[*i], line))
			return true;
	}
	return false;
}

void pe_cmdlines_lock(void)
{
	mutex_lock(&pe_cmdlines_mutex);
}

void pe_cmdlines_unlock(void)
{
	mutex_unlock(&pe_cmdlines_mutex);
}

unsigned int pe_cmdlines_size(void)
{
	unsigned int size;

	mutex_lock(&pe_cmdlines_mutex);
	size = pe_cmdlines_table->mask + 1;
	mutex_unlock(&pe_cmdlines_mutex);
	return size;
}

static struct table *pe_alloc_table(unsigned int size)
{
	struct table *t = kvzalloc(struct_size(t, slots, size), GFP_KERNEL);

	if (t)
		t->mask = size - 1;
	return t;
}

/* Copy the known names, as far as there is room.  No writer uses @to yet. */
static void pe_copy_table(struct table *to, const struct table *from)
{
	struct pe_cmdline line;
	struct pe_cmdline_slot *slot;
	struct name name;
	unsigned int i;

	for (i = 0; i <= from->mask; i++) {
		if (!pe_read_slot(&from->slots[i], &line))
			continue;
		slot = pe_cmdlines_slot_of(to, line.pid);
		slot->pid = line.pid;
		slot->tgid = line.tgid;
		memcpy(slot->words, line.comm, sizeof(slot->words));
		memcpy(&name, slot->words, sizeof(name));
		slot->len = pe_clean_length(&name);
	}
}

/* No hit finds slots of the old table any more, but by these. */
static void pe_forget_last(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		/* read by pe_emit_task()'s code */
		WRITE_ONCE(per_cpu_ptr(&pe_cmdline_last, cpu)->slot, &pe_no_slot);
}

int pe_cmdlines_resize(unsigned long size)
{
	struct table *new, *old;

	if (!size || size > MAX_SIZE)
		return -EINVAL;
	new = pe_alloc_table(roundup_pow_of_two(size));
	if (!new)
		return -ENOMEM;
	mutex_lock(&pe_cmdlines_mutex);
	old = pe_cmdlines_table;
	pe_copy_table(new, old);
	smp_store_release(&pe_cmdlines_table, new);		/* resize:D */
	synchronize_rcu();
	pe_forget_last();
	synchronize_rcu();
	mutex_unlock(&pe_cmdlines_mutex);
	kvfree(old);
	return 0;
}

int pe_cmdlines_init(void)
{
	pe_forget_last();	/* a module's per-CPU variables cannot begin as pointers */
	pe_cmdlines_table = pe_alloc_table(DEFAULT_SIZE);
	return pe_cmdlines_table ? 0 : -ENOMEM;
}

void pe_cmdlines_exit(void)
{
	kvfree(pe_cmdlines_table);
}

/* Seams of fetch_hit.c, see fetch.h.  [H] */
void pe_current_comm(char comm[TASK_COMM_LEN])
{
	memcpy(comm, current->comm, TASK_COMM_LEN);
	comm[TASK_COMM_LEN - 1] = 0;
}

unsigned long pe_current_task(void)
{
	return (unsigned long)current;
}

bool pe_read_task(u64 task, int *pid, char comm[TASK_COMM_LEN])
{
	bool good = pe_read_nofault(pid, task + offsetof(struct task_struct, pid), sizeof(*pid)) &&
		    pe_read_nofault(comm, task + offsetof(struct task_struct, comm), TASK_COMM_LEN);

	comm[TASK_COMM_LEN - 1] = 0;
	return good;
}

unsigned long pe_cpu_offset(void)
{
	return this_cpu_read(this_cpu_off);
}
