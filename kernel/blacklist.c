// SPDX-License-Identifier: GPL-2.0
/*
 * blacklist.c - where a probe must not stand, and why.
 *
 * May this code be probed at all?  It must be text that is there to stay, not
 * ours, and not code that a hit itself runs through: a breakpoint there would be
 * hit again before the recursion check, without end.  (Whether the bytes belong
 * to somebody who rewrites them is another question: owners.c.)
 *
 * "Code that a hit runs through" is known three ways, because no kernel tells it
 * all: sections (entry and noinstr text), the kernel's own kprobe blacklist where
 * it has one, and names.  The names were found by following the calls from
 * exc_int3 to the notifier and back in the disassembly of each supported kernel,
 * and include what a kernel with kprobes has annotated, for kernels without.
 * Notifiers that stand before ours in the die chain are looked up at load time.
 *
 * Nor may it be code at whose time nobody takes a breakpoint, or waits for who is in a
 * handler: of a CPU that is about to start, to wake up, to stop, or to leave for another
 * kernel.  These are names, too.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/preempt.h>
#include <linux/rculist.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include "kernel/compat.h"
#include "kernel/kprobes.h"
#include "kernel/ksyms.h"

static const char because_path[] = "on the breakpoint path";
static const char because_thunk[] = "a thunk that the engine itself returns or calls through";
static const char because_padding[] = "padding in front of a function";

static const char because_ftrace[] = "ftrace's own code";
static const char because_no_idt[] = "runs without handlers of exceptions";
static const char because_offline[] = "runs on a CPU that nobody waits for any more";

/* Sections of the kernel, by the symbols at their ends. */
static struct section {
	const char *start_name, *end_name, *reason;
	unsigned long start, end;	/* both 0: this kernel has none */
} sections[] = {
	{ "__entry_text_start", "__entry_text_end", "entry code" },
	{ "__irqentry_text_start", "__irqentry_text_end", "entry code" },
	{ "__noinstr_text_start", "__noinstr_text_end", "code that must not be instrumented" },
	{ "__kprobes_text_start", "__kprobes_text_end", "code that probes rely on" },
	{ "__cpuidle_text_start", "__cpuidle_text_end", "idle code, RCU may not be watching" },
	{ "__static_call_text_start", "__static_call_text_end", "a static call's trampoline" },
	{ "__indirect_thunk_start", "__indirect_thunk_end", because_thunk },
};

