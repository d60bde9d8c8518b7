/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * test.h - as much of KUnit as the kernel's lib/test_kprobes.c needs, in a module of its own.
 *
 * The module runs its suite when it is loaded.  Each case logs "SUITE: ok CASE" or, for each check
 * that fails, "SUITE: FAIL CASE: LINE TEXT".  Loading fails if one has.
 */
#ifndef PE_KUNIT_TEST_H
#define PE_KUNIT_TEST_H

#include <linux/errno.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/stacktrace.h>

/*
 * The source is that of a module, and tests return probes if the kernel has them.  Ours are
 * there on every kernel.  All of the kernel's headers that it wants have been read before.
 */
#define CONFIG_KPROBES_SANITY_TEST_MODULE	1
#ifndef CONFIG_KRETPROBES
#define CONFIG_KRETPROBES	1
#endif

struct kunit {
	const char *suite, *name;
	unsigned int failed;
};

struct kunit_case {
	const char *name;
	void (*run)(struct kunit *test);
};

struct kunit_suite {
	const char *name;
	int (*init)(struct kunit *test);
	void (*exit)(struct kunit *test);
	struct kunit_case *test_cases;
};

#define KUNIT_CASE(function)	{ .name = #function, .run = function }

static inline bool kunit_check(struct kunit *test, bool good, int line, const char *text)
{
	if (good)
		return true;
	test->failed++;
	pr_err("%s: FAIL %s: %d %s\n", test->suite, test->name, line, text);
	return false;
}

#define KUNIT_EXPECT_EQ(test, a, b) \
	kunit_check(test, (a) == (b), __LINE__, #a " == " #b)
#define KUNIT_EXPECT_NE(test, a, b) \
	kunit_check(test, (a) != (b), __LINE__, #a " != " #b)
#define KUNIT_EXPECT_FALSE(test, a) \
	kunit_check(test, !(a), __LINE__, "!" #a)
#define KUNIT_ASSERT_EQ(test, a, b)		\
	do {					\
		if (!KUNIT_EXPECT_EQ(test, a, b)) \
			return;			\
	} while (0)
#define KUNIT_ASSERT_NE(test, a, b)		\
	do {					\
		if (!KUNIT_EXPECT_NE(test, a, b)) \
			return;			\
	} while (0)

static inline int kunit_run(struct kunit_suite *suite)
{
	struct kunit test = { .suite = suite->name };
	const struct kunit_case *c;
	unsigned int failed = 0;

	for (c = suite->test_cases; c->run; c++) {
		test.name = c->name;
		test.failed = 0;
		if (suite->init && suite->init(&test))
			test.failed++;
		else
			c->run(&test);
		if (suite->exit)
			suite->exit(&test);
		if (!test.failed)
			pr_info("%s: ok %s\n", test.suite, test.name);
		failed += test.failed;
	}
	return failed ? -EINVAL : 0;
}

#define kunit_test_suites(suite)		\
	static int __init kunit_suite_init(void) \
	{					\
		return kunit_run(suite);	\
	}					\
	static void __exit kunit_suite_exit(void) { } \
	module_init(kunit_suite_init);		\
	module_exit(kunit_suite_exit)

#endif
