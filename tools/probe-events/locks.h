/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * locks.h - names of the kernel's locks.
 */
#ifndef PE_TOOL_LOCKS_H
#define PE_TOOL_LOCKS_H

#include "functions.h"
#include "preset.h"
#include "words.h"

#define LOCKS_TEXT 80
#define LOCKS_KINDS 7	/* bits of a lock's address that say which kind it is */

/** struct locks - what is known of them; all 0 at first, for locks_free() */
struct locks {
	/* private */
	struct words words;
	struct functions data;	/* all variables, read when the first one is looked for */
	char *kallsyms;
	long mmap_lock;
	bool tried;
};

/**
 * locks_print() - the name of a lock
 * @l: what is known
 * @p: the preset, with its kinds
 * @lock: the lock's address; its kind, if there are kinds, in its lowest bits
 * @mm: of the task that wants it; 0: not known
 * @text: gets "rwsem mmap_lock", of LOCKS_TEXT bytes: that of @mm, a variable, or the address
 */
void locks_print(struct locks *l, const struct preset *p, unsigned long long lock,
		 unsigned long long mm, char *text);

/** locks_free() - the end */
void locks_free(struct locks *l);

#endif
