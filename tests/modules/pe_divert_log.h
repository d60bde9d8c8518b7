/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * pe_divert_log.h - probes of both kinds, ours and the kernel's, with one way to act and one log
 * (pe_divert_log.c).
 */
#ifndef PE_DIVERT_LOG_H
#define PE_DIVERT_LOG_H

#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <pe/kprobe.h>

enum act {
	ACT_LOOK,		/* only look */
	ACT_ARG,		/* change the first argument */
	ACT_RETURN,		/* return 77 to the caller instead */
	ACT_SKIP,		/* go on at .to instead */
	ACT_LIE,		/* change ->ip, but do not divert */
};

struct actor {
	struct pe_kprobe kp;
#ifdef CONFIG_KPROBES
	struct kprobe stock;
#endif
	const char *symbol;	/* of pe_target.ko */
	unsigned int offset;
	unsigned int id;
	enum act act;
	bool post;		/* also after the instruction */
	bool plain;		/* the kernel's kprobe may not divert */
	unsigned long to;
};

enum when { BEFORE, AFTER };

/* What a handler has seen.  @top: the word at sp. */
struct seen {
	unsigned int id;
	enum when when;
	unsigned long top;
	struct pt_regs regs;
};

struct seen_log {
	unsigned int n, max;
	struct seen seen[];
};

struct seen_log *log_new(unsigned int max);
void log_to(struct seen_log *log);
void show_seen(const struct seen *s);

/* The log as text: "0 1 1' 0'"; a dash means AFTER. */
const char *log_text(const struct seen_log *log, char *buf, size_t size);

/* As our probes, as the kernel's.  stock_register() returns -EOPNOTSUPP without kprobes. */
void actor_init(struct actor *a);
int stock_register(struct actor *a);
void stock_unregister(struct actor *a);

#endif
