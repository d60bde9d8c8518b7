// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * at_load.c - events that parameters of the module define.
 *
 *   kprobe_event=COMMAND;COMMAND...	as on the kernel's command line, with commas for blanks
 *   kprobe_events_file=PATH		a command per line, as in dynamic_events
 *
 * Then all events are enabled.  A command that fails is reported in the kernel's log, with
 * its reason, and does not keep the module from being loaded.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "at_load.h"
#include "error_log.h"
#include "event.h"
#include "event_cmd.h"
#include "event_enable.h"
#include "instance.h"
#include "kernel/trace/parse/limits.h"
#include "kernel/trace/trace.h"

/* As of a file of commands: a line, its newline, and a NUL. */
#define LINE_SIZE	(PE_MAX_COMMAND_LEN + 1)
#define REASON_SIZE	256

/*
 * Given several times, as several lines of modprobe.d are: one after the other.  Other strings may
 * have 1024 bytes; this one may be longer than the kernel's own.
 */
static int pe_at_load_append(const char *val, const struct kernel_param *kp)
{
	char **all = kp->arg, *old = *all;

	*all = old ? kasprintf(GFP_KERNEL, "%s;%s", old, val) : kstrdup(val, GFP_KERNEL);
	kfree(old);
	return *all ? 0 : -ENOMEM;
}

static void pe_at_load_free(void *arg)
{
	kfree(*(char **)arg);
}

static const struct kernel_param_ops pe_load_command_ops = {
	.set = pe_at_load_append,
	.free = pe_at_load_free,
};

static char *pe_load_commands;
module_param_cb(kprobe_event, &pe_load_command_ops, &pe_load_commands, 0);
MODULE_PARM_DESC(kprobe_event, "events to define and enable: COMMAND;..., commas for blanks");

static char *pe_load_file;
module_param_named(kprobe_events_file, pe_load_file, charp, 0);
MODULE_PARM_DESC(kprobe_events_file, "file with events to define and enable, one per line");

/* Run it; if it fails, say so.  @where: the parameter, or the file's name and the line */
static void pe_at_load_run(const char *where, const char *command)
{
	unsigned int before = pe_error_log_total(&pe_top);
	char reason[REASON_SIZE];
	int ret = pe_command_run(command, PE_DYNAMIC_EVENTS, NULL);

	if (!ret)
		return;
	if (!pe_error_log_newest(&pe_top, before, reason, sizeof(reason)))
		strscpy(reason, "refused", sizeof(reason));
	pr_warn("%s: %s, error %d: %s\n", where, reason, -ret, command);
}

static void pe_at_load_run_parameter(void)
{
	char *rest = pe_load_commands, *command;

	strreplace(pe_load_commands, ',', ' ');
	while ((command = strsep(&rest, ";")))
		pe_at_load_run("kprobe_event", command);
}

static void pe_at_load_run_line(unsigned int nr, char *line, size_t len)
{
	char *where = kasprintf(GFP_KERNEL, "%s:%u", pe_load_file, nr);
	const char *name = where ?: pe_load_file;

	if (strlen(line) != len) {
		pr_warn("%s: the line contains a NUL byte\n", name);
	} else {
		*strchrnul(line, '#') = '\0';
		pe_at_load_run(name, line);
	}
	kfree(where);
}

/*
 * Run the complete lines of @buf, which has @have bytes; @nr counts them.  @skip: the first one is
 * the end of a line that is too long.
 *
 * Return: bytes of the line that is left, which move to the start.
 */
static size_t pe_at_load_run_lines(char *buf, size_t have, unsigned int *nr, bool *skip)
{
	char *line = buf, *end;

	while ((end = memchr(line, '\n', have))) {
		*end = '\0';
		++*nr;
		if (!*skip)
			pe_at_load_run_line(*nr, line, end - line);
		*skip = false;
		have -= end + 1 - line;
		line = end + 1;
		cond_resched();
	}
	if (have == LINE_SIZE - 1) {
		if (!*skip)
			pr_warn("%s:%u: command too long (%d bytes at most)\n", pe_load_file,
				*nr + 1, LINE_SIZE - 2);
		*skip = true;
		have = 0;
	}
	memmove(buf, line, have);
	return have;
}

static void pe_at_load_read(struct file *file, char *buf)
{
	unsigned int nr = 0;
	bool skip = false;
	size_t have = 0;
	loff_t pos = 0;
	ssize_t n;

	while ((n = kernel_read(file, buf + have, LINE_SIZE - 1 - have, &pos)) > 0)
		have = pe_at_load_run_lines(buf, have + n, &nr, &skip);
	if (n < 0) {
		pr_warn("%s cannot be read, error %zd\n", pe_load_file, -n);
	} else if (have && !skip) {
		/* The last line has no newline. */
		buf[have] = '\0';
		pe_at_load_run_line(nr + 1, buf, have);
	}
}

static void pe_at_load_run_file(void)
{
	struct file *file = filp_open(pe_load_file, O_RDONLY | O_LARGEFILE, 0);
	char *buf;

	if (IS_ERR(file)) {
		pr_warn("%s cannot be opened, error %ld\n", pe_load_file, -PTR_ERR(file));
		return;
	}
	buf = kmalloc(LINE_SIZE, GFP_KERNEL);
	if (buf)
		pe_at_load_read(file, buf);
	else
		pr_warn("%s: no memory\n", pe_load_file);
	kfree(buf);
	fput(file);
}

/* All in one batch; if one of them cannot be armed, each for itself. */
static void pe_at_load_enable(void)
{
	struct pe_event *event;
	int ret;

	mutex_lock(&pe_event_mutex);
	if (list_empty(&pe_events) || !pe_events_enable(NULL, NULL, &pe_top, true))
		goto out;
	list_for_each_entry(event, &pe_events, list) {
		ret = pe_event_enable(event, &pe_top, true);
		if (ret)
			pr_warn("%s/%s cannot be enabled, error %d; see error_log\n",
				event->group, event->name, -ret);
	}
out:
	mutex_unlock(&pe_event_mutex);
}

void pe_events_at_load(void)
{
	if (pe_load_commands)
		pe_at_load_run_parameter();
	if (pe_load_file)
		pe_at_load_run_file();
	if (pe_load_commands || pe_load_file)
		pe_at_load_enable();
}
