/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * limits.h - limits of commands, and the offsets of a record's fields.
 */
#ifndef PE_LIMITS_H
#define PE_LIMITS_H

/* Limits of the interface, those of the kernel's kprobe events. */
#define PE_MAX_ARGS		128
#define PE_MAX_ARGSTR_LEN	63	/* of one argument's expression */
#define PE_MAX_ARG_NAME_LEN	33	/* including the NUL */
#define PE_MAX_EVENT_NAME_LEN	64	/* including the NUL; group and event */
#define PE_MAX_ARRAY_LEN	64
#define PE_MAX_DEREFS		14
#define PE_MAX_STRING_SIZE	4096	/* PATH_MAX */
#define PE_MAX_RECORD_FIXED	3072	/* bytes of all arguments' fields */
#define PE_MAX_MAXACTIVE	4096
#define PE_MAX_STACK_WORDS	2048	/* $stackN, $argN: a 16 KB stack */
#define PE_MAX_DENTRY_TEXT	256	/* of all %pd and %pD, expanded */
#define PE_MAX_PARAM_TEXT	128	/* of all parameters' names that are written out */
#define PE_MAX_COMMAND_LEN	4095	/* of a command's text */
#define PE_MAX_SYMBOL_LEN	512
#define PE_MAX_SAVED		32	/* words a return probe saves at entry */
#define PE_SPEC_POOL		4096	/* bytes of strings one command may hold */
#define PE_HINT_LEN		512	/* of what error_log says in brackets, with a NUL */

#define PE_DEFAULT_GROUP	"kprobes"
#define PE_DEFAULT_FPROBE_GROUP	"fprobes"
#define PE_DEFAULT_TPOINT_GROUP	"tracepoints"

/*
 * Fields before the arguments: 8 common bytes, then __probe_ip.  A return probe
 * has __probe_func and __probe_ret_ip instead.
 */
#define PE_RECORD_COMMON	8
#define PE_RECORD_ARGS		16
#define PE_RECORD_ARGS_RETURN	24

#endif
