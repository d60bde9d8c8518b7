/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * slots.h - executable memory (slots.c).  Process context.
 */
#ifndef PE_MECH_SLOTS_H
#define PE_MECH_SLOTS_H

void *pe_slot_alloc(void);
void pe_slot_free(void *slot);
void pe_slots_exit(void);
size_t pe_slots_memory(void);	/* bytes of pages, and of what describes them */

#endif
