// SPDX-License-Identifier: GPL-2.0
/*
 * pids.c - lists of pids: asked by hits, changed by users, forks and exits.
 *
 * A list is a bitmap of all pids there can be.  It is published when its first pid
 * is in it and freed when the file is truncated; in between single bits change, by
 * atomic operations, so that a fork never gets lost against a write.
 *
 * Forks and exits are seen by two probes of the engine: a new task is woken by its
 * parent exactly once, before it has run, and a task is released exactly once, before
 * its number can be used again.  kprobes/enabled, which is for the probes of users,
 * does not stop them.  Who releases itself, as threads do, has a few more
 * steps to go, which don't count as its own any more.
 */
#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/ptrace.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/threads.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include "kernel/compat.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/event/instance.h"
#include "pids.h"
#include "kernel/trace/trace.h"

#define MAX_WRITE	(1024 * 1024)

struct pe_pid_list {
	unsigned long bits[BITS_TO_LONGS(PID_MAX_LIMIT)];
};

/* Guards which lists there are, and following; inside pe_event_mutex. */
static DEFINE_MUTEX(pids_mutex);

/* Hits look at the lists only if there are any, to which this is the hint. */
static void update_by_pid(struct pe_instance *inst)
{
	bool any = rcu_access_pointer(inst->pids[PE_PIDS_ONLY]) ||
		   rcu_access_pointer(inst->pids[PE_PIDS_NOT]);

	lockdep_assert_held(&pids_mutex);
	WRITE_ONCE(inst->by_pid, any);
}

static bool has_pid(const struct pe_pid_list *list, pid_t pid)
{
	return (unsigned int)pid < PID_MAX_LIMIT && test_bit(pid, list->bits);
}

/* [H] */
bool pe_pids_want(const struct pe_instance *inst)
{
	const struct pe_pid_list *only = rcu_dereference_sched(inst->pids[PE_PIDS_ONLY]);
	const struct pe_pid_list *not = rcu_dereference_sched(inst->pids[PE_PIDS_NOT]);

	return (!only || has_pid(only, current->pid)) &&
	       (!not || !has_pid(not, current->pid));
}

/* --- following ----------------------------------------------------------- */

static unsigned int nr_following;		/* pids_mutex */

/* [H] In the lists that follow and have @pid: @other joins, or leaves. */
static void change_lists(pid_t pid, pid_t other, bool join)
{
	const struct pe_instance *inst;
	struct pe_pid_list *list;
	unsigned int i;

	list_for_each_entry_rcu(inst, &pe_instances, list, true) {
		if (!test_bit(PE_OPT_EVENT_FORK, &inst->options))
			continue;
		for (i = 0; i < PE_NR_PIDS; i++) {
			list = rcu_dereference_sched(inst->pids[i]);
			if (!list || !has_pid(list, pid))
				continue;
			if (join)
				set_bit(other, list->bits);
			else
				clear_bit(other, list->bits);
		}
	}
}

/* [H] In the parent, which wakes its child for the first time. */
static void task_forked(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	const struct task_struct *child = (void *)hit->regs->di;

	if (child->pid < PID_MAX_LIMIT)
		change_lists(current->pid, child->pid, true);
}

/* [H] */
static void task_released(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	const struct task_struct *task = (void *)hit->regs->di;

	change_lists(task->pid, task->pid, false);
}

static struct pe_kprobe fork_probe, release_probe;

/*
 * release_task() may go on with the leader of a task's threads without being entered
 * again; this step of it is taken for each.
 */
#ifdef CONFIG_CGROUPS
#define RELEASE_STEP	"cgroup_release"
#else
#define RELEASE_STEP	"release_task"
#endif

static int start_following(void)
{
	struct pe_kprobe *kps[] = { &fork_probe, &release_probe };

	fork_probe = (struct pe_kprobe) {
		.symbol = "wake_up_new_task",
		.handler = task_forked,
		.flags = PE_KPROBE_ALWAYS,
	};
	release_probe = (struct pe_kprobe) {
		.symbol = RELEASE_STEP,
		.handler = task_released,
		.flags = PE_KPROBE_ALWAYS,
	};
	return pe_register_kprobes(kps, ARRAY_SIZE(kps));
}

static void stop_following(void)
{
	struct pe_kprobe *kps[] = { &fork_probe, &release_probe };

	pe_unregister_kprobes(kps, ARRAY_SIZE(kps));
}

static int follow_locked(struct pe_instance *inst, bool on)
{
	int ret;

	if (on == test_bit(PE_OPT_EVENT_FORK, &inst->options))
		return 0;
	if (on && !nr_following) {
		ret = start_following();
		if (ret)
			return ret;
	}
	assign_bit(PE_OPT_EVENT_FORK, &inst->options, on);
	nr_following += on ? 1 : -1;
	if (!nr_following)
		stop_following();
	return 0;
}

int pe_pids_follow(struct pe_instance *inst, bool on)
{
	int ret;

	mutex_lock(&pids_mutex);
	ret = follow_locked(inst, on);
	mutex_unlock(&pids_mutex);
	return ret;
}

void pe_pids_free(struct pe_instance *inst)
{
	unsigned int i;

	pe_pids_follow(inst, false);
	for (i = 0; i < PE_NR_PIDS; i++)
		vfree(rcu_dereference_protected(inst->pids[i], true));
}

/* --- reading ------------------------------------------------------------- */

/**
 * struct pids_file - an open file's seq_file data
 * @view: whose instance
 * @which: of its lists
 */
