/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * stock_verb.h - count, lat and trace with the kernel's own tracefs: option --engine kernel.
 */
#ifndef PE_TOOL_STOCK_VERB_H
#define PE_TOOL_STOCK_VERB_H

#include "recipe.h"
#include "request.h"

/**
 * stock_verb() - carry out a question there
 * @name: the verb
 * @verb: likewise
 * @r: the question
 *
 * Return: the exit status.
 */
int stock_verb(const char *name, enum recipe_verb verb, const struct request *r);

#endif
