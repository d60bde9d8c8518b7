/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * pe_cases.h - a module that runs cases when it is loaded.
 *
 * Loading succeeds if every case does.  Each case logs one line, "MODULE: ok NAME" or
 * "MODULE: FAIL NAME: LINE EXPRESSION".  Process context; a case may sleep.
 */
#ifndef PE_CASES_H
#define PE_CASES_H

#include <linux/errno.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/types.h>
#include <pe/kprobe.h>

/*
 * The probes of the case that runs.  Most are on its stack: if it fails, they are removed
 * before it returns.
 */
static struct pe_kprobe *case_probes[64];

static inline void case_replace(struct pe_kprobe *from, struct pe_kprobe *to)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(case_probes); i++) {
		if (case_probes[i] == from) {
			case_probes[i] = to;
			return;
		}
	}
	pr_err("%u probes are not enough\n", i);
}

static inline int case_register(struct pe_kprobe **kps, unsigned int n)
{
	int err = pe_register_kprobes(kps, n);
	unsigned int i;

	for (i = 0; i < n && !err; i++)
		case_replace(NULL, kps[i]);
	return err;
}

static inline void case_unregister(struct pe_kprobe **kps, unsigned int n)
{
	unsigned int i;

	pe_unregister_kprobes(kps, n);
	for (i = 0; i < n; i++)
		case_replace(kps[i], NULL);
}

static inline int case_register_one(struct pe_kprobe *kp)
{
	return case_register(&kp, 1);
}

static inline void case_unregister_one(struct pe_kprobe *kp)
{
	case_unregister(&kp, 1);
}

static inline void case_clean_up(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(case_probes); i++) {
		if (case_probes[i])
			case_unregister_one(case_probes[i]);
	}
}

/* For a function that returns false if the case has failed. */
#define CHECK(cond)								\
	do {									\
		if (!(cond)) {							\
			pr_err("FAIL %s: %d %s\n", __func__, __LINE__, #cond);	\
			case_clean_up();					\
			return false;						\
		}								\
	} while (0)

/* The mechanism at the entry of a function that is traceable in kernels with ftrace. */
#define ENTRY_MECHANISM	(IS_ENABLED(CONFIG_DYNAMIC_FTRACE) ? PE_MECH_ENTRY : PE_MECH_BREAKPOINT)

struct pe_case {
	const char *name;
	bool (*run)(void);
};

#define CASE(name)	{ #name, name }

/* Once per module, after the array of its cases. */
#define PE_CASES_MODULE(cases)							\
	static int __init pe_cases_init(void)					\
	{									\
		return pe_cases_run(cases, ARRAY_SIZE(cases));			\
	}									\
	static void __exit pe_cases_exit(void) { }				\
	module_init(pe_cases_init);						\
	module_exit(pe_cases_exit)

static inline int pe_cases_run(const struct pe_case *cases, unsigned int n)
{
	unsigned int i, failed = 0;

	for (i = 0; i < n; i++) {
		if (cases[i].run())
			pr_info("ok %s\n", cases[i].name);
		else
			failed++;
	}
	pr_info("%u of %u cases failed\n", failed, n);
	return failed ? -EINVAL : 0;
}

#endif
