// SPDX-License-Identifier: GPL-2.0
/*
 * event_set.c - probes at all functions that one command names.
 *
 * "f:net/in tcp_*" is one event, one line of every file, one removal, and a probe for each
 * function.  The command's own probe becomes the head of a set: files show it, and it has what
 * the members share: arguments, and counters, which are per CPU and so may be shared.  It is
 * never registered.  The members are registered in one call of the engine, which leaves out what
 * cannot be probed.
 *
 * A member of the kernel itself is registered by its address; so functions of one name are told
 * apart.  A member in a module is registered by its name: the module may be unloaded meanwhile.
 * When the module comes back, so does the member, as any probe of a module.
 */
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/list_sort.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <pe/kprobe.h>
#include "kernel/trace/hit/filter_hit.h"
#include "kernel/trace/parse/near.h"
#include "kernel/trace/parse/spec.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_probe.h"
#include "event.h"
#include "event_enable.h"
#include "event_probe.h"
#include "event_set.h"
#include "place.h"
#include "variant.h"

/* ---- finding ---- */

/**
 * struct match - the functions that a place names
 * @head: gets the members
 * @pattern: of their names
 * @is_pattern: it is one; else it is a name
 * @clones: of @pattern are meant
 * @nr: how many there are
 * @failed: for want of memory
 */
struct match {
	struct pe_event_probe *head;
	const char *pattern;
	bool is_pattern, clones;
	unsigned int nr;
	bool failed;
};

static bool pe_event_set_names(const struct match *match, const char *name)
{
	if (match->clones)
		return pe_name_is_clone(name, match->pattern) == PE_CLONE_WHOLE;
	if (!match->is_pattern)
		return !strcmp(name, match->pattern);
	return pe_name_is_function(name) && pe_glob_match(match->pattern, name, strlen(name));
}

static int pe_add_member(void *data, const char *modname, const char *name, unsigned long addr)
{
	struct match *match = data;
	struct pe_event_probe *probe;

	if (!pe_event_set_names(match, name))
		return 0;
	probe = pe_event_probe_new();
	if (!probe)
		goto fail;
	probe->set = match->head->set;
	probe->place = modname ? kasprintf(GFP_KERNEL, "%s:%s", modname, name) :
				 kstrdup(name, GFP_KERNEL);
	if (!probe->place) {
		pe_event_probe_free(probe);
		goto fail;
	}
	probe->symbol = probe->place;
	probe->kp.addr = addr;
	probe->fixed = modname ? 0 : addr;
	list_add_tail(&probe->all, &match->head->set->members);
	match->nr++;
	return 0;
fail:
	match->failed = true;
	return 1;
}

static int pe_by_address(void *unused, const struct list_head *a, const struct list_head *b)
{
	unsigned long x = list_entry(a, struct pe_event_probe, all)->kp.addr;
	unsigned long y = list_entry(b, struct pe_event_probe, all)->kp.addr;

	return (x > y) - (x < y);
}

static void pe_drop_member(struct pe_event_probe *probe)
{
	list_del(&probe->all);
	pe_event_probe_free(probe);
}

/* A function may have several names: one probe for it. */
static void pe_drop_aliases(struct match *match)
{
	struct list_head *members = &match->head->set->members;
	struct pe_event_probe *probe, *next;

	list_sort(NULL, members, pe_by_address);
	list_for_each_entry_safe(probe, next, members, all) {
		if (list_entry_is_head(next, members, all) || probe->kp.addr != next->kp.addr)
			continue;
		pe_drop_member(probe);
		match->nr--;
	}
}

static struct pe_probe_set *pe_event_set_alloc(struct pe_event_probe *head)
{
	struct pe_probe_set *set = kmalloc(sizeof(*set), GFP_KERNEL_ACCOUNT);

	if (!set)
		return NULL;
	set->head = head;
	INIT_LIST_HEAD(&set->members);
	INIT_LIST_HEAD(&set->refused);
	return set;
}

