/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * engine.h - declarations that all parts of the engine share.
 */
#ifndef PE_ENGINE_H
#define PE_ENGINE_H

#include <linux/mutex.h>
#include <pe/kprobe.h>

struct module;

/*
 * site.c.  Guards every site, every list of probes, all flags of probes.  Inside it: the kernel's
 * own locks of kprobes, ftrace and text, and the mutexes of slots, the arena and tables.
 */
extern struct mutex pe_mutex;

/* modules.c */
int pe_modules_init(void);
void pe_modules_exit(void);

/* capi.c.  Text of a module has gone: @all, or its init text. */
void pe_capi_text_gone(const struct module *mod, bool all);

#endif
