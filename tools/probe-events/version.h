/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * version.h - which version this is, and which the loaded module is.
 */
#ifndef PE_TOOL_VERSION_H
#define PE_TOOL_VERSION_H

#include <stdbool.h>
#include <stdio.h>
#include "../../include/pe/version.h"

/**
 * version_differs() - compare with the version of a loaded module
 * @loaded: the text of its file in sysfs, with or without newline
 *
 * Return: whether it is another one than ours.
 */
bool version_differs(const char *loaded);

/**
 * print_version() - what `probe-events --version` says
 * @path: the file in sysfs with the version of the module; if it is not there, no module is loaded
 * @out: where to
 *
 * Return: exit status: 0, or PE_EXIT_MISSING if the module is of another version.
 */
int print_version(const char *path, FILE *out);

#endif
