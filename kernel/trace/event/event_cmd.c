// SPDX-License-Identifier: GPL-2.0
/*
 * event_cmd.c - commands of kprobe_events and dynamic_events: define an event, append a probe to
 * an event, delete.
 *
 * A command changes everything that it names, or nothing.  The order of checks
 * is the kernel's, because only the first error is shown.
 */
#include <linux/atomic.h>
#include <linux/ctype.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "kernel/trace/parse/arg.h"
#include "error_log.h"
#include "event.h"
#include "event_cmd.h"
#include "event_enable.h"
#include "event_probe.h"
#include "event_set.h"
#include "event_trigger.h"
#include "place.h"
#include "tpoint.h"
#include "kernel/trace/parse/limits.h"
#include "mirror.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/parse/spec.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_probe.h"

/* About 60 KB. */
struct command {
	struct pe_spec spec;
	struct pe_parse_err err;
	struct pe_symbol found;		/* by the place's symbol, if it has one */
	struct pe_hint hint;
	char joined[PE_MAX_COMMAND_LEN + PE_MAX_DENTRY_TEXT + 1];
};

static int fail(struct command *cmd, enum pe_parse_errno code, unsigned int pos, int ret)
{
	return pe_parse_fail(&cmd->err, code, pos, ret);
}

static int fail_place(struct command *cmd, enum pe_parse_errno code, int ret)
{
	return fail(cmd, code, cmd->spec.place_off, ret);
}

/* The same, with what has been found out about it. */
static int fail_hint(struct command *cmd, enum pe_parse_errno code, int ret)
{
	fail_place(cmd, code, ret);
	if (cmd->hint.text[0])
		cmd->err.detail = cmd->hint.text;
	return ret;
}

enum entry { ENTRY_NO, ENTRY_YES, ENTRY_UNKNOWN };

/* Is it the entry of the function at this address, whatever symbol named it? */
static enum entry entry_at(unsigned long addr)
{
	unsigned long start, size;

	if (!pe_symbol_at(addr, &start, &size))
		return ENTRY_UNKNOWN;
	return pe_addr_on_entry(start, addr - start) ? ENTRY_YES : ENTRY_NO;
}

/* Parameters have names and types if the place is one function. */
static unsigned long only_function(const struct pe_spec *spec)
{
	struct pe_symbol found = {};

	if (!pe_spec_is_pattern(spec))
		pe_symbol_find(spec->symbol, &found);
	return found.count == 1 ? found.addr : 0;
}

/* A tracepoint that is not there may come with a module. */
static int check_tpoint(struct command *cmd, struct pe_parse_env *env)
{
	if (!PE_HAVE_TPOINTS) {
		fail_place(cmd, PE_ERR_NO_TRACEPOINT, -EINVAL);
		cmd->err.detail = "this kernel has no tracepoints";
		return -EINVAL;
	}
	env->on_entry = true;
	env->addr = pe_tpoint_function(cmd->spec.symbol);
	return 0;
}

/*
 * Check the place as far as parsing the arguments needs it.  A symbol of a
 * module that is not loaded is assumed to be there.  What the symbol is goes to @cmd->found.
 * Functions of an fprobe are looked for last, as the kernel does.
 */
static int check_place(struct command *cmd, struct pe_parse_env *env)
{
	struct pe_spec *spec = &cmd->spec;
	struct pe_symbol *found = &cmd->found;
	enum entry entry = ENTRY_UNKNOWN;

	*found = (struct pe_symbol){};
	if (spec->tpoint)
		return check_tpoint(cmd, env);
	if (spec->fprobe) {
		env->on_entry = spec->cmd == PE_CMD_PROBE;
		env->addr = only_function(spec);
		return 0;
	}
	if (!spec->symbol[0]) {
		env->on_entry = entry_at(spec->addr) == ENTRY_YES;
		env->addr = spec->addr;
		return 0;
	}
	pe_place_find(spec, found, &cmd->hint);
	if (found->count > 1)
		return fail_hint(cmd, PE_ERR_NON_UNIQ_SYMBOL, -EINVAL);
	if (!found->count && pe_module_loaded(spec->symbol))
		return fail_hint(cmd, PE_ERR_BAD_PROBE_ADDR, -EINVAL);

	if (found->addr) {
		env->addr = found->addr + spec->offset;
		entry = entry_at(env->addr);
	}
	env->on_entry = entry == ENTRY_YES;
	/* The engine reports an address outside of functions, and does so last. */
	if (spec->cmd == PE_CMD_RETURN && entry == ENTRY_NO)
		return fail_place(cmd, PE_ERR_BAD_RETPROBE, -EINVAL);
	return 0;
}

