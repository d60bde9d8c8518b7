// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_target_main.c - functions to probe, and a way to call them.
 *
 * Writing "NAME COUNT" to the parameter `call` calls pe_target_NAME() COUNT
 * times.
 */
#include <linux/export.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include "pe_target.h"

EXPORT_SYMBOL_GPL(pe_target_mix);
EXPORT_SYMBOL_GPL(pe_mix_insns);
EXPORT_SYMBOL_GPL(pe_mix_insns_end);
EXPORT_SYMBOL_GPL(pe_target_mix_end);

/* barrier(): without it, the compiler could make one call for several. */
noinline unsigned long pe_target_add(unsigned long a, unsigned long b)
{
	barrier();
	return a + b;
}
EXPORT_SYMBOL_GPL(pe_target_add);

/* The engine has a function of that name, too. */
static noinline __used unsigned long pe_prober_owns(unsigned long a)
{
	barrier();
	return a;
}

noinline int pe_target_string(const char *s, int n)
{
	int sum = 0;

	while (n-- > 0 && *s)
		sum += *s++;
	barrier();
	return sum;
}
EXPORT_SYMBOL_GPL(pe_target_string);

noinline unsigned long pe_target_inner(unsigned long n)
{
	barrier();
	return n * 2 + 1;
}
EXPORT_SYMBOL_GPL(pe_target_inner);

noinline unsigned long pe_target_outer(unsigned long n)
{
	unsigned long r = pe_target_inner(n);

	barrier();
	return r + pe_target_inner(r);
}
EXPORT_SYMBOL_GPL(pe_target_outer);

/* Two names of one number, one below 0; bits that have no sign, and a byte beside another one. */
enum pe_kind { PE_KIND_BELOW = -2, PE_KIND_ONE = 1, PE_KIND_UNO = 1 };

struct pe_kinds {
	enum pe_kind bits : 3;
	enum { PE_BYTE_NONE, PE_BYTE_LAST = 200 } __packed byte;
	u8 beside;
};

/* The upper half of the register that it returns in is not 0, and says nothing. */
static noinline __noclone int pe_target_kind(enum pe_kind kind, const struct pe_kinds *kinds)
{
	unsigned long word = 0x1234567800000000UL | (u32)kind;

	asm volatile("" : "+a" (word) : "m" (*kinds));
	return word;
}

static void call_kind(unsigned long i)
{
	enum pe_kind kind = i % 3 == 0 ? PE_KIND_BELOW : i % 3;
	const struct pe_kinds kinds = { kind, i % 2 ? PE_BYTE_LAST : PE_BYTE_NONE, 0xff };

	pe_target_kind(kind, &kinds);
}

/* Another function of this name is in the other file. */
static noinline __noclone void pe_target_twin(unsigned long n)
{
	barrier();
}

static void call_twins(unsigned long n)
{
	pe_target_twin(n);
	pe_target_call_twin(n);
}

static int call_one(const char *name, unsigned long i)
{
	if (!strcmp(name, "add"))
		pe_target_add(i, 2);
	else if (!strcmp(name, "string"))
		pe_target_string("twelve chars", 12);
	else if (!strcmp(name, "outer"))
		pe_target_outer(i);
	else if (!strcmp(name, "kind"))
		call_kind(i);
	else if (!strcmp(name, "twin"))
		call_twins(i);
	else if (!strcmp(name, "mix"))
		pe_target_mix(1, 2);
	else if (!strcmp(name, "loop"))
		return pe_target_loop() == 3 ? 0 : -EIO;
	else
		return -EINVAL;
	return 0;
}

static int call_set(const char *val, const struct kernel_param *kp)
{
	unsigned long n, i;
	char name[16];
	int err = 0;

	if (sscanf(val, "%15s %lu", name, &n) != 2)
		return -EINVAL;
	for (i = 0; i < n && !err; i++)
		err = call_one(name, i);
	return err;
}

static const struct kernel_param_ops call_ops = { .set = call_set };
module_param_cb(call, &call_ops, NULL, 0200);
MODULE_PARM_DESC(call, "\"NAME COUNT\": call pe_target_NAME() COUNT times");

/* "OFFSET TIMES" of each instruction of pe_target_mix(). */
static int mix_get(char *buf, const struct kernel_param *kp)
{
	const struct pe_mix_insn *insn;
	int len = 0;

	for (insn = pe_mix_insns; insn < pe_mix_insns_end; insn++)
		len += sysfs_emit_at(buf, len, "%u %u\n", insn->offset, insn->times);
	return len;
}

static const struct kernel_param_ops mix_ops = { .get = mix_get };
module_param_cb(mix, &mix_ops, NULL, 0444);

/* Called once, while the module is loaded. */
static noinline __noclone __init int pe_target_init_text(int n)
{
	barrier();
	return n - 1;
}

static int __init target_init(void)
{
	return pe_target_init_text(1);
}

static void __exit target_exit(void)
{
}

module_init(target_init);
module_exit(target_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Functions for tests to probe");
