// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * event_cmd.c - commands of kprobe_events, dynamic_events and static_events: define an event,
 * append a probe to an event, delete.
 *
 * A command changes everything that it names, or nothing.  The order of checks
 * is the kernel's, because only the first error is shown.
 */
#include <linux/atomic.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "command.h"
#include "error_log.h"
#include "event.h"
#include "event_cmd.h"
#include "event_enable.h"
#include "event_set.h"
#include "event_source.h"
#include "event_trigger.h"
#include "event_users.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/limits.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/parse/spec.h"
#include "kernel/trace/parse/suggest.h"
#include "kernel/trace/parse/sym_text.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_probe.h"
#include "kernel/trace/trace_session.h"
#include "mirror.h"
#include "owner.h"
#include "place.h"

static bool pe_same_arg(const struct pe_arg *a, const struct pe_arg *b)
{
	return a->type == b->type && a->count == b->count &&
	       a->bf_width == b->bf_width && !strcmp(a->name, b->name);
}

/* All probes of an event must write the same record. */
static int pe_check_args_fit(struct pe_command *cmd, const struct pe_event *event)
{
	const struct pe_placed *placed = &cmd->placed;
	unsigned int i, n = min_t(unsigned int, placed->nargs, event->nargs);

	for (i = 0; i < n; i++)
		if (!pe_same_arg(&placed->args[i], &event->args[i]))
			break;
	if (i == placed->nargs && i == event->nargs)
		return 0;
	return pe_command_fail(cmd, PE_ERR_DIFF_ARG_TYPE, pe_placed_arg_col(placed, i), -EEXIST);
}

static int pe_check_fits(struct pe_command *cmd, const struct pe_event *event,
			 const struct pe_source *source)
{
	int ret = pe_check_args_fit(cmd, event) ?: pe_command_same_text(cmd, event);

	if (!ret && pe_event_has_same(event, source))
		return pe_command_fail(cmd, PE_ERR_SAME_PROBE, 0, -EEXIST);
	return ret;
}

/* Find an fprobe's functions. */
static int pe_find_functions(struct pe_command *cmd, struct pe_source *source)
{
	int ret = pe_event_set_find(source, &cmd->placed, &cmd->hint);

	if (ret == -ENOENT) {
		/* The look through all symbols tells of places that have been tried as well. */
		if (*cmd->tried.text)
			strscpy(cmd->hint.text, "no such function", sizeof(cmd->hint.text));
		ret = pe_command_fail_hint(cmd, PE_ERR_FAIL_REG_PROBE, -EINVAL);
	}
	if (!ret)
		ret = pe_event_set_drop_known(source);
	if (ret == -EEXIST)
		pe_command_fail(cmd, PE_ERR_SAME_PROBE, 0, ret);
	return ret;
}

/* Register the probes of a source with an event; log the engine's error. */
static int pe_register_source(struct pe_command *cmd, struct pe_source *source,
			      struct pe_event *event)
{
	const char *reason = NULL;
	int ret = 0;

	source->one.event = event;
	source->one.program.type = event->id;
	if (source->one.program.since_word >= 0)
		ret = pe_event_keep_since(event);
	if (!ret && cmd->spec.fprobe && !cmd->spec.tpoint)
		ret = pe_find_functions(cmd, source);
	if (!ret)
		ret = pe_source_register(source, &reason);
	if (cmd->err.code != PE_ERR_NONE)
		return ret;
	switch (ret) {
	case 0:
	case -ENOMEM:
		return ret;
	case -EILSEQ:
		pe_command_fail_place(cmd, PE_ERR_BAD_INSN_BNDRY, ret);
		cmd->err.detail = pe_hint_bounds(&cmd->hint, &cmd->placed.place, &cmd->found,
						 source->one.kp.addr);
		return ret;
	case -EADDRNOTAVAIL:
		return pe_command_fail_place(cmd, PE_ERR_NON_UNIQ_SYMBOL, ret);
	case -ENOENT:
		pe_command_fail_place(cmd, PE_ERR_BAD_PROBE_ADDR, ret);
		break;
	default:
		pe_command_fail_place(cmd, PE_ERR_FAIL_REG_PROBE, ret);
		break;
	}
	/* These two errors have many causes. */
	cmd->err.detail = reason;
	return ret;
}

/* The event is another's. */
static int pe_event_cmd_owned(struct pe_command *cmd, const struct pe_event *event)
{
	enum pe_parse_errno code = pe_event_owner_error(event, cmd->owner);

	cmd->err.detail = cmd->owner;
	return pe_command_fail(cmd, code, 0, -EPERM);
}

