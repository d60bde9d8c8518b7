/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * dying.h - events and instances whose session has ended: owner.h says what that means.
 */
#ifndef PE_DYING_H
#define PE_DYING_H

struct pe_mirrors;

/**
 * pe_dying_cut() - cut off events and instances that are dying
 * @mirrors: from pe_mirrors_lock()
 *
 * No trigger is on them or leads to them, no hit comes to them.  Events that nothing else uses are
 * removed, with one grace period for all.  Cannot fail, and may be called again.
 */
void pe_dying_cut(struct pe_mirrors *mirrors);

#endif
