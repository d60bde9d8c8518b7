/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * error_log.h - the last errors of commands of each instance.
 */
#ifndef PE_ERROR_LOG_H
#define PE_ERROR_LOG_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include "kernel/trace/parse/parse_err.h"

struct pe_instance;

/**
 * struct pe_error_entry - an entry of pe_error_list.entries
 * @list: in pe_error_list.entries
 * @ts: ns, local_clock()
 * @subsystem: the source of the error
 * @err: what it is
 * @address: stored after the command, for readers that may see it; NULL: there is none
 * @hashed: the same for the others
 * @command: and the other texts after it
 */
struct pe_error_entry {
	struct list_head list;
	u64 ts;
	const char *subsystem;
	struct pe_parse_err err;
	const char *address;
	const char *hashed;
	char command[];
};

/* error_log.c: any process context. */

extern struct mutex pe_error_log_mutex;		/* all instances' logs; a leaf */

void pe_error_log_in(struct pe_instance *inst, const char *subsystem, const char *text,
		     const struct pe_parse_err *err);
/* The same, in the top instance's log. */
void pe_error_log(const char *subsystem, const char *text,
		  const struct pe_parse_err *err);
/* The same; @text ends where an address follows, which is shown as each reader may see it. */
void pe_error_log_address(const char *subsystem, const char *text, const char *address,
			  const char *hashed, const struct pe_parse_err *err);

/* How many entries there have been. */
unsigned int pe_error_log_total(struct pe_instance *inst);
/* @text becomes the newest one's reason; false: there is none since that total was @before. */
bool pe_error_log_newest(struct pe_instance *inst, unsigned int before, char *text, size_t size);

/* Errors that an instance has logged since its total was @before become the top instance's. */
void pe_error_log_move(struct pe_instance *inst, unsigned int before);

void pe_error_log_clear(struct pe_instance *inst);

#endif