static bool same_arg(const struct pe_arg *a, const struct pe_arg *b)
{
	return a->type == b->type && a->count == b->count &&
	       a->bf_width == b->bf_width && !strcmp(a->name, b->name);
}

static bool same_probe(const struct pe_event_probe *a, const struct pe_event_probe *b)
{
	return !strcmp(a->place, b->place) && pe_event_same_exprs(a, b);
}

/* All probes of an event must write the same record. */
static int check_args_fit(struct command *cmd, const struct pe_event *event)
{
	const struct pe_spec *spec = &cmd->spec;
	unsigned int i, n = min_t(unsigned int, spec->nargs, event->nargs);

	for (i = 0; i < n; i++)
		if (!same_arg(&spec->args[i], &event->args[i]))
			break;
	if (i == spec->nargs && i == event->nargs)
		return 0;
	/* An argument is missing: its place is past the end. */
	if (i == spec->nargs) {
		pe_spec_join(spec, cmd->joined, sizeof(cmd->joined));
		return fail(cmd, PE_ERR_DIFF_ARG_TYPE, strlen(cmd->joined) + 1, -EEXIST);
	}
	return fail(cmd, PE_ERR_DIFF_ARG_TYPE, pe_spec_arg_col(spec, i), -EEXIST);
}

static int check_fits(struct command *cmd, const struct pe_event *event,
		      const struct pe_event_probe *probe)
{
	const struct pe_event_probe *other;
	int ret;

	ret = check_args_fit(cmd, event);
	if (ret)
		return ret;
	list_for_each_entry(other, &event->probes, list)
		if (same_probe(probe, other))
			return fail(cmd, PE_ERR_SAME_PROBE, 0, -EEXIST);
	return 0;
}

/* An fprobe's functions become its probe, or the members of its set. */
static int register_functions(struct command *cmd, struct pe_event_probe *probe)
{
	int ret = pe_event_set_find(probe, &cmd->spec, &cmd->hint);

	if (ret == -ENOENT)
		ret = fail_hint(cmd, PE_ERR_FAIL_REG_PROBE, -EINVAL);
	if (!ret)
		ret = pe_event_set_drop_known(probe);
	if (ret == -EEXIST)
		fail(cmd, PE_ERR_SAME_PROBE, 0, ret);
	if (ret)
		return ret;
	return probe->is_head ? pe_event_set_register(probe) : pe_event_probe_register(probe);
}

/* Register a probe whose event is set; log the engine's error. */
static int register_probe(struct command *cmd, struct pe_event_probe *probe)
{
	int ret;

	if (cmd->spec.fprobe && !cmd->spec.tpoint)
		ret = register_functions(cmd, probe);
	else
		ret = pe_event_probe_register(probe);
	if (cmd->err.code != PE_ERR_NONE)
		return ret;
	switch (ret) {
	case 0:
	case -ENOMEM:
		return ret;
	case -EILSEQ:
		fail_place(cmd, PE_ERR_BAD_INSN_BNDRY, ret);
		cmd->err.detail = pe_hint_bounds(&cmd->hint, probe->kp.addr);
		return ret;
	case -EADDRNOTAVAIL:
		return fail_place(cmd, PE_ERR_NON_UNIQ_SYMBOL, ret);
	case -ENOENT:
		fail_place(cmd, PE_ERR_BAD_PROBE_ADDR, ret);
		break;
	default:
		fail_place(cmd, PE_ERR_FAIL_REG_PROBE, ret);
		break;
	}
	/* These two errors have many causes. */
	cmd->err.detail = probe->kp.reason;
	return ret;
}

static void attach(struct pe_event *event, struct pe_event_probe *probe)
{
	list_add_tail(&probe->list, &event->probes);
	list_add_tail(&probe->all, &pe_probes);
	if (probe->is_head)
		pe_event_set_attach(probe);
}

static void unregister(struct pe_event_probe *probe)
{
	if (probe->is_head)
		pe_event_set_unregister(probe);
	else if (!probe->pending)
		pe_unregister_kprobe(&probe->kp);
}

/* On failure the caller frees the probe. */
static int append(struct command *cmd, struct pe_event *event,
		  struct pe_event_probe *probe)
{
	int ret;

	probe->event = event;
	probe->program.type = event->id;
	ret = check_fits(cmd, event, probe);
	if (!ret)
		ret = register_probe(cmd, probe);
	if (!ret)
		attach(event, probe);
	return ret;
}

