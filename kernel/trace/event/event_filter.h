/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * event_filter.h - the filters of events in instances: set, clear, show.
 *
 * Callers hold pe_event_mutex unless said otherwise.
 */
#ifndef PE_EVENT_FILTER_H
#define PE_EVENT_FILTER_H

struct pe_event;
struct pe_event_link;
struct pe_instance;
struct pe_link_filter;
struct pe_parse_err;
struct seq_file;

/* event_filter.c */

/**
 * pe_filter_create() - compile an expression for an event
 * @event: the event with the records to test
 * @text: the expression
 * @err: zeroed by the caller
 *
 * Return: the filter, or ERR_PTR(-errno) as of the kernel's filter files;
 * -ENOMEM with no code in @err means no memory.
 */
struct pe_link_filter *pe_filter_create(const struct pe_event *event, const char *text,
					struct pe_parse_err *err);

/* Note in an instance's error log what pe_filter_create() says of an expression. */
void pe_filter_log_error(struct pe_instance *inst, const char *text,
			 const struct pe_parse_err *err);

/**
 * pe_filter_free() - free a filter that hits may be using
 * @filter: or NULL
 */
void pe_filter_free(struct pe_link_filter *filter);

/**
 * pe_link_set_filter() - carry out a write to an event's filter file
 * @link: the event in the instance
 * @text: changed: trailing blanks are cut; "0" clears
 *
 * As in the kernel, even a refused expression replaces the filter: the event is
 * then not filtered, and its file shows the error.  -ENOMEM changes nothing.
 */
int pe_link_set_filter(struct pe_event_link *link, char *text);

/**
 * struct pe_filter_change - the filter that a link has, or is to have
 * @link: that
 * @filter: NULL: none
 * @text: of its file, an allocation; NULL: "none"
 */
struct pe_filter_change {
	struct pe_event_link *link;
	struct pe_link_filter *filter;
	char *text;
};

/**
 * pe_filter_change_begin() - prepare a write to an event's filter file
 * @change: filled if the expression is good
 * @link: the event in the instance
 * @text: as of pe_link_set_filter()
 *
 * Return: 0 or -errno; errors are in the error log.  Nothing is changed yet.
 */
int pe_filter_change_begin(struct pe_filter_change *change, struct pe_event_link *link,
			   char *text);
/* Exchange the link's filter with that in @change, which it then has: a second call undoes it. */
void pe_filter_change_swap(struct pe_filter_change *change);
void pe_filter_change_end(struct pe_filter_change *change);

/**
 * pe_group_set_filter() - carry out a write to a group's filter file
 * @group: its name
 * @inst: the instance
 * @text: as of pe_link_set_filter()
 *
 * Each event of the group in the instance gets the filter, but those of sessions
 * that work there.  An event that it does not fit is not filtered; the event's file
 * and the error log say so.  As in the kernel, the write succeeds all the same.
 * -ENOMEM changes nothing.
 */
int pe_group_set_filter(const char *group, struct pe_instance *inst, char *text);

/* The text of an event's filter file. */
void pe_link_show_filter(struct seq_file *m, const struct pe_event_link *link);

/* For a link that goes away.  No lock; hits may still use the filter. */
void pe_link_drop_filter(struct pe_event_link *link);

#endif