/* On failure the caller frees the source. */
static int pe_event_cmd_append(struct pe_command *cmd, struct pe_event *event,
			       struct pe_source *source)
{
	int ret = pe_check_fits(cmd, event, source) ?: pe_register_source(cmd, source, event);

	if (!ret)
		pe_source_attach(source);
	return ret;
}

/*
 * The engine has the probe, disabled, before any user can see the event.  So if
 * the engine refuses, no directory has come and gone.
 */
static int pe_event_cmd_define(struct pe_command *cmd, const char *group, const char *name,
			       struct pe_source *source)
{
	struct pe_event *event;
	int ret;

	event = pe_event_alloc(&cmd->placed);
	if (IS_ERR(event))
		return PTR_ERR(event);
	event->session = cmd->session;
	event->is_static = cmd->file == PE_STATIC_EVENTS;
	ret = pe_command_keep_text(cmd, event) ?: pe_register_source(cmd, source, event);
	if (ret)
		goto put;
	ret = pe_event_publish(event, group, name);
	if (ret) {
		if (ret == -EEXIST)
			pe_command_fail(cmd, PE_ERR_EVENT_EXIST, 0, ret);
		pe_source_unregister(source);
		goto put;
	}
	pe_source_attach(source);
	return 0;

put:
	pe_event_put(event);
	return ret;
}

static const char *pe_event_cmd_group(const struct pe_command *cmd)
{
	if (cmd->spec.group[0])
		return cmd->spec.group;
	return cmd->session ? cmd->session->name : pe_spec_default_group(&cmd->spec);
}

static int pe_create_locked(struct pe_command *cmd)
{
	const struct pe_spec *spec = &cmd->spec;
	const char *group = pe_event_cmd_group(cmd);
	bool is_return = spec->cmd == PE_CMD_RETURN;
	bool is_static = cmd->file == PE_STATIC_EVENTS;
	char name[PE_MAX_EVENT_NAME_LEN];
	struct pe_source *source;
	struct pe_event *event;
	int ret;

	if (spec->event[0])
		strscpy(name, spec->event, sizeof(name));
	else
		pe_placed_default_name(&cmd->placed, name);

	event = pe_event_find(group, name);
	if (event && event->session != cmd->session)
		return pe_event_cmd_owned(cmd, event);
	if (event && (event->is_fprobe != spec->fprobe || event->is_static != is_static))
		return pe_command_fail(cmd, PE_ERR_EVENT_EXIST, 0, -EEXIST);
	if (event && (event->is_return != is_return || event->is_tpoint != spec->tpoint))
		return pe_command_fail(cmd, PE_ERR_DIFF_PROBE_TYPE, 0, -EEXIST);

	source = pe_source_alloc(&cmd->placed, &cmd->found);
	if (IS_ERR(source))
		return PTR_ERR(source);
	if (event)
		ret = pe_event_cmd_append(cmd, event, source);
	else
		ret = pe_event_cmd_define(cmd, group, name, source);
	if (ret) {
		pe_source_free(source);
		return ret;
	}
	cmd->made = source;
	cmd->is_new = !event;
	return 0;
}

/* @made: of an event that has just been made.  If it has users already, it stays. */
static void pe_event_cmd_unmake(struct pe_source *made, struct pe_mirrors *mirrors)
{
	LIST_HEAD(batch);

	lockdep_assert_held(&pe_event_mutex);
	pe_source_batch(made, &batch);
	pe_remove_batch(&batch, mirrors, false);
}

/* An event has its mirror from its beginning, or there is no event. */
static int pe_create_mirrored(struct pe_command *cmd, struct pe_mirrors *mirrors)
{
	int ret = pe_create_locked(cmd);

	if (ret || !cmd->is_new)
		return ret;
	ret = pe_mirror_begin(pe_source_event(cmd->made), mirrors);
	if (ret && !cmd->mirrors)
		pe_event_cmd_unmake(cmd->made, mirrors);
	return ret;
}

static int pe_create_event(struct pe_command *cmd)
{
	struct pe_mirrors mirrors;
	int ret;

	if (cmd->mirrors)
		return cmd->mirrored ? pe_create_mirrored(cmd, cmd->mirrors) :
				       pe_create_locked(cmd);
	/* The kernel may have an event of a static one's name. */
	if (pe_mirror_is_new() && cmd->file != PE_STATIC_EVENTS) {
		pe_mirrors_lock(&mirrors, true);
		ret = pe_create_mirrored(cmd, &mirrors);
		pe_mirrors_end(&mirrors);
		return ret;
	}
	mutex_lock(&pe_event_mutex);
	ret = pe_create_locked(cmd);
	mutex_unlock(&pe_event_mutex);
	return ret;
}

