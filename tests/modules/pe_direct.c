// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_direct.c - code that a function's entry calls directly, like BPF's programs.
 *
 * Before another tracer may divert the function, ftrace asks the owner of such code.  BPF
 * answers EAGAIN while it changes its programs; this module always does.
 *
 *   function=SYM	the function
 */
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/linkage.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <asm/ibt.h>
#include "kernel/know/compat.h"

static char *function;
module_param(function, charp, 0400);

/* Called from the function's first bytes, with its arguments in their registers. */
void pe_direct_code(void);
asm(".pushsection .text\n"
	".type pe_direct_code, @function\n"
	"pe_direct_code:\n"
	ASM_ENDBR
	ASM_RET
	".size pe_direct_code, . - pe_direct_code\n"
	".popsection\n");

static int answer(PE_OPS_FUNC_ARGS)
{
	return -EAGAIN;
}

static struct ftrace_ops ops = { .ops_func = answer };

static int __init direct_init(void)
{
	int err;

	if (!function)
		return -EINVAL;
	err = ftrace_set_filter(&ops, function, strlen(function), 1);
	if (!err)
		err = pe_register_direct(&ops, (unsigned long)pe_direct_code);
	if (err)
		ftrace_free_filter(&ops);
	return err;
}
module_init(direct_init);

static void __exit direct_exit(void)
{
	pe_unregister_direct(&ops, (unsigned long)pe_direct_code);
	ftrace_free_filter(&ops);
}
module_exit(direct_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A direct caller of a function that answers EAGAIN");
