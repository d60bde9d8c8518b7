// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_kprobes.c - kprobes/: the engine's own view, as debugfs has it for the
 * kernel's kprobes, and hits that belong to no event.
 */
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/seq_file.h>
#include <pe/kprobe.h>
#include <pe/listing.h>
#include "files.h"
#include "kernel/trace/event/compile.h"
#include "kernel/trace/event/event_probe.h"
#include "kernel/trace/event/event_source.h"
#include "kernel/trace/event/mirror.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/table/table.h"
#include "small_file.h"

static void pe_show_list(struct seq_file *m)
{
	pe_kprobes_show_list(m);
	pe_event_probes_show_waiting(m);
}

static void pe_show_unwatched(struct seq_file *m)
{
	seq_printf(m, "%lu\n", pe_kprobes_unwatched());
}

/* Documentation/kprobe-events.md says what each line counts. */
static void pe_show_memory(struct seq_file *m)
{
	struct pe_event_memory events;
	struct pe_memory engine;
	size_t bytes, tables;

	pe_event_probes_memory(&events);
	pe_kprobes_memory(&engine);
	bytes = events.events + events.probes + events.counters + engine.sites +
		engine.counters + engine.returns + engine.copies + engine.detours +
		engine.slots + engine.compiled;
	tables = pe_tables_memory();
	seq_printf(m, "probes\t\t%zu\n", engine.probes);
	seq_printf(m, "bytes\t\t%zu\n", bytes);
	seq_printf(m, "bytes/probe\t%zu\n", engine.probes ? bytes / engine.probes : 0);
	seq_printf(m, "events\t\t%zu\n", events.events);
	seq_printf(m, "programs\t%zu\n", events.probes);
	seq_printf(m, "counters\t%zu\n", events.counters + engine.counters);
	seq_printf(m, "sites\t\t%zu\n", engine.sites);
	seq_printf(m, "returns\t\t%zu\n", engine.returns);
	seq_printf(m, "copies\t\t%zu\n", engine.copies);
	seq_printf(m, "detours\t\t%zu\n", engine.detours);
	seq_printf(m, "slots\t\t%zu\n", engine.slots);
	seq_printf(m, "compiled\t%zu\n", engine.compiled);
	seq_printf(m, "tables\t\t%zu\n", tables);
}

/* A file that is 0 or 1: @is_on is shown, @set is what a write does. */
struct toggle {
	struct pe_small_file file;	/* first: it is the file's row */
	bool (*is_on)(void);
	int (*set)(bool on);
};

static const struct toggle *pe_toggle_of(const struct file *file)
{
	return container_of(pe_small_how(file), const struct toggle, file);
}

static void pe_toggle_show(struct seq_file *m)
{
	seq_printf(m, "%d\n", pe_toggle_of(m->file)->is_on());
}

static ssize_t pe_toggle_write(struct file *file, const char __user *buf, size_t count)
{
	bool on;
	int ret = kstrtobool_from_user(buf, count, &on);

	return ret ?: pe_toggle_of(file)->set(on) ?: count;
}

#define TOGGLE(is_on, set)	{{ .print = pe_toggle_show, .write = pe_toggle_write }, is_on, set }

static int pe_fs_kprobes_set_enabled(bool on)
{
	int ret = pe_kprobes_arm_all(on);

	if (ret && on)
		pe_event_probes_log_refusals();
	return ret;
}

static const struct toggle pe_fs_kprobes_enabled =
	TOGGLE(pe_kprobes_armed, pe_fs_kprobes_set_enabled);
static const struct toggle pe_optimization = TOGGLE(pe_kprobes_optimized, pe_kprobes_optimize);
static const struct toggle pe_fs_kprobes_compile = TOGGLE(pe_compile_is_on, pe_compile_switch);

#if PE_HAVE_TRACING
static const struct toggle pe_fs_kprobes_mirror = TOGGLE(pe_mirror_is_new, pe_mirror_set_new);
#endif

static const struct pe_small_file pe_list = { .print = pe_show_list };
static const struct pe_small_file pe_optimized = { .print = pe_kprobes_show_optimized };
static const struct pe_small_file pe_detours_list = { .print = pe_kprobes_show_detours };
static const struct pe_small_file pe_blacklist = { .print = pe_kprobes_show_blacklist };
static const struct pe_small_file pe_sources_refused = { .print = pe_sources_show_refused };
static const struct pe_small_file pe_compiled = { .try_show = pe_compile_show };
static const struct pe_small_file pe_unwatched = { .print = pe_show_unwatched };
static const struct pe_small_file pe_memory_used = { .print = pe_show_memory };
static const struct pe_small_file pe_costs = { .print = pe_costs_show };

const struct pe_fs_file pe_kprobes_files[] = {
	{ "list",	0400,	&pe_small_fops, &pe_list },
	{ "enabled",	0600,	&pe_small_fops, &pe_fs_kprobes_enabled },
	{ "optimization", 0600,	&pe_small_fops, &pe_optimization },
	{ "optimized",	0400,	&pe_small_fops, &pe_optimized },
	{ "detours",	0400,	&pe_small_fops, &pe_detours_list },
	{ "blacklist",	0400,	&pe_small_fops, &pe_blacklist },
	{ "refused",	0400,	&pe_small_fops, &pe_sources_refused },
	{ "compile",	0600,	&pe_small_fops, &pe_fs_kprobes_compile },
	{ "compiled",	0400,	&pe_small_fops, &pe_compiled },
	{ "unwatched",	0400,	&pe_small_fops, &pe_unwatched },
	{ "memory",	0400,	&pe_small_fops, &pe_memory_used },
	{ "cost",	0400,	&pe_small_fops, &pe_costs },
	{ "btf",	0600,	&pe_btf_fops },
#if PE_HAVE_TRACING
	{ "mirror",	0600,	&pe_small_fops, &pe_fs_kprobes_mirror },
#endif
	{ }
};