/*
 * The engine has the probe, disabled, before any user can see the event.  So if
 * the engine refuses, no directory has come and gone.
 */
static int define(struct command *cmd, const char *group, const char *name,
		  struct pe_event_probe *probe)
{
	struct pe_event *event;
	int ret;

	event = pe_event_alloc(&cmd->spec);
	if (IS_ERR(event))
		return PTR_ERR(event);
	probe->event = event;
	ret = register_probe(cmd, probe);
	if (ret)
		goto put;
	ret = pe_event_publish(event, group, name);
	if (ret) {
		if (ret == -EEXIST)
			fail(cmd, PE_ERR_EVENT_EXIST, 0, ret);
		goto unregister;
	}
	probe->program.type = event->id;
	attach(event, probe);
	return 0;

unregister:
	unregister(probe);
put:
	pe_event_put(event);
	return ret;
}

/* @made: set if the command has made an event, and not only added to one: its probe */
static int create_locked(struct command *cmd, struct pe_event_probe **made)
{
	const struct pe_spec *spec = &cmd->spec;
	const char *group = spec->group[0] ? spec->group : pe_spec_default_group(spec);
	bool is_return = spec->cmd == PE_CMD_RETURN;
	char name[PE_MAX_EVENT_NAME_LEN];
	struct pe_event_probe *probe;
	struct pe_event *event;
	int ret;

	if (spec->event[0])
		strscpy(name, spec->event, sizeof(name));
	else
		pe_spec_default_name(spec, name);

	event = pe_event_find(group, name);
	if (event && event->is_fprobe != spec->fprobe)
		return fail(cmd, PE_ERR_EVENT_EXIST, 0, -EEXIST);
	if (event && (event->is_return != is_return || event->is_tpoint != spec->tpoint))
		return fail(cmd, PE_ERR_DIFF_PROBE_TYPE, 0, -EEXIST);

	probe = pe_event_probe_alloc(spec, &cmd->found);
	if (IS_ERR(probe))
		return PTR_ERR(probe);
	if (event)
		ret = append(cmd, event, probe);
	else
		ret = define(cmd, group, name, probe);
	if (ret)
		pe_event_probe_free(probe);
	else if (!event)
		*made = probe;
	return ret;
}

static void add_to_batch(struct pe_event_probe *probe, struct list_head *batch)
{
	list_add_tail(&probe->batch, batch);
	if (probe->is_head)
		pe_event_set_batch(probe, batch);
}

/* Would the event lose all of its probes? */
static bool batch_has_all(const struct pe_event *event)
{
	const struct pe_event_probe *probe;

	list_for_each_entry(probe, &event->probes, list) {
		if (list_empty(&probe->batch))
			return false;
		cond_resched();
	}
	return true;
}

/*
 * Would an event that is armed, or whose mirror is in use, lose its last probe?  Then the batch has
 * its first one, too, and with that it is looked at: once, however many probes it has.
 */
static bool batch_busy(struct list_head *batch)
{
	struct pe_event_probe *probe;
	struct pe_event *event;

	list_for_each_entry(probe, batch, batch) {
		event = probe->event;
		cond_resched();
		if (!list_is_first(&probe->list, &event->probes) ||
		    (!pe_event_armed(event) && !pe_mirror_busy(event)) || !batch_has_all(event))
			continue;
		if (pe_mirror_busy(event))
			pe_mirror_log_busy(event);
		return true;
	}
	return false;
}

static int remove_batch(struct list_head *batch, bool force)
{
	struct pe_event_probe *probe, *next;

	if (force || !batch_busy(batch)) {
		pe_event_probes_remove(batch);
		return 0;
	}
	list_for_each_entry_safe(probe, next, batch, batch) {
		list_del_init(&probe->batch);
		cond_resched();
	}
	return -EBUSY;
}

/* @made: of an event that has just been made.  Somebody may use it already: then it stays. */
static void unmake(struct pe_event_probe *made)
{
	LIST_HEAD(batch);

	lockdep_assert_held(&pe_event_mutex);
	add_to_batch(made, &batch);
	remove_batch(&batch, false);
}

/* An event has its mirror from its beginning, or there is no event. */
static int create_mirrored(struct command *cmd)
{
	bool locked = pe_mirrors_lock(true);
	struct pe_event_probe *made = NULL;
	int ret = create_locked(cmd, &made);

	if (made && locked) {
		/* Nobody else can remove it meanwhile. */
		mutex_unlock(&pe_event_mutex);
		ret = pe_mirror_begin(made->event, true);
		mutex_lock(&pe_event_mutex);
	} else if (made) {
		ret = pe_mirror_begin(made->event, false);
	}
	if (made && ret)
		unmake(made);
	mutex_unlock(&pe_event_mutex);
	pe_mirrors_unlock(locked, true);
	return ret;
}

