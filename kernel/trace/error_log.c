// SPDX-License-Identifier: GPL-2.0
/*
 * error_log.c - why the last commands were refused: the error_log file.
 *
 * Three lines per entry, as tools expect them: when, where and what; the
 * command; a caret under the column.  The newest MAX_ENTRIES are kept.
 */
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched/clock.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/time64.h>
#include "event.h"
#include "parse_err.h"

#define MAX_ENTRIES	8
#define COMMAND_PREFIX	"  Command: "

struct entry {
	struct list_head list;
	u64 ts;				/* ns, local_clock() */
	const char *subsystem;
	struct pe_parse_err err;
	char command[];
};

/* Guards entries and nr_entries; a leaf. */
static DEFINE_MUTEX(log_mutex);
static LIST_HEAD(entries);		/* oldest first */
static unsigned int nr_entries;

static void drop_oldest(void)
{
	struct entry *entry = list_first_entry(&entries, struct entry, list);

	list_del(&entry->list);
	kfree(entry);
	nr_entries--;
}

/**
 * pe_error_log() - note an error
 * @subsystem: who says so, a constant string: "trace_kprobe"
 * @text: the command, or whatever was being parsed
 * @err: what is wrong and where
 *
 * Without memory the entry is not made: the writer has the errno.
 */
void pe_error_log(const char *subsystem, const char *text,
		  const struct pe_parse_err *err)
{
	size_t size = strlen(text) + 1;
	struct entry *entry;

	entry = kmalloc(struct_size(entry, command, size), GFP_KERNEL);
	if (!entry)
		return;
	entry->ts = local_clock();
	entry->subsystem = subsystem;
	entry->err = *err;
	memcpy(entry->command, text, size);

	mutex_lock(&log_mutex);
	list_add_tail(&entry->list, &entries);
	if (++nr_entries > MAX_ENTRIES)
		drop_oldest();
	mutex_unlock(&log_mutex);
}

void pe_error_log_clear(void)
{
	mutex_lock(&log_mutex);
	while (nr_entries)
		drop_oldest();
	mutex_unlock(&log_mutex);
}

static void *log_start(struct seq_file *m, loff_t *pos)
{
	mutex_lock(&log_mutex);
	return seq_list_start(&entries, *pos);
}

static void *log_next(struct seq_file *m, void *v, loff_t *pos)
{
	return seq_list_next(v, &entries, pos);
}

static void log_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&log_mutex);
}

static int log_show(struct seq_file *m, void *v)
{
	const struct entry *entry = list_entry(v, struct entry, list);
	const struct pe_parse_err *err = &entry->err;
	u32 ns;
	u64 sec = div_u64_rem(entry->ts, NSEC_PER_SEC, &ns);

	seq_printf(m, "[%5llu.%06u] %s: error: %s", sec, ns / (u32)NSEC_PER_USEC,
		   entry->subsystem, pe_parse_err_text(err->code));
	if (err->detail)
		seq_printf(m, " (%s)", err->detail);
	seq_printf(m, "\n" COMMAND_PREFIX "%s\n%*s\n", entry->command,
		   (int)(strlen(COMMAND_PREFIX) + err->pos + 1), "^");
	return 0;
}

static const struct seq_operations log_sops = {
	.start = log_start,
	.next = log_next,
	.stop = log_stop,
	.show = log_show,
};

static int log_open(struct inode *inode, struct file *file)
{
	if ((file->f_mode & FMODE_WRITE) && (file->f_flags & O_TRUNC))
		pe_error_log_clear();
	/* Also for writers: lseek() wants a seq_file. */
	return seq_open(file, &log_sops);
}

/* What is written does not matter: opening with O_TRUNC has cleared the log. */
static ssize_t log_write(struct file *file, const char __user *buf, size_t count,
			 loff_t *ppos)
{
	return count;
}

const struct file_operations pe_error_log_fops = {
	.owner = THIS_MODULE,
	.open = log_open,
	.read = seq_read,
	.write = log_write,
	.llseek = seq_lseek,
	.release = seq_release,
};
