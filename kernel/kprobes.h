/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kprobes.h - the engine's internals, shared by kernel/ and arch/x86/.
 */
#ifndef PE_KPROBES_H
#define PE_KPROBES_H

#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <pe/kprobe.h>
#include "kernel/arch.h"

struct ftrace_ops;
struct module;
struct pe_return_point;
struct seq_file;

/**
 * struct pe_site - an address with at least one probe
 * @hash: in pe_sites; RCU, written under pe_mutex
 * @addr: the probed instruction
 * @probes: struct pe_kprobe.node; RCU, written under pe_mutex
 * @returns: the same of return probes, but read under pe_mutex only: hits use
 *	the sets of @point
 * @point: slots of the function, while there are return probes; RCU
 * @mech: how it is armed when it is armed; constant
 * @armed: the text (or ftrace, on behalf of @probes alone) has been told; pe_mutex
 * @returns_armed: calls are diverted to @point; at an entry of ftrace's, @probes are
 *	served there, too, and @armed is not set; written under pe_mutex
 * @gone: its text has been unloaded; no longer hashed; pe_mutex
 * @lost: somebody overwrote our breakpoint; never written to again; pe_mutex
 * @arch: instruction and slot; constant (PE_MECH_INT3 only)
 * @batch: scratch link for one operation on several sites; of a gone site, in
 *	pe_gone_sites; pe_mutex
 * @returns_batch: the same, for ftrace on behalf of @returns
 * @returns_ops: what has told ftrace on behalf of @returns, for this function
 *	alone: BPF had entered it before; usually NULL; pe_mutex
 *
 * Life: created by the first registration; unhashed when its last probe goes;
 * freed, with its slot, after the grace periods that pe_unregister_kprobes()
 * describes.
 */
struct pe_site {
	struct hlist_node hash;
	unsigned long addr;
	struct list_head probes;
	struct list_head returns;
	struct pe_return_point *point;
	enum pe_mechanism mech;
	bool armed;
	bool returns_armed;
	bool gone;
	bool lost;
	struct pe_arch_site arch;
	struct list_head batch;
	struct list_head returns_batch;
	struct ftrace_ops *returns_ops;
};

#define PE_SITE_HASH_BITS	12

/* kprobes.c: guards every site, every list of probes, all flags of probes. */
extern struct mutex pe_mutex;
extern DECLARE_HASHTABLE(pe_sites, PE_SITE_HASH_BITS);
extern struct list_head pe_gone_sites;

/*
 * The site at @addr, NULL if none.  Preemption off or pe_mutex held.  Used in
 * the hit path: no lockdep in it, hence the _notrace iterator.
 */
static __always_inline struct pe_site *pe_site_find(unsigned long addr)
{
	struct pe_site *site;

	hash_for_each_possible_rcu_notrace(pe_sites, site, hash, addr) {
		if (site->addr == addr)
			return site;
	}
	return NULL;
}

void pe_wait_for_hits(void);	/* no mutex held */

/* Do hits of @kp, registered here, reach us?  pe_mutex held. */
static inline bool pe_site_serves(const struct pe_site *site, const struct pe_kprobe *kp)
{
	if (kp->flags & PE_KPROBE_RETURN)
		return site->returns_armed;
	return site->armed || (site->mech == PE_MECH_ENTRY && site->returns_armed);
}

/* kprobes_hit.c: [H] */
unsigned long pe_exceptions_unwatched(void);
void pe_site_hit_exception(struct pe_site *site, struct pt_regs *regs);
void pe_site_hit_entry(struct pe_site *site, struct pt_regs *regs, unsigned int preempt_added);

/* entry_ftrace.c.  pe_mutex held.  Sites are linked by ->batch, ->returns_batch. */
bool pe_entry_available(unsigned long addr);
int pe_entry_arm(struct list_head *sites);
void pe_entry_disarm(struct list_head *sites);
const char *pe_entry_refusal(int err, bool returns, bool *one);
int pe_entry_arm_returns(struct list_head *sites);
void pe_entry_disarm_returns(struct list_head *sites);
void pe_entry_exit(void);

/* entry_hit.c: [H], but for these */
unsigned long pe_entry_unwatched(void);
void pe_entry_init(void);

/* insn_slots.c.  pe_mutex held, except pe_slots_exit(). */
void *pe_slot_alloc(void);
void pe_slot_free(void *slot);
void pe_slots_exit(void);
void *pe_exec_page(void);

/* Functions by name, and what is with them.  A name that ends in '*' is a prefix. */
struct pe_named {
	const char *name, *reason;
};

/* blacklist.c */
bool pe_name_matches(const char *name, const char *pattern);
const char *pe_named_reason(unsigned long addr, const struct pe_named *list, unsigned int n);
void pe_blacklist_init(void);
struct pe_refusal pe_blacklist_check(unsigned long addr);

/* owners.c */
struct pe_refusal pe_owner_check(const struct pe_arch_site *as, unsigned long addr);
struct pe_refusal pe_owner_check_kprobes(const struct pe_arch_site *as, unsigned long addr);
void pe_lock_kernel_kprobes(void);
void pe_unlock_kernel_kprobes(void);

/* module_event.c */
int pe_module_event_init(void);
void pe_module_event_exit(void);
bool pe_module_protected(const struct module *mod);
void pe_show_protected(struct seq_file *m, bool show);

/* symbols.c */
void pe_symbol_name(unsigned long addr, char *name);

/* A counter that each CPU increments for itself.  Any context. */
static inline unsigned long pe_counter_sum(const unsigned long __percpu *counter)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(*per_cpu_ptr(counter, cpu));
	return sum;
}

#endif
