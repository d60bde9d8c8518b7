/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * limit_words.h - what an event may do before it is stopped.
 */
#ifndef PE_LIMIT_WORDS_H
#define PE_LIMIT_WORDS_H

#include <linux/types.h>
#include "lex.h"

struct pe_parse_err;

#define PE_LIMIT_MAX_HITS	(1ULL << 62)
#define PE_LIMIT_MAX_RATE	1000000000ULL

/* The text of all words, with its NUL; of a share. */
#define PE_LIMIT_TEXT		160
#define PE_LIMIT_SHARE_TEXT	16

/* All, of a share in thousandths of a percent. */
#define PE_LIMIT_WHOLE		100000U

/**
 * struct pe_limit_words - a limit; a member that is 0 limits nothing
 * @hits: how many are served; the next one stops the event
 * @rate: how many are served in a second; those beyond are counted as limited
 * @ttl: seconds
 * @cpu: share of the time of all CPUs, in thousandths of a percent
 * @one: share of the time of any one CPU, likewise
 */
struct pe_limit_words {
	u64 hits;
	u64 rate;
	u64 ttl;
	u32 cpu;
	u32 one;
};

/**
 * pe_limit_parse() - read the words of a limit
 * @words: filled
 * @text: words, or "none"; blanks before and after do not matter
 * @err: zeroed by the caller
 *
 * Return: 0 or -EINVAL.
 */
int pe_limit_parse(struct pe_limit_words *words, const char *text, struct pe_parse_err *err);

/* "N" seconds, or N and a unit: s, m, h, d; from 1 second to 3650 days. */
#define PE_LIMIT_SECONDS_HINT	"ttl=N, or N with s, m, h or d; 3650d at most"
bool pe_limit_seconds(struct pe_str text, u64 *seconds);

bool pe_limit_is_none(const struct pe_limit_words *words);

/* The smaller one of each. */
void pe_limit_join(struct pe_limit_words *words, const struct pe_limit_words *other);

/* "2.5%"; shares beyond 100% as well. */
void pe_limit_print_share(char text[PE_LIMIT_SHARE_TEXT], u32 share);
/* As pe_limit_parse() reads it. */
void pe_limit_print(char text[PE_LIMIT_TEXT], const struct pe_limit_words *words);

#endif
