// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * session_file.c - the file session, through which a session is written and told; and sessions, the
 * list of all.
 */
#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/poll.h>
#include <linux/sched/clock.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#include "kernel/trace/event/instance.h"
#include "kernel/trace/files/refusal.h"
#include "kernel/trace/files/small_file.h"
#include "kernel/trace/parse/limit_words.h"
#include "kernel/trace/print/safe_text.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/trace_instance.h"
#include "kernel/trace/trace_session.h"
#include "session.h"

/* ---- session ---- */

static int pe_session_open(struct inode *inode, struct file *file)
{
	struct pe_session *session;

	/* Its mode can be changed, but a session may do what root may. */
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (!(file->f_mode & FMODE_WRITE))
		return -EINVAL;
	session = pe_session_begin();
	if (IS_ERR(session))
		return PTR_ERR(session);
	file->private_data = session;
	return stream_open(inode, file);
}

static int pe_session_release(struct inode *inode, struct file *file)
{
	pe_session_close(file->private_data);
	return 0;
}

static ssize_t pe_session_file_write(struct file *file, const char __user *buf, size_t count,
				     loff_t *ppos)
{
	char *text;
	int ret;

	if (count > PE_SESSION_MAX_WRITE)
		return pe_refused_why(&pe_top, file, buf, count, -E2BIG,
				      "64 KB in a write at most");
	text = kvmalloc(count + 1, GFP_KERNEL_ACCOUNT);
	if (!text)
		return -ENOMEM;
	if (copy_from_user(text, buf, count)) {
		ret = -EFAULT;
	} else {
		text[count] = '\0';
		ret = pe_session_write(file->private_data, text, count);
	}
	kvfree(text);
	return ret ?: count;
}

static ssize_t pe_session_file_read(struct file *file, char __user *buf, size_t count,
				    loff_t *ppos)
{
	struct pe_session *session = file->private_data;
	struct pe_notices *notices = &session->notices;
	ssize_t ret;
	int err;

	for (;;) {
		ret = pe_notices_read(notices, buf, count);
		if (ret != -EAGAIN || (file->f_flags & O_NONBLOCK))
			return ret;
		err = wait_event_interruptible(notices->wait, pe_notices_ready(notices));
		if (err)
			return err;
		if (signal_pending(current))	/* else it may find no memory to say what is lost */
			return -ERESTARTSYS;
	}
}

static __poll_t pe_session_poll(struct file *file, poll_table *table)
{
	struct pe_session *session = file->private_data;
	__poll_t mask = EPOLLOUT | EPOLLWRNORM;

	poll_wait(file, &session->notices.wait, table);
	if (pe_notices_ready(&session->notices))
		mask |= EPOLLIN | EPOLLRDNORM;
	if (READ_ONCE(session->notices.ended))
		mask |= EPOLLHUP;
	return mask;
}

static void pe_session_fdinfo(struct seq_file *m, struct file *file)
{
	const struct pe_session *session = file->private_data;

	seq_printf(m, "session:\t%u\n", session->nr);
}

static const struct file_operations pe_session_fops = {
	.owner = THIS_MODULE,
	.open = pe_session_open,
	.read = pe_session_file_read,
	.write = pe_session_file_write,
	.poll = pe_session_poll,
	.show_fdinfo = pe_session_fdinfo,
	.release = pe_session_release,
};

/* ---- sessions ---- */

static const char *const pe_session_states[] = {
	[PE_SESSION_LIVE] = "live",
	[PE_SESSION_KEPT] = "kept",
	[PE_SESSION_DYING] = "dying",
};

static void pe_session_show_time(struct seq_file *m, u64 ns)
{
	seq_printf(m, "%llu.%03u", div_u64(ns, NSEC_PER_SEC),
		   (unsigned int)(div_u64(ns, NSEC_PER_MSEC) % MSEC_PER_SEC));
}

/* Of all CPUs' time since it began. */
static void pe_session_show_share(struct seq_file *m, const struct pe_session *session)
{
	/* Another CPU's clock may show an earlier time. */
	u64 since = max_t(s64, local_clock() - session->since, 0), whole, share_of;
	char share[PE_LIMIT_SHARE_TEXT];

	whole = max_t(u64, div_u64(since * num_online_cpus(), PE_LIMIT_WHOLE), 1);
	share_of = min_t(u64, div64_u64(session->cost, whole), U32_MAX);
	pe_limit_print_share(share, share_of);
	seq_puts(m, share);
}

static void pe_session_show(struct seq_file *m, const struct pe_session *session)
{
	u64 now = ktime_get_boottime_ns();

	seq_printf(m, "%u\t", session->nr);
	if (session->state == PE_SESSION_LIVE)
		seq_printf(m, "%d\t", pid_vnr(session->pid));
	else
		seq_puts(m, "-\t");
	pe_seq_safe_text(m, session->comm);
	seq_putc(m, '\t');
	pe_session_show_time(m, session->since);
	seq_printf(m, "\t%u\t%lu\t", session->nr_events, session->hits);
	if (session->until > now)
		pe_session_show_time(m, session->until - now);
	else
		seq_putc(m, '-');
	seq_printf(m, "\t%s\t", pe_session_states[session->state]);
	pe_seq_safe_text(m, session->what ?: "-");
	seq_printf(m, "\t%llu\t", session->cost);
	pe_session_show_share(m, session);
	seq_putc(m, '\n');
}

static void pe_sessions_show(struct seq_file *m)
{
	const struct pe_session *session;

	seq_puts(m, "# id\tpid\tcomm\tsince\tevents\thits\tttl\tstate\twhat\tns\tcpu\n");
	mutex_lock(&pe_session_mutex);
	pe_sessions_count();
	list_for_each_entry(session, &pe_sessions, list)
		pe_session_show(m, session);
	mutex_unlock(&pe_session_mutex);
}

/* "-N" ends session N. */
static ssize_t pe_sessions_write(struct file *file, const char __user *buf, size_t count)
{
	const char *why = "-N ends session N";
	unsigned int nr;
	char word[16];
	ssize_t ret = pe_fs_copy_word(word, sizeof(word), buf, count);

	if (ret >= 0 && (word[0] != '-' || kstrtouint(word + 1, 10, &nr)))
		ret = -EINVAL;
	else if (ret >= 0)
		ret = pe_session_kill(nr);
	if (ret == -ENOENT)
		why = "there is no such session";
	return pe_refused_why(&pe_top, file, buf, count, ret ?: count, why);
}

static const struct pe_small_file pe_sessions_file = {
	.print = pe_sessions_show,
	.write = pe_sessions_write,
	.tells = true,
};

int pe_session_files_init(void)
{
	static const struct pe_fs_file files[] = {
		{ "session",	0600,		&pe_session_fops },
		{ "sessions",	0600,		&pe_small_fops, &pe_sessions_file },
		{ }
	};

	return pe_fs_create_files(NULL, files, &pe_top.views[0]);
}
