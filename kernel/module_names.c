// SPDX-License-Identifier: GPL-2.0
/*
 * module_names.c - the symbols of modules, and which names none of them has.
 *
 * The kernel's own symbols are sorted by name, those of modules are not: to find a name means
 * to look at every symbol of every module.  Most names that are looked for are the kernel's
 * own, and the search is made to know that no module has them, too.  So a table tells that
 * quickly.  It has a hash of each module symbol's name, in a place that the hash chooses.  A
 * name whose hash is not there is no module's.  If the hash is there, the caller has to search.
 *
 * The table is made when it is asked, and freed some seconds after it was last asked.  It is
 * also freed when a module comes, before any code that waits for modules looks for its names.
 * A module that goes, or drops its init code, leaves hashes in the table that stand for nothing:
 * they cost a search at most.
 */
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <linux/stringhash.h>
#include <linux/workqueue.h>
#include "kernel/ksyms.h"
#include "kernel/symbols.h"

#define FORGET_DELAY	(10 * HZ)

/**
 * struct names - the table
 * @hashes: by their low bits, or in the next place that was free; 0: nothing is here
 * @mask: places, less one; a power of two, less one
 * @room: names that fit, with every other place free
 * @nr: names in it; more than @room: it is not complete
 */
struct names {
	u32 *hashes;
	u32 mask;
	size_t room;
	size_t nr;
};

/* Taken with any other mutex of ours held; inside it is only the kernel's module_mutex. */
static DEFINE_MUTEX(names_mutex);
static struct names names;	/* names_mutex; no @hashes: there is no table */

#if PE_MODULE_KALLSYMS_BY_NAME
void pe_module_symbols(const char *modname, pe_module_symbol_t *fn, void *data)
{
	pe_ks(module_kallsyms_on_each_symbol)(modname, fn, data);
}
#else
struct in_module {
	const char *modname;
	pe_module_symbol_t *fn;
	void *data;
};

static int if_in_module(void *data, const char *name, struct module *mod, unsigned long addr)
{
	const struct in_module *in = data;

	/* NULL: a symbol of the kernel itself. */
	if (!mod || (in->modname && strcmp(mod->name, in->modname)))
		return 0;
	return in->fn(in->data, name, addr);
}

void pe_module_symbols(const char *modname, pe_module_symbol_t *fn, void *data)
{
	struct in_module in = { .modname = modname, .fn = fn, .data = data };

	pe_ks(module_kallsyms_on_each_symbol)(if_in_module, &in);
}
#endif

/* Not 0. */
static u32 hash_of(const char *name)
{
	return hashlen_hash(hashlen_string(NULL, name)) | 1u << 31;
}

/* The place where the hash is, or where it belongs.  Some place is always free. */
static u32 *place_of(u32 hash)
{
	u32 i = hash & names.mask;

	while (names.hashes[i] && names.hashes[i] != hash)
		i = (i + 1) & names.mask;
	return &names.hashes[i];
}

static int count_name(void *data, const char *name, unsigned long addr)
{
	names.room++;
	return 0;
}

/* Returns non-zero, which ends the search, if there are more names than were counted. */
static int add_name(void *data, const char *name, unsigned long addr)
{
	u32 hash = hash_of(name);

	if (++names.nr > names.room)
		return 1;
	*place_of(hash) = hash;
	return 0;
}

static void names_drop(void)
{
	lockdep_assert_held(&names_mutex);
	kvfree(names.hashes);
	names = (struct names){};
}

/* Without memory, or if a module has come since its names were counted, there is no table. */
static void names_make(void)
{
	size_t places;

	lockdep_assert_held(&names_mutex);
	pe_module_symbols(NULL, count_name, NULL);
	places = roundup_pow_of_two(2 * names.room + 1);
	names.mask = places - 1;
	names.hashes = kvcalloc(places, sizeof(*names.hashes), GFP_KERNEL | __GFP_NOWARN);
	if (names.hashes)
		pe_module_symbols(NULL, add_name, NULL);
	if (!names.hashes || names.nr > names.room)
		names_drop();
}

static void forget(struct work_struct *work)
{
	mutex_lock(&names_mutex);
	names_drop();
	mutex_unlock(&names_mutex);
}

static DECLARE_DELAYED_WORK(forget_work, forget);

/**
 * pe_module_may_have() - may a module have a symbol of a name?
 * @name: of a symbol, without a module's name
 *
 * A name that is asked at the moment when a module with that name comes may be denied, as it
 * would have been a moment before.
 *
 * Context: process, may sleep.  Return: false if none has.
 */
bool pe_module_may_have(const char *name)
{
	bool may;

	mutex_lock(&names_mutex);
	if (!names.hashes)
		names_make();
	may = !names.hashes || *place_of(hash_of(name));
	mutex_unlock(&names_mutex);
	mod_delayed_work(system_wq, &forget_work, FORGET_DELAY);
	return may;
}

static int module_event(struct notifier_block *nb, unsigned long event, void *data)
{
	if (event != MODULE_STATE_COMING)
		return NOTIFY_DONE;
	forget(NULL);
	return NOTIFY_OK;
}

/* Before all others, which may look for the module's names. */
static struct notifier_block module_notifier = {
	.notifier_call = module_event,
	.priority = INT_MAX,
};

int pe_module_names_init(void)
{
	return register_module_notifier(&module_notifier);
}

/* Nobody looks for symbols any more. */
void pe_module_names_exit(void)
{
	unregister_module_notifier(&module_notifier);
	cancel_delayed_work_sync(&forget_work);
	forget(NULL);
}
