/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * pe_site.h - an instruction to probe in the middle of a function: body and parameter.
 *
 * PE_SITE_BODY is an asm template for result = %1 + %2, which needs %ecx.  Its first
 * instruction after the label 1 is executed out of line when it is probed.  The loop
 * keeps a jump from replacing its bytes; it is never taken, because %ecx becomes -1.
 */
#ifndef PE_SITE_H
#define PE_SITE_H

#include <linux/moduleparam.h>
#include <linux/sysfs.h>

#define PE_SITE_BODY(fn, site)							\
	"xor %%ecx, %%ecx\n"							\
	"1: mov %1, %0\n"							\
	"2: add %2, %0\n"							\
	"dec %%ecx\n"								\
	"jns 2b\n"								\
	".pushsection .rodata\n"						\
	".balign 8\n"								\
	".globl " #site "\n" #site ": .quad 1b - " #fn "\n"			\
	".popsection\n"

/* The parameter @param, read only: the offset of an instruction in @fn. */
#define PE_SITE_PARAM(param, fn, offset)					\
	static int param##_get(char *buf, const struct kernel_param *kp)	\
	{									\
		return sysfs_emit(buf, "%lu\n", offset);			\
	}									\
	static const struct kernel_param_ops param##_ops = { .get = param##_get };	\
	module_param_cb(param, &param##_ops, NULL, 0444);			\
	MODULE_PARM_DESC(param, "offset of an instruction to probe in " #fn)

#endif
