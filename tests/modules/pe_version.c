// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_version.c - attaches like a probe_core of another version than the arena's; it is refused.
 */
#include <linux/module.h>
#include "kernel/arena/arena.h"

static int __init version_init(void)
{
	return pe_arena_attach(PE_ARENA_VERSION + 1, NULL, NULL);
}

module_init(version_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Another version of the engine, for tests");
