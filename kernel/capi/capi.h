/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * capi.h - probes of modules that were written for the kernel's kprobes.
 *
 * Include it first: it declares struct kprobe, and so keeps the kernel's declaration away.
 */
#ifndef PE_CAPI_H
#define PE_CAPI_H

#include "include/compat/linux/kprobes.h"
#include <linux/build_bug.h>
#include <linux/list.h>
#include <pe/kretprobe.h>

/**
 * struct pe_capi_probe - a registered struct kprobe or struct kretprobe
 * @node: in the hash of capi.c, by @user
 * @user: the module's; of a return probe, part of its struct kretprobe
 * @given: what @user->addr was before
 * @broken: its pre_handler has promised to observe, and wanted to divert; written by hits
 * @rp: the engine's probe; of a kprobe only @rp.kp is used
 *
 * Life: from before the registration until pe_unregister_kprobes() has returned.  So hits may use
 * it.  The module's own structures hold nothing of ours: they may be anything before.
 */
struct pe_capi_probe {
	struct hlist_node node;
	struct kprobe *user;
	kprobe_opcode_t *given;
	bool broken;
	struct pe_kretprobe rp;
};

static_assert(!offsetof(struct kretprobe, kp));
static_assert(KRETPROBE_MAX_DATA_SIZE + sizeof(struct kretprobe_instance) == PE_KRETPROBE_DATA_MAX);

static __always_inline struct pe_capi_probe *pe_capi_to_probe(struct pe_kprobe *kp)
{
	return container_of(kp, struct pe_capi_probe, rp.kp);
}

static inline struct kretprobe *pe_capi_user_return(const struct pe_capi_probe *probe)
{
	return container_of(probe->user, struct kretprobe, kp);
}

/* capi_hit.c: handlers of the engine that call the module's. */
void pe_capi_set_handlers(struct pe_capi_probe *probe);
void pe_capi_set_return_handlers(struct pe_capi_probe *probe);

#endif