struct pids_file {
	struct pe_view *view;
	enum pe_pids which;
};

static struct pe_pid_list *list_of(const struct pids_file *pf)
{
	return rcu_dereference_protected(pf->view->inst->pids[pf->which],
					 lockdep_is_held(&pids_mutex));
}

/* The position is the pid; v is never NULL for one. */
static void *pid_from(struct seq_file *m, loff_t *pos)
{
	const struct pe_pid_list *list = list_of(m->private);
	unsigned long pid;

	if (!list || *pos >= PID_MAX_LIMIT)
		return NULL;
	pid = find_next_bit(list->bits, PID_MAX_LIMIT, *pos);
	if (pid >= PID_MAX_LIMIT)
		return NULL;
	*pos = pid;
	return (void *)(pid + 1);
}

static void *pids_start(struct seq_file *m, loff_t *pos)
{
	mutex_lock(&pids_mutex);
	return pid_from(m, pos);
}

static void *pids_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return pid_from(m, pos);
}

static void pids_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&pids_mutex);
}

static int pids_show(struct seq_file *m, void *v)
{
	seq_printf(m, "%lu\n", (unsigned long)v - 1);
	return 0;
}

static const struct seq_operations pids_sops = {
	.start = pids_start,
	.next = pids_next,
	.stop = pids_stop,
	.show = pids_show,
};

/* --- writing ------------------------------------------------------------- */

/* Return: how many pids the text has, all checked; with @list they are put there. */
static int parse_pids(const char *text, struct pe_pid_list *list)
{
	unsigned int pid, n = 0;
	char word[16];
	size_t len;

	for (text = skip_spaces(text); *text; text = skip_spaces(text + len)) {
		len = strcspn(text, " \t\n\r\v\f");
		if (len >= sizeof(word))
			return -EINVAL;
		memcpy(word, text, len);
		word[len] = '\0';
		if (kstrtouint(word, 0, &pid) || pid >= PID_MAX_LIMIT)
			return -EINVAL;
		if (list)
			set_bit(pid, list->bits);
		n++;
	}
	return n;
}

static int add_pids(const struct pids_file *pf, const char *text)
{
	struct pe_pid_list *list = list_of(pf);
	int n = parse_pids(text, NULL);

	if (n <= 0)
		return n;
	if (!list) {
		list = vzalloc(sizeof(*list));
		if (!list)
			return -ENOMEM;
		parse_pids(text, list);
		rcu_assign_pointer(pf->view->inst->pids[pf->which], list);
		update_by_pid(pf->view->inst);
	} else {
		parse_pids(text, list);
	}
	return 0;
}

static ssize_t pids_write(struct file *file, const char __user *buf, size_t count,
			  loff_t *ppos)
{
	const struct pids_file *pf = ((struct seq_file *)file->private_data)->private;
	char *text, *nul;
	int ret;

	if (count > MAX_WRITE)
		return -EINVAL;
	text = kvmalloc(count + 1, GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	ret = -EFAULT;
	if (copy_from_user(text, buf, count))
		goto out;
	text[count] = '\0';
	/* A NUL ends a word: programs write it with their strings. */
	for (nul = text; (nul = memchr(nul, '\0', text + count - nul));)
		*nul = ' ';
	mutex_lock(&pids_mutex);
	ret = add_pids(pf, text);
	mutex_unlock(&pids_mutex);
out:
	kvfree(text);
	return ret ? ret : count;
}

static void drop_list(struct pe_instance *inst, enum pe_pids which)
{
	struct pe_pid_list *list;

	mutex_lock(&pids_mutex);
	list = rcu_replace_pointer(inst->pids[which], NULL, true);
	update_by_pid(inst);
	if (list)
		synchronize_rcu();
	mutex_unlock(&pids_mutex);
	vfree(list);
}

/* --- files --------------------------------------------------------------- */

/* Opening for writing without append means: start anew. */
static int pids_open(struct inode *inode, struct file *file, enum pe_pids which)
{
	struct pe_view *view = pe_view_open(inode);
	struct pids_file *pf;

	if (!view)
		return -ENODEV;
	pf = __seq_open_private(file, &pids_sops, sizeof(*pf));
	if (!pf) {
		pe_view_close(view);
		return -ENOMEM;
	}
	pf->view = view;
	pf->which = which;
	if ((file->f_mode & FMODE_WRITE) && (file->f_flags & O_TRUNC))
		drop_list(view->inst, which);
	return 0;
}

static int only_open(struct inode *inode, struct file *file)
{
	return pids_open(inode, file, PE_PIDS_ONLY);
}

static int not_open(struct inode *inode, struct file *file)
{
	return pids_open(inode, file, PE_PIDS_NOT);
}

static int pids_release(struct inode *inode, struct file *file)
{
	const struct pids_file *pf = ((struct seq_file *)file->private_data)->private;

	pe_view_close(pf->view);
	return seq_release_private(inode, file);
}

#define PIDS_FOPS(how)						\
	.owner		= THIS_MODULE,				\
	.open		= how,					\
	.read_iter	= seq_read_iter,			\
	.splice_read	= pe_splice_read,			\
	.write		= pids_write,				\
	.llseek		= pe_fs_llseek,				\
	.release	= pids_release

const struct file_operations pe_pids_only_fops = { PIDS_FOPS(only_open) };
const struct file_operations pe_pids_not_fops = { PIDS_FOPS(not_open) };
