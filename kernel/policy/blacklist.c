// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * blacklist.c - code that must not be probed, and why.
 *
 * May this code be probed at all, by any mechanism?  It must be text that stays in place,
 * and not ours.  Entry and noinstr text is known by its sections.  A kernel that has
 * kprobes has a list of its own.  Other files answer other questions:
 *
 *   - policy/text_reserved.c: is the text reserved?
 *   - reach.c, trap_check.c: can a breakpoint lead to the code, or does it run where no
 *     exception is handled?
 *
 * Names are used for code that no section and no call shows:
 *
 *   - code that is copied to another address before it runs: a breakpoint in the copy
 *     would belong to no site;
 *   - the last steps of a CPU that stops or leaves for another kernel: code that removes
 *     a probe does not wait for that CPU;
 *   - assembler before the first C function of a CPU that starts or wakes up;
 *   - thunks and trampolines: decoding them in order does not find all their instructions.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kprobes.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <pe/listing.h>
#include <pe/symbols.h>
#include <pe_arch/kernel_names.h>
#include "kernel/engine.h"
#include "kernel/know/compat.h"
#include "kernel/know/ksyms.h"
#include "kernel/know/names.h"
#include "kernel/policy/policy.h"

static const char pe_because_noinstr[] = "code that must not be instrumented";
static const char pe_because_thunk[] = "a thunk that the engine itself returns or calls through";
static const char pe_because_padding[] = "padding in front of a function";

static const char pe_because_ftrace[] = "ftrace's own code";
static const char pe_because_no_handlers[] = "runs without handlers of exceptions";
static const char pe_because_offline[] = "runs on a CPU that has reported itself dead";
static const char pe_because_copied[] = "copied to another place before it runs";

/* Sections of the kernel, by the symbols at their ends. */
static struct section {
	const char *start_name, *end_name, *reason;
	unsigned long start, end;	/* both 0: this kernel has none */
} pe_blacklist_sections[] = {
	{ "__entry_text_start", "__entry_text_end", "entry code" },
	{ "__irqentry_text_start", "__irqentry_text_end", "entry code" },
	{ "__noinstr_text_start", "__noinstr_text_end", pe_because_noinstr },
	{ "__kprobes_text_start", "__kprobes_text_end", "code that probes rely on" },
	{ "__cpuidle_text_start", "__cpuidle_text_end", "idle code, RCU may not be watching" },
	{ "__static_call_text_start", "__static_call_text_end", "a static call's trampoline" },
};

static const struct pe_named pe_blacklist_names[] = {
	PE_ARCH_BLACKLIST
	/* The path from ftrace to our handler; parts of it are copied, inner labels too */
	{ "ftrace_caller*", pe_because_ftrace },
	{ "ftrace_call", pe_because_ftrace, IS_ENABLED(CONFIG_DYNAMIC_FTRACE) },
	{ "ftrace_stub*", pe_because_ftrace },
	{ "return_to_handler", pe_because_ftrace, IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER) },
	/* The last steps to another kernel */
	{ "machine_kexec", pe_because_no_handlers, IS_ENABLED(CONFIG_KEXEC_CORE) },
	/* Code that removes a probe waits for a CPU until the CPU has reported that it is dead */
	{ "cpuhp_ap_report_dead", pe_because_offline, IS_ENABLED(CONFIG_HOTPLUG_CPU),
	  "cpu_report_death" },
	{ "cpu_report_death", pe_because_offline },
	{ "cpuidle_play_dead", pe_because_offline, IS_ENABLED(CONFIG_CPU_IDLE) },
	{ "cpuidle_get_cpu_driver", pe_because_offline, IS_ENABLED(CONFIG_CPU_IDLE) },
	{ "acpi_idle_play_dead", pe_because_offline,
	  IS_BUILTIN(CONFIG_ACPI_PROCESSOR) && IS_ENABLED(CONFIG_ACPI_PROCESSOR_IDLE) },
	/* Not code of a function */
	{ "__SCT__*", "a static call's trampoline" },
	{ "__pfx_*", pe_because_padding },
	{ "__cfi_*", pe_because_padding },
};

static const char *pe_check_section(unsigned long addr)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pe_blacklist_sections); i++) {
		if (addr >= pe_blacklist_sections[i].start && addr < pe_blacklist_sections[i].end)
			return pe_blacklist_sections[i].reason;
	}
	return NULL;
}

static struct pe_refusal pe_check_names(unsigned long addr)
{
	unsigned long start, size;
	const char *reason;

	if (!pe_symbol_at(addr, &start, &size))
		return PE_REFUSE(EILSEQ, "no function is known to hold the address");
	reason = pe_named_reason(addr, pe_blacklist_names, ARRAY_SIZE(pe_blacklist_names));
	return reason ? PE_REFUSE(EINVAL, reason) : PE_ACCEPT;
}

static struct pe_refusal pe_check_module(const struct module *mod, unsigned long addr)
{
	if (mod == THIS_MODULE || pe_module_is_protected(mod))
		return PE_REFUSE(EINVAL, "the prober itself");
	if (mod->state == MODULE_STATE_GOING)
		return PE_REFUSE(ENOENT, "the module is being unloaded");
	if (mod->state == MODULE_STATE_COMING && !pe_module_is_announced(mod))
		return PE_REFUSE(EBUSY, "the module is being loaded");
	if (mod->state != MODULE_STATE_COMING && within_module_init(addr, mod))
		return PE_REFUSE(EINVAL, "init code that has been freed");
	if (addr - (unsigned long)mod->noinstr_text_start < mod->noinstr_text_size)
		return PE_REFUSE(EINVAL, pe_because_noinstr);
	return PE_ACCEPT;
}

