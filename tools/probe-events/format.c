// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * format.c - in which forms an answer is written: option -f; that for people.
 */
#include <string.h>
#include "balance.h"
#include "format.h"

static void text_table(const struct answer *a, FILE *out)
{
	answer_print(a, out);
	fputc('\n', out);
}

static void text_end(const struct answer *a, int status, FILE *out)
{
	(void)status;
	if (a->table)
		balance_print(a, out);
}

const struct format format_text = {
	.name = "text",
	.table = text_table,
	.end = text_end,
};

const struct format *format_find(const char *name)
{
	static const struct format * const all[] = {
		&format_text, &format_json, &format_csv, &format_folded,
		&format_openmetrics, &format_html,
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (!strcmp(all[i]->name, name))
			return all[i];
	return NULL;
}

const char *format_unknown(const char *name)
{
	return strcmp(name, "dat") ? "a form is text, json, csv, html, openmetrics or folded" :
	       "-f dat is for records, with our modules: trace WHAT -f dat -o FILE";
}