static const struct pe_named names[] = {
	/* exc_int3 to the notifier and back */
	{ "exc_int3", because_path },
	{ "do_int3", because_path },
	{ "poke_int3_handler", because_path },
	{ "kprobe_int3_handler", because_path },
	{ "get_kprobe", because_path },
	{ "kgdb_ll_trap", because_path },
	{ "notify_die", because_path },
	{ "atomic_notifier_call_chain", because_path },
	{ "notifier_call_chain*", because_path },
	{ "kprobe_exceptions_notify", because_path },
	{ "hw_breakpoint_exceptions_notify", because_path },
	{ "__rcu_read_lock", because_path },
	{ "__rcu_read_unlock", because_path },
	{ "rcu_read_unlock_special", because_path },
	{ "rcu_read_unlock_strict", because_path },
	{ "irqentry_nmi_enter", because_path },
	{ "irqentry_nmi_exit", because_path },
	{ "ct_nmi_*", because_path },
	{ "ct_kernel_*", because_path },
	{ "rcu_nmi_*", because_path },
	{ "__rcu_irq_enter_check_tick", because_path },
	{ "trace_hwlat_callback", because_path },
	{ "trace_osnoise_callback", because_path },
	{ "trace_hardirqs_*", because_path },
	{ "lockdep_hardirqs_*", because_path },
	{ "lockdep_nmi*", because_path },
	{ "lock_acquire", because_path },
	{ "lock_release", because_path },
	{ "preempt_count_add", because_path },
	{ "preempt_count_sub", because_path },
	{ "fixup_bad_iret", because_path },
	{ "sync_regs", because_path },
	{ "error_entry", because_path },
	{ "xen_asm_exc_int3", because_path },
	{ "__stack_chk_fail", because_path },
	{ "rcu_is_watching", because_path },
	{ "__traceiter_notifier_run", because_path },
	/* Called, or returned through, by the engine's own code */
	{ "__x86_indirect_*", because_thunk },
	{ "__x86_return_*", because_thunk },
	{ "call_depth_return_thunk", because_thunk },
	{ "srso_*", because_thunk },
	{ "retbleed_*", because_thunk },
	{ "its_return_thunk", because_thunk },
	{ "its_static_thunk", because_thunk },
	{ "warn_thunk_thunk", because_thunk },
	{ "__warn_thunk", because_thunk },
	{ "entry_untrain_ret", because_thunk },
	{ "entry_ibpb", because_thunk },
	{ "clear_bhb_loop", because_thunk },
	/* ftrace's way to our handler */
	{ "__fentry__", because_ftrace },
	{ "ftrace_caller", because_ftrace },
	{ "ftrace_regs_caller", because_ftrace },
	{ "ftrace_stub*", because_ftrace },
	{ "ftrace_ops_list_func", because_ftrace },
	{ "arch_ftrace_ops_list_func", because_ftrace },
	{ "ftrace_ops_assist_func", because_ftrace },
	{ "hash_contains_ip*", because_ftrace },
	{ "return_to_handler", because_ftrace },
	/* ftrace copies these to where nobody knows a breakpoint; they have inner labels */
	{ "ftrace_caller_*", because_ftrace },
	{ "ftrace_call", because_ftrace },
	{ "ftrace_regs_call*", because_ftrace },
	/* A CPU that starts, one that wakes up, and the last steps to another kernel */
	{ "secondary_startup_64*", because_no_idt },
	{ "common_startup_64", because_no_idt },
	{ "early_setup_idt", because_no_idt },
	{ "start_secondary", because_no_idt },
	{ "cr4_init", because_no_idt },
	{ "cr4_update_irqsoff", because_no_idt },
	{ "native_write_cr0", because_no_idt },
	{ "native_write_cr4", because_no_idt },
	{ "cpu_init_exception_handling", because_no_idt },
	{ "cpu_init_fred_exceptions", because_no_idt },
	{ "do_suspend_lowlevel", because_no_idt },
	{ "wakeup_long64", because_no_idt },
	{ "restore_processor_state", because_no_idt },
	{ "__restore_processor_state", because_no_idt },
	{ "restore_image", because_no_idt },
	{ "restore_registers", because_no_idt },
	{ "core_restore_code", because_no_idt },
	{ "machine_kexec", because_no_idt },
	{ "idt_invalidate", because_no_idt },
	{ "relocate_kernel", because_no_idt },
	{ "relocate_range", because_no_idt },
	{ "identity_mapped", because_no_idt },
	{ "virtual_mapped", because_no_idt },
	{ "swap_pages", because_no_idt },
	/* Neither RCU nor who patches text waits for what a CPU does behind its end */
	{ "rcutree_report_cpu_dead", because_offline },
	{ "rcu_report_dead", because_offline },
	{ "cpuhp_report_idle_dead", because_offline },
	{ "cpuhp_ap_report_dead", because_offline },
	{ "arch_cpu_idle_dead", because_offline },
	{ "native_play_dead", because_offline },
	{ "play_dead_common", because_offline },
	{ "mwait_play_dead*", because_offline },
	{ "hlt_play_dead", because_offline },
	{ "cpuidle_play_dead", because_offline },
	{ "acpi_idle_play_dead", because_offline },
	/* Not code of a function */
	{ "__SCT__*", "a static call's trampoline" },
	{ "__pfx_*", because_padding },
	{ "__cfi_*", because_padding },
};

/* Notifiers that are called before ours; filled once by pe_blacklist_init(). */
#define MAX_NOTIFIERS	16
static unsigned long notifiers[MAX_NOTIFIERS];
static unsigned int nr_notifiers;

static bool name_matches(const char *name, const char *pattern)
{
	size_t len = strlen(pattern);

	if (pattern[len - 1] == '*')
		return !strncmp(name, pattern, len - 1);
	return !strcmp(name, pattern);
}

/**
 * pe_named_reason() - is the function that holds an address in a list?
 * @addr: the address
 * @list: of functions
 * @n: how many
 *
 * Context: process.  Return: the reason given there, else NULL.
 */
const char *pe_named_reason(unsigned long addr, const struct pe_named *list, unsigned int n)
{
	char name[KSYM_SYMBOL_LEN];
	unsigned int i;

	pe_symbol_name(addr, name);
	for (i = 0; i < n; i++) {
		if (name_matches(name, list[i].name))
			return list[i].reason;
	}
	return NULL;
}

static struct pe_refusal check_sections(unsigned long addr)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sections); i++) {
		if (addr >= sections[i].start && addr < sections[i].end)
			return PE_REFUSE(EINVAL, sections[i].reason);
	}
	return PE_ACCEPT;
}

static struct pe_refusal check_names(unsigned long addr)
{
	unsigned long start, size;
	const char *reason;
	unsigned int i;

