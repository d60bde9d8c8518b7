// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * balance.c - all hits, and where they have gone.
 */
#include <string.h>
#include "answer.h"
#include "balance.h"
#include "paint.h"
#include "refused.h"
#include "units.h"

static const char * const lost[] = {
	"recursion", "no_stack", "dropped", "off", "full", "limited", "unlinked", "overwritten",
	"missed", "pid",
};

#define NR_LOST (sizeof(lost) / sizeof(*lost))

const char *balance_loss(const struct answer *a, size_t i, unsigned long long *hits)
{
	if (!i) {
		*hits = a->table->balance.other;
		return "the table was full";
	}
	/* The last one is no loss if the pids are those of the question. */
	if (i > NR_LOST - a->own)
		return NULL;
	/* Those beyond -M are not asked for. */
	*hits = a->r->most && !strcmp(lost[i - 1], "limited") ? 0 :
		losses_of(a->losses, lost[i - 1]);
	return lost[i - 1];
}

bool balance_knows(const char *name)
{
	size_t i;

	for (i = 0; i < NR_LOST; i++)
		if (!strcmp(lost[i], name))
			return true;
	return false;
}

void balance_make(const struct answer *a, struct sums *s)
{
	const struct balance *b = &a->table->balance;
	unsigned long long hits, seen;
	size_t i;

	*s = (struct sums){
		.hits = losses_of(a->losses, "hits"),
		.counted = b->rows + b->cleared - b->frees,
		.frees = b->frees,
		.others = b->filtered + b->paused + (a->own ? losses_of(a->losses, "pid") : 0) +
			  (a->r->most ? losses_of(a->losses, "limited") : 0),
		.inside = losses_of(a->losses, "in_flight"),
	};
	for (i = 0; balance_loss(a, i, &hits); i++)
		s->lost += hits;
	seen = s->counted + s->frees + s->others + s->inside + s->lost;
	s->later = s->hits > seen ? s->hits - seen : 0;
}

static void print_term(const char *between, const char *name, unsigned long long count, FILE *out)
{
	char text[UNITS_TEXT];

	if (count)
		fprintf(out, "%s%s %s", between, name, print_count(text, count));
}

unsigned long long balance_print(const struct answer *a, FILE *out)
{
	unsigned long long hits;
	char text[UNITS_TEXT];
	const char *name;
	struct sums s;
	size_t i;

	balance_make(a, &s);
	fprintf(out, "%s %s = counted ", a->timed ? "calls" : "hits", print_count(text, s.hits));
	fputs(print_count(text, s.counted), out);
	print_term(" + ", "frees", s.frees, out);
	print_term(" + ", "not asked for", s.others, out);
	print_term(" + ", "inside", s.inside, out);
	print_term(" + ", "later", s.later, out);
	if (!s.lost) {
		fputs("; ", out);
		paint(PAINT_GOOD, out);
		fputs("none lost", out);
	} else {
		fputs("; ", out);
		paint(PAINT_BAD, out);
		fprintf(out, "LOST %s:", print_count(text, s.lost));
		for (i = 0; (name = balance_loss(a, i, &hits)); i++)
			print_term(" ", name, hits, out);
	}
	paint(PAINT_NONE, out);
	refused_print(a->refused, !a->origin && !a->r->verbose, out);
	if (a->cost)
		fprintf(out, "; cost %.2f%% of CPU", *a->cost);
	fputc('\n', out);
	return s.lost;
}
