/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * event_hit.h - handlers of the probes of events.  [H]
 */
#ifndef PE_EVENT_HIT_H
#define PE_EVENT_HIT_H

#include <linux/types.h>
#include "kernel/trace/trace_probe.h"

struct pe_event_link;
struct pe_hit;
struct pe_kprobe;
struct pe_kretprobe;

/**
 * struct pe_event_rest - a record that compiled code may leave to C
 * @probe: the probe that was hit
 * @link: the event in the instance that records
 * @extra: the probe's hit has been counted
 * @last: no other one follows it
 * @data_at: of a return probe: bytes from its data up to the frame's base; the time there is the
 *	elapsed one
 */
struct pe_event_rest {
	struct pe_event_probe *probe;
	struct pe_event_link *link;
	bool extra, last;
	unsigned int data_at;
};

/* event_hit.c */

extern const char *const pe_loss_names[PE_NR_LOSSES];
void pe_event_hit(struct pe_kprobe *kp, const struct pe_hit *hit);
void pe_event_rest(const struct pe_hit *hit, const void *rest, void *base);
bool pe_event_entry(struct pe_kretprobe *rp, const struct pe_hit *hit, void *data);
void pe_event_return(struct pe_kretprobe *rp, const struct pe_hit *hit,
		     unsigned long ret_ip, void *data);

#endif