	if (!pe_symbol_at(addr, &start, &size))
		return PE_REFUSE(EILSEQ, "no function is known to hold the address");
	for (i = 0; i < nr_notifiers; i++) {
		if (start == notifiers[i])
			return PE_REFUSE(EINVAL, because_path);
	}
	reason = pe_named_reason(addr, names, ARRAY_SIZE(names));
	return reason ? PE_REFUSE(EINVAL, reason) : PE_ACCEPT;
}

static struct pe_refusal check_module(const struct module *mod, unsigned long addr)
{
	if (mod == THIS_MODULE || pe_module_protected(mod))
		return PE_REFUSE(EINVAL, "the prober itself");
	if (mod->state == MODULE_STATE_GOING)
		return PE_REFUSE(ENOENT, "the module is being unloaded");
	if (mod->state != MODULE_STATE_COMING && within_module_init(addr, mod))
		return PE_REFUSE(EINVAL, "init code that has been freed");
	return PE_ACCEPT;
}

/* Is it text, and will it stay?  A module's text goes with an announcement. */
static struct pe_refusal check_text(unsigned long addr)
{
	struct pe_refusal r = PE_ACCEPT;
	struct module *mod;

	if (pe_ks(core_kernel_text)(addr))
		return r;
	/* The module can't vanish: its GOING notification needs pe_mutex. */
	preempt_disable();
	mod = pe_ks(__module_text_address)(addr);
	if (mod)
		r = check_module(mod, addr);
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
	struct pe_refusal r = check_text(addr);

	if (!r.err)
		r = check_sections(addr);
	if (!r.err)
		r = check_names(addr);
	if (!r.err && pe_ks_has(within_kprobe_blacklist) &&
	    pe_ks(within_kprobe_blacklist)(addr))
		r = PE_REFUSE(EINVAL, "on the kernel's own blacklist of probes");
	return r;
}

/*
 * Reads the head of the die chain up to our own notifier, which must have been
 * registered.  Later ones with the same priority are called after ours.
 */
static void find_notifiers(const struct notifier_block *ours)
{
	const struct notifier_block *nb;

	if (!pe_ks_data.die_chain)
		return;
	rcu_read_lock();
	for (nb = rcu_dereference(pe_ks_data.die_chain->head); nb && nb != ours;
	     nb = rcu_dereference(nb->next)) {
		if (nr_notifiers < MAX_NOTIFIERS)
			notifiers[nr_notifiers++] = (unsigned long)nb->notifier_call;
	}
	rcu_read_unlock();
}

/**
 * pe_blacklist_init() - find what this kernel has of all that
 * @ours: the engine's die notifier, registered
 */
void pe_blacklist_init(const struct notifier_block *ours)
{
	struct section *s;

	for (s = sections; s < sections + ARRAY_SIZE(sections); s++) {
		s->start = pe_ksym_address(s->start_name);
		s->end = s->start ? pe_ksym_address(s->end_name) : 0;
	}
	find_notifiers(ours);
}

static void show_range(struct seq_file *m, bool show, unsigned long start,
		       unsigned long end, const char *reason)
{
	seq_printf(m, "0x%px-0x%px\t%ps\t%s\n", show ? (void *)start : NULL,
		   show ? (void *)end : NULL, (void *)start, reason);
}

static void show_function(struct seq_file *m, bool show, unsigned long addr,
			  const char *reason)
{
	unsigned long start, size;

	if (addr && pe_symbol_at(addr, &start, &size))
		show_range(m, show, start, start + size, reason);
}

/*
 * The kernel's list.  It is only changed when modules come and go, under its
 * kprobe_mutex.
 */
static void show_kernel_list(struct seq_file *m, bool show)
{
#ifdef CONFIG_KPROBES
	const struct kprobe_blacklist_entry *ent;

	if (!pe_ks_data.kprobe_blacklist || !pe_ks_data.kprobe_mutex)
		return;
	mutex_lock(pe_ks_data.kprobe_mutex);
	list_for_each_entry(ent, pe_ks_data.kprobe_blacklist, list)
		show_range(m, show, ent->start_addr, ent->end_addr,
			   "on the kernel's own blacklist of probes");
	mutex_unlock(pe_ks_data.kprobe_mutex);
#endif
}

void pe_kprobes_show_blacklist(struct seq_file *m)
{
	bool show = pe_show_addresses(m);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sections); i++) {
		if (sections[i].start != sections[i].end)
			show_range(m, show, sections[i].start, sections[i].end,
				   sections[i].reason);
	}
	for (i = 0; i < nr_notifiers; i++)
		show_function(m, show, notifiers[i], because_path);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strchr(names[i].name, '*'))
			show_function(m, show, pe_ksym_address(names[i].name),
				      names[i].reason);
	}
	pe_show_protected(m, show);
	show_kernel_list(m, show);
}
EXPORT_SYMBOL_GPL(pe_kprobes_show_blacklist);
