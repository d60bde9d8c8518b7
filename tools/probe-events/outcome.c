// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * outcome.c - where the hits have gone: the last line of the verb trace.
 */
#include <assert.h>
#include <string.h>
#include "json.h"
#include "outcome.h"
#include "paint.h"
#include "refused.h"
#include "request.h"
#include "units.h"
#include "wait.h"

static const char * const lost_names[] = {
	"recursion", "no_stack", "dropped", "off", "full", "limited", "pid",
};

#define NR_LOST (sizeof(lost_names) / sizeof(*lost_names))
static_assert(NR_LOST + 1 == OUTCOME_WAYS, "and overwritten");

/* After the last of the names: overwritten before they were read. */
static void lose(struct outcome *o, unsigned long long nr)
{
	o->lost[NR_LOST] += nr;
	o->all_lost += nr;
}

void outcome_add_up(struct outcome *o, const struct hits *h, const struct losses *l,
		    unsigned long long dropped)
{
	bool own = h->r->command && !h->r->all;
	bool enough = h->r->most && h->shown == h->r->most;
	unsigned long long sum, room, all_dropped = losses_of(l, "dropped");
	size_t i;

	if (dropped > all_dropped)	/* the event is gone */
		dropped = all_dropped;
	*o = (struct outcome){
		.known = true,
		.hits = losses_of(l, "hits"),
		.others = losses_of(l, "filter") + (own ? losses_of(l, "pid") : 0) +
			  (h->r->most ? losses_of(l, "limited") : 0),
		.inside = losses_of(l, "in_flight") + all_dropped - dropped,
		/* A hit on its way while the event is switched on or off. */
		.later = losses_of(l, "unlinked") + losses_of(l, "soft"),
	};
	for (i = 0; i < NR_LOST - own; i++)
		if (!h->r->most || strcmp(lost_names[i], "limited"))
			o->lost[i] = strcmp(lost_names[i], "dropped") ?
				     losses_of(l, lost_names[i]) : dropped;
	for (i = 0; i < NR_LOST; i++)
		o->all_lost += o->lost[i];
	/* A bare hit is shown, and lost: the hits are this sum without those. */
	sum = h->shown + o->others + o->inside + o->later + o->all_lost;
	room = o->hits + h->bare;
	lose(o, records_lost(h->rs, room > sum ? room - sum : 0));
	/* A stack is lost as a record is, and for the same reasons. */
	if (h->bare > o->all_lost)
		lose(o, h->bare - o->all_lost);
	sum = h->shown + o->others + o->inside + o->later + o->all_lost - h->bare;
	if (o->hits > sum && enough)
		o->hidden = o->hits - sum;
	else if (o->hits > sum)
		lose(o, o->hits - sum);
}

static const char *lost_name(size_t i)
{
	return i < NR_LOST ? lost_names[i] : "overwritten";
}

static void put_term(const char *name, unsigned long long count, FILE *out)
{
	char text[UNITS_TEXT];

	if (count)
		fprintf(out, " + %s %s", name, print_count(text, count));
}

void outcome_print(const struct outcome *o, const struct hits *h, FILE *out)
{
	char text[UNITS_TEXT];
	size_t i;

	fprintf(out, "%shits %s = ", h->kept ? "" : "\n", print_count(text, o->hits));
	fprintf(out, "%s %s", h->kept ? "recorded" : "shown", print_count(text, h->shown));
	put_term("not asked for", o->others, out);
	put_term("inside", o->inside, out);
	put_term("later", o->later, out);
	put_term("not shown", o->hidden, out);
	fputs("; ", out);
	paint(o->all_lost ? PAINT_BAD : PAINT_GOOD, out);
	fputs(o->all_lost ? "LOST" : "none lost", out);
	if (o->all_lost)
		fprintf(out, " %s:", print_count(text, o->all_lost));
	for (i = 0; i <= NR_LOST; i++)
		if (o->lost[i])
			fprintf(out, " %s %s", lost_name(i), print_count(text, o->lost[i]));
	paint(PAINT_NONE, out);
	if (h->bare)
		fprintf(out, " (%s of them only a stack)", print_count(text, h->bare));
	refused_print(o->refused, !h->r->verbose, out);
	if (o->cost_known)
		fprintf(out, "; cost %.2f%% of CPU", o->cost);
	fputc('\n', out);
}

void outcome_json(const struct outcome *o, const struct hits *h, int status, FILE *out)
{
	struct json_object *end = json_line("end", now_ns() / 1e9);
	struct json_object *balance = json_object_new_object(), *lost = json_object_new_object();
	struct json_object *loss;
	size_t i;

	json_object_object_add(balance, "hits", json_number(o->hits));
	json_object_object_add(balance, "shown", json_number(h->shown));
	json_object_object_add(balance, "not_asked_for", json_number(o->others));
	json_object_object_add(balance, "in_flight", json_number(o->inside));
	json_object_object_add(balance, "later", json_number(o->later));
	json_object_object_add(balance, "not_shown", json_number(o->hidden));
	for (i = 0; i <= NR_LOST; i++) {
		if (!o->lost[i])
			continue;
		loss = json_line("loss", now_ns() / 1e9);
		json_object_object_add(loss, "why", json_object_new_string(lost_name(i)));
		json_object_object_add(loss, "hits", json_number(o->lost[i]));
		json_print(loss, out);
		json_object_object_add(lost, lost_name(i), json_number(o->lost[i]));
	}
	if (o->refused)
		json_object_object_add(balance, "refused", json_number(o->refused));
	json_object_object_add(balance, "lost", lost);
	json_object_object_add(end, "status", json_object_new_int(status));
	json_object_object_add(end, "balance", balance);
	json_print(end, out);
}
