// SPDX-License-Identifier: GPL-2.0
/*
 * fs_control.c - the files that define events and account for their hits:
 * kprobe_events, dynamic_events, kprobe_profile, kprobe_losses, README.
 */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "kernel/trace/event/event.h"
#include "kernel/trace/event/event_cmd.h"
#include "kernel/trace/hit/event_hit.h"
#include "kernel/trace/event/event_source.h"
#include "files.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_probe.h"

/* Size of a line with its newline, plus the NUL; the kernel's limit. */
#define LINE_SIZE	4096

/* Lists of all sources, one per line, in order of definition. */

static void *pe_sources_start(struct seq_file *m, loff_t *pos)
{
	mutex_lock(&pe_event_mutex);
	return seq_list_start(&pe_sources, *pos);
}

static void *pe_sources_next(struct seq_file *m, void *v, loff_t *pos)
{
	return seq_list_next(v, &pe_sources, pos);
}

static void pe_sources_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&pe_event_mutex);
}

static int pe_dynamic_show(struct seq_file *m, void *v)
{
	pe_source_show(m, list_entry(v, struct pe_source, all));
	return 0;
}

static const struct seq_operations pe_dynamic_sops = {
	.start = pe_sources_start,
	.next = pe_sources_next,
	.stop = pe_sources_stop,
	.show = pe_dynamic_show,
};

/* Tools read this file to find kprobes, and know no others there. */
static int pe_kprobes_show(struct seq_file *m, void *v)
{
	const struct pe_source *source = list_entry(v, struct pe_source, all);

	return source->one.event->is_fprobe ? SEQ_SKIP : pe_dynamic_show(m, v);
}

static const struct seq_operations pe_kprobes_sops = {
	.start = pe_sources_start,
	.next = pe_sources_next,
	.stop = pe_sources_stop,
	.show = pe_kprobes_show,
};

static int pe_profile_show(struct seq_file *m, void *v)
{
	const struct pe_source *source = list_entry(v, struct pe_source, all);
	struct pe_engine_stat engine;
	struct pe_event_stat stat;

	pe_source_stat(source, &stat);
	pe_source_engine_stat(source, &engine);
	seq_printf(m, "  %-44s %15lu %15lu\n", source->one.event->name, stat.hits,
		   engine.missed + engine.no_stack);
	return 0;
}

static const struct seq_operations pe_profile_sops = {
	.start = pe_sources_start,
	.next = pe_sources_next,
	.stop = pe_sources_stop,
	.show = pe_profile_show,
};

/* The header is position 0, the sources follow. */
static void *pe_losses_start(struct seq_file *m, loff_t *pos)
{
	mutex_lock(&pe_event_mutex);
	return seq_list_start_head(&pe_sources, *pos);
}

static void pe_losses_show_header(struct seq_file *m)
{
	unsigned int i;

	seq_printf(m, "%-48s %-38s %12s %12s %12s %12s %12s %12s", "event", "place",
		   "hits", "records", "recursion", "no_stack", "dropped", "in_flight");
	for (i = 0; i < PE_NR_LOSSES; i++)
		seq_printf(m, " %12s", pe_loss_names[i]);
	seq_printf(m, " %12s %12s\n", "mirrored", "extra");
}

/*
 * A table with the same columns in every line: hits + extra = records + the
 * columns between.
 *
 * A return probe's hits are the calls that the engine has counted at their
 * entries.  The event layer counts what they became at their returns; the
 * engine counts the calls that never reached the event layer.
 */
static int pe_losses_show(struct seq_file *m, void *v)
{
	const struct pe_source *source;
	struct pe_engine_stat engine;
	struct pe_event_stat stat;
	char hashed[PE_PLACE_HASHED];
	unsigned long hits, in_flight;
	unsigned int i;
	int pad;

	if (v == &pe_sources) {
		pe_losses_show_header(m);
		return 0;
	}
	source = list_entry(v, struct pe_source, all);
	pe_source_stat(source, &stat);
	pe_source_engine_stat(source, &engine);
	hits = source->one.event->is_return ? engine.calls : stat.hits;
	/* While calls go on, returns may be counted later than their entries. */
	in_flight = max_t(long, 0, engine.calls - engine.returns - engine.dropped);

	pad = 47 - (int)strlen(source->one.event->group);
	seq_printf(m, "%s/%-*s %-38s %12lu %12lu %12lu %12lu %12lu %12lu",
		   source->one.event->group, max(pad, 1), source->one.event->name,
		   pe_source_place(m, source, hashed),
		   hits + engine.missed + engine.no_stack, stat.records, engine.missed,
		   engine.no_stack, engine.dropped, in_flight);
	for (i = 0; i < PE_NR_LOSSES; i++)
		seq_printf(m, " %12lu", stat.lost[i]);
	seq_printf(m, " %12lu %12lu\n", stat.mirrored, stat.extra);
	return 0;
}

