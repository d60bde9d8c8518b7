/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * named.h - names of errors and of signals, in place of numbers, in a filter.
 */
#ifndef PE_TOOL_NAMED_H
#define PE_TOOL_NAMED_H

#include <stdbool.h>
#include <stddef.h>

/** named_error() - -2 of ENOENT, and of -ENOENT; 0: it is no name of an error */
int named_error(const char *name, size_t len);

/** named_signal() - 17 of CHLD, and of SIGCHLD; 0: it is no name of a signal */
int named_signal(const char *name, size_t len);

/**
 * named_number() - the number that a name stands for
 * @field: what it is compared with: "ret" is an error, "sig" and the like are signals
 * @value: the name
 * @number: gets it
 *
 * Return: false: of this field it is no name.
 */
bool named_number(const char *field, const char *value, int *number);

#endif
