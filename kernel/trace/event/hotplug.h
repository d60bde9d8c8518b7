/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * hotplug.h - rings for CPUs that come up.
 */
#ifndef PE_HOTPLUG_H
#define PE_HOTPLUG_H

struct pe_instance;

/*
 * hotplug.c.  Call these before the first instance is made and after the last is gone, with no
 * lock held.  Return: 0 or -errno.
 */
int pe_hotplug_init(void);
void pe_hotplug_exit(void);

/**
 * pe_hotplug_add() - give an instance the rings of CPUs that are online or will come up
 * @inst: the instance
 *
 * Return: 0 or -errno; pe_hotplug_remove() is needed in any case.
 */
int pe_hotplug_add(struct pe_instance *inst);
void pe_hotplug_remove(struct pe_instance *inst);

#endif
