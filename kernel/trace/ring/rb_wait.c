// SPDX-License-Identifier: GPL-2.0
/*
 * rb_wait.c - sleeping until a buffer has something to read.
 *
 * A writer must not wake anybody itself: it may be in NMI, or inside the run
 * queue's lock.  If a flag says that somebody waits, it queues an irq_work (at most
 * one is pending per CPU), which clears the flag and wakes.  On a CPU that is going
 * down or coming up none would run: there the flag stays, and event/hotplug.c wakes.
 *
 * A reader sets the flag, issues a full barrier, and looks for records once more
 * before it sleeps.  The writer has no full barrier between publishing and reading
 * the flag: they are too expensive there.  So both may miss each other, for as long
 * as the writer's store is under way.  Whoever goes to sleep therefore has recheck
 * look a third time, a jiffy later.
 *
 * Who waits for a number of complete pages would wait for ever for the last few
 * records.  So records that lie there for RIPE_AFTER make their ring "ripe", which
 * wakes him as well, and allows him to take the page in work, once.  No timer runs
 * while nobody writes: the first record starts it.
 */
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/overflow.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "rb_buffer.h"
#include "rb_read.h"
#include "rb_wait.h"

#define RIPE_AFTER	(HZ / 10)

/* From the last step of coming up to the first of going down. */
struct cpumask pe_waking_cpus __read_mostly;

static wait_queue_head_t *waitq_of(const struct pe_buffer *buf, int cpu)
{
	return cpu == PE_ALL_CPUS ? &buf->common->all : &buf->common->cpu[cpu];
}

static bool enough_pages(const struct pe_buffer_cpu *bc, unsigned int pages)
{
	return pages && pe_rb_full_pages(&bc->rb) >= pages;
}

static void start_ripening(struct pe_buffer_cpu *bc)
{
	WRITE_ONCE(bc->linger, 0);
	queue_delayed_work(system_wq, &bc->buffer->ripen, RIPE_AFTER);
}

static void wake_cpu(struct irq_work *work)
{
	struct pe_buffer_cpu *bc = container_of(work, struct pe_buffer_cpu, kick);
	struct pe_buffer *buf = bc->buffer;
	bool enough = enough_pages(bc, READ_ONCE(bc->wait_pages));

	if (READ_ONCE(bc->linger))
		start_ripening(bc);
	if (enough)
		WRITE_ONCE(bc->wait_pages, 0);
	if (enough || READ_ONCE(bc->waiting)) {
		WRITE_ONCE(bc->waiting, 0);
		wake_up_all(waitq_of(buf, bc->cpu));
	}
	if (READ_ONCE(buf->waiting_all)) {
		WRITE_ONCE(buf->waiting_all, 0);
		wake_up_all(waitq_of(buf, PE_ALL_CPUS));
	}
}

static void recheck(struct work_struct *work)
{
	struct pe_buffer *buf = container_of(to_delayed_work(work), struct pe_buffer,
					     recheck);
	bool any = false;
	int cpu;

	for_each_possible_cpu(cpu) {
		struct pe_buffer_cpu *bc = buf->cpus[cpu];

		if (!pe_rb_maybe_data(&bc->rb))
			continue;
		any = true;
		if (READ_ONCE(bc->linger))
			start_ripening(bc);
		if (READ_ONCE(bc->waiting) ||
		    enough_pages(bc, READ_ONCE(bc->wait_pages)))
			wake_up_all(waitq_of(buf, cpu));
	}
	if (any)
		wake_up_all(waitq_of(buf, PE_ALL_CPUS));
}

/*
 * The ring may have been emptied since, and who waits sleeps on: the next record has to
 * start again.  Look behind the flag, and a third time, as at the top.
 */
static bool has_data_or_lingers(struct pe_buffer_cpu *bc)
{
	if (pe_rb_maybe_data(&bc->rb))
		return true;
	WRITE_ONCE(bc->linger, 1);
	smp_mb();		/* the flag before looking; see the top */
	if (pe_rb_maybe_data(&bc->rb))
		return true;
	queue_delayed_work(system_wq, &bc->buffer->recheck, 1);
	return false;
}

static void ripen(struct work_struct *work)
{
	struct pe_buffer *buf = container_of(to_delayed_work(work), struct pe_buffer,
					     ripen);
	int cpu;

	for_each_possible_cpu(cpu) {
		struct pe_buffer_cpu *bc = buf->cpus[cpu];

		/* Not for those whom nobody waits for in this way. */
		if (!READ_ONCE(bc->wait_pages) || !has_data_or_lingers(bc))
			continue;
		WRITE_ONCE(bc->ripe, true);
		wake_up_all(waitq_of(buf, cpu));
	}
}

struct pe_buffer_common *pe_buffer_common_create(void)
{
	struct pe_buffer_common *common;
	unsigned int cpu;

	common = kzalloc(struct_size(common, cpu, nr_cpu_ids), GFP_KERNEL);
	if (!common)
		return NULL;
	init_waitqueue_head(&common->all);
	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		init_waitqueue_head(&common->cpu[cpu]);
	return common;
}

