/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kprobes.h - what all parts of the engine share (kprobes.c).
 */
#ifndef PE_KPROBES_H
#define PE_KPROBES_H

#include <linux/mutex.h>
#include <pe/kprobe.h>

/* Guards every site, every list of probes, all flags of probes. */
extern struct mutex pe_mutex;

/* capi.c; init after pe_module_event_init(). */
int pe_capi_init(void);
void pe_capi_exit(void);

#endif
