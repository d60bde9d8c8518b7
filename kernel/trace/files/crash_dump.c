// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * crash_dump.c - records that are not read yet go to the console in a crash, and at sysrq-z.
 *
 * When the kernel dumps its own trace buffer, we dump ours: at an oops and at a panic if
 * kernel.ftrace_dump_on_oops says so, and at sysrq-z.  A kernel without tracing has no such
 * switch; then it is a parameter of this module.
 *
 * The level of the lines is that of the kernel's dump.
 *
 * A dump runs in any context, on a machine of which anything may be broken.  So it takes no
 * lock, allocates nothing and never waits: rings are read by rb_dump.c, instances and
 * events are found under RCU, names of tasks by cmdlines.c.  All its memory is there from the
 * start.  It switches recording off first, so that what it finds is not overwritten while it
 * is printed, nor after that; recording goes on if there was nothing to show.  A record is dumped
 * once, and stays for readers.
 *
 * sysrq-z is the kernel's own key, where it has tracing.  A key has one owner; so we take the
 * kernel's place, call its handler first, and give the key back.  No text is patched for that, as a
 * probe of the handler would need: loading alone arms nothing.
 */
#include <linux/atomic.h>
#include <linux/kdebug.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/nmi.h>
#include <linux/notifier.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/rculist.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/sysrq.h>
#include <pe/nofault.h>
#include <pe/symbols.h>
#include "crash_dump.h"
#include "kernel/know/compat.h"
#include "kernel/trace/event/instance.h"
#include "kernel/trace/parse/limits.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/ring/rb_buffer.h"
#include "kernel/trace/ring/rb_dump.h"
#include "kernel/trace/trace_instance.h"
#include "reader.h"

#define SWITCH "ftrace_dump_on_oops"
#define SWITCH_SIZE 100 /* the kernel's */
#define NAME_SIZE 128
#define RULER "---------------------------------\n"

#define NAME KBUILD_MODNAME ": "
#define LINE_SIZE 960 /* the kernel takes 1024, with what stands before it */

/*
 * These three are the dump's: only one runs at a time.  Records of larger sub-buffers may be
 * longer, and are cut.
 */
static struct pe_rb_dump *pe_dumps; /* [cpu] */
static char pe_dump_record[2 * PAGE_SIZE] __aligned(8);
static char pe_dump_text[8 * PAGE_SIZE];

/* The CPU with a dump at work; -1: none. */
static atomic_t pe_dump_at_work = ATOMIC_INIT(-1);

/* A long line becomes several: printk() would cut it. */
static void pe_dump_print(const char *from, size_t len)
{
	const char *end;
	size_t n;

	while (len) {
		end = memchr(from, '\n', len) ?: from + len;
		n = strnlen(from, min_t(size_t, end - from, LINE_SIZE));
		pr_emerg("%.*s\n", (int)n, from);
		n += n < len && (from[n] == '\n' || !from[n]);
		from += n;
		len -= n;
	}
}

static void pe_dump_print_record(const struct pe_instance *inst, const struct pe_buffer *buf,
				 int cpu, const struct pe_rb_record *rec)
{
	struct seq_file m = {.buf = pe_dump_text, .size = sizeof(pe_dump_text)};

	if (rec->lost)
		pr_emerg("CPU:%d [LOST %llu EVENTS]\n", cpu, rec->lost);
	if (rec->len >= PE_RECORD_COMMON)
		pe_record_show(&m, inst, buf, cpu, rec);
	if (!m.count || seq_has_overflowed(&m))
		pr_emerg("CPU:%d [A RECORD OF %u BYTES CANNOT BE SHOWN]\n", cpu, rec->len);
	else
		pe_dump_print(m.buf, m.count);
}

/* Losses that the last record of a CPU does not tell.  Return: lines printed. */
static unsigned int pe_dump_print_rest(int cpu)
{
	struct pe_rb_dump_rest rest;
	unsigned int lines = 0;

	pe_rb_dump_rest(&pe_dumps[cpu], &rest);
	if (rest.changed && ++lines)
		pr_emerg("CPU:%d [BUFFER IN CHANGE, THE REST IS LOST]\n", cpu);
	if (rest.lost && ++lines)
		pr_emerg("CPU:%d [LOST %llu EVENTS]\n", cpu, rest.lost);
	if (rest.torn && ++lines)
		pr_emerg("CPU:%d [%llu EVENTS UNFINISHED]\n", cpu, rest.torn);
	return lines;
}

/* Return: the CPU with the oldest record, or -1. */
static int pe_dump_oldest(int which)
{
	unsigned int cpu;
	int found = -1;

	pe_for_each_cpu_of(cpu, which) {
		if (!pe_rb_dump_peek(&pe_dumps[cpu]))
			continue;
		if (found < 0 || pe_dumps[cpu].ts < pe_dumps[found].ts)
			found = cpu;
	}
	return found;
}

