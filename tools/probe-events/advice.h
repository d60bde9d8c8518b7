/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * advice.h - what would work in place of a word that the modules have refused.
 */
#ifndef PE_TOOL_ADVICE_H
#define PE_TOOL_ADVICE_H

#include <stdbool.h>
#include <stddef.h>

/* The keys that all hits have, whatever the function; and those of them that a filter takes. */
#define ADVICE_KEYS	"comm pid tid cpu func caller stack ret errno"
#define ADVICE_FIELDS	"comm pid tid cpu ret ns"

/**
 * advice() - what is told below the line that was typed
 * @what: the modules' message
 * @word: the word that it is about, without a modifier
 * @len: its length
 * @filter: it is one of a filter
 * @text: gets "meant: comm", for one; "" if nothing is known
 * @size: of @text
 */
void advice(const char *what, const char *word, size_t len, bool filter, char *text, size_t size);

#endif
