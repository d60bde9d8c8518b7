/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * dat_out.h - records as trace-cmd has them: trace.dat, made by trace-cmd itself.
 */
#ifndef PE_TOOL_DAT_OUT_H
#define PE_TOOL_DAT_OUT_H

#include <stddef.h>
#include "session.h"

/**
 * struct dat_out - a file that is being made
 * @path: its name
 * @cpus: what each CPU's buffer had, as it was read: files without a name
 * @nr_cpus: how many
 */
struct dat_out {
	const char *path;
	/* private */
	int *cpus;
	int nr_cpus;
};

/**
 * dat_out_begin() - before anything is armed
 * @d: the file, for dat_out_free()
 * @path: its name
 *
 * Return: 0, or -1 after a message.
 */
int dat_out_begin(struct dat_out *d, const char *path);

/** dat_out_page() - a part of a CPU's buffer; for struct records, with a struct dat_out as @ctx */
int dat_out_page(void *ctx, int cpu, const void *page, size_t size);

/**
 * dat_out_end() - write the file
 * @d: the file
 * @s: the session, which still has the event
 *
 * Return: 0, or -1 after a message.
 */
int dat_out_end(const struct dat_out *d, const struct session *s);

/** dat_out_needs() - -f dat can be done here; 0, or -1 after a message */
int dat_out_needs(void);

/**
 * dat_out_snapshot() - write a file of the snapshot of a session's instance, which is taken out
 * @path: the file
 * @s: the session
 *
 * Return: 0, or -1 after a message.
 */
int dat_out_snapshot(const char *path, const struct session *s);

/** dat_out_free() - the end */
void dat_out_free(struct dat_out *d);

#endif