static const struct seq_operations pe_losses_sops = {
	.start = pe_losses_start,
	.next = pe_sources_next,
	.stop = pe_sources_stop,
	.show = pe_losses_show,
};

/* Opening for writing without append deletes all commands. */
static int pe_commands_open(struct inode *inode, struct file *file, bool dynamic)
{
	int ret;

	ret = security_locked_down(LOCKDOWN_TRACEFS);
	if (ret)
		return ret;
	ret = seq_open(file, dynamic ? &pe_dynamic_sops : &pe_kprobes_sops);
	if (ret)
		return ret;
	/* This comes last: an open that fails must not have deleted anything. */
	if ((file->f_mode & FMODE_WRITE) && (file->f_flags & O_TRUNC)) {
		ret = pe_commands_delete_all(dynamic, false);
		if (ret)
			seq_release(inode, file);
	}
	return ret;
}

static int pe_kprobe_events_open(struct inode *inode, struct file *file)
{
	return pe_commands_open(inode, file, false);
}

static int pe_dynamic_events_open(struct inode *inode, struct file *file)
{
	return pe_commands_open(inode, file, true);
}

static int pe_profile_open(struct inode *inode, struct file *file)
{
	int ret = security_locked_down(LOCKDOWN_TRACEFS);

	return ret ?: seq_open(file, &pe_profile_sops);
}

static int pe_losses_open(struct inode *inode, struct file *file)
{
	int ret = security_locked_down(LOCKDOWN_TRACEFS);

	if (ret)
		return ret;
	/*
	 * A handler in progress has counted its hit but not yet its record.
	 * Handlers run with preemption off: wait for them.  Then the sums are
	 * right for probes that are no longer armed.
	 */
	synchronize_rcu();
	return seq_open(file, &pe_losses_sops);
}

/**
 * struct text_write - a write of commands
 * @buf: what is written
 * @count: its bytes
 * @done: those of lines that have been taken
 * @part: a copy of the bytes from @part_at on, with a NUL behind them; room for LINE_SIZE
 * @part_at: offset in @buf, at most @done
 */
struct text_write {
	const char __user *buf;
	size_t count;
	size_t done;
	char *part;
	size_t part_at;
};

/* Let @part begin where the next line does. */
static int pe_copy_part(struct text_write *w)
{
	size_t size = min_t(size_t, w->count - w->done, LINE_SIZE - 1);

	w->part_at = w->done;
	w->part[0] = '\0';
	if (copy_from_user(w->part, w->buf + w->done, size))
		return -EFAULT;
	w->part[size] = '\0';
	return 0;
}

/*
 * Take the next line: up to a newline, or to the end of the write.  A line that does not fit, or
 * that has a NUL byte, is an error.
 *
 * Return: bytes of @line, with the newline, or -errno.
 */
static ssize_t pe_fetch_line(struct text_write *w, char **line)
{
	char *start = w->part + (w->done - w->part_at), *end = strchr(start, '\n');

	if (!end) {
		if (pe_copy_part(w))
			return -EFAULT;
		start = w->part;
		end = strchr(start, '\n');
	}
	*line = start;
	if (end) {
		*end = '\0';
		return end - start + 1;
	}
	if (strlen(start) < w->count - w->done) {
		pe_command_too_long(start);
		return -EINVAL;
	}
	return w->count - w->done;
}

/*
 * Run commands line by line.  The first bad one ends the write with its error;
 * those before it have been done.
 */
static ssize_t pe_run_commands(const char __user *buf, size_t count, bool dynamic)
{
	struct text_write w = { .buf = buf, .count = count };
	int ret = 0;

	w.part = kzalloc(LINE_SIZE, GFP_KERNEL);
	if (!w.part)
		return -ENOMEM;
	while (w.done < count) {
		char *line;
		ssize_t size = pe_fetch_line(&w, &line);

		if (size < 0) {
			ret = size;
			break;
		}
		*strchrnul(line, '#') = '\0';
		ret = pe_command_run(line, dynamic);
		if (ret)
			break;
		w.done += size;
		if (fatal_signal_pending(current)) {
			ret = -EINTR;
			break;
		}
		cond_resched();
	}
	kfree(w.part);
	return ret ?: w.done;
}

