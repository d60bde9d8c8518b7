// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * stubs.c - functions that the pure files and the tests call outside themselves, for user
 * space.  These are the seams; in the module, the kernel and files that use it define them.
 * Compiled hermetically, like the pure files: the header that the callers include declares
 * each function, so drift between the two does not compile.
 */
#include <linux/errno.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <pe/nofault.h>
#include "fakes.h"
#include "harness.h"
#include "host.h"
#include "kernel/know/ksyms.h"
#include "kernel/trace/hit/fetch.h"
#include "kernel/trace/parse/filter_env.h"
#include "kernel/trace/parse/sym_text.h"
#include "kernel/trace/ring/clock.h"
#include "kernel/trace/table/table_env.h"

unsigned int pe_test_failures;
__thread unsigned long pe_fake_rescheds;

u64 pe_test_seed(void)
{
	const char *env = getenv("PE_SEED");
	u64 seed = env ? strtoul(env, NULL, 0) : pe_host_entropy();

	printf("# PE_SEED=%llu\n", seed);
	return seed ? seed : 1;
}

/* xorshift64*: state must not be 0 */
u64 pe_test_random(u64 *state)
{
	u64 x = *state;

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

int vscnprintf(char *buf, size_t size, const char *fmt, __builtin_va_list args)
{
	int n = vsnprintf(buf, size, fmt, args);

	if (n < 0 || !size)
		return 0;
	return (size_t)n < size ? n : (int)size - 1;
}

int scnprintf(char *buf, size_t size, const char *fmt, ...)
{
	__builtin_va_list args;
	int n;

	__builtin_va_start(args, fmt);
	n = vscnprintf(buf, size, fmt, args);
	__builtin_va_end(args);
	return n;
}

ssize_t strscpy(char *dst, const char *src, size_t size)
{
	size_t n = strnlen(src, size);

	if (!size)
		return -E2BIG;
	if (n == size) {
		memcpy(dst, src, size - 1);
		dst[size - 1] = 0;
		return -E2BIG;
	}
	memcpy(dst, src, n + 1);
	return n;
}

/* The kernel's functions for kernel/know/kmem.c, and the seams of parse/sym_text.h and hit/fetch.h. */
static struct {
	unsigned long addr;
	const char *bytes;
	unsigned long n;
	int user;
} fake_map[64];
static unsigned int nr_fake_map;
static int fake_foreign;

void pe_fake_map(unsigned long addr, const void *bytes, unsigned long n, int user)
{
	if (nr_fake_map == sizeof(fake_map) / sizeof(fake_map[0]))
		abort();
	fake_map[nr_fake_map].addr = addr;
	fake_map[nr_fake_map].bytes = bytes;
	fake_map[nr_fake_map].n = n;
	fake_map[nr_fake_map++].user = user;
}

void pe_fake_unmap_all(void)
{
	nr_fake_map = 0;
	fake_foreign = 0;
}

void pe_fake_foreign_mm(void)
{
	fake_foreign = 1;
}

static const char *fake_byte(unsigned long addr, int user)
{
	unsigned int i;

	for (i = 0; i < nr_fake_map; i++)
		if (fake_map[i].user == user && addr - fake_map[i].addr < fake_map[i].n)
			return fake_map[i].bytes + (addr - fake_map[i].addr);
	return NULL;
}

static bool fake_read(char *dst, unsigned long src, size_t n, int user)
{
	const char *byte;
	size_t i;

	for (i = 0; i < n; i++) {
		byte = fake_byte(src + i, user);
		if (!byte)
			return 0;
		dst[i] = *byte;
	}
	return 1;
}

static long fake_strncpy(char *dst, unsigned long src, long n, int user)
{
	const char *byte;
	long i;

	for (i = 0; i < n; i++) {
		byte = fake_byte(src + i, user);
		if (!byte)
			return -EFAULT;
		dst[i] = *byte;
		if (!dst[i])
			return i + 1;
	}
	if (n > 0)
		dst[n - 1] = 0;
	return n;
}

/*
 * Without a fake map, this reads the test's own memory.  The kernel copies, and returns
 * EFAULT if a load would raise SIGSEGV.
 */
long copy_from_kernel_nofault(void *dst, const void *src, size_t n)
{
	if (nr_fake_map)
		return fake_read(dst, (unsigned long)src, n, 0) ? 0 : -EFAULT;
	return pe_host_read(dst, src, n) ? 0 : -EFAULT;
}

bool pe_user_is_ours(void)
{
	return !fake_foreign;
}

/* As in old kernels, it does not ask whose memory it is. */
long copy_from_user_nofault(void *dst, const void *src, size_t n)
{
	return fake_read(dst, (unsigned long)src, n, 1) ? 0 : -EFAULT;
}

long strncpy_from_kernel_nofault(char *dst, const void *src, long n)
{
	return fake_strncpy(dst, (unsigned long)src, n, 0);
}

/* Has the kernel's two faults: it does not ask whose memory it is, and "" has length 0. */
long strncpy_from_user_nofault(char *dst, const void *src, long n)
{
	long len = fake_strncpy(dst, (unsigned long)src, n, 1);

	return len == 1 && n > 1 ? 0 : len;
}

int pe_sprint_symbol(char *buf, size_t size, unsigned long addr)
{
	if (addr - PE_FAKE_TEXT < 0x100)
		return scnprintf(buf, size, "text_start+0x%lx/0x100", addr - PE_FAKE_TEXT);
	if (addr - PE_FAKE_MOD < 0x40)
		return scnprintf(buf, size, "mod_fn+0x%lx/0x40 [mod]", addr - PE_FAKE_MOD);
	return scnprintf(buf, size, "0x%lx", addr);
}

int pe_sprint_symbol_name(char *buf, size_t size, unsigned long addr)
{
	if (addr - PE_FAKE_TEXT < 0x100)
		return scnprintf(buf, size, "text_start");
	if (addr - PE_FAKE_MOD < 0x40)
		return scnprintf(buf, size, "mod_fn");
	return scnprintf(buf, size, "0x%lx", addr);
}

int pe_table_symbol(char *buf, size_t size, unsigned long addr)
{
	return pe_sprint_symbol_name(buf, size, addr);
}

bool pe_table_syscall(char *buf, size_t size, u64 nr)
{
	if (nr != 240)
		return false;
	scnprintf(buf, size, "sys_mq_open");
	return true;
}

/* Any hash will do. */
int pe_sprint_hashed(char *buf, size_t size, unsigned long addr)
{
	return scnprintf(buf, size, "0x00000000%08x", ~(unsigned int)addr);
}

char pe_fake_comm[16] = PE_FAKE_COMM;

void pe_current_comm(char comm[16])
{
	memcpy(comm, pe_fake_comm, sizeof(pe_fake_comm));
}

unsigned long pe_fake_task = PE_FAKE_TASK;

unsigned long pe_current_task(void)
{
	return pe_fake_task;
}

/* A task is a number and a name; both are in memory. */
bool pe_read_task(u64 task, int *pid, char comm[16])
{
	bool good = pe_read_nofault(pid, task, sizeof(*pid)) && pe_read_nofault(comm, task + 8, 16);

	comm[15] = '\0';
	return good;
}

void pe_rwbs_text(u64 flags, char to[PE_RWBS_LEN])
{
	scnprintf(to, PE_RWBS_LEN, "%c%c", flags & 1 ? 'W' : 'R', flags & 2 ? 'S' : 'M');
}

unsigned long pe_cpu_offset(void)
{
	return PE_FAKE_CPU_OFFSET;
}

/* The seams of kernel/trace/parse/filter_env.h: PE_FAKE_CPUS CPUs and the functions above. */
unsigned int pe_env_cpus(void)
{
	return PE_FAKE_CPUS;
}

/* "N", "N-M", and these separated by commas. */
int pe_env_cpu_list(const char *list, unsigned long *set)
{
	unsigned long a, b;
	char *end;

	for (;;) {
		if (*list < '0' || *list > '9')
			return -EINVAL;
		a = strtoul(list, &end, 10);
		b = *end == '-' ? strtoul(end + 1, &end, 10) : a;
		if (a > b || b >= PE_FAKE_CPUS)
			return -ERANGE;
		for (; a <= b; a++)
			set[a / 64] |= 1UL << a % 64;
		if (!*end)
			return 0;
		if (*end != ',')
			return -EINVAL;
		list = end + 1;
	}
}

bool pe_env_function(const char *name, unsigned long addr, u64 *start, u64 *end)
{
	if (name ? !strcmp(name, "text_start") : addr - PE_FAKE_TEXT < 0x100) {
		*start = PE_FAKE_TEXT;
		*end = PE_FAKE_TEXT + 0x100;
		return 1;
	}
	if (name ? !strcmp(name, "mod_fn") : addr - PE_FAKE_MOD < 0x40) {
		*start = PE_FAKE_MOD;
		*end = PE_FAKE_MOD + 0x40;
		return 1;
	}
	return 0;
}

/* A clock for programs that have none of their own (rb_single.h has one). */
__weak u64 pe_clock_now(unsigned int clock, void *data)
{
	static u64 now;

	return __atomic_add_fetch(&now, 1, __ATOMIC_RELAXED);
}
