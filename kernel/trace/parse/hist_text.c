// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * hist_text.c - texts that a histogram trigger keeps, and places in its command.  [P]
 *
 * Names and expressions are of any length, and most triggers have few of them: they share the room
 * in pe_hist.texts, by number, so that a trigger can be copied.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "hist.h"
#include "hist_internal.h"
#include "lex.h"
#include "parse_err.h"

unsigned int pe_hist_put_begin(struct pe_hist *hist)
{
	if (!hist->nr_texts)
		hist->nr_texts = 1;	/* the first is "" */
	return hist->nr_texts;
}

bool pe_hist_put(struct pe_hist *hist, const char *format, ...)
{
	size_t room = PE_HIST_TEXTS - hist->nr_texts;
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(hist->texts + hist->nr_texts, room, format, args);
	va_end(args);
	hist->nr_texts = len < room ? hist->nr_texts + len : PE_HIST_TEXTS;
	return hist->nr_texts < PE_HIST_TEXTS;
}

bool pe_hist_put_end(struct pe_hist *hist, unsigned int begin)
{
	if (hist->nr_texts == PE_HIST_TEXTS || hist->nr_texts - begin > PE_HIST_EXPR_TEXT)
		return false;
	hist->texts[hist->nr_texts++] = 0;
	return true;
}

unsigned int pe_hist_keep(struct pe_hist *hist, struct pe_str text)
{
	unsigned int begin = pe_hist_put_begin(hist);

	pe_hist_put(hist, "%.*s", (int)text.len, text.p);
	return pe_hist_put_end(hist, begin) ? begin : 0;
}

/* The first place of a text in the command; 0 if it is not there, because a hyphen has changed. */
static unsigned int pe_hist_column(const struct pe_hist_parser *p, struct pe_str text)
{
	size_t len = strlen(p->command), i;

	for (i = 0; text.len && i + text.len <= len; i++)
		if (!strncmp(p->command + i, text.p, text.len))
			return i;
	return 0;
}

int pe_hist_fail(const struct pe_hist_parser *p, int code, struct pe_str where, int ret)
{
	return pe_parse_fail(p->err, code, pe_hist_column(p, where), ret);
}

int pe_hist_bad_modifier(const struct pe_hist_parser *p, struct pe_str where)
{
	return pe_hist_fail(p, PE_ERR_HIST_BAD_MODIFIER, where, -EINVAL);
}
