// SPDX-License-Identifier: GPL-2.0
/*
 * stubs.c - what the pure files and the tests call outside themselves, for user
 * space: the seams that kernel/trace/kmem.c and the kernel provide in the module.
 * Compiled with libc's headers; knows nothing of the code under test.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct pe_test {
	const char *name;
	void (*fn)(void);
};

unsigned int pe_test_failures;
unsigned long long pe_test_seed(void);
unsigned long long pe_test_random(unsigned long long *state);
int pe_run_tests(const struct pe_test *tests, unsigned int n);
int scnprintf(char *buf, size_t size, const char *fmt, ...);
int vscnprintf(char *buf, size_t size, const char *fmt, va_list args);
ssize_t strscpy(char *dst, const char *src, size_t size);

unsigned long long pe_test_seed(void)
{
	const char *env = getenv("PE_SEED");
	unsigned long long seed = env ? strtoull(env, NULL, 0) :
		(unsigned long long)time(NULL) * 1000003 ^ getpid();

	printf("# PE_SEED=%llu\n", seed);
	return seed ? seed : 1;
}

/* xorshift64*: state must not be 0 */
unsigned long long pe_test_random(unsigned long long *state)
{
	unsigned long long x = *state;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	return x * 0x2545f4914f6cdd1dULL;
}

int pe_run_tests(const struct pe_test *tests, unsigned int n)
{
	unsigned int i, passed = 0, failed = 0;

	for (i = 0; i < n; i++) {
		unsigned int before = pe_test_failures;

		tests[i].fn();
		if (pe_test_failures == before) {
			passed++;
			continue;
		}
		failed++;
		printf("not ok - %s\n", tests[i].name);
	}
	printf("# %u passed, %u failed\n", passed, failed);
	return failed ? 1 : 0;
}

int vscnprintf(char *buf, size_t size, const char *fmt, va_list args)
{
	int n = vsnprintf(buf, size, fmt, args);

	if (n < 0 || !size)
		return 0;
	return (size_t)n < size ? n : (int)size - 1;
}

int scnprintf(char *buf, size_t size, const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = vscnprintf(buf, size, fmt, args);
	va_end(args);
	return n;
}

ssize_t strscpy(char *dst, const char *src, size_t size)
{
	size_t n = strnlen(src, size);

	if (!size)
		return -7;
	if (n == size) {
		memcpy(dst, src, size - 1);
		dst[size - 1] = 0;
		return -7;
	}
	memcpy(dst, src, n + 1);
	return n;
}
