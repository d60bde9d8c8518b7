/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * prototypes.h - parameters and results of kernel functions, by the kernel's type data (BTF).
 */
#ifndef PE_TOOL_PROTOTYPES_H
#define PE_TOOL_PROTOTYPES_H

#include <stdbool.h>
#include <stdio.h>

struct btf;
struct prototypes;

/**
 * struct prototypes_value - the type of a value
 * @btf: whose; it is there until another module is asked for
 * @id: of the type, without typedefs, const and the like
 * @named: with these
 * @bits: of a bit field; 0: it is none
 */
struct prototypes_value {
	const struct btf *btf;
	unsigned int id, named, bits;
};

/** enum prototypes_has - what the type data has of a value; PROTOTYPES_VOID: there is none */
enum prototypes_has {
	PROTOTYPES_KNOWN, PROTOTYPES_NO_FUNCTION, PROTOTYPES_NO_VALUE, PROTOTYPES_VOID,
};

/**
 * prototypes_load() - the type data of the running kernel
 *
 * Return: for prototypes_free(); NULL if this kernel has none, or no memory.
 */
struct prototypes *prototypes_load(void);

/** prototypes_make() - likewise of other type data, which it takes over; NULL: there is none */
struct prototypes *prototypes_make(struct btf *btf);

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
 * @function: FUNC or MOD:FUNC, whose parameters are meant; or t:TRACEPOINT
 * @expr: "skb.sk.sk_state": a parameter, and fields
 * @out: gets "skb->sk->sk_state": a pointer is followed by "->"
 *
 * Return: false, and nothing is printed, if the type data does not have it.
 */
bool prototypes_spell(struct prototypes *all, const char *function, const char *expr, FILE *out);

/**
 * prototypes_value() - the type of a value
 * @all: the type data; may be NULL
 * @function: as of prototypes_spell()
 * @expr: "ret", "arg2", or a parameter and its fields
 * @value: gets it
 */
enum prototypes_has prototypes_value(struct prototypes *all, const char *function,
				     const char *expr, struct prototypes_value *value);

/** prototypes_print_type() - how the source writes a type, which was asked for last */
void prototypes_print_type(struct prototypes *all, const struct prototypes_value *value,
			   FILE *out);

/** prototypes_struct_has() - has this structure such a member?  No, if @btf is NULL */
bool prototypes_struct_has(const struct btf *btf, const char *name, const char *member);

/** prototypes_enums() - the parameters of a function that are enums, "a, b", and perhaps "ret" */
void prototypes_enums(struct prototypes *all, const char *function, FILE *out);

/** prototypes_free() - the end of prototypes_load()'s result; NULL is allowed */
void prototypes_free(struct prototypes *all);

#endif