/* Return: lines printed. */
static unsigned int pe_dump_rings(struct pe_instance *inst, int which)
{
	struct pe_buffer *buf = pe_instance_buffer(inst);
	struct pe_rb_record rec;
	unsigned int cpu, lines = 0;
	int oldest;

	pe_for_each_cpu_of(cpu, which)
		pe_rb_dump_start(&pe_dumps[cpu], &buf->cpus[cpu]->rb);
	while ((oldest = pe_dump_oldest(which)) >= 0) {
		if (!pe_rb_dump_take(&pe_dumps[oldest], pe_dump_record, sizeof(pe_dump_record),
				     &rec))
			continue;
		if (!lines++)
			pr_emerg(RULER);
		pe_dump_print_record(inst, buf, oldest, &rec);
		touch_nmi_watchdog();
	}
	pe_for_each_cpu_of(cpu, which)
		lines += pe_dump_print_rest(cpu);
	return lines;
}

/* @name: NULL for the top instance; @which: a CPU or PE_ALL_CPUS */
static void pe_dump_instance(struct pe_instance *inst, const char *name, int which)
{
	bool was_on = xchg(&inst->tracing_on, false);

	if (name)
		pr_emerg(NAME "Dumping ftrace instance %s buffer:\n", name);
	else
		pr_emerg(NAME "Dumping ftrace buffer:\n");
	if (pe_dump_rings(inst, which)) {
		pr_emerg(RULER);
		return;
	}
	pr_emerg("   (ftrace buffer empty)\n");
	if (was_on)
		WRITE_ONCE(inst->tracing_on, true);	/* read by pe_record_one() */
}

/* RCU keeps instances, but the name may go a moment before its instance leaves the list. */
static struct pe_instance *pe_dump_find(const char *name)
{
	struct pe_instance *inst;
	char its[NAME_SIZE];

	list_for_each_entry_rcu (inst, &pe_instances, list) {
		if (inst == &pe_top ||
		    pe_strncpy_nofault(its, (unsigned long)pe_fs_name(inst->dir), sizeof(its)) < 0)
			continue;
		if (!strcmp(its, name))
			return inst;
	}
	return NULL;
}

static void pe_dump_named(const char *name, int which)
{
	struct pe_instance *inst = pe_dump_find(name);

	if (inst)
		pe_dump_instance(inst, name, which);
	else
		pr_emerg(NAME "Instance %s not found\n", name);
}

#if IS_ENABLED(CONFIG_TRACING)

/* The kernel's switch, if it was found. */
static const void *pe_kernel_switch;

static void pe_dump_find_switch(void)
{
	pe_kernel_switch = (const void *)pe_symbol_lookup(SWITCH);
	if (!pe_kernel_switch)
		pr_notice(NAME "%s not found: records will not be dumped in a crash\n", SWITCH);
}

#if PE_HAVE_DUMP_SWITCH_TEXT
static void pe_dump_read_switch(char *to)
{
	strscpy(to, pe_kernel_switch ?: "0", SWITCH_SIZE);
}
#else
/* A number that the kernel does not know means all CPUs. */
static void pe_dump_read_switch(char *to)
{
	int mode = pe_kernel_switch ? READ_ONCE(*(const int *)pe_kernel_switch) : 0;

	strscpy(to, !mode ? "0" : mode == 2 ? "2" : "1", SWITCH_SIZE);
}
#endif

#else

static char pe_our_switch[SWITCH_SIZE] = "0";
module_param_string(ftrace_dump_on_oops, pe_our_switch, sizeof(pe_our_switch), 0644);
MODULE_PARM_DESC(ftrace_dump_on_oops,
		 "dump records on an oops or panic, like the kernel's sysctl");

static void pe_dump_find_switch(void)
{
}

static void pe_dump_read_switch(char *to)
{
	strscpy(to, pe_our_switch, SWITCH_SIZE);
	to[strcspn(to, "\n")] = '\0';
}

#endif

/* "2" and "orig_cpu": of the CPU that crashes; anything else: of all. */
static int pe_dump_cpus(const char *word)
{
	if (word && (!strcmp(word, "2") || !strcmp(word, "orig_cpu")))
		return raw_smp_processor_id();
	return PE_ALL_CPUS;
}

/* 0, 1, 2, orig_cpu or INSTANCE[=MODE]; more instances after commas. */
static void pe_dump_as_switched(char *rest)
{
	bool first = true;
	char *word, *name;

	while ((word = strsep(&rest, ","))) {
		bool top = first && (!strcmp(word, "1") || pe_dump_cpus(word) >= 0);
		bool none = first && !strcmp(word, "0");

		first = false;
		if (top) {
			pe_dump_instance(&pe_top, NULL, pe_dump_cpus(word));
		} else if (!none) {
			name = strsep(&word, "=");
			pe_dump_named(name, pe_dump_cpus(word));
		}
	}
}

