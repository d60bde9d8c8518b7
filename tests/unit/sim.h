/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/* sim.h - see sim.c; only the compiler's own types, because both worlds include it. */
#ifndef PE_TEST_SIM_H
#define PE_TEST_SIM_H

/*
 * Runs @fn step by step and calls @hook before its instruction number @at (-1: never).
 * After that @fn runs freely.  @hook may call pe_sim_step().  Return: the number of
 * steps, those of @fn and a few of the frame.
 */
long pe_sim_step(void (*fn)(void), long at, void (*hook)(void));

/* Return: how many of the program's own (not libc's) instructions are in @ips. */
long pe_sim_trace(void (*fn)(void), unsigned long *ips, long max);
/*
 * Interrupts @fn when it first comes to @ip, and then once more when it comes to
 * @again, if that is not 0.  Return: how often it was interrupted.
 */
int pe_sim_break(void (*fn)(void), unsigned long ip, unsigned long again,
		 void (*hook)(void));

/* @irq and @nmi interrupt the calling thread, @nmi also @irq. */
void pe_sim_interrupts(void (*irq)(void), long irq_us, void (*nmi)(void), long nmi_us);
void pe_sim_interrupts_end(void);
void pe_sim_raise(int nmi);

void *pe_sim_thread(void *(*fn)(void *), void *arg);
void pe_sim_join(void *thread);
void pe_sim_yield(void);
unsigned long long pe_sim_ns(void);

#endif