static ssize_t pe_kprobe_events_write(struct file *file, const char __user *buf,
				      size_t count, loff_t *ppos)
{
	return pe_run_commands(buf, count, false);
}

static ssize_t pe_dynamic_events_write(struct file *file, const char __user *buf,
				       size_t count, loff_t *ppos)
{
	return pe_run_commands(buf, count, true);
}

static const struct file_operations pe_kprobe_events_fops = {
	.owner = THIS_MODULE,
	.open = pe_kprobe_events_open,
	.read = seq_read,
	.write = pe_kprobe_events_write,
	.llseek = pe_fs_llseek,
	.release = seq_release,
};

static const struct file_operations pe_dynamic_events_fops = {
	.owner = THIS_MODULE,
	.open = pe_dynamic_events_open,
	.read = seq_read,
	.write = pe_dynamic_events_write,
	.llseek = pe_fs_llseek,
	.release = seq_release,
};

static const struct file_operations pe_profile_fops = {
	.owner = THIS_MODULE,
	.open = pe_profile_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = seq_release,
};

static const struct file_operations pe_losses_fops = {
	.owner = THIS_MODULE,
	.open = pe_losses_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = seq_release,
};

/*
 * Tools and tests look for some of these phrases to find out what works here: a
 * phrase is here only if its feature is.
 */
