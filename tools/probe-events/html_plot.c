// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * html_plot.c - distributions as pictures: bars on a logarithmic axis, lines at percentiles.
 *
 * The quarters of an octave are not equally wide on such an axis.  The area of a bar is its number
 * of calls, or each octave would seem to begin with a peak.
 */
#include <math.h>
#include <string.h>
#include "html.h"
#include "units.h"

#define STEPS_OF_BAR 8	/* a quarter of an octave */
#define WIDTH 960
#define HEIGHT 200	/* of the bars */
#define ABOVE 48	/* for the names of the lines */
#define BELOW 24	/* for the axis */
#define SPARK_WIDTH 120
#define SPARK_HEIGHT 18

static const double percentiles[] = { 50, 90, 99 };

#define NR_PERCENTILES (sizeof(percentiles) / sizeof(*percentiles))

struct axis {
	double first, last;	/* logarithms */
	double width;
};

static double log_of(unsigned long long value)
{
	return log2(value ?: 1);
}

static unsigned int bar_of(const struct step_count *step)
{
	return step->step < 0 ? 0 : step->step / STEPS_OF_BAR;
}

/* From the beginning of the first bar to the end of the last. */
static struct axis axis_of(const struct group *g, double width)
{
	struct axis axis = { 0, 1, width };

	if (!g->nr_steps)
		return axis;
	axis.first = log_of(step_lower(bar_of(&g->steps[0]) * STEPS_OF_BAR));
	axis.last = log_of(step_lower((bar_of(&g->steps[g->nr_steps - 1]) + 1) * STEPS_OF_BAR));
	if (axis.last < axis.first + 1)
		axis.last = axis.first + 1;
	return axis;
}

static double place(const struct axis *axis, unsigned long long value)
{
	double at = (log_of(value) - axis->first) / (axis->last - axis->first);

	return axis->width * (at < 0 ? 0 : at > 1 ? 1 : at);
}

struct bar {
	unsigned long long from, to, hits;
	double height;		/* compared with other bars */
};

/* The bar that begins with step @i, and the first step after it. */
static struct bar next_bar(const struct group *g, size_t *i)
{
	unsigned int nr = bar_of(&g->steps[*i]);
	struct bar bar = {
		.from = step_lower(nr * STEPS_OF_BAR), .to = step_lower((nr + 1) * STEPS_OF_BAR),
	};

	for (; *i < g->nr_steps && bar_of(&g->steps[*i]) == nr; ++*i)
		bar.hits += g->steps[*i].hits;
	bar.height = bar.hits / (log_of(bar.to) - log_of(bar.from));
	return bar;
}

static double highest(const struct group *g)
{
	double most = 0;
	size_t i = 0;

	while (i < g->nr_steps)
		most = fmax(most, next_bar(g, &i).height);
	return most;
}

static void put_bars(const struct answer *a, const struct group *g, const struct axis *axis,
		     FILE *out)
{
	double most = highest(g), x, height;
	char text[UNITS_TEXT];
	struct bar bar;
	size_t i = 0;

	while (i < g->nr_steps) {
		bar = next_bar(g, &i);
		height = fmax(HEIGHT * bar.height / most, 1);	/* a single call is seen, too */
		x = place(axis, bar.from);
		fprintf(out, "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\"", x,
			ABOVE + HEIGHT - height);
		fprintf(out, " width=\"%.1f\" height=\"%.1f\">",
			fmax(place(axis, bar.to) - x - 1, 1), height);
		fprintf(out, "<title>%s", print_time(text, bar.from, a->r->unit));
		fprintf(out, " - %s: ", print_time(text, bar.to, a->r->unit));
		fprintf(out, "%s</title></rect>\n", print_count(text, bar.hits));
	}
}

static void put_label(double x, int y, const char *anchor, FILE *out)
{
	fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">", x, y, anchor);
}

/* "10us", not "10.00us". */
static char *short_time(char *text, unsigned long long ns)
{
	char *dot, *unit;

	dot = strchr(print_time(text, ns, NULL), '.');
	if (dot) {
		unit = dot + 1 + strspn(dot + 1, "0");
		memmove(dot, unit, strlen(unit) + 1);
	}
	return text;
}