/* Is it text, and will it stay?  A notification comes before a module's text goes. */
static struct pe_refusal pe_check_text(unsigned long addr)
{
	struct pe_refusal r = PE_ACCEPT;
	struct module *mod;

	if (pe_ks(core_kernel_text)(addr))
		return r;
	/* The module can't vanish: its GOING notification needs pe_mutex. */
	preempt_disable();
	mod = pe_ks(__module_text_address)(addr);
	if (mod)
		r = pe_check_module(mod, addr);
	else
		r = PE_REFUSE(EINVAL, "not kernel text");
	preempt_enable();
	return r;
}

/**
 * pe_blacklist_check() - may the code at an address be probed at all?
 * @addr: the instruction
 *
 * Context: process, pe_mutex held.
 * Return: PE_ACCEPT, or errno and reason.
 */
struct pe_refusal pe_blacklist_check(unsigned long addr)
{
	struct pe_refusal r = pe_check_text(addr);
	const char *reason = pe_check_section(addr);

	lockdep_assert_held(&pe_mutex);
	if (!r.err && reason)
		r = PE_REFUSE(EINVAL, reason);
	if (!r.err)
		r = pe_check_names(addr);
	if (!r.err && pe_ks_has(within_kprobe_blacklist) &&
	    pe_ks(within_kprobe_blacklist)(addr))
		r = PE_REFUSE(EINVAL, "on the kernel's own blacklist of probes");
	return r;
}

/*
 * Called once, at load: find these sections.  Return: false, and said in the log, if one is not
 * there, or a function that must be there.
 */
bool pe_blacklist_init(void)
{
	bool complete = true;
	struct section *s;

	for (s = pe_blacklist_sections;
	     s < pe_blacklist_sections + ARRAY_SIZE(pe_blacklist_sections); s++) {
		s->start = pe_ksym_address(s->start_name);
		s->end = s->start ? pe_ksym_address(s->end_name) : 0;
		if (!s->end)
			complete = pe_kernel_has(s->start_name, NULL) &&
				   pe_kernel_has(s->end_name, NULL);
	}
	complete &= pe_named_complete(pe_blacklist_names, ARRAY_SIZE(pe_blacklist_names));
	return complete;
}

static void pe_show_function(struct seq_file *m, bool show, unsigned long addr,
			     const char *reason)
{
	unsigned long start, size;

	if (addr && pe_symbol_at(addr, &start, &size))
		pe_show_range(m, show, start, start + size, reason);
}

static void pe_show_module(struct seq_file *m, bool show, const struct module *mod)
{
	unsigned long start = pe_module_text_base(mod);
	unsigned long end = start + pe_module_text_size(mod);

	seq_printf(m, "0x%px-0x%px\t[%s]\tthe prober itself\n", show ? (void *)start : NULL,
		   show ? (void *)end : NULL, mod->name);
}

static void pe_show_protected(struct seq_file *m, bool show)
{
	unsigned int i;

	pe_show_module(m, show, THIS_MODULE);
	mutex_lock(&pe_mutex);
	for (i = 0; i < PE_MAX_PROTECTED; i++) {
		if (pe_protected_module(i))
			pe_show_module(m, show, pe_protected_module(i));
	}
	mutex_unlock(&pe_mutex);
}

/*
 * Show the kernel's list.  It changes only when modules come and go, under the kernel's
 * kprobe_mutex.
 */
static void pe_show_kernel_list(struct seq_file *m, bool show)
{
#ifdef CONFIG_KPROBES
	const struct kprobe_blacklist_entry *ent;

	if (!pe_ks_data.kprobe_blacklist || !pe_ks_data.kprobe_mutex)
		return;
	mutex_lock(pe_ks_data.kprobe_mutex);
	list_for_each_entry(ent, pe_ks_data.kprobe_blacklist, list)
		pe_show_range(m, show, ent->start_addr, ent->end_addr,
			      "on the kernel's own blacklist of probes");
	mutex_unlock(pe_ks_data.kprobe_mutex);
#endif
}

void pe_kprobes_show_blacklist(struct seq_file *m)
{
	bool show = pe_show_addresses(m);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pe_blacklist_sections); i++) {
		if (pe_blacklist_sections[i].start != pe_blacklist_sections[i].end)
			pe_show_range(m, show, pe_blacklist_sections[i].start,
				      pe_blacklist_sections[i].end,
				      pe_blacklist_sections[i].reason);
	}
	for (i = 0; i < ARRAY_SIZE(pe_blacklist_names); i++) {
		if (!strchr(pe_blacklist_names[i].name, '*'))
			pe_show_function(m, show, pe_ksym_address(pe_blacklist_names[i].name),
					 pe_blacklist_names[i].reason);
	}
	pe_reach_show(m, show);
	pe_show_protected(m, show);
	pe_show_kernel_list(m, show);
}
EXPORT_SYMBOL_GPL(pe_kprobes_show_blacklist);
