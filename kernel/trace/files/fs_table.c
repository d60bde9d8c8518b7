// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_table.c - hist and table: what the histogram triggers of an event have counted.
 *
 * A reading from the start makes views of all tables (table/view.h), and shows them however
 * long it takes.  Writing "take" to table makes them as well, and clears the tables at the same
 * moment.  The next reading shows those.
 *
 * A file can be polled: there is something to read if hits have come to a table since the last
 * view.  POLLPRI is for who does not read: have hits come since the last view or poll?
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "files.h"
#include "kernel/know/compat.h"
#include "kernel/trace/event/event.h"
#include "kernel/trace/event/event_link.h"
#include "kernel/trace/hit/trigger_hit.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/table/table.h"
#include "kernel/trace/table/view.h"
#include "kernel/trace/trace.h"
#include "refusal.h"

/**
 * struct pe_table_format - how a table is shown
 * @between: text between two tables
 * @head: before the lines
 * @line: one of them
 * @end: after them
 * @lines: how many there are
 * @takes: the file can be written
 */
struct pe_table_format {
	const char *between;
	void (*head)(struct seq_file *m, const struct pe_table_view *view);
	void (*line)(struct seq_file *m, const struct pe_table_view *view, unsigned int i);
	void (*end)(struct seq_file *m, const struct pe_table_view *view);
	unsigned int (*lines)(const struct pe_table_view *view);
	bool takes;
};

/**
 * struct table_file - an open file
 * @link: the event in the instance
 * @format: of the file
 * @mutex: guards the views; held by read(), lseek() and write()
 * @views: of the last reading, @nr_views of them
 * @nr_views: see @views
 * @taken: no reading has given them to the reader to the end
 * @ended: the present read() has come to the end of them
 * @seen: hits that had come when they were made
 * @told: hits that had come then, or when the file was polled
 */
struct table_file {
	struct pe_event_link *link;
	const struct pe_table_format *format;
	struct mutex mutex;
	struct pe_table_view **views;
	unsigned int nr_views;
	bool taken;
	bool ended;
	u64 seen;
	u64 told;
};

static void pe_views_free(struct table_file *file)
{
	while (file->nr_views)
		pe_table_view_free(file->views[--file->nr_views]);
	kfree(file->views);
	file->views = NULL;
	file->taken = false;
}

#define pe_for_each_table(link, trigger)				\
	hlist_for_each_entry(trigger, &(link)->triggers, list)		\
		if ((trigger)->table)

static u64 pe_hits_seen(const struct pe_event_link *link)
{
	struct pe_trigger *trigger;
	u64 seen = 0;

	pe_for_each_table(link, trigger)
		seen += pe_table_merged(pe_table_of(trigger->table));
	return seen;
}

static struct pe_table_view *pe_view_of(const struct pe_trigger *trigger, bool take)
{
	char *filter = NULL;
	struct pe_table_view *view;

	if (trigger->filter_text) {
		filter = kstrdup(trigger->filter_text, GFP_KERNEL_ACCOUNT);
		if (!filter)
			return ERR_PTR(-ENOMEM);
	}
	view = pe_table_view(pe_table_of(trigger->table), trigger->hist, take);
	if (IS_ERR(view)) {
		kfree(filter);
		return view;
	}
	view->filter = filter;
	view->paused = READ_ONCE(trigger->paused);
	return view;
}

/*
 * If it fails for one of several tables, those before it have been taken, and stay to be shown.
 * Rows that have been taken, and not been shown to the end, are not thrown away.
 */
static int pe_views_make(struct table_file *file, bool take)
{
	struct pe_event_link *link = file->link;
	struct pe_table_view *view;
	struct pe_trigger *trigger;
	unsigned int nr = 0;
	u64 seen = 0;

	lockdep_assert_held(&pe_event_mutex);
	if (file->taken)
		return -EBUSY;
	pe_views_free(file);
	pe_for_each_table(link, trigger)
		nr++;
	file->views = kcalloc(nr, sizeof(*file->views), GFP_KERNEL_ACCOUNT);
	if (!file->views)
		return -ENOMEM;
	pe_for_each_table(link, trigger) {
		view = pe_view_of(trigger, take);
		if (IS_ERR(view))
			return PTR_ERR(view);
		file->views[file->nr_views++] = view;
		file->taken = take;
		seen += view->merged;
	}
	file->seen = seen;
	file->told = seen;
	return 0;
}

static int pe_views_now(struct table_file *file, bool take)
{
	int ret = -ENODEV;
	unsigned int i;

	mutex_lock(&pe_event_mutex);
	if (!file->link->event->dead)
		ret = pe_views_make(file, take);
	mutex_unlock(&pe_event_mutex);
	/* The views are this file's.  Some may have been taken though there is an error. */
	for (i = 0; i < file->nr_views; i++) {
		pe_view_sort(file->views[i]);
		cond_resched();
	}
	return ret;
}

/* Positions: of each view its head, its lines, its end. */
static struct pe_table_view *pe_view_at(const struct table_file *file, loff_t pos,
					unsigned int *nr, unsigned int *line)
{
	unsigned int lines;

	for (*nr = 0; *nr < file->nr_views; ++*nr) {
		lines = file->format->lines(file->views[*nr]);
		if (pos < (loff_t)lines + 2) {
			*line = pos;
			return file->views[*nr];
		}
		pos -= (loff_t)lines + 2;
	}
	return NULL;
}

static void *pe_table_at(struct table_file *file, loff_t pos)
{
	unsigned int nr, line;

	if (pe_view_at(file, pos, &nr, &line))
		return (void *)(unsigned long)(pos + 1);
	file->ended = true;
	return NULL;
}

