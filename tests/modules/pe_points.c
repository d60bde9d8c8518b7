// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_points.c - a module with tracepoints.
 *
 *   echo N > run	hits pe_point N times with the arguments 1, "text 1", -1, 10, 20, 30, 40;
 *			2, "text 2", -2, ...; and pe_other once, with N
 *   cat used		is anybody at pe_point?  And at pe_other?
 *
 * pe_point is hit once when the module is loaded, and once when it is unloaded, with 0.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/tracepoint.h>
#include "kernel/know/compat.h"

PE_DECLARE_TRACE(pe_point,
		 TP_PROTO(unsigned long n, const char *text, int third, int ten, int twenty,
			  int thirty, unsigned long last),
		 TP_ARGS(n, text, third, ten, twenty, thirty, last));
PE_DECLARE_TRACE(pe_other, TP_PROTO(unsigned int n), TP_ARGS(n));

DEFINE_TRACE(pe_point,
	     TP_PROTO(unsigned long n, const char *text, int third, int ten, int twenty, int thirty,
		      unsigned long last),
	     TP_ARGS(n, text, third, ten, twenty, thirty, last));
DEFINE_TRACE(pe_other, TP_PROTO(unsigned int n), TP_ARGS(n));

static void hit(unsigned int n)
{
	char text[32];

	snprintf(text, sizeof(text), "text %u", n);
	trace_pe_point(n, text, -(int)n, 10, 20, 30, 40);
}

static int run_set(const char *val, const struct kernel_param *param)
{
	unsigned int i, n;
	int err = kstrtouint(val, 0, &n);

	if (err)
		return err;
	for (i = 1; i <= n; i++)
		hit(i);
	trace_pe_other(n);
	return 0;
}

static int used_get(char *buf, const struct kernel_param *param)
{
	return sysfs_emit(buf, "%d %d\n", trace_pe_point_enabled(), trace_pe_other_enabled());
}

static const struct kernel_param_ops run_ops = { .set = run_set };
module_param_cb(run, &run_ops, NULL, 0200);
static const struct kernel_param_ops used_ops = { .get = used_get };
module_param_cb(used, &used_ops, NULL, 0400);

static int __init points_init(void)
{
	hit(0);
	return 0;
}

static void __exit points_exit(void)
{
	hit(0);
}

module_init(points_init);
module_exit(points_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Test: tracepoints of a module");
