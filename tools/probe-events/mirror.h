/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#ifndef PE_TOOL_MIRROR_H
#define PE_TOOL_MIRROR_H

/**
 * make_mirrors() - make a mirror of each event that has none
 * @files: where our files are mounted
 *
 * Return: 0, or -1 after a message about the first event that cannot have one.
 */
int make_mirrors(const char *files);

#endif
