/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * suggest.h - what a user may have meant by a command that is refused.  [P]
 */
#ifndef PE_SUGGEST_H
#define PE_SUGGEST_H

#include <linux/types.h>

struct pe_parse_err;
struct pe_spec;

/**
 * pe_cmd_explain() - what the kernel does not say of a refused command
 * @spec: as pe_cmd_parse() has left it
 * @ret: the errno
 * @err: gets a code if it has none, and a detail if it has none and there is one to give
 * @buf: for the detail, of @size bytes
 * @size: bytes of @buf
 */
void pe_cmd_explain(const struct pe_spec *spec, int ret, struct pe_parse_err *err, char *buf,
		    size_t size);

#endif