/* A mark each time that is 1, 10 or 100 of a unit; 2 and 5, too, if there is room. */
static void put_axis(const struct axis *axis, FILE *out)
{
	bool room = axis->last - axis->first < 14;
	unsigned long long value, ten;
	char text[UNITS_TEXT];
	double at;
	int i;

	fprintf(out, "<path class=\"axis\" d=\"M0 %dH%d\"/>\n", ABOVE + HEIGHT, WIDTH);
	for (ten = 1; ten < 1000000000000000000ULL; ten *= 10)
		for (i = 0; i < (room ? 3 : 1); i++) {
			value = ten * (i == 0 ? 1 : i == 1 ? 2 : 5);
			at = log_of(value);
			if (at < axis->first || at > axis->last)
				continue;
			at = place(axis, value);
			fprintf(out, "<path class=\"axis\" d=\"M%.1f %dv5\"/>", at,
				ABOVE + HEIGHT);
			put_label(at, ABOVE + HEIGHT + 19, at < 30 ? "start" : at > WIDTH - 30 ?
				  "end" : "middle", out);
			fprintf(out, "%s</text>\n", short_time(text, value));
		}
}

static void put_lines(const struct answer *a, const struct group *g, const struct axis *axis,
		      FILE *out)
{
	char text[UNITS_TEXT];
	size_t i;

	for (i = 0; i < NR_PERCENTILES; i++) {
		unsigned long long value = group_percentile(g, percentiles[i]);
		double at = place(axis, value);
		bool right = at > WIDTH - 130;
		int top = 12 + 15 * i;

		fprintf(out, "<path class=\"line\" d=\"M%.1f %dV%d\"/>", at, top - 8,
			ABOVE + HEIGHT);
		put_label(right ? at - 5 : at + 5, top, right ? "end" : "start", out);
		fprintf(out, "p%g %s</text>\n", percentiles[i],
			print_time(text, value, a->r->unit));
	}
}

void html_histogram(const struct answer *a, const struct group *g, FILE *out)
{
	struct axis axis = axis_of(g, WIDTH);
	char text[UNITS_TEXT];

	fputs("<div class=\"wide\"><svg class=\"plot\" role=\"img\"", out);
	fputs(" aria-label=\"Distribution of times\"", out);
	fprintf(out, " viewBox=\"0 0 %d %d\">\n", WIDTH, ABOVE + HEIGHT + BELOW);
	put_bars(a, g, &axis, out);
	put_axis(&axis, out);
	put_lines(a, g, &axis, out);
	fputs("</svg></div>\n<p>", out);
	if (g->hits && g->sum > 0)
		fprintf(out, "mean %s, ", print_time(text, g->sum / g->hits, a->r->unit));
	fprintf(out, "p99.9 %s, ", print_time(text, group_percentile(g, 99.9), a->r->unit));
	fprintf(out, "max %s, ", print_time(text, g->max, a->r->unit));
	fprintf(out, "total %s. ", print_time(text, g->sum < 0 ? 0 : g->sum, a->r->unit));
	fputs("The area of a bar is its number of calls; ", out);
	fputs("percentiles are at most 1.6 % off.</p>\n", out);
}

void html_spark(const struct group *g, const struct group *all, FILE *out)
{
	struct axis axis = axis_of(all, SPARK_WIDTH);
	double most = highest(g), from, to, height;
	struct bar bar;
	size_t i = 0;

	fprintf(out, "<svg class=\"spark\" viewBox=\"0 0 %d %d\" aria-hidden=\"true\">",
		SPARK_WIDTH, SPARK_HEIGHT);
	fputs("<path class=\"bar\" d=\"", out);
	while (i < g->nr_steps) {
		bar = next_bar(g, &i);
		from = place(&axis, bar.from);
		to = place(&axis, bar.to);
		height = fmax(SPARK_HEIGHT * bar.height / most, 1);
		fprintf(out, "M%.1f %dv-%.1fh%.1fv%.1fz", from, SPARK_HEIGHT, height,
			fmax(to - from - 0.2, 0.5), height);
	}
	fputs("\"/><path class=\"line\" d=\"", out);
	for (i = 0; i < NR_PERCENTILES; i++)
		fprintf(out, "M%.1f 0v%d", place(&axis, group_percentile(g, percentiles[i])),
			SPARK_HEIGHT);
	fputs("\"/></svg>", out);
}
