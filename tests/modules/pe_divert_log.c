// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_divert_log.c - see pe_divert_log.h.
 *
 * Only the task that runs the cases calls what is probed, so the log needs no lock.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/overflow.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include "pe_divert.h"
#include "pe_divert_log.h"

static struct seen_log *the_log;

struct seen_log *log_new(unsigned int max)
{
	struct seen_log *log = vzalloc(struct_size(log, seen, max));

	if (log)
		log->max = max;
	return log;
}

/* Handlers write to @log from now on; NULL: nowhere. */
void log_to(struct seen_log *log)
{
	if (log)
		log->n = 0;
	WRITE_ONCE(the_log, log);
}

static void note(const struct actor *a, enum when time, const struct pt_regs *regs)
{
	struct seen_log *log = READ_ONCE(the_log);
	struct seen *s;

	if (!log || log->n == log->max)
		return;
	s = &log->seen[log->n++];
	s->id = a->id;
	s->when = time;
	s->top = *(unsigned long *)regs->sp;
	s->regs = *regs;
}

void show_seen(const struct seen *s)
{
	const struct pt_regs *r = &s->regs;

	pr_err("%u%s ip %lx sp %lx (%lx) flags %lx ax %lx bx %lx cx %lx dx %lx si %lx di %lx\n",
	       s->id, s->when == AFTER ? "'" : "", r->ip, r->sp, s->top, r->flags, r->ax, r->bx,
	       r->cx, r->dx, r->si, r->di);
	pr_err("  bp %lx r8 %lx r9 %lx r10 %lx r11 %lx r12 %lx r13 %lx r14 %lx r15 %lx\n",
	       r->bp, r->r8, r->r9, r->r10, r->r11, r->r12, r->r13, r->r14, r->r15);
}

const char *log_text(const struct seen_log *log, char *buf, size_t size)
{
	size_t len = 0;
	unsigned int i;

	buf[0] = '\0';
	for (i = 0; i < log->n; i++)
		len += scnprintf(buf + len, size - len, "%s%u%s", i ? " " : "", log->seen[i].id,
				 log->seen[i].when == AFTER ? "'" : "");
	return buf;
}

/* Return: has it diverted? */
static bool act(const struct actor *a, struct pt_regs *regs)
{
	note(a, BEFORE, regs);
	switch (a->act) {
	case ACT_ARG:
		regs->di = 50;
		return false;
	case ACT_RETURN:
		regs->ax = 77;
		regs->ip = (unsigned long)divert_ret;
		return true;
	case ACT_SKIP:
		regs->ip = a->to;
		return true;
	default:
		return false;
	}
}

static void our_handler(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	note(container_of(kp, struct actor, kp), BEFORE, hit->regs);
}

/* The kernel's kprobes rely on ->ip, so only ours lie. */
static bool our_change(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	struct actor *a = container_of(kp, struct actor, kp);

	if (a->act != ACT_LIE)
		return act(a, hit->regs);
	note(a, BEFORE, hit->regs);
	hit->regs->ip = 1;
	return false;
}

static void our_post(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	note(container_of(kp, struct actor, kp), AFTER, hit->regs);
}

/* For pe_register_kprobe(). */
void actor_init(struct actor *a)
{
	memset(&a->kp, 0, sizeof(a->kp));
	a->kp.symbol = a->symbol;
	a->kp.offset = a->offset;
	if (a->act == ACT_LOOK)
		a->kp.handler = our_handler;
	else
		a->kp.change = our_change;
	if (a->post)
		a->kp.post = our_post;
}

#ifdef CONFIG_KPROBES

static int stock_pre(struct kprobe *kp, struct pt_regs *regs)
{
	return act(container_of(kp, struct actor, stock), regs);
}

static void stock_post(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
	struct actor *a = container_of(kp, struct actor, stock);

	if (a->post)
		note(a, AFTER, regs);
}

/*
 * The post_handler keeps the kprobe from becoming a jump, which cannot divert.  It is enabled apart:
 * on newer kernels register_kprobe() does not say that arming has failed.
 */
int stock_register(struct actor *a)
{
	int err;

	memset(&a->stock, 0, sizeof(a->stock));
	a->stock.symbol_name = strchr(a->symbol, ':') + 1;
	a->stock.offset = a->offset;
	a->stock.pre_handler = stock_pre;
	if (!a->plain)
		a->stock.post_handler = stock_post;
	a->stock.flags = KPROBE_FLAG_DISABLED;
	err = register_kprobe(&a->stock);
	if (err)
		return err;
	err = enable_kprobe(&a->stock);
	if (err)
		unregister_kprobe(&a->stock);
	return err;
}

void stock_unregister(struct actor *a)
{
	unregister_kprobe(&a->stock);
}

#else

int stock_register(struct actor *a)
{
	return -EOPNOTSUPP;
}

void stock_unregister(struct actor *a)
{
}

#endif