/*
 * Only one dump at a time.  In a panic the other CPUs have been stopped, one of them maybe in the
 * middle of a dump: then this one goes on.  A dump that ran into trouble itself is not
 * repeated.
 *
 * @mode: as of the switch; changed
 */
static void pe_dump_all(char *mode, bool others_are_stopped)
{
	int me, was;

	preempt_disable();
	me = raw_smp_processor_id();
	was = atomic_cmpxchg(&pe_dump_at_work, -1, me);
	if (was >= 0 && was != me && others_are_stopped)
		was = atomic_cmpxchg(&pe_dump_at_work, was, me) == was ? -1 : was;
	if (was < 0) {
		rcu_read_lock();
		pe_dump_as_switched(mode);
		rcu_read_unlock();
		atomic_cmpxchg(&pe_dump_at_work, me, -1);
	}
	preempt_enable();
}

static void pe_dump_in_crash(bool others_are_stopped)
{
	char mode[SWITCH_SIZE];

	pe_dump_read_switch(mode);
	if (strcmp(mode, "0"))
		pe_dump_all(mode, others_are_stopped);
}

static int pe_dump_at_panic(struct notifier_block *nb, unsigned long event, void *data)
{
	pe_dump_in_crash(true);
	return NOTIFY_DONE;
}

static int pe_dump_at_oops(struct notifier_block *nb, unsigned long event, void *data)
{
	if (event == DIE_OOPS)
		pe_dump_in_crash(false);
	return NOTIFY_DONE;
}

/* First of all: what others print may hit probes, whose records replace those that matter. */
static struct notifier_block pe_panic_block = {
	.notifier_call = pe_dump_at_panic,
	.priority = INT_MAX,
};

static struct notifier_block pe_oops_block = {
	.notifier_call = pe_dump_at_oops,
	.priority = INT_MAX,
};

/* ---- sysrq-z ---- */

#if IS_ENABLED(CONFIG_MAGIC_SYSRQ)

#define KEY 'z'
#define KERNEL_KEY "sysrq_ftrace_dump_op"

static const struct sysrq_key_op *pe_kernel_key;	/* whose place we have taken; or NULL */
static bool pe_key_is_ours;

static void pe_dump_key_pressed(pe_sysrq_key key)
{
	char mode[] = "1";

	if (pe_kernel_key)
		pe_kernel_key->handler(key);
	pe_dump_all(mode, false);
}

static const struct sysrq_key_op pe_our_key = {
	.handler = pe_dump_key_pressed,
	.help_msg = "dump-ftrace-buffer(z)",
	.action_msg = "Dump ftrace buffer",
	.enable_mask = SYSRQ_ENABLE_DUMP,
};

/* As long as no other user has the key: loading and unloading are the only users of this. */
static void pe_dump_give_key_back(void)
{
	if (pe_kernel_key && register_sysrq_key(KEY, pe_kernel_key))
		pr_warn(NAME "sysrq-z: another module has taken the kernel's key\n");
	pe_kernel_key = NULL;
}

static void pe_dump_take_key(void)
{
	const struct sysrq_key_op *op = (void *)pe_symbol_lookup(KERNEL_KEY);

	if (op && !unregister_sysrq_key(KEY, op))
		pe_kernel_key = op;
	pe_key_is_ours = !register_sysrq_key(KEY, &pe_our_key);
	if (pe_key_is_ours)
		return;
	pe_dump_give_key_back();
	pr_notice(NAME "sysrq-z does not show our records: another module has the key\n");
}

/* Unregistering waits for a key that is being served. */
static void pe_dump_leave_key(void)
{
	if (!pe_key_is_ours)
		return;
	unregister_sysrq_key(KEY, &pe_our_key);
	pe_dump_give_key_back();
}

#else

static void pe_dump_take_key(void)
{
}

static void pe_dump_leave_key(void)
{
}

#endif

int pe_crash_dump_init(void)
{
	pe_dumps = kvcalloc(nr_cpu_ids, sizeof(*pe_dumps), GFP_KERNEL);
	if (!pe_dumps)
		return -ENOMEM;
	pe_dump_find_switch();
	atomic_notifier_chain_register(&panic_notifier_list, &pe_panic_block);
	register_die_notifier(&pe_oops_block);
	pe_dump_take_key();
	return 0;
}

/* Each of these waits until none of its calls is left. */
void pe_crash_dump_exit(void)
{
	pe_dump_leave_key();
	unregister_die_notifier(&pe_oops_block);
	atomic_notifier_chain_unregister(&panic_notifier_list, &pe_panic_block);
	kvfree(pe_dumps);
}
