/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * patient.h - what has to be so before a probe can fire on a machine, checked one by one.
 */
#ifndef PE_TOOL_PATIENT_H
#define PE_TOOL_PATIENT_H

#include <stdbool.h>
#include <stdio.h>

/**
 * struct patient - the machine that is looked at
 * @root: what its paths begin with: "" on this machine, a directory in tests
 * @machine: as uname -m
 * @release: as uname -r
 * @loaded: the module is
 */
struct patient {
	const char *root;
	const char *machine;
	const char *release;
	bool loaded;
};

/**
 * examine() - check everything, print a line for each thing
 * @p: the machine; @loaded is found out
 * @out: gets the lines; below what is missing stands the command that mends it
 *
 * Return: how many things are missing without which no probe can fire.
 */
int examine(struct patient *p, FILE *out);

#endif