/* At the place that is tried. */
static int pe_create_here(struct pe_command *cmd)
{
	struct pe_parse_env env = {
		.dentry_name_off = offsetof(struct dentry, d_name.name),
		.file_dentry_off = offsetof(struct file, f_path.dentry),
	};
	int ret;

	ret = pe_command_check_place(cmd, &env);
	if (ret)
		return ret;
	ret = pe_args_parse(&cmd->placed, &env, &cmd->err) ?: pe_command_check_text(cmd);
	return ret ?: pe_create_event(cmd);
}

/* At the first of the alternatives that can be probed; if none can, the error tells why of each. */
static int pe_event_cmd_create(struct pe_command *cmd)
{
	int ret;

	do {
		ret = pe_create_here(cmd);
	} while (ret && ret != -ENOMEM && cmd->is_place && pe_command_next_place(cmd));
	return ret;
}

/* kprobe_events is for kprobes only, dynamic_events is for all that are not static. */
bool pe_command_file_has(enum pe_command_file file, const struct pe_source *source)
{
	const struct pe_event *event = pe_source_event(source);

	if (event->is_static || file == PE_STATIC_EVENTS)
		return event->is_static && file == PE_STATIC_EVENTS;
	return file == PE_DYNAMIC_EVENTS || !event->is_fprobe;
}

/* Sources of its owner's that a command names, and an event of another's that it names. */
struct search {
	const struct pe_command *cmd;
	pe_source_found_t found;
	void *data;
	const struct pe_event *other;
	bool any;
};

static int pe_search_note(void *data, struct pe_source *source)
{
	const struct pe_event *event = pe_source_event(source);
	struct search *s = data;

	if (!s->cmd->session && !pe_command_file_has(s->cmd->file, source))
		return 0;
	if (event->session != s->cmd->session) {
		s->other = event;
		return 0;
	}
	s->any = true;
	return s->found(s->data, source);
}

/* An event of another owner stays, and is told if there is nothing else. */
static int pe_event_cmd_search(struct pe_command *cmd, pe_source_found_t found, void *data)
{
	struct search s = { .cmd = cmd, .found = found, .data = data };
	int ret = pe_sources_named(&cmd->spec, pe_search_note, &s);

	if (ret || s.any)
		return ret;
	return s.other ? pe_event_cmd_owned(cmd, s.other) : -ENOENT;
}

static int pe_delete_note(void *batch, struct pe_source *source)
{
	pe_source_batch(source, batch);
	return 0;
}

static int pe_event_cmd_delete(struct pe_command *cmd)
{
	struct pe_mirrors mirrors;
	LIST_HEAD(batch);
	int ret;

	pe_mirrors_lock(&mirrors, false);
	ret = pe_event_cmd_search(cmd, pe_delete_note, &batch) ?:
	      pe_remove_batch(&batch, &mirrors, false);
	pe_mirrors_end(&mirrors);
	return ret;
}

int pe_commands_delete_all(enum pe_command_file file, bool force)
{
	struct pe_source *source;
	struct pe_mirrors mirrors;
	LIST_HEAD(batch);
	int ret;

	pe_mirrors_lock(&mirrors, false);
	if (force)
		pe_triggers_clear_all(false);
	list_for_each_entry(source, &pe_sources, all) {
		/* An event of a session goes with it. */
		if (force || (!pe_source_event(source)->session &&
			      pe_command_file_has(file, source)))
			pe_source_batch(source, &batch);
		cond_resched();
	}
	ret = pe_remove_batch(&batch, &mirrors, force);
	pe_mirrors_end(&mirrors);
	return ret;
}

/*
 * The last command's memory, kept for the next command.  Some kernels zero memory when it is
 * allocated, and this is much memory.  A command writes only what it says.
 */
static struct pe_command *pe_event_cmd_spare;

static struct pe_command *pe_command_alloc(void)
{
	struct pe_command *cmd = xchg(&pe_event_cmd_spare, NULL);

	if (!cmd)
		cmd = kvmalloc(sizeof(*cmd), GFP_KERNEL);
	if (cmd) {
		cmd->err = (struct pe_parse_err){};
		cmd->hint.text[0] = '\0';
		cmd->tried.text[0] = '\0';
		cmd->is_place = false;
		cmd->exists = false;
		cmd->file = PE_DYNAMIC_EVENTS;
		cmd->shown = NULL;
		cmd->session = NULL;
		cmd->mirrors = NULL;
		cmd->made = NULL;
	}
	return cmd;
}

