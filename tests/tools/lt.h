/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * lt.h - shared by the programs that use libtracefs: a probe with known hits.
 *
 * The probe is on read_zero(), the kernel's read of /dev/zero, with the number
 * of bytes wanted as its argument.
 */
#ifndef PE_LT_H
#define PE_LT_H

#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#define LT_SYSTEM "lt"
#define LT_EVENT "zero"

/* A failed check ends the program. */
#define CHECK(cond) do {							\
	if (!(cond))								\
		errx(1, "%s:%d: %s (errno %d)", __FILE__, __LINE__, #cond, errno);	\
} while (0)

/* Run on this CPU from now on. */
static inline void lt_pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	CHECK(!sched_setaffinity(0, sizeof(set), &set));
}

/* One hit, with this argument. */
static inline void lt_hit(int zero, size_t bytes)
{
	static char buf[4096];

	CHECK(read(zero, buf, bytes) == (ssize_t)bytes);
}

static inline int lt_zero(void)
{
	int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);

	CHECK(fd >= 0);
	return fd;
}

/* The probe, enabled in an instance (NULL: the top one), without records yet. */
static inline struct tracefs_dynevent *lt_probe(struct tracefs_instance *instance)
{
	struct tracefs_dynevent *probe;

	probe = tracefs_kprobe_alloc(LT_SYSTEM, LT_EVENT, "read_zero", "bytes=%dx:u32 comm=$comm");
	CHECK(probe);
	if (tracefs_dynevent_create(probe))
		errx(1, "no probe: %s", tracefs_error_last(NULL) ?: "no reason");
	CHECK(!tracefs_event_enable(instance, LT_SYSTEM, LT_EVENT));
	CHECK(!tracefs_instance_file_clear(instance, "trace"));
	CHECK(!tracefs_trace_on(instance));
	return probe;
}

static inline void lt_unprobe(struct tracefs_instance *instance, struct tracefs_dynevent *probe)
{
	CHECK(!tracefs_event_disable(instance, LT_SYSTEM, LT_EVENT));
	CHECK(!tracefs_dynevent_destroy(probe, false));
	tracefs_dynevent_free(probe);
}

#endif
