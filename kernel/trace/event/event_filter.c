// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * event_filter.c - the filters of events in instances.
 *
 * A link has a compiled filter, which hits run and which is replaced under RCU,
 * and the text that its file shows.  After a refused expression there is none,
 * and the text is the expression with a caret and the reason.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "error_log.h"
#include "event.h"
#include "event_filter.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/filter_parse.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "owner.h"
#include "variant.h"

#define SUBSYSTEM	"event filter parse error"

struct pe_link_filter *pe_filter_create(const struct pe_event *event, const char *text,
					struct pe_parse_err *err)
{
	struct pe_link_filter *filter;
	struct pe_filter_plan plan;
	struct pe_layout layout;
	void *work;
	int ret;

	ret = pe_filter_measure(text, &plan, err);
	if (ret)
		return ERR_PTR(ret);
	filter = kvzalloc(offsetof(struct pe_link_filter, program) + plan.program,
			  GFP_KERNEL_ACCOUNT);
	work = kvmalloc(plan.work, GFP_KERNEL);
	if (!filter || !work) {
		ret = -ENOMEM;
	} else {
		pe_event_layout(event, &layout);
		ret = pe_filter_compile(&filter->program, work, &plan, text, &layout, err);
	}
	kvfree(work);
	if (!ret)
		return filter;
	kvfree(filter);
	return ERR_PTR(ret);
}

void pe_filter_free(struct pe_link_filter *filter)
{
	if (filter)
		kvfree_rcu(filter, rcu);
}

/* A refused expression as the file shows it, without the newline at the end. */
static char *pe_error_text(const char *text, const struct pe_parse_err *err)
{
	size_t len = strlen(text), pos = min_t(size_t, err->pos, len);

	if (err->code == PE_ERR_NONE)
		return kasprintf(GFP_KERNEL_ACCOUNT, "%s\nError: (0)\n", text);
	return kasprintf(GFP_KERNEL_ACCOUNT, "%s\n%*s\nparse_error: %s\n", text,
			 (int)(pos ? pos + 1 : 0), "^", pe_parse_err_text(err->code));
}

void pe_filter_log_error(struct pe_instance *inst, const char *text,
			 const struct pe_parse_err *err)
{
	struct pe_parse_err known = *err;

	if (known.code == PE_ERR_NONE)
		known.code = PE_ERR_FILT_ERRNO;
	pe_error_log_in(inst, SUBSYSTEM, text, &known);
}

void pe_filter_change_swap(struct pe_filter_change *change)
{
	struct pe_event_link *link = change->link;
	struct pe_link_filter *old;

	old = rcu_dereference_protected(link->filter, lockdep_is_held(&pe_event_mutex));
	rcu_assign_pointer(link->filter, change->filter);
	pe_event_changed(link->event);
	change->filter = old;
	swap(link->filter_text, change->text);
}

void pe_filter_change_end(struct pe_filter_change *change)
{
	pe_filter_free(change->filter);
	kfree(change->text);
}

static void pe_event_filter_apply(struct pe_filter_change *change)
{
	pe_filter_change_swap(change);
	pe_filter_change_end(change);
}

/*
 * Prepare a change.  @group_err: shown instead of the parser's error, or NULL.
 * Returns:
 *   0		the change is prepared
 *   -errno	the expression is refused; the change is prepared
 *   -ENOMEM	the change is not prepared
 */
static int pe_event_filter_prepare(struct pe_filter_change *change, struct pe_event_link *link,
				   const char *text, const struct pe_parse_err *group_err)
{
	struct pe_parse_err err = {};
	int ret;

	change->link = link;
	change->filter = pe_filter_create(link->event, text, &err);
	ret = PTR_ERR_OR_ZERO(change->filter);
	if (!ret) {
		change->text = kstrdup(text, GFP_KERNEL_ACCOUNT);
	} else {
		change->filter = NULL;
		if (ret == -ENOMEM && err.code == PE_ERR_NONE)
			return ret;
		if (group_err)
			err = *group_err;
		change->text = pe_error_text(text, &err);
		pe_filter_log_error(link->instance, text, &err);
	}
	if (change->text)
		return ret;
	pe_filter_free(change->filter);
	change->filter = NULL;
	return -ENOMEM;
}

static bool pe_says_clear(char *text)
{
	return !strcmp(strstrip(text), "0");
}

int pe_link_set_filter(struct pe_event_link *link, char *text)
{
	struct pe_filter_change change = { .link = link };
	int ret = 0;

	lockdep_assert_held(&pe_event_mutex);

	if (!pe_says_clear(text)) {
		ret = pe_event_filter_prepare(&change, link, text, NULL);
		if (!change.text)
			return ret;
	}
	pe_event_filter_apply(&change);
	return ret;
}

int pe_filter_change_begin(struct pe_filter_change *change, struct pe_event_link *link,
			   char *text)
{
	int ret = 0;

	lockdep_assert_held(&pe_event_mutex);

	*change = (struct pe_filter_change){ .link = link };
	if (!pe_says_clear(text))
		ret = pe_event_filter_prepare(change, link, text, NULL);
	if (ret) {
		pe_filter_change_end(change);
		*change = (struct pe_filter_change){};
	}
	return ret;
}

/* The events of a group that the writer of its file may give a filter. */
static bool pe_in_group(const struct pe_event_link *link, const char *group)
{
	return !strcmp(link->event->group, group) &&
	       pe_event_may(link->event, link->instance, NULL);
}

static void pe_clear_group(const char *group, struct pe_instance *inst)
{
	struct pe_event_link *link;

	list_for_each_entry(link, &inst->links, instance_list) {
		struct pe_filter_change change = { .link = link };

		if (pe_in_group(link, group))
			pe_event_filter_apply(&change);
	}
}

int pe_group_set_filter(const char *group, struct pe_instance *inst, char *text)
{
	const struct pe_parse_err err = { .code = PE_ERR_FILT_BAD_GROUP };
	unsigned int i, n = 0, done = 0;
	struct pe_event_link *link;
	struct pe_filter_change *changes;
	int ret = 0;

	lockdep_assert_held(&pe_event_mutex);

	if (pe_says_clear(text)) {
		pe_clear_group(group, inst);
		return 0;
	}
	list_for_each_entry(link, &inst->links, instance_list)
		n += pe_in_group(link, group);
	changes = kvcalloc(n, sizeof(*changes), GFP_KERNEL);
	if (!changes)
		return -ENOMEM;
	list_for_each_entry(link, &inst->links, instance_list) {
		if (!pe_in_group(link, group))
			continue;
		ret = pe_event_filter_prepare(&changes[done], link, text, &err);
		if (!changes[done].text)
			break;
		done++;
	}
	/* The errors of expressions that do not fit have been told. */
	for (i = 0; i < done; i++) {
		if (done == n)
			pe_event_filter_apply(&changes[i]);
		else
			pe_filter_change_end(&changes[i]);
	}
	kvfree(changes);
	return done == n ? 0 : ret;
}

void pe_link_show_filter(struct seq_file *m, const struct pe_event_link *link)
{
	lockdep_assert_held(&pe_event_mutex);
	seq_printf(m, "%s\n", link->filter_text ? link->filter_text : "none");
}

void pe_link_drop_filter(struct pe_event_link *link)
{
	/* The caller has the only reference to the link, so there is no lock to name. */
	pe_filter_free(rcu_dereference_protected(link->filter, true));
	kfree(link->filter_text);
}
