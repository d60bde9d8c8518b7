/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * retire.h - objects that hits and tasks may still be using (retire.c).  Process context.
 */
#ifndef PE_RETIRE_H
#define PE_RETIRE_H

/**
 * struct pe_retired - in an object that waits to be freed
 * @next: the one that was retired before
 * @free: called when the wait is over
 *
 * The two belong to retire.c, from pe_retire() to @free.
 */
struct pe_retired {
	struct pe_retired *next;
	void (*free)(struct pe_retired *retired);
};

void pe_retire(struct pe_retired *retired, void (*free)(struct pe_retired *retired));
void pe_retire_wait(void);
void pe_retire_drain(void);

#endif
