/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * cmdlines.h - the table of names by pid.  Process context, unless marked [H].
 */
#ifndef PE_CMDLINES_H
#define PE_CMDLINES_H

#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/types.h>

struct pe_cmdline {
	s32 pid;
	s32 tgid;
	char comm[TASK_COMM_LEN];
};

struct pe_cmdline_last;

/* cmdlines.c */

DECLARE_PER_CPU(struct pe_cmdline_last, pe_cmdline_last);

void pe_cmdline_save(void);		/* [H] */
s32 pe_cmdline_find(s32 pid, char comm[16]);

/* Call these before the first record, and after the last. */
int pe_cmdlines_init(void);
void pe_cmdlines_exit(void);

unsigned int pe_cmdlines_size(void);

/**
 * pe_cmdlines_resize() - change the number of remembered pids
 * @size: rounded up to a power of 2
 *
 * Return: 0, -EINVAL for 0 or more than 32768, -ENOMEM.
 */
int pe_cmdlines_resize(unsigned long size);

/**
 * pe_cmdline_next() - the first entry of the table from @i on
 * @i: a number in the table, moved to the entry
 * @line: set
 *
 * Call it between lock and unlock.  Return: false after the last entry.
 */
bool pe_cmdline_next(unsigned long *i, struct pe_cmdline *line);
void pe_cmdlines_lock(void);
void pe_cmdlines_unlock(void);

#endif
