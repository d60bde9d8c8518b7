/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/* Fetch programs of up to ten arguments, and the record that they leave. */
#ifndef FETCH_WORLD_H
#define FETCH_WORLD_H

#include <linux/errno.h>
#include <linux/ptrace.h>
#include <asm/page.h>
#include "fakes.h"
#include "harness.h"
#include "kernel/trace/hit/fetch.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/limits.h"
#include "kernel/trace/parse/spec.h"

#define KERN		0xffff888000000000UL
#define USER		0x00007f0000000000UL
#define STACK		0xffffc90000004000UL	/* aligned to THREAD_SIZE */
#define BAD		0xffff8880ffff0000UL

static struct pt_regs regs;
static struct pe_arg args[10];
static u64 saved[PE_MAX_SAVED];
static u16 words[PE_MAX_SAVED];
static char pool[64];
static u8 rec[8192];
static struct pe_program program;
static const struct pe_spec spec;
static struct pe_placed placed = { .spec = &spec };

static inline const struct pe_type *type(const char *name)
{
	const struct pe_type *t = pe_type_find(name, strlen(name));

	if (!t)
		abort();
	return t;
}

/* One argument after the ones before it, with up to two dereferences. */
static inline struct pe_arg *arg(unsigned int i, const char *type_name, u8 load, unsigned int count)
{
	struct pe_arg *a = &args[i];

	memset(a, 0, sizeof(*a));
	a->type = type(type_name);
	a->count = count;
	a->offset = i ? args[i - 1].offset + args[i - 1].size : PE_RECORD_ARGS;
	a->size = a->type->size * (count ? count : 1);
	a->fetch.load = load;
	a->fetch.reg = offsetof(struct pt_regs, di);
	return a;
}

static inline void deref(struct pe_arg *a, s32 off, bool user)
{
	a->fetch.deref[a->fetch.nr_derefs].off = off;
	a->fetch.deref[a->fetch.nr_derefs++].user = user;
}

/* Runs the first @n arguments.  Every byte that isn't written stays 0xaa. */
static inline unsigned int run_in(unsigned int n, unsigned int room)
{
	const struct pe_fetch_source from = { .regs = &regs, .saved = saved };
	unsigned int fixed = args[n - 1].offset + args[n - 1].size, len, i;
	struct pe_arg fetches[ARRAY_SIZE(args)];

	memcpy(fetches, args, sizeof(args));
	program = (struct pe_program){ .args = fetches, .pool = pool, .saved = words };
	placed.nargs = n;
	placed.record_fixed = fixed;
	pe_program_init(&program, &placed);
	memset(rec, 0xaa, sizeof(rec));
	len = pe_fetch_args(rec, room, &program, from);
	for (i = 0; i < PE_RECORD_ARGS; i++)
		EXPECT_EQ(rec[i], 0xaa);
	for (i = room; i < sizeof(rec); i++)
		if (rec[i] != 0xaa) {
			EXPECT_EQ(rec[i], 0xaa);
			break;
		}
	EXPECT(len >= fixed);
	EXPECT(len <= room);
	return len;
}

static inline unsigned int run(unsigned int n)
{
	return run_in(n, 4064);
}

static inline u64 number(unsigned int i, unsigned int element)
{
	unsigned int size = args[i].type->size;
	u64 value = 0;

	memcpy(&value, rec + args[i].offset + element * size, size);
	return value;
}

static inline const char *string(unsigned int i, unsigned int element)
{
	u32 loc = number(i, element);

	if (!(loc >> 16))
		return "(fault)";
	EXPECT_EQ(rec[(loc & 0xffff) + (loc >> 16) - 1], 0);
	return (char *)rec + (loc & 0xffff);
}

static inline void setup(void)
{
	pe_fake_unmap_all();
	memset(&regs, 0, sizeof(regs));
	placed.nargs = 0;
	placed.nr_saved = 0;
}

#endif
