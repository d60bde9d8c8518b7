/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * functions.h - the functions of a kernel, and which of them cannot be probed.
 *
 * Pure: the texts come from the caller, nothing here touches the system.
 */
#ifndef PE_TOOL_FUNCTIONS_H
#define PE_TOOL_FUNCTIONS_H

#include <stddef.h>

/**
 * struct function - one of them
 * @addr: where it begins; 0 if the kernel hides that
 * @name: as in kallsyms
 * @module: the module's name, "" of the kernel's own
 * @refused: why it cannot be probed; NULL if it can be, as far as these texts tell
 */
struct function {
	unsigned long long addr;
	const char *name;
	const char *module;
	const char *refused;
};

/**
 * struct functions - some functions, in order of name, module and address
 * @of: the functions; their texts are parts of what the functions came from
 * @nr: how many
 */
struct functions {
	struct function *of;
	size_t nr;
};

/**
 * functions_find() - the functions whose names match
 * @found: gets them, for functions_free()
 * @kallsyms: the text of /proc/kallsyms; it is cut into its words
 * @pattern: as for fnmatch(3); without * ? and [ what names have to contain
 *
 * If a name is the pattern, letter for letter, it is the only one.  Parts of functions that
 * compilers have moved elsewhere (NAME.cold) and padding (__pfx_NAME) are no functions.
 *
 * Return: 0, or -1 without memory.
 */
int functions_find(struct functions *found, char *kallsyms, const char *pattern);

/**
 * functions_refuse() - note which cannot be probed
 * @found: the functions
 * @blacklist: the text of kprobes/blacklist: ranges and reasons; it is cut into its words
 * @traceable: the text of available_filter_functions, likewise; NULL without ftrace
 *
 * The file of traceable functions has names only.  Of several functions of one name in one module
 * all count as traceable if one is.
 *
 * Return: 0, or -1 without memory.
 */
int functions_refuse(struct functions *found, char *blacklist, char *traceable);

/** functions_free() - the end of functions_find()'s result */
void functions_free(struct functions *found);

#endif
