/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pe_cases.h - a module that runs cases when it is loaded.
 *
 * Loading succeeds when every case does.  Each case logs one line, "MODULE: ok NAME" or
 * "MODULE: FAIL NAME: LINE EXPRESSION".  Process context; a case may sleep.
 */
#ifndef PE_CASES_H
#define PE_CASES_H

#include <linux/errno.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/types.h>

/* In a function that returns false when the case has failed. */
#define CHECK(cond)								\
	do {									\
		if (!(cond)) {							\
			pr_err("FAIL %s: %d %s\n", __func__, __LINE__, #cond);	\
			return false;						\
		}								\
	} while (0)

struct pe_case {
	const char *name;
	bool (*run)(void);
};

#define CASE(name)	{ #name, name }

/* Once per module, behind the array of its cases. */
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
