/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * errors.h - names of errors, as functions of the kernel return them.  Pure.
 */
#ifndef PE_TOOL_ERRORS_H
#define PE_TOOL_ERRORS_H

#include <stddef.h>

#define ERROR_MOST 4095	/* MAX_ERRNO: results below -4095 are none */

/** error_name() - "ENOENT" of -2; NULL: it is no error, or has no name */
const char *error_name(long long result);

/**
 * error_number() - the number of an error
 * @name: "EACCES", "-eacces" or "13"
 * @len: of it
 *
 * Return: 13; 0: there is none.
 */
unsigned int error_number(const char *name, size_t len);

#endif
