// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_ret_target.c - functions of every shape, for return probes.  They have their own file,
 * so that no call of one is inlined.
 */
#include <linux/kernel.h>
#include <linux/linkage.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>
#include "kernel/know/compat.h"
#include "pe_ret_target.h"

noinline __noclone long ret_sum(long a, long b)
{
	barrier();
	return a + b;
}

noinline __noclone long ret_many(long a, long b, long c, long d, long e, long f, long g, long h,
				 long i, long j, long k, long l, long m, long n)
{
	barrier();
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j +
	       11 * k + 12 * l + 13 * m + 14 * n;
}

/* One number from all arguments, in their order. */
noinline __noclone long ret_widest(WIDEST(WIDEST_PARAM))
{
	long a[] = { WIDEST(WIDEST_NAME) };
	unsigned long sum = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(a); i++)
		sum = sum * 31 + a[i];
	barrier();
	return sum;
}

/* No call site for ftrace: armed by a breakpoint. */
noinline __noclone notrace long ret_product(long a, long b)
{
	barrier();
	return a * b;
}

/* First instructions that are emulated, in functions without a call of ftrace. */
asm("	.pushsection .text\n"
	"	.globl ret_begins_jmp\n"
	"	.type ret_begins_jmp, @function\n"
	"ret_begins_jmp:\n"
	"	jmp 1f\n"
	"	int3\n"
	"1:	lea 5(%rdi), %rax\n"
	"	" ASM_RET
	"	.size ret_begins_jmp, . - ret_begins_jmp\n"
	"	.globl ret_begins_jcc\n"
	"	.type ret_begins_jcc, @function\n"
	"ret_begins_jcc:\n"
	"	js 1f\n"
	"1:	lea 8(%rdi), %rax\n"
	"	" ASM_RET
	"	.size ret_begins_jcc, . - ret_begins_jcc\n"
	"	.globl ret_begins_call\n"
	"	.type ret_begins_call, @function\n"
	"ret_begins_call:\n"
	"	call ret_begins_jmp\n"
	"	add $1, %rax\n"
	"	" ASM_RET
	"	.size ret_begins_call, . - ret_begins_call\n"
	"	.globl ret_one_word\n"
	"	.type ret_one_word, @function\n"
	"ret_one_word:\n"
	"	mov %edi, %eax\n"
	"	add 8(%rsp), %eax\n"		/* without a REX prefix */
	"	" ASM_RET
	"	.size ret_one_word, . - ret_one_word\n"
	"	.popsection\n");

noinline __noclone struct two ret_two(unsigned long a)
{
	struct two r = { a, ~a };

	barrier();
	return r;
}

noinline __noclone struct many ret_struct(unsigned long a)
{
	struct many r;
	int i;

	for (i = 0; i < 7; i++)
		r.v[i] = a + i;
	barrier();
	return r;
}

noinline __noclone long ret_by_value(struct many m, long x)
{
	long sum = x;
	int i;

	for (i = 0; i < 7; i++)
		sum += m.v[i] * (i + 1);
	barrier();
	return sum;
}

noinline __noclone int ret_format(char *buf, size_t n, const char *fmt, ...)
{
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(buf, n, fmt, ap);
	va_end(ap);
	return len;
}

/* At -O2 it ends with a jump to ret_sum(). */
noinline __noclone long ret_tail(long a)
{
	barrier();
	return ret_sum(a, 5);
}

/* It leaves nothing in rbp that its caller could go on with. */
asm("	.pushsection .text\n"
	"	.globl ret_tail_rbp\n"
	"	.type ret_tail_rbp, @function\n"
	"ret_tail_rbp:\n"
	"	mov %rdx, %rbp\n"
	"	jmp ret_sum\n"
	"	.size ret_tail_rbp, . - ret_tail_rbp\n"
	"	.popsection\n");

noinline __noclone long ret_recurse(long n)
{
	long r;

	if (n <= 0)
		return 0;
	r = ret_recurse(n - 1);
	barrier();
	return r + n;
}

/* As above, with a variable in its frame that is known to others. */
noinline __noclone __no_stack_protector long ret_recurse_frame(long n)
{
	long r = 0;

	if (n > 0)
		r = ret_recurse_frame(n - 1);
	asm volatile("add %1, %0" : "+m"(r) : "r"(n));
	return r;
}

#ifdef __CHECKER__
#define __builtin_dwarf_cfa()	NULL	/* sparse does not know it */
#endif

/* As above, with an unknown number of arguments: it takes their address. */
noinline __noclone long ret_recurse_any(long n, ...)
{
	long r;

	asm volatile("" : : "r"(__builtin_dwarf_cfa()));
	if (n <= 0)
		return 0;
	r = ret_recurse_any(n - 1, n);
	barrier();
	return r + n;
}

unsigned long ret_trace[RET_TRACE_MAX];
unsigned int ret_trace_len;

noinline __noclone long ret_look(long a)
{
	ret_trace_len = stack_trace_save(ret_trace, ARRAY_SIZE(ret_trace), 0);
	barrier();
	return a;
}

DECLARE_WAIT_QUEUE_HEAD(ret_sleepers);
bool ret_wake;
atomic_t ret_asleep;

noinline __noclone long ret_sleep(long a)
{
	atomic_inc(&ret_asleep);
	wait_event(ret_sleepers, READ_ONCE(ret_wake));
	return a * 3;
}
