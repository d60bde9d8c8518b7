/* SPDX-License-Identifier: GPL-2.0 */
/*
 * direct.h - calls that lead straight to the direct slot (direct.c).
 */
#ifndef PE_MECH_DIRECT_H
#define PE_MECH_DIRECT_H

#include <linux/static_call.h>
#include "kernel/arch.h"

struct pe_site;

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
/* What functions call whose calls are diverted. */
DECLARE_STATIC_CALL(pe_divert_front, pe_entry_stub_divert);

/* pe_mutex held, except pe_direct_exit(). */
void pe_direct_site_changes(struct pe_site *site);
void pe_direct_settle(void);
void pe_direct_exit(void);
#endif

#endif
