/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * harness.h - the few things a unit test needs.  Tests are compiled against the shim
 * headers only, so the libc functions that they use are declared here.
 *
 * A test file defines static functions, lists them in a table and calls pe_run_tests().
 * Every failed EXPECT prints its line.  Every program prints "# N passed, N failed" and
 * exits non-zero on a failure.
 */
#ifndef PE_TEST_HARNESS_H
#define PE_TEST_HARNESS_H

#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>

int printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void exit(int code) __attribute__((noreturn));
void abort(void) __attribute__((noreturn));
void *malloc(unsigned long n);
void *calloc(unsigned long n, unsigned long m);
void free(void *p);
char *getenv(const char *name);
unsigned long strtoul(const char *s, char **end, int base);
void *mmap(void *addr, unsigned long n, int prot, int flags, int fd, long offset);
int munmap(void *addr, unsigned long n);

struct pe_test {
	const char *name;
	void (*fn)(void);
};

extern unsigned int pe_test_failures;

#define EXPECT(cond) do {						\
	if (!(cond)) {							\
		printf("%s:%d: expected %s\n", __FILE__, __LINE__, #cond); \
		pe_test_failures++;					\
	}								\
} while (0)

#define EXPECT_EQ(a, b) do {						\
	long long a_ = (long long)(a), b_ = (long long)(b);		\
	if (a_ != b_) {							\
		printf("%s:%d: %s is %lld (0x%llx), %s is %lld (0x%llx)\n", \
		       __FILE__, __LINE__, #a, a_, a_, #b, b_, b_);	\
		pe_test_failures++;					\
	}								\
} while (0)

#define EXPECT_STR(a, b) do {						\
	const char *a_ = (a), *b_ = (b);				\
	if (strcmp(a_, b_)) {						\
		printf("%s:%d: %s is\n\t\"%s\"\nexpected\n\t\"%s\"\n",	\
		       __FILE__, __LINE__, #a, a_, b_);			\
		pe_test_failures++;					\
	}								\
} while (0)

/* A printed seed makes a random test repeatable: PE_SEED=N runs it again. */
u64 pe_test_seed(void);
u64 pe_test_random(u64 *state);

int pe_run_tests(const struct pe_test *tests, unsigned int n);
#define PE_RUN(tests) pe_run_tests(tests, ARRAY_SIZE(tests))

#endif