static void *pe_table_start(struct seq_file *m, loff_t *pos)
{
	struct table_file *file = m->private;
	int ret = 0;

	lockdep_assert_held(&file->mutex);
	if (!*pos && !file->taken)
		ret = pe_views_now(file, false);
	return ret ? ERR_PTR(ret) : pe_table_at(file, *pos);
}

static void *pe_table_next(struct seq_file *m, void *v, loff_t *pos)
{
	return pe_table_at(m->private, ++*pos);
}

/* pe_table_read() and pe_table_llseek() hold the mutex. */
static void pe_table_stop(struct seq_file *m, void *v)
{
}

static int pe_table_show(struct seq_file *m, void *v)
{
	struct table_file *file = m->private;
	const struct pe_table_view *view;
	unsigned int nr, line;

	view = pe_view_at(file, (unsigned long)v - 1, &nr, &line);
	if (!line) {
		if (nr)
			seq_puts(m, file->format->between);
		file->format->head(m, view);
	} else if (line <= file->format->lines(view)) {
		file->format->line(m, view, line - 1);
	} else {
		file->format->end(m, view);
	}
	return 0;
}

static const struct seq_operations pe_table_sops = {
	.start = pe_table_start,
	.next = pe_table_next,
	.stop = pe_table_stop,
	.show = pe_table_show,
};

static struct table_file *pe_table_file_of(const struct file *file)
{
	return ((struct seq_file *)file->private_data)->private;
}

/*
 * seq_file makes text before it copies it, and the copy may fail.  So rows that were taken have
 * been shown when there is no more, and nothing of it is left over.  A read at a place past the
 * end finds that, too: its caller did not want them.
 */
static ssize_t pe_table_read(struct kiocb *iocb, struct iov_iter *to)
{
	const struct seq_file *m = iocb->ki_filp->private_data;
	struct table_file *table = m->private;
	ssize_t ret;

	mutex_lock(&table->mutex);
	table->ended = false;
	ret = seq_read_iter(iocb, to);
	if (ret >= 0 && table->ended && !m->count)
		table->taken = false;
	mutex_unlock(&table->mutex);
	return ret;
}

/* Goes through the views as reading does. */
static loff_t pe_table_llseek(struct file *file, loff_t offset, int whence)
{
	struct table_file *table = pe_table_file_of(file);
	loff_t ret;

	mutex_lock(&table->mutex);
	ret = pe_fs_llseek(file, offset, whence);
	mutex_unlock(&table->mutex);
	return ret;
}

static int pe_table_file_open(struct inode *inode, struct file *file)
{
	struct table_file *table = kzalloc(sizeof(*table), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!table)
		return -ENOMEM;
	table->format = pe_fs_how(inode);
	mutex_init(&table->mutex);
	table->link = pe_link_open(inode);
	ret = table->link ? seq_open(file, &pe_table_sops) : -ENODEV;
	if (ret) {
		if (table->link)
			pe_link_close(table->link);
		kfree(table);
		return ret;
	}
	((struct seq_file *)file->private_data)->private = table;
	file->f_mode |= FMODE_PWRITE;		/* seq_open() has cleared it */
	return 0;
}

static int pe_table_file_release(struct inode *inode, struct file *file)
{
	struct table_file *table = pe_table_file_of(file);

	pe_views_free(table);
	pe_link_close(table->link);
	kfree(table);
	return seq_release(inode, file);
}

static __poll_t pe_table_poll(struct file *file, poll_table *pt)
{
	struct table_file *table = pe_table_file_of(file);
	__poll_t mask = 0;
	u64 seen;

	poll_wait(file, &pe_tables_wait, pt);
	mutex_lock(&pe_event_mutex);
	seen = pe_hits_seen(table->link);
	if (table->taken || seen != table->seen)
		mask |= EPOLLIN | EPOLLRDNORM;
	if (seen != table->told)
		mask |= EPOLLPRI;
	table->told = seen;
	if (table->link->event->dead)
		mask = EPOLLERR;
	mutex_unlock(&pe_event_mutex);
	return mask;
}

/* The next reading begins anew, with what has been taken. */
static ssize_t pe_table_write(struct file *file, const char __user *buf, size_t count,
			      loff_t *ppos)
{
	struct table_file *table = pe_table_file_of(file);
	char word[8];
	int ret;

	if (!table->format->takes)
		return -EINVAL;
	ret = pe_fs_copy_word(word, sizeof(word), buf, count);
	if (ret >= 0 && strcmp(word, "take"))
		ret = -EINVAL;
	if (ret >= 0) {
		mutex_lock(&table->mutex);
		ret = pe_views_now(table, true);
		mutex_unlock(&table->mutex);
		*ppos = 0;
	}
	return pe_refused(table->link->instance, file, buf, count, ret ?: count);
}

static unsigned int pe_hist_lines(const struct pe_table_view *view)
{
	return view->nr_lines;
}

static unsigned int pe_table_rows(const struct pe_table_view *view)
{
	return view->base.nr_rows;
}

const struct pe_table_format pe_hist_format = {
	.between = "\n\n",
	.head = pe_hist_print_head,
	.line = pe_hist_print_line,
	.end = pe_hist_print_totals,
	.lines = pe_hist_lines,
};

const struct pe_table_format pe_table_format = {
	.between = "",
	.head = pe_table_print_head,
	.line = pe_table_print_row,
	.end = pe_table_print_end,
	.lines = pe_table_rows,
	.takes = true,
};

const struct file_operations pe_table_fops = {
	.owner		= THIS_MODULE,
	.open		= pe_table_file_open,
	.read_iter	= pe_table_read,
	.splice_read	= pe_splice_read,
	.write		= pe_table_write,
	.poll		= pe_table_poll,
	.llseek		= pe_table_llseek,
	.release	= pe_table_file_release,
};
