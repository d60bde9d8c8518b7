// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_pids.c - set_event_pid and set_event_notrace_pid.
 *
 * Written numbers are those of the writer's PID namespace.  Numbers that are read, and common_pid
 * of records, are those of the first namespace.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/threads.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include "files.h"
#include "kernel/trace/event/event.h"
#include "kernel/trace/event/pids.h"
#include "kernel/trace/hit/pids_hit.h"
#include "kernel/trace/trace_instance.h"
#include "refusal.h"
#include "small_file.h"

#define MAX_WRITE	(1024 * 1024)

/* --- reading ------------------------------------------------------------- */

static enum pe_pids pe_pids_of(const struct file *file)
{
	return pe_small_how(file) - pe_pids_files;
}

/* The position is the pid; v is the pid plus 1, so that it is not NULL for pid 0. */
static void *pe_pid_from(struct seq_file *m, loff_t *pos)
{
	const struct pe_view *view = m->private;
	unsigned long pid;

	if (*pos >= PID_MAX_LIMIT)
		return NULL;
	pid = pe_pids_next(view->inst, pe_pids_of(m->file), *pos);
	if (pid >= PID_MAX_LIMIT)
		return NULL;
	*pos = pid;
	return (void *)(pid + 1);
}

static void *pe_pids_start(struct seq_file *m, loff_t *pos)
{
	mutex_lock(&pe_event_mutex);
	return pe_pid_from(m, pos);
}

static void *pe_fs_pids_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return pe_pid_from(m, pos);
}

static void pe_pids_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&pe_event_mutex);
}

static int pe_pids_show(struct seq_file *m, void *v)
{
	seq_printf(m, "%lu\n", (unsigned long)v - 1);
	return 0;
}

static const struct seq_operations pe_pids_sops = {
	.start = pe_pids_start,
	.next = pe_fs_pids_next,
	.stop = pe_pids_stop,
	.show = pe_pids_show,
};

/* --- writing ------------------------------------------------------------- */

/*
 * The pid of the task that has the number @nr in the writer's namespace.  In the first one that is
 * the number, and there need be no such task.
 */
static int pe_pid_of(unsigned int nr, unsigned int *pid)
{
	struct pid *found;

	if (task_active_pid_ns(current) == &init_pid_ns) {
		*pid = nr;
		return nr < PID_MAX_LIMIT ? 0 : -EINVAL;
	}
	if (nr > INT_MAX)
		return -EINVAL;
	rcu_read_lock();
	found = find_vpid(nr);
	*pid = pid_nr(found);
	rcu_read_unlock();
	return found ? 0 : -ESRCH;
}

/*
 * Check all pids of a text and put them into @list, if not NULL.  A task may have gone since it
 * was checked; then its pid is put nowhere.  Return: their number.
 */
static int pe_parse_pids(const char *text, struct pe_pid_list *list)
{
	unsigned int nr, pid, n = 0;
	char word[16];
	size_t len;
	int ret;

	for (text = skip_spaces(text); *text; text = skip_spaces(text + len)) {
		len = strcspn(text, " \t\n\r\v\f");
		if (len >= sizeof(word))
			return -EINVAL;
		memcpy(word, text, len);
		word[len] = '\0';
		ret = kstrtouint(word, 0, &nr) ? -EINVAL : pe_pid_of(nr, &pid);
		if (ret && !list)
			return ret;
		if (!ret && list)
			set_bit(pid, list->bits);
		n++;
	}
	return n;
}

static int pe_add_pids(struct pe_instance *inst, enum pe_pids which, const char *text)
{
	struct pe_pid_list *list = pe_pids_list(inst, which);
	int n = pe_parse_pids(text, NULL);

	if (n <= 0)
		return n;
	if (!list) {
		list = vzalloc(sizeof(*list));
		if (!list)
			return -ENOMEM;
		pe_parse_pids(text, list);
		pe_pids_publish(inst, which, list);
	} else {
		pe_parse_pids(text, list);
	}
	return 0;
}

static ssize_t pe_pids_write(struct file *file, const char __user *buf, size_t count)
{
	struct pe_instance *inst = pe_small_view(file)->inst;
	char *text, *nul;
	int ret;

	if (count > MAX_WRITE)
		return pe_refused(inst, file, buf, count, -EINVAL);
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
	mutex_lock(&pe_event_mutex);
	ret = pe_add_pids(inst, pe_pids_of(file), text);
	mutex_unlock(&pe_event_mutex);
out:
	kvfree(text);
	return pe_refused_why(inst, file, buf, count, ret ? ret : count,
			      ret == -EINVAL ? "pids must be numbers separated by blanks" : NULL);
}

/* --- files --------------------------------------------------------------- */

static int pe_pids_truncate(struct file *file)
{
	pe_pids_drop(pe_small_view(file)->inst, pe_pids_of(file));
	return 0;
}

const struct pe_small_file pe_pids_files[PE_NR_PIDS] = {
	[0 ... PE_NR_PIDS - 1] = {
		.list = &pe_pids_sops,
		.write = pe_pids_write,
		.truncate = pe_pids_truncate,
		.tells = true,
	},
};
