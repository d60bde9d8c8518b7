/* SPDX-License-Identifier: GPL-2.0 */
/*
 * reader.h - from records to text: reader.c, and the files that show them.
 */
#ifndef PE_READER_H
#define PE_READER_H

#include <linux/types.h>

struct pe_instance;
struct pe_node;

/* instance.c */
/**
 * pe_instance_init() - buffers and switches of the top instance
 */
int pe_instance_init(void);

/**
 * pe_instance_files() - make an instance's files in its directory
 *
 * trace, trace_pipe, tracing_on, buffer_size_kb, ..., per_cpu/.  Its ->dir must
 * be set.  On failure some exist, to be removed with the directory.
 */
int pe_instance_files(struct pe_instance *inst);

/**
 * pe_instance_exit() - free the top instance's buffers; no hit, no file left
 */
void pe_instance_exit(void);

#endif
