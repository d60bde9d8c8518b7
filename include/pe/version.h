/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * version.h - the version of the modules, the command and the packages.
 *
 * It stands here and at the head of Documentation/CHANGELOG.md, which has the scheme;
 * scripts/deb/make builds nothing if the two differ.
 */
#ifndef PE_VERSION_H
#define PE_VERSION_H

#define PE_VERSION	"1.0.0"

#endif