static void pe_drop_members(struct pe_probe_set *set)
{
	struct pe_event_probe *probe, *next;

	list_for_each_entry_safe(probe, next, &set->members, all)
		pe_drop_member(probe);
}

/* Return: how many functions the place names, members of the head's set; or -ENOMEM. */
static int pe_event_set_collect(struct pe_event_probe *head, const struct pe_spec *spec,
				const struct pe_place *place, bool clones)
{
	struct match match = {
		.head = head, .clones = clones, .is_pattern = pe_place_is_pattern(spec, place),
	};
	char modname[MODULE_NAME_LEN];

	match.pattern = pe_symbol_split(place->symbol, modname, sizeof(modname));
	pe_functions_each(modname[0] ? modname : NULL, pe_add_member, &match);
	if (match.failed) {
		pe_drop_members(head->set);
		return -ENOMEM;
	}
	pe_drop_aliases(&match);
	return match.nr;
}

/* The probe is that of one function, as of any other command. */
static int pe_set_one(struct pe_event_probe *probe, const struct pe_place *place,
		      const struct pe_symbol *found)
{
	pe_event_set_free(probe->set);
	probe->set = NULL;
	probe->is_head = false;
	probe->symbol = kstrdup(place->symbol, GFP_KERNEL);
	probe->kp.addr = found->addr;	/* until it is prepared */
	if (found->count && !found->in_module)
		probe->fixed = found->addr;
	return probe->symbol ? 0 : -ENOMEM;
}

/* At one of the alternatives.  Return: 0, -ENOENT: go on, -ENOMEM. */
static int pe_find_here(struct pe_event_probe *probe, const struct pe_spec *spec,
			const struct pe_place *place)
{
	struct pe_symbol found;
	int ret;

	if (!pe_place_is_pattern(spec, place)) {
		pe_symbol_find(place->symbol, &found);
		if (found.count == 1)
			return pe_set_one(probe, place, &found);
		if (!found.count)
			return -ENOENT;
	}
	ret = pe_event_set_collect(probe, spec, place, false);
	return ret > 0 ? 0 : ret ?: -ENOENT;
}

static int pe_find_clones(struct pe_event_probe *probe, const struct pe_spec *spec,
			  struct pe_place *place, struct pe_hint *hint)
{
	unsigned int nr = pe_place_clone(spec, place, hint);
	int ret;

	if (nr == 1)
		return pe_find_here(probe, spec, place);
	if (!nr)
		return -ENOENT;
	ret = pe_event_set_collect(probe, spec, place, true);
	return ret > 0 ? 0 : ret ?: -ENOENT;
}

static int pe_no_function(struct pe_hint *hint, const char *why)
{
	strscpy(hint->text, why, sizeof(hint->text));
	return -ENOENT;
}

static int pe_event_set_find_functions(struct pe_event_probe *probe, const struct pe_spec *spec,
				       struct pe_place *place, struct pe_hint *hint)
{
	static const struct pe_symbol none;
	int ret;

	do {
		ret = pe_find_here(probe, spec, place);
	} while (ret == -ENOENT && pe_place_next(spec, place));
	if (ret != -ENOENT)
		return ret;
	if (!pe_module_loaded(place->symbol)) {
		if (!pe_place_is_pattern(spec, place))
			return pe_set_one(probe, place, &none);
		return pe_no_function(hint, "a pattern does not wait for its module");
	}
	ret = pe_find_clones(probe, spec, place, hint);
	if (ret == -ENOENT && !hint->text[0])
		pe_no_function(hint, "no function has a name like that");
	return ret;
}

int pe_event_set_find(struct pe_event_probe *probe, const struct pe_spec *spec,
		      struct pe_place *place, struct pe_hint *hint)
{
	int ret;

