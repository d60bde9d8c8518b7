// SPDX-License-Identifier: GPL-2.0
/*
 * error_log.c - why the last commands were refused: the error_log file of each
 * instance.
 *
 * Three lines per entry, as tools expect them: when, where and what; the
 * command; a caret under the column.  The newest MAX_ENTRIES of an instance are
 * kept.  Commands that define events are the top instance's.
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
#include "kernel/compat.h"
#include "event.h"
#include "kernel/trace/probefs/fs.h"
#include "instance.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/trace.h"

#define MAX_ENTRIES	8
#define COMMAND_PREFIX	"  Command: "

struct entry {
	struct list_head list;
	u64 ts;				/* ns, local_clock() */
	const char *subsystem;
	struct pe_parse_err err;
	char command[];
};

/* Guards all instances' logs; a leaf. */
static DEFINE_MUTEX(log_mutex);

static void drop_oldest(struct pe_error_list *log)
{
	struct entry *entry = list_first_entry(&log->entries, struct entry, list);

	list_del(&entry->list);
	kfree(entry);
	log->nr--;
}

/**
 * pe_error_log_in() - note an error in an instance's log
 * @inst: referenced
 * @subsystem: who says so, a constant string: "trace_kprobe"
 * @text: the command, or whatever was being parsed
 * @err: what is wrong and where
 *
 * Without memory the entry is not made: the writer has the errno.
 */
void pe_error_log_in(struct pe_instance *inst, const char *subsystem, const char *text,
		     const struct pe_parse_err *err)
{
	struct pe_error_list *log = &inst->errors;
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
	list_add_tail(&entry->list, &log->entries);
	if (++log->nr > MAX_ENTRIES)
		drop_oldest(log);
	mutex_unlock(&log_mutex);
}

void pe_error_log(const char *subsystem, const char *text,
		  const struct pe_parse_err *err)
{
	pe_error_log_in(&pe_top, subsystem, text, err);
}

void pe_error_log_clear(struct pe_instance *inst)
{
	mutex_lock(&log_mutex);
	while (inst->errors.nr)
		drop_oldest(&inst->errors);
	mutex_unlock(&log_mutex);
}

static struct pe_error_list *log_of(struct seq_file *m)
{
	const struct pe_view *view = m->private;

	return &view->inst->errors;
}

static void *log_start(struct seq_file *m, loff_t *pos)
{
	mutex_lock(&log_mutex);
	return seq_list_start(&log_of(m)->entries, *pos);
}

static void *log_next(struct seq_file *m, void *v, loff_t *pos)
{
	return seq_list_next(v, &log_of(m)->entries, pos);
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
	struct pe_view *view = pe_view_open(inode);
	int ret;

	if (!view)
		return -ENODEV;
	/* Also for writers: lseek() wants a seq_file. */
	ret = seq_open(file, &log_sops);
	if (ret) {
		pe_view_close(view);
		return ret;
	}
	((struct seq_file *)file->private_data)->private = view;
	file->f_mode |= FMODE_PWRITE;		/* which seq_open() takes away */
	if ((file->f_mode & FMODE_WRITE) && (file->f_flags & O_TRUNC))
		pe_error_log_clear(view->inst);
	return 0;
}

static int log_release(struct inode *inode, struct file *file)
{
	pe_view_close(((struct seq_file *)file->private_data)->private);
	return seq_release(inode, file);
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
	.llseek = pe_fs_llseek,
	.release = log_release,
};
