/* SPDX-License-Identifier: GPL-2.0 */
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
 * @err: zeroed by the caller
 *
 * Return: the filter, or ERR_PTR(-errno) as the kernel's filter files answer;
 * with -ENOMEM and no code in @err there was no memory.
 */
struct pe_link_filter *pe_filter_create(const struct pe_event *event, const char *text,
					struct pe_parse_err *err);

/**
 * pe_filter_free() - free a filter that hits may be using
 * @filter: or NULL
 */
void pe_filter_free(struct pe_link_filter *filter);

/**
 * pe_link_set_filter() - what a write to an event's filter file does
 * @text: changed: trailing blanks are cut; "0" clears
 *
 * As in the kernel, a refused expression still replaces the filter: the event is
 * not filtered then, and its file shows what was wrong.  -ENOMEM changes nothing.
 */
int pe_link_set_filter(struct pe_event_link *link, char *text);

/**
 * pe_group_set_filter() - what a write to a group's filter file does
 *
 * Each event of the group in the instance gets the filter.  Where it does not fit
 * the event is not filtered, its file and the error log say so, and the write
 * succeeds all the same: as in the kernel.  -ENOMEM changes nothing.
 */
int pe_group_set_filter(const char *group, struct pe_instance *inst, char *text);

/* The text of an event's filter file. */
void pe_link_show_filter(struct seq_file *m, const struct pe_event_link *link);

/* The link is going; no lock, hits may still be in it. */
void pe_link_drop_filter(struct pe_event_link *link);

#endif