	/* They were those of the first alternative. */
	if (probe->place != probe->symbol)
		kfree(probe->place);
	kfree(probe->symbol);
	probe->place = NULL;
	probe->symbol = NULL;
	probe->set = pe_event_set_alloc(probe);
	if (!probe->set)
		return -ENOMEM;
	probe->is_head = true;
	probe->pending = true;
	ret = pe_event_set_find_functions(probe, spec, place, hint);
	if (ret)
		return ret;
	probe->place = pe_event_probe_place_text(place);
	return probe->place ? 0 : -ENOMEM;
}

/* ---- registering ---- */

static void pe_prepare_members(struct pe_probe_set *set, struct pe_kprobe **kps)
{
	const struct pe_event_probe *head = set->head;
	struct pe_event_probe *probe;
	unsigned long addr;
	unsigned int i = 0;

	list_for_each_entry(probe, &set->members, all) {
		probe->event = head->event;
		probe->program = head->program;
		probe->stat = head->stat;
		/* The address of a symbol in a module changes when the module is loaded again. */
		if (!probe->fixed) {
			probe->symrefs = head->symrefs;
			probe->nr_symrefs = head->nr_symrefs;
		}
		addr = probe->kp.addr;
		pe_event_probe_prepare(probe);
		/* The engine goes by the symbol; this tells which one, if it cannot. */
		probe->kp.addr = addr;
		kps[i++] = &probe->kp;
	}
}

void pe_event_set_refuse(struct pe_probe_set *set, struct pe_event_probe *probe)
{
	size_t size = strlen(probe->place) + 1;
	struct pe_refused *refused;

	/* Without memory the list lacks it; it is in no other place either. */
	refused = kmalloc(struct_size(refused, name, size), GFP_KERNEL_ACCOUNT);
	if (refused) {
		refused->reason = probe->kp.reason;
		memcpy(refused->name, probe->place, size);
		list_add_tail(&refused->list, &set->refused);
	}
	pe_drop_member(probe);
}

/* "MOD:SYM,N" for the member, a function of a module that has several symbols SYM. */
static bool pe_name_by_number(struct pe_event_probe *probe, unsigned long addr)
{
	struct pe_symbol found = { .count = 1 };
	unsigned int number;
	char *name;

	for (number = 1; found.count; number++) {
		name = kasprintf(GFP_KERNEL, "%s,%u", probe->place, number);
		if (!name)
			return false;
		pe_symbol_find(name, &found);
		if (found.count && found.addr == addr) {
			kfree(probe->place);
			probe->place = name;
			probe->symbol = name;
			return true;
		}
		kfree(name);
	}
	return false;
}

/* Members whose names are not unique in their module: again, by number. */
static void pe_register_by_number(struct pe_probe_set *set, int *errs)
{
	struct pe_event_probe *probe;
	struct pe_kprobe *kp;
	unsigned int i = 0;

	list_for_each_entry(probe, &set->members, all) {
		if (errs[i] == -EADDRNOTAVAIL && pe_name_by_number(probe, probe->kp.addr)) {
			pe_event_probe_prepare(probe);
			kp = &probe->kp;
			pe_register_kprobes_some(&kp, 1, &errs[i]);
		}
		i++;
	}
}

/* Return: 0 if at least one member is left, else the error of the first. */
static int pe_sort_out(struct pe_probe_set *set, const int *errs)
{
	const char *reason = list_first_entry(&set->members, struct pe_event_probe, all)->kp.reason;
	struct pe_event_probe *probe, *next;
	unsigned int i = 0;

	list_for_each_entry_safe(probe, next, &set->members, all) {
		if (errs[i++])
			pe_event_set_refuse(set, probe);
		else
			probe->pending = false;
	}
	if (!list_empty(&set->members))
		return 0;
	set->head->kp.reason = reason;
	return errs[0];
}

static unsigned int pe_count_members(const struct pe_probe_set *set)
{
	struct pe_event_probe *probe;
	unsigned int n = 0;

	list_for_each_entry(probe, &set->members, all)
		n++;
	return n;
}

