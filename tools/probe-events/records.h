/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * records.h - the records of a session's instance, by libtracefs, in order of time.
 */
#ifndef PE_TOOL_RECORDS_H
#define PE_TOOL_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <traceevent/event-parse.h>
#include "session.h"

/**
 * struct record - one of them
 * @at: nanoseconds of the instance's clock
 * @cpu: where
 * @data: the record, for the fields of its event
 * @stack: its callers, the innermost first; NULL: they are not wanted, or not known
 * @frames: how many
 * @nr: its number in the order of reading, for records of the same time
 * @context: the task and flags of the record, as its stack has them
 * @gap: gaps of its CPU before it: a stack after another number of them is not its own
 * @also: it is of the other event
 */
struct record {
	unsigned long long at;
	int cpu;
	void *data;
	unsigned long long *stack;
	size_t frames;
	bool also;
	/* private */
	unsigned long long nr, context, gap;
};

/**
 * struct records - a reader of all CPUs
 * @tep: knows the event
 * @event: whose records they are
 * @also: another event whose records are wanted; NULL: none
 * @missed: how many were overwritten before they were read, stacks among them
 * @page: gets each part of a CPU's buffer as it was read, too; -1: it cannot.  NULL: nothing does
 * @page_ctx: for @page
 * @stack: the event of stacks; NULL: they are not wanted
 * @next: the next record's @nr
 * @instance: the session's instance
 * @cpus: a reader of each CPU
 * @gaps: of each CPU, how often records were missing
 * @kbuf: takes a sub-buffer apart
 * @nr_cpus: how many there are
 * @sub: memory for a sub-buffer
 * @all: records that have been read and not been shown
 * @nr: how many of them
 * @room: for how many there is memory
 */
struct records {
	struct tep_handle *tep;
	struct tep_event *event;
	struct tep_event *also;
	unsigned long long missed;
	int (*page)(void *ctx, int cpu, const void *page, size_t size);
	void *page_ctx;
	/* private */
	struct tep_event *stack;
	unsigned long long next;
	struct tracefs_instance *instance;
	struct tracefs_cpu **cpus;
	unsigned long long *gaps;
	struct kbuffer *kbuf;
	int nr_cpus;
	char *sub;
	struct record *all;
	size_t nr, room;
};

/**
 * records_open() - begin to read
 * @rs: the reader, for records_close()
 * @s: the session, which has an instance and the event
 * @event: the event's name
 * @stacks: the instance makes a record of the stack after each of the event's
 *
 * Return: 0, or -1 after a message.
 */
int records_open(struct records *rs, const struct session *s, const char *event, bool stacks);

/**
 * records_also() - read those of another event of the session, too, in one order
 * @rs: the reader, open
 * @s: the session
 * @event: the name of the other event
 *
 * Return: 0, or -1 after a message.
 */
int records_also(struct records *rs, const struct session *s, const char *event);

/**
 * records_read() - take out what there is
 * @rs: the reader
 * @until: records before that time are complete: those after it are kept for the next call
 * @show: gets each record, in order; false: no more are wanted
 * @ctx: for @show
 *
 * Return: 0, or -1 after a message.
 */
int records_read(struct records *rs, unsigned long long until,
		 bool (*show)(void *ctx, const struct record *r), void *ctx);

/**
 * records_lost() - hits that were overwritten before they were read
 * @rs: the reader
 * @most: how many can be: hits that are nowhere else
 *
 * Return: how many; with stacks or another event at most @most, as a hit has two records then.
 */
unsigned long long records_lost(const struct records *rs, unsigned long long most);

/** records_close() - the end */
void records_close(struct records *rs);

#endif
