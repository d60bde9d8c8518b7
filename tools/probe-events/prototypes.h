/* SPDX-License-Identifier: GPL-2.0 */
/*
 * prototypes.h - parameters and results of kernel functions, by the kernel's type data (BTF).
 */
#ifndef PE_TOOL_PROTOTYPES_H
#define PE_TOOL_PROTOTYPES_H

#include <stdbool.h>
#include <stdio.h>

struct prototypes;

/**
 * prototypes_load() - the type data of the running kernel
 *
 * Return: for prototypes_free(); NULL if this kernel has none, or no memory.
 */
struct prototypes *prototypes_load(void);

/**
 * prototypes_print() - "(TYPE NAME, ...) -> TYPE" of a function
 * @all: the type data; may be NULL
 * @module: the module's name, "" of the kernel's own
 * @name: the function's
 * @out: gets it
 *
 * Nothing is printed for a function without type data.
 */
void prototypes_print(struct prototypes *all, const char *module, const char *name, FILE *out);

/**
 * prototypes_spell() - write a field as the modules' language has it
 * @all: the type data; may be NULL
 * @function: FUNC or MOD:FUNC, whose parameters are meant
 * @expr: "skb.sk.sk_state": a parameter, and fields
 * @out: gets "skb->sk->sk_state": a pointer is followed by "->"
 *
 * Return: false, and nothing is printed, if the type data does not have it.
 */
bool prototypes_spell(struct prototypes *all, const char *function, const char *expr, FILE *out);

/** prototypes_free() - the end of prototypes_load()'s result; NULL is allowed */
void prototypes_free(struct prototypes *all);

#endif
