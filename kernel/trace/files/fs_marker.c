// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_marker.c - trace_marker, trace_marker_raw: records that users write.
 *
 * A write is a record: of text, or of a number and bytes.  After one of text come the triggers
 * of ftrace:print (../event/marker.c).  Text that does not
 * fit into one record is cut, and the write returns how much it took.  The writer gets
 * an error for a record that was not made: no counter counts these losses.
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/stacktrace.h>
#include <linux/uaccess.h>
#include <pe/symbols.h>
#include "files.h"
#include "kernel/trace/event/instance.h"
#include "kernel/trace/hit/cmdlines.h"
#include "kernel/trace/hit/make_record.h"
#include "kernel/trace/hit/record.h"
#include "kernel/trace/hit/trigger_hit.h"
#include "kernel/trace/ring/rb.h"
#include "kernel/trace/ring/rb_buffer.h"
#include "kernel/trace/ring/rb_buffer_write.h"
#include "kernel/trace/ring/rb_write.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"

#define TEXT_OFFSET	sizeof(struct pe_record_head)
#define STACK_MAX	64	/* callers */

/* The longest record that the rings of all CPUs can take. */
static unsigned int pe_longest_record(struct pe_instance *inst)
{
	struct pe_buffer *buf = pe_instance_buffer(inst);

	return pe_rb_max_len(&pe_buffer_cpu(buf, cpumask_first(cpu_possible_mask))->rb);
}

/* Preemption is off.  Tools expect EBADF: as if the file were not open for writing. */
static int pe_fs_marker_emit(struct pe_instance *inst, const void *rec, unsigned int len)
{
	struct pe_buffer *buf = pe_instance_buffer(inst);
	struct pe_rb_handle h;
	void *dst = NULL;

	if (READ_ONCE(inst->tracing_on))
		dst = pe_buffer_reserve(buf, len, &h);
	if (!dst)
		return -EBADF;
	memcpy(dst, rec, len);
	pe_cmdline_save();	/* first: a reader of the record looks for it */
	pe_rb_commit(&h);
	return 0;
}

/* The callers of the write, from the one at @caller on. */
static void pe_fs_marker_emit_stack(struct pe_instance *inst, const struct pe_record_head *head,
				    unsigned long caller)
{
	struct {
		struct pe_stack_record head;
		unsigned long caller[STACK_MAX];
	} rec;
	unsigned int n = stack_trace_save(rec.caller, STACK_MAX, 0), i = 0;

	while (i < n && rec.caller[i] != caller)
		i++;
	memmove(rec.caller, rec.caller + i, (n - i) * sizeof(rec.caller[0]));
	memcpy(&rec.head, head, offsetof(struct pe_stack_record, size));
	rec.head.type = PE_STACK_ID;
	rec.head.size = n - i;
	rec.head.unused = 0;
	pe_fs_marker_emit(inst, &rec, struct_size(&rec.head, caller, n - i));
}

/*
 * @rec: with @count characters, which filters of triggers see, and a newline and a NUL, which they
 * do not; @caller: return address of the write
 */
static int pe_emit_text(struct pe_instance *inst, const struct pe_print_record *rec,
			unsigned int count, unsigned long caller)
{
	int ret;

	preempt_disable_notrace();
	ret = pe_fs_marker_emit(inst, rec, TEXT_OFFSET + count + 2);
	if (!ret && pe_triggers_marked(inst->marker, rec, TEXT_OFFSET + count))
		pe_fs_marker_emit_stack(inst, &rec->head, caller);
	preempt_enable_notrace();
	return ret;
}

static ssize_t pe_tracing_mark_write(struct file *file, const char __user *buf, size_t count,
				     loff_t *ppos);

/*
 * Records have the address of the kernel's function as their origin, as readers print its name.  A
 * kernel without tracing has none; then it is ours, whose name differs by pe_ (marker_print.c).
 */
static unsigned long pe_marker_origin(void)
{
	static unsigned long origin;
	unsigned long ip = READ_ONCE(origin);

	if (!ip) {
		ip = pe_symbol_lookup("tracing_mark_write") ?: (unsigned long)pe_tracing_mark_write;
		WRITE_ONCE(origin, ip);	/* read by pe_marker_origin() of another writer */
	}
	return ip;
}

static noinline ssize_t pe_tracing_mark_write(struct file *file, const char __user *buf,
					      size_t count, loff_t *ppos)
{
	struct pe_view *view = file->private_data;
	unsigned int max = pe_longest_record(view->inst) - TEXT_OFFSET - 2;
	struct pe_print_record *rec;
	int ret = -EFAULT;

	if (!test_bit(PE_OPT_MARKERS, &view->inst->options))
		return -EINVAL;
	count = min_t(size_t, count, max);
	rec = kvmalloc(TEXT_OFFSET + count + 2, GFP_KERNEL);
	if (!rec)
		return -ENOMEM;
	if (copy_from_user(rec->text, buf, count))
		goto out;
	pe_record_head_fill(&rec->head, PE_PRINT_ID);
	rec->head.ip = pe_marker_origin();
	rec->text[count] = '\0';
	rec->text[count + 1] = '\0';
	if (count && rec->text[count - 1] != '\n')
		memcpy(rec->text + count, "\n", 2);
	ret = pe_emit_text(view->inst, rec, count, _RET_IP_);
out:
	kvfree(rec);
	return ret ? ret : count;
}

static ssize_t pe_raw_write(struct file *file, const char __user *buf, size_t count,
			    loff_t *ppos)
{
	struct pe_view *view = file->private_data;
	unsigned int head = offsetof(struct pe_raw_data_record, id);
	struct pe_raw_data_record *rec;
	int ret = -EFAULT;

	if (!test_bit(PE_OPT_MARKERS, &view->inst->options) || count < sizeof(rec->id) ||
	    count > pe_longest_record(view->inst) - head)
		return -EINVAL;
	rec = kvmalloc(head + count, GFP_KERNEL);
	if (!rec)
		return -ENOMEM;
	if (copy_from_user(&rec->id, buf, count))
		goto out;
	pe_record_head_fill((struct pe_record_head *)rec, PE_RAW_DATA_ID);
	preempt_disable_notrace();
	ret = pe_fs_marker_emit(view->inst, rec, head + count);
	preempt_enable_notrace();
out:
	kvfree(rec);
	return ret ? ret : count;
}

static int pe_marker_open(struct inode *inode, struct file *file)
{
	file->private_data = pe_view_open(inode);
	return file->private_data ? stream_open(inode, file) : -ENODEV;
}

static int pe_marker_release(struct inode *inode, struct file *file)
{
	pe_view_close(file->private_data);
	return 0;
}

const struct file_operations pe_marker_fops = {
	.owner = THIS_MODULE,
	.open = pe_marker_open,
	.write = pe_tracing_mark_write,
	.release = pe_marker_release,
};

const struct file_operations pe_marker_raw_fops = {
	.owner = THIS_MODULE,
	.open = pe_marker_open,
	.write = pe_raw_write,
	.release = pe_marker_release,
};