void pe_buffer_common_destroy(struct pe_buffer_common *common)
{
	kfree(common);
}

void pe_buffer_init_waits(struct pe_buffer *buf)
{
	INIT_DELAYED_WORK(&buf->recheck, recheck);
	INIT_DELAYED_WORK(&buf->ripen, ripen);
}

void pe_buffer_init_waits_cpu(struct pe_buffer_cpu *bc)
{
	init_irq_work(&bc->kick, wake_cpu);
}

void pe_buffer_end_waits(struct pe_buffer *buf)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct pe_buffer_cpu *bc = buf->cpus ? buf->cpus[cpu] : NULL;

		if (!bc)
			continue;
		irq_work_sync(&bc->kick);
		WRITE_ONCE(bc->wait_pages, 0);
		WRITE_ONCE(bc->linger, 0);
	}
	/* Each may have started the other until now.  The last of the first does nothing. */
	cancel_delayed_work_sync(&buf->ripen);
	cancel_delayed_work_sync(&buf->recheck);
	cancel_delayed_work_sync(&buf->ripen);
}

/* [H] */
void pe_buffer_kick(struct pe_buffer_cpu *bc)
{
	bool wanted = READ_ONCE(bc->waiting) || READ_ONCE(bc->linger) ||
		      READ_ONCE(bc->buffer->waiting_all) ||
		      enough_pages(bc, READ_ONCE(bc->wait_pages));

	if (wanted && pe_can_wake())
		irq_work_queue(&bc->kick);
}

bool pe_buffer_maybe_data(struct pe_buffer *buf, int which)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		if (pe_cpu_wanted(cpu, which) && pe_rb_maybe_data(&buf->cpus[cpu]->rb))
			return true;
	}
	return false;
}

static bool readable(struct pe_buffer *buf, int cpu, unsigned int pages)
{
	const struct pe_buffer_cpu *bc;

	if (cpu == PE_ALL_CPUS || !pages)
		return pe_buffer_maybe_data(buf, cpu);
	bc = buf->cpus[cpu];
	return enough_pages(bc, pages) ||
	       (READ_ONCE(bc->ripe) && pe_rb_maybe_data(&bc->rb));
}

static void arm_pages(struct pe_buffer_cpu *bc, unsigned int pages)
{
	unsigned int now = READ_ONCE(bc->wait_pages);

	if (!now || pages < now)
		WRITE_ONCE(bc->wait_pages, pages);
	WRITE_ONCE(bc->linger, 1);
}

/* From here on a writer wakes us.  Then look again, and see to the third look. */
static bool readable_or_armed(struct pe_buffer *buf, int cpu, unsigned int pages)
{
	if (cpu == PE_ALL_CPUS)
		WRITE_ONCE(buf->waiting_all, 1);
	else if (!pages)
		WRITE_ONCE(buf->cpus[cpu]->waiting, 1);
	else
		arm_pages(buf->cpus[cpu], pages);
	smp_mb();		/* the flag before looking; see the top */
	if (readable(buf, cpu, pages))
		return true;
	queue_delayed_work(system_wq, &buf->recheck, 1);
	return false;
}

int pe_buffer_wait(struct pe_buffer **where, int cpu, unsigned int pages,
		   bool (*stop)(void *arg), void *arg)
{
	wait_queue_head_t *waitq = waitq_of(READ_ONCE(*where), cpu);
	DEFINE_WAIT(wait);
	int ret = 0;

	for (;;) {
		prepare_to_wait(waitq, &wait, TASK_INTERRUPTIBLE);
		if (readable_or_armed(READ_ONCE(*where), cpu, pages))
			break;
		if (stop && stop(arg))
			break;
		if (signal_pending(current)) {
			ret = -ERESTARTSYS;
			break;
		}
		schedule();
	}
	finish_wait(waitq, &wait);
	return ret;
}

void pe_buffer_wake(struct pe_buffer *buf)
{
	int cpu;

	for_each_possible_cpu(cpu)
		wake_up_all(waitq_of(buf, cpu));
	wake_up_all(waitq_of(buf, PE_ALL_CPUS));
}

/*
 * A snapshot that comes before we are in the queue wakes nobody, and leaves the flag
 * in the buffer that nothing is added to any more.  One that comes later wakes us.  So
 * look at the other buffer as well, if the two have changed places; what happens after
 * that concerns a buffer whose flag is set.
 */
__poll_t pe_buffer_poll(struct pe_buffer **where, int cpu, unsigned int pages,
			struct file *file, struct poll_table_struct *pt)
{
	struct pe_buffer *first = READ_ONCE(*where), *now;
	bool ready;

	poll_wait(file, waitq_of(first, cpu), pt);
	ready = readable_or_armed(first, cpu, pages);
	now = READ_ONCE(*where);
	if (now != first)
		ready = readable_or_armed(now, cpu, pages);
	return ready ? EPOLLIN | EPOLLRDNORM : 0;
}
