/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * reader.h - records of one or all CPUs in order of time, as lines of text (reader.c).
 */
#ifndef PE_READER_H
#define PE_READER_H

#include <linux/types.h>

struct pe_buffer;
struct pe_instance;
struct pe_rb_record;
struct pe_reader;
struct pe_view;
struct seq_file;

/**
 * pe_reader_alloc() - get ready to read
 * @view: the instance and the CPU, or all
 * @consuming: for pe_reader_consume(); otherwise for the other functions
 * @snapshot: read the snapshot, not consuming
 *
 * One user at a time.  Return: NULL without memory.
 */
struct pe_reader *pe_reader_alloc(struct pe_view *view, bool consuming, bool snapshot);
void pe_reader_free(struct pe_reader *reader);

/**
 * pe_reader_consume() - print the oldest record and take it out of the buffer
 * @reader: from pe_reader_alloc()
 * @m: where; only its buf, size and count are used
 *
 * Return: 1; 0 if there is none; -ENOSPC if the line has no room in @m: then
 * nothing was printed or consumed.
 */
int pe_reader_consume(struct pe_reader *reader, struct seq_file *m);

/**
 * pe_reader_restart() - look at the buffer from its start
 * @reader: from pe_reader_alloc()
 *
 * Records written later are not shown, so reading ends even if writers are faster
 * than the reader.
 *
 * Return: 0; -ENOMEM, and then call it again before anything else.
 */
int pe_reader_restart(struct pe_reader *reader);

/**
 * pe_reader_resume() - go on with what has been written since the end
 * @reader: from pe_reader_alloc()
 *
 * Call it when there is nothing to peek at.  Reading ends again, as after a restart.
 *
 * Return: as pe_reader_restart().
 */
int pe_reader_resume(struct pe_reader *reader);

/* Is there a record to show? */
bool pe_reader_peek(struct pe_reader *reader);
/* After a true peek: show prints the record, as often as wanted; step goes to the next. */
void pe_reader_show(struct pe_reader *reader, struct seq_file *m);
void pe_reader_step(struct pe_reader *reader);

/**
 * pe_record_show() - a record as the lines that it has in trace
 * @m: where
 * @inst: its options count
 * @buf: the buffer that has the record, for its clock
 * @cpu: the CPU whose ring has it
 * @rec: at least PE_RECORD_COMMON bytes long
 *
 * Context: any; @inst and @buf stay.
 */
void pe_record_show(struct seq_file *m, const struct pe_instance *inst,
		    const struct pe_buffer *buf, unsigned int cpu,
		    const struct pe_rb_record *rec);

#endif