/* The event is armed already: so are its new probes. */
static int pe_arm_members(struct pe_probe_set *set, struct pe_kprobe **kps)
{
	struct pe_event_probe *probe;
	unsigned int n = 0;
	int ret;

	if (!pe_event_armed(set->head->event))
		return 0;
	pe_event_changed(set->head->event);
	list_for_each_entry(probe, &set->members, all)
		kps[n++] = &probe->kp;
	ret = pe_enable_kprobes(kps, n);
	if (!ret)
		return 0;
	list_for_each_entry(probe, &set->members, all) {
		if (probe->kp.reason)
			set->head->kp.reason = probe->kp.reason;
	}
	pe_event_set_unregister(set->head);
	return ret;
}

int pe_event_set_register(struct pe_event_probe *head)
{
	struct pe_probe_set *set = head->set;
	unsigned int n = pe_count_members(set);
	struct pe_kprobe **kps = kvcalloc(n, sizeof(*kps), GFP_KERNEL);
	int *errs = kvcalloc(n, sizeof(*errs), GFP_KERNEL);
	int ret = -ENOMEM;

	lockdep_assert_held(&pe_event_mutex);
	if (!kps || !errs)
		goto out;
	ret = pe_event_probe_resolve(head);
	if (ret)
		goto out;
	pe_prepare_members(set, kps);
	pe_register_kprobes_some(kps, n, errs);
	pe_register_by_number(set, errs);
	ret = pe_sort_out(set, errs);
	if (!ret)
		ret = pe_arm_members(set, kps);
out:
	kvfree(kps);
	kvfree(errs);
	return ret;
}

void pe_event_set_batch(struct pe_event_probe *head, struct list_head *batch)
{
	struct pe_event_probe *probe;

	list_for_each_entry(probe, &head->set->members, all)
		list_add_tail(&probe->batch, batch);
}

void pe_event_set_unregister(struct pe_event_probe *head)
{
	struct pe_event_probe *probe, *next;
	LIST_HEAD(batch);

	pe_event_set_batch(head, &batch);
	pe_event_probes_unregister(&batch);
	list_for_each_entry_safe(probe, next, &batch, batch)
		list_del_init(&probe->batch);
}

void pe_event_set_attach(struct pe_event_probe *head)
{
	struct pe_event_probe *probe;

	list_for_each_entry(probe, &head->set->members, all) {
		probe->program.type = head->program.type;
		list_add_tail(&probe->list, &head->event->probes);
	}
}

/* ---- the rest ---- */

void pe_event_set_free(struct pe_probe_set *set)
{
	struct pe_refused *refused, *next;

	pe_drop_members(set);
	list_for_each_entry_safe(refused, next, &set->refused, list)
		kfree(refused);
	kfree(set);
}

void pe_event_set_engine_stat(const struct pe_probe_set *set, struct pe_engine_stat *sum)
{
	const struct pe_event_probe *probe;
	struct pe_engine_stat one;

	list_for_each_entry(probe, &set->members, all) {
		pe_event_probe_engine_stat(probe, &one);
		sum->missed += one.missed;
		sum->calls += one.calls;
		sum->returns += one.returns;
		sum->no_stack += one.no_stack;
		sum->dropped += one.dropped;
		cond_resched();
	}
}

/* Of the set itself; members are probes of their event. */
size_t pe_event_set_memory(const struct pe_probe_set *set)
{
	const struct pe_refused *refused;
	size_t bytes = ksize(set);

	list_for_each_entry(refused, &set->refused, list)
		bytes += ksize(refused);
	return bytes;
}

void pe_event_sets_show_refused(struct seq_file *m)
{
	const struct pe_event_probe *probe;
	const struct pe_refused *refused;

	mutex_lock(&pe_event_mutex);
	list_for_each_entry(probe, &pe_probes, all) {
		if (!probe->is_head)
			continue;
		list_for_each_entry(refused, &probe->set->refused, list)
			seq_printf(m, "%s/%s %s %s\n", probe->event->group, probe->event->name,
				   refused->name, refused->reason ?: "no memory");
	}
	mutex_unlock(&pe_event_mutex);
}