static void pe_command_free(struct pe_command *cmd)
{
	kvfree(xchg(&pe_event_cmd_spare, cmd));
}

void pe_commands_exit(void)
{
	kvfree(pe_event_cmd_spare);
}

/* A command of another file's. */
static int pe_fail_file(struct pe_command *cmd)
{
	cmd->err = (struct pe_parse_err){
		.code = PE_ERR_NOT_HERE, .detail = "use dynamic_events",
	};
	return -EINVAL;
}

static int pe_event_cmd_run(struct pe_command *cmd, const char *text)
{
	int ret = pe_cmd_parse(&cmd->spec, text, &cmd->placed, &cmd->err);

	if (cmd->file == PE_KPROBE_EVENTS && (cmd->spec.fprobe || cmd->spec.bang))
		return pe_fail_file(cmd);
	if (ret)
		return ret;
	if (cmd->spec.cmd == PE_CMD_DELETE)
		return pe_event_cmd_delete(cmd);
	ret = pe_event_cmd_create(cmd);
	if (!ret)
		pe_command_note_awaited(cmd);
	return ret;
}

/* Every refusal is told; of an event that is in use, it has been. */
static void pe_log_command(struct pe_command *cmd, int ret)
{
	bool told = cmd->spec.cmd == PE_CMD_DELETE && ret == -EBUSY;

	if (ret && !told)
		pe_cmd_explain(&cmd->spec, ret, &cmd->err, cmd->hint.text, sizeof(cmd->hint.text));
	if (cmd->err.code == PE_ERR_NONE)
		return;
	pe_placed_join(&cmd->placed, cmd->joined, sizeof(cmd->joined));
	pe_command_join_text(cmd);
	pe_error_log(cmd->spec.fprobe ? "trace_fprobe" : "trace_kprobe", cmd->joined, &cmd->err);
}

int pe_command_run(const char *text, enum pe_command_file file,
		   const struct pe_event_text *shown)
{
	struct pe_command *cmd;
	int ret;

	if (!*skip_spaces(text))
		return 0;
	cmd = pe_command_alloc();
	if (!cmd)
		return -ENOMEM;
	cmd->file = file;
	cmd->shown = shown;
	ret = pe_event_cmd_run(cmd, text);
	pe_log_command(cmd, ret);
	pe_command_free(cmd);
	return ret;
}

/* ---- commands of sessions ---- */

/* Run a part of a command, and log its error. */
static int pe_command_part(const char *text, struct pe_command_step *step,
			   int (*part)(struct pe_command *cmd, struct pe_command_step *step))
{
	struct pe_command *cmd = pe_command_alloc();
	int ret;

	if (!cmd)
		return -ENOMEM;
	cmd->session = step->session;
	cmd->mirrors = step->mirrors;
	cmd->mirrored = step->mirrored;
	ret = pe_cmd_parse(&cmd->spec, text, &cmd->placed, &cmd->err) ?: part(cmd, step);
	pe_log_command(cmd, ret);
	pe_command_free(cmd);
	return ret;
}

static int pe_event_cmd_part_check(struct pe_command *cmd, struct pe_command_step *step)
{
	step->deletes = cmd->spec.cmd == PE_CMD_DELETE;
	return 0;
}

int pe_command_check(const char *text, struct pe_command_step *step)
{
	return pe_command_part(text, step, pe_event_cmd_part_check);
}

static int pe_event_cmd_part_create(struct pe_command *cmd, struct pe_command_step *step)
{
	int ret = pe_event_cmd_create(cmd);

	step->made = cmd->made;
	if (!ret)
		pe_command_note_awaited(cmd);
	return ret;
}

int pe_command_create(const char *text, struct pe_command_step *step)
{
	lockdep_assert_held(&pe_event_mutex);
	step->made = NULL;
	return pe_command_part(text, step, pe_event_cmd_part_create);
}

static int pe_event_cmd_part_find(struct pe_command *cmd, struct pe_command_step *step)
{
	return pe_event_cmd_search(cmd, step->found, step->data);
}

int pe_command_find(const char *text, struct pe_command_step *step)
{
	lockdep_assert_held(&pe_event_mutex);
	return pe_command_part(text, step, pe_event_cmd_part_find);
}

void pe_command_too_long(const char *text)
{
	const struct pe_parse_err err = { .code = PE_ERR_LINE_TOO_LONG };
	char *shown = kstrndup(text, 80, GFP_KERNEL);

	if (!shown)
		return;		/* the writer has the errno */
	pe_error_log("trace_kprobe", shown, &err);
	kfree(shown);
}