static const char pe_readme[] =
	"probe-events: probes in a running kernel, through files\n"
	"\n"
	"  kprobe_events\t\t- Create/append/remove/show probe events, one command per line\n"
	"  dynamic_events\t- The same, and events at functions and tracepoints\n"
	"\t  Writing with > starts anew, with >> adds.  An enabled event can't be removed.\n"
	"\t   Format: p[:[<group>/][<event>]] <place> [<args>]\n"
	"\t           r[maxactive][:[<group>/][<event>]] <place> [<args>]\n"
	"\t           f[:[<group>/][<event>]] <func-name>[%return] [<args>]\n"
	"\t           t[:[<group>/][<event>]] <tracepoint> [<args>]\n"
	"\t           -:[<group>/][<event>] [<place> [<args>]]\n"
	"\t    place: [<module>:]<symbol>[,<number>][+<offset>]|<memaddr>\n"
	"\t           or several, with | between them: the first symbol that exists\n"
	"\t func-name: [<module>:]<pattern>: an event of all functions whose names match\n"
	" place (kretprobe): [<module>:]<symbol>[+<offset>]%return|<memaddr>\n"
	"\t           A function's entry.  No call is missed for want of instances:\n"
	"\t           maxactive is taken, after f too, shown, and not needed.\n"
	"\t     args: <name>=fetcharg[:type]\n"
	"\t fetcharg: %<register>, @<address>, @<symbol>[+|-<offset>], $comm,\n"
	"\t           $stack<index>, $stack, $retval, $elapsed, $arg<N>, $current,\n"
	"\t           +|-[u]<offset>(<fetcharg>), \\imm-value, \\\"imm-string\",\n"
	"\t           this_cpu_read(<fetcharg>), this_cpu_ptr(<fetcharg>),\n"
	"\t           [(structname[,field])]<argname>[->field[->field|.field...]],\n"
	"\t           [(structname[,field])](fetcharg)->field[->field|.field...],\n"
	"\t           $arg* (all), with BTF\n"
	"\t     kernel return probes support: $retval, $arg<N> (at entry), $comm,\n"
	"\t           $elapsed (nanoseconds since entry)\n"
	"\t     type: s8/16/32/64, u8/16/32/64, x8/16/32/64, char, string, symbol,\n"
	"\t           b<bit-width>@<bit-offset>/<container-size>, ustring,\n"
	"\t           symstr, %pd/%pD, <type>\\[<array-size>\\]\n"
	"  kprobe_profile\t- Per probe: hits, and hits that could not be served\n"
	"  kprobe_losses\t\t- Per probe: hits + extra = records + losses by reason;\n"
	"\t  extra: records wanted beyond one per hit: of other instances, of stacks\n"
	"  error_log\t\t- Why the last commands were refused; write to clear\n"
	"\n"
	"  events/enable\t\t- 0/1: switch all events\n"
	"  events/<group>/enable\t- 0/1: switch a group's events\n"
	"  events/<group>/filter\t- Filter its events' records; 0 to clear\n"
	"  events/<group>/<event>/\n"
	"      enable\t\t- 0/1: switch the event\n"
	"      filter\t\t- Which records to keep: expression, 0 for all\n"
	"      format\t\t- Layout of its records\n"
	"      trigger\t\t- What its hits do besides: traceon, traceoff, snapshot, stacktrace,\n"
	"\t\t\t  enable_event, disable_event[:<group>:<event>][:<count>] [if <filter>]\n"
	"      id\t\t- Number that stands in its records\n"
	"\n"
	"  available_events\t- All events\n"
	"  set_event\t\t- Enabled events; write [!]<group>:<event>, * and nothing mean any\n"
	"  set_event_pid\t\t- Record hits of these tasks only\n"
	"  set_event_notrace_pid\t- Do not record hits of these tasks\n"
	"\t  With option event-fork, children of tasks in these lists join them\n"
	"\n"
	"  trace\t\t\t- The records as text; truncate to clear\n"
	"  trace_pipe\t\t- The same, consuming and waiting\n"
	"  tracing_on\t\t- 0/1: stop or let record\n"
	"  tracing_cpumask\t- CPUs that record\n"
	"  trace_marker\t\t- Writes into the buffer\n"
	"  trace_marker_raw\t- The same, of a number and bytes\n"
	"  trace_clock\t\t- Where time stamps come from\n"
	"  buffer_size_kb\t- Size of each CPU's buffer\n"
	"  buffer_total_size_kb\t- Size of all of them\n"
	"  buffer_subbuf_size_kb\t- Size of the pages it is made of; empties it\n"
	"  free_buffer\t\t- Closing this file shrinks the buffer\n"
	"  snapshot\t\t- 1: exchange the buffer with a second one, shown here;\n"
	"\t\t\t  2: clear that, 0: free it\n"
	"  buffer_percent\t- How full a CPU's buffer is when raw readers wake up\n"
	"  per_cpu/cpu<N>/\t- trace, trace_pipe, stats and size of one CPU\n"
	"      trace_pipe_raw\t- Its records as binary pages, consuming\n"
	"  saved_cmdlines\t- Names of the pids in the records\n"
	"  saved_cmdlines_size\t- How many of them are remembered\n"
	"  saved_tgids\t\t- Their thread groups\n"
	"  instances/\t\t- mkdir makes buffers with switches of their own, rmdir removes them\n"
	"\n"
	"  kprobes/list\t\t- Armed places and how they are armed\n"
	"  kprobes/enabled\t- 0/1: disarm or arm all\n"
	"  kprobes/optimization\t- 0/1: may breakpoints become jumps?\n"
	"  kprobes/blacklist\t- Places that can't be probed\n"
	"  kprobes/refused\t- Functions that a pattern names and that can't be probed\n"
	"  kprobes/compile\t- 0/1: interpret hits, or compile those that can be\n"
	"  kprobes/compiled\t- Which are compiled, which are not and why\n"
	"  kprobes/unwatched\t- Calls that could be no hits: RCU was not watching\n";

static ssize_t pe_readme_read(struct file *file, char __user *buf, size_t count,
			      loff_t *ppos)
{
	return simple_read_from_buffer(buf, count, ppos, pe_readme, sizeof(pe_readme) - 1);
}

static const struct file_operations pe_readme_fops = {
	.owner = THIS_MODULE,
	.read = pe_readme_read,
	.llseek = default_llseek,
};

static const struct pe_fs_file pe_fs_control_files[] = {
	{ "kprobe_events",	PE_FS_RW,	&pe_kprobe_events_fops },
	{ "dynamic_events",	PE_FS_RW,	&pe_dynamic_events_fops },
	{ "kprobe_profile",	PE_FS_RO,	&pe_profile_fops },
	{ "kprobe_losses",	PE_FS_RO,	&pe_losses_fops },
	{ "README",		PE_FS_RO,	&pe_readme_fops },
	{ }
};

int pe_fs_control_init(void)
{
	return pe_fs_create_files(NULL, pe_fs_control_files, NULL);
}
