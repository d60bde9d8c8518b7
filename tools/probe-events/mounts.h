/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * mounts.h - reading the texts of /proc/mounts and /proc/filesystems.
 *
 * Pure: nothing here touches the system.
 */
#ifndef PE_TOOL_MOUNTS_H
#define PE_TOOL_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>

/**
 * mounts_next() - the next mount of a type
 * @pos: where to go on in the text of /proc/mounts; moved past the line found
 * @type: the file system's type, exactly
 * @dir: gets the mount point, with the kernel's octal escapes undone
 * @size: of @dir; a mount point that does not fit is passed over
 *
 * Return: false if there is none left.
 */
bool mounts_next(const char **pos, const char *type, char *dir, size_t size);

/**
 * mounts_has() - is a type mounted at this very place?
 * @mounts: text of /proc/mounts
 * @type: the file system's type
 * @dir: the mount point, as the user would type it
 */
bool mounts_has(const char *mounts, const char *type, const char *dir);

/**
 * filesystems_has() - is a type registered?
 * @filesystems: text of /proc/filesystems
 * @type: its name
 */
bool filesystems_has(const char *filesystems, const char *type);

#endif