static int create_event(struct command *cmd)
{
	struct pe_event_probe *made;
	int ret;

	if (pe_mirror_is_new())
		return create_mirrored(cmd);
	mutex_lock(&pe_event_mutex);
	ret = create_locked(cmd, &made);
	mutex_unlock(&pe_event_mutex);
	return ret;
}

static int create(struct command *cmd)
{
	struct pe_parse_env env = {
		.dentry_name_off = offsetof(struct dentry, d_name.name),
		.file_dentry_off = offsetof(struct file, f_path.dentry),
	};
	int ret;

	ret = check_place(cmd, &env);
	if (ret)
		return ret;
	ret = pe_args_parse(&cmd->spec, &env, &cmd->err);
	return ret ?: create_event(cmd);
}

/* kprobe_events is for kprobes only, dynamic_events is for all. */
static bool file_has(bool dynamic, const struct pe_event_probe *probe)
{
	return dynamic || !probe->event->is_fprobe;
}

static bool delete_matches(const struct pe_spec *spec, const struct pe_event_probe *probe)
{
	const struct pe_event *event = probe->event;

	return (!spec->event[0] || !strcmp(spec->event, event->name)) &&
	       (!spec->group[0] || !strcmp(spec->group, event->group)) &&
	       pe_spec_matches(spec, probe->place, event->is_fprobe && event->is_return,
			       probe->program.args, event->nargs);
}

static int delete(const struct pe_spec *spec, bool dynamic)
{
	bool locked = pe_mirrors_lock(false);
	struct pe_event_probe *probe;
	LIST_HEAD(batch);
	int ret = -ENOENT;

	list_for_each_entry(probe, &pe_probes, all) {
		if (file_has(dynamic, probe) && delete_matches(spec, probe))
			add_to_batch(probe, &batch);
		cond_resched();
	}
	if (!list_empty(&batch))
		ret = remove_batch(&batch, false);
	mutex_unlock(&pe_event_mutex);
	pe_mirrors_unlock(locked, false);
	return ret;
}

int pe_commands_delete_all(bool dynamic, bool force)
{
	bool locked = pe_mirrors_lock(false);
	struct pe_event_probe *probe;
	LIST_HEAD(batch);
	int ret;

	if (force)
		pe_triggers_clear_all();
	list_for_each_entry(probe, &pe_probes, all) {
		if (file_has(dynamic, probe))
			add_to_batch(probe, &batch);
		cond_resched();
	}
	ret = remove_batch(&batch, force);
	mutex_unlock(&pe_event_mutex);
	pe_mirrors_unlock(locked, false);
	return ret;
}

/*
 * The last command's memory, kept for the next command.  Some kernels zero memory when it is
 * allocated, and this is much memory.  A command writes only what it says.
 */
static struct command *spare;

static struct command *command_alloc(void)
{
	struct command *cmd = xchg(&spare, NULL);

	if (!cmd)
		cmd = kvmalloc(sizeof(*cmd), GFP_KERNEL);
	if (cmd) {
		cmd->err = (struct pe_parse_err){};
		cmd->hint.text[0] = '\0';
	}
	return cmd;
}

static void command_free(struct command *cmd)
{
	kvfree(xchg(&spare, cmd));
}

void pe_commands_exit(void)
{
	kvfree(spare);
}

int pe_command_run(const char *text, bool dynamic)
{
	struct command *cmd;
	int ret;

	if (!*skip_spaces(text))
		return 0;
	cmd = command_alloc();
	if (!cmd)
		return -ENOMEM;

	ret = pe_cmd_parse(&cmd->spec, text, &cmd->err);
	if (!dynamic && (cmd->spec.fprobe || cmd->spec.bang)) {
		cmd->err.code = PE_ERR_NONE;
		ret = -EINVAL;
	}
	if (ret)
		goto out;
	if (cmd->spec.cmd != PE_CMD_DELETE)
		ret = create(cmd);
	else
		ret = delete(&cmd->spec, dynamic);
out:
	if (ret && cmd->err.code != PE_ERR_NONE) {
		pe_spec_join(&cmd->spec, cmd->joined, sizeof(cmd->joined));
		pe_error_log(cmd->spec.fprobe ? "trace_fprobe" : "trace_kprobe", cmd->joined,
			     &cmd->err);
	}
	command_free(cmd);
	return ret;
}
