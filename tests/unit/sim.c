// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * sim.c - a thread is a CPU, a signal is an interrupt.  For the ring's tests;
 * compiled with libc's headers like stubs.c.
 *
 *   pe_sim_step()        runs a function one instruction at a time and calls an
 *                        "interrupt" at a chosen one
 *   pe_sim_trace()       lists the instructions that a function runs
 *   pe_sim_break()       calls an "interrupt" at one of them: a single trap
 *   pe_sim_interrupts()  lets timers interrupt the calling thread at random
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include "sim.h"

#define TRAP_FLAG	0x100

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

struct step {
	long at;
	long count;
	void (*hook)(void);
	unsigned long *ips;	/* of the instructions, up to max */
	long max;
	unsigned char *bp;	/* address of the breakpoint, and the byte that it replaces */
	unsigned char byte;
	unsigned char *again;	/* the next breakpoint, after that one has been hit */
	int hits;
};

static struct step *step;
extern char __executable_start[], etext[];

static void set_breakpoint(struct step *s, unsigned char *at)
{
	s->bp = at;
	if (at) {
		s->byte = *at;
		*at = 0xcc;
	}
}

static void on_breakpoint(struct step *s, ucontext_t *uc)
{
	*s->bp = s->byte;
	uc->uc_mcontext.gregs[REG_RIP]--;
	step = NULL;
	s->hook();
	step = s;
	s->hits++;
	set_breakpoint(s, s->again);
	s->again = NULL;
}

static void on_trap(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	struct step *s = step;

	(void)sig;
	(void)info;
	if (s->bp) {
		on_breakpoint(s, uc);
		return;
	}
	if (s->count < s->max)
		s->ips[s->count] = uc->uc_mcontext.gregs[REG_RIP];
	if (s->count++ == s->at) {
		step = NULL;	/* the hook may call pe_sim_step() itself */
		s->hook();
		uc->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
	}
}

static __attribute__((noinline)) void set_trap_flag(void)
{
	__asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc");
}

static __attribute__((noinline)) void clear_trap_flag(void)
{
	__asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "memory", "cc");
}

static void get_ready(void)
{
	static int ready;
	struct sigaction sa = { .sa_flags = SA_SIGINFO | SA_NODEFER };
	unsigned long text = (unsigned long)__executable_start & ~4095UL;

	if (ready)
		return;
	sa.sa_sigaction = on_trap;
	sigaction(SIGTRAP, &sa, NULL);
	if (mprotect((void *)text, ((unsigned long)etext | 4095) + 1 - text,
		     PROT_READ | PROT_WRITE | PROT_EXEC)) {
		perror("mprotect");
		exit(1);
	}
	ready = 1;
}

static long run_stepped(struct step *s, void (*fn)(void))
{
	get_ready();
	step = s;
	set_trap_flag();
	fn();
	clear_trap_flag();
	step = NULL;
	return s->count;
}

long pe_sim_step(void (*fn)(void), long at, void (*hook)(void))
{
	struct step s = { .at = at, .hook = hook };

	return run_stepped(&s, fn);
}

long pe_sim_trace(void (*fn)(void), unsigned long *ips, long max)
{
	struct step s = { .at = -1, .ips = ips, .max = max };
	long n = run_stepped(&s, fn), i, kept = 0;

	for (i = 0; i < n && i < max; i++) {
		if (ips[i] >= (unsigned long)__executable_start &&
		    ips[i] < (unsigned long)etext)
			ips[kept++] = ips[i];
	}
	return kept;
}

int pe_sim_break(void (*fn)(void), unsigned long ip, unsigned long again,
		 void (*hook)(void))
{
	struct step s = { .hook = hook, .again = (unsigned char *)again };

	get_ready();
	step = &s;
	set_breakpoint(&s, (unsigned char *)ip);
	fn();
	step = NULL;
	if (s.bp)
		*s.bp = s.byte;
	return s.hits;
}

static void (*handlers[2])(void);

static void on_signal(int sig)
{
	handlers[sig == SIGUSR2]();
}

static timer_t timers[2];

static void start_timer(int i, int sig, long us)
{
	struct itimerspec its = {
		.it_value.tv_nsec = us * 1000,
		.it_interval.tv_nsec = us * 1000,
	};
	struct sigevent ev = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = sig };

	ev.sigev_notify_thread_id = syscall(SYS_gettid);
	if (timer_create(CLOCK_MONOTONIC, &ev, &timers[i]) ||
	    timer_settime(timers[i], 0, &its, NULL)) {
		perror("timer");
		exit(1);
	}
}

void pe_sim_interrupts(void (*irq)(void), long irq_us, void (*nmi)(void), long nmi_us)
{
	struct sigaction sa = { .sa_handler = on_signal };

	handlers[0] = irq;
	handlers[1] = nmi;
	sigemptyset(&sa.sa_mask);
	/* The second may interrupt the first; neither interrupts itself. */
	sigaction(SIGUSR1, &sa, NULL);
	sigaddset(&sa.sa_mask, SIGUSR1);
	sigaction(SIGUSR2, &sa, NULL);
	pthread_sigmask(SIG_UNBLOCK, &sa.sa_mask, NULL);	/* left from an earlier run */
	sigemptyset(&sa.sa_mask);
	sigaddset(&sa.sa_mask, SIGUSR2);
	pthread_sigmask(SIG_UNBLOCK, &sa.sa_mask, NULL);
	start_timer(0, SIGUSR1, irq_us);
	start_timer(1, SIGUSR2, nmi_us);
}

void pe_sim_interrupts_end(void)
{
	sigset_t set;

	timer_delete(timers[0]);
	timer_delete(timers[1]);
	/* When both are blocked, pending signals have come. */
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

void pe_sim_raise(int nmi)
{
	syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), nmi ? SIGUSR2 : SIGUSR1);
}

void *pe_sim_thread(void *(*fn)(void *), void *arg)
{
	pthread_t *t = malloc(sizeof(*t));

	if (!t || pthread_create(t, NULL, fn, arg)) {
		perror("thread");
		exit(1);
	}
	return t;
}

void pe_sim_join(void *thread)
{
	pthread_join(*(pthread_t *)thread, NULL);
	free(thread);
}

void pe_sim_yield(void)
{
	usleep(50);
}

unsigned long long pe_sim_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}
