// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * html_flame.c - stacks as a flame graph: the outermost function is at the bottom, and each is as
 * wide as its share of the calls, of their time or their pages.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include "html.h"
#include "units.h"
#include "worth.h"

#define WIDTH 1200
#define LINE 18
#define NARROW 1.2	/* a thousandth */
#define LETTER 7.0
#define DEPTH 1000	/* no stack of the kernel's is so deep; in a saved file it may be */

/* A function below those that called it; its children are those that it has called. */
struct frame {
	char *name;
	unsigned long long value;
	struct frame *children, *last, *next;
};

static void free_frames(struct frame *f)
{
	while (f) {
		struct frame *next = f->next;

		free_frames(f->children);
		free(f->name);
		free(f);
		f = next;
	}
}

static int compare(const struct frame *f, const char *name, size_t len)
{
	return strncmp(f->name, name, len) ?: f->name[len] != '\0';
}

/*
 * The child of this name, in the order of names; NULL without memory.  Rows come in the order of
 * their keys, so it is the last one or a new last one most of the time.
 */
static struct frame *child_of(struct frame *f, const char *name, size_t len)
{
	struct frame **at = &f->children, *child;
	int order = -1;

	if (f->last && compare(f->last, name, len) <= 0)
		at = compare(f->last, name, len) ? &f->last->next : &f->last;
	while (*at && (order = compare(*at, name, len)) < 0)
		at = &(*at)->next;
	if (*at && !order)
		return *at;
	child = calloc(1, sizeof(*child));
	if (!child)
		return NULL;
	child->name = strndup(name, len);
	if (!child->name) {
		free(child);
		return NULL;
	}
	child->next = *at;
	if (!child->next)
		f->last = child;
	*at = child;
	return child;
}

/*
 * Stacks have their innermost function first.  What is too deep is left out: its calls are those of
 * the last function that is not.
 */
static struct frame *add_stack(struct frame *f, const char *stack, unsigned long long value,
			       bool *deep)
{
	const char *end = stack + strlen(stack), *begin;
	size_t depth = 0;

	while (f && end > stack) {
		if (depth++ == DEPTH) {
			*deep = true;
			break;
		}
		begin = memrchr(stack, ',', end - stack);
		begin = begin ? begin + 1 : stack;
		f = child_of(f, begin, end - begin);
		if (f)
			f->value += value;
		end = begin > stack ? begin - 1 : stack;
	}
	return f;
}

/* The other keys are below the stack, as in folded stacks. */
static int add_row(struct frame *root, const struct table *t, const struct group *g,
		   unsigned long long value, bool *deep)
{
	struct frame *f = root;
	const char *stack = "";
	size_t i;

	root->value += value;
	for (i = 0; f && i < t->nr_columns; i++) {
		if (t->columns[i].type == COLUMN_STACK) {
			stack = g->keys[i];
			continue;
		}
		f = child_of(f, g->keys[i], strlen(g->keys[i]));
		if (f)
			f->value += value;
	}
	return f && add_stack(f, stack, value, deep) ? 0 : -1;
}

static size_t depth_of(const struct frame *f)
{
	size_t depth = 0, is;

	for (f = f->children; f; f = f->next) {
		is = depth_of(f);
		depth = is > depth ? is : depth;
	}
	return depth + 1;
}

static void put_value(const struct answer *a, unsigned long long value, FILE *out)
{
	char text[UNITS_TEXT];

	if (a->timed || worth_of(a) == WORTH_TIME)
		fputs(print_time(text, value, a->r->unit), out);
	else if (worth_of(a) == WORTH_PAGES)
		fprintf(out, "%s page%s", print_count(text, value), value == 1 ? "" : "s");
	else
		fprintf(out, "%s call%s", print_count(text, value), value == 1 ? "" : "s");
}

/* One of a few colours, the same for a name each time. */
static unsigned int colour_of(const char *name)
{
	unsigned int hash = 0;

	for (; *name; name++)
		hash = hash * 31 + (unsigned char)*name;
	return hash % 6;
}

struct flame {
	const struct answer *a;
	unsigned long long all;
	size_t depth;		/* lines */
	size_t narrow;		/* frames that are not drawn */
	FILE *out;
};

static size_t count_frames(const struct frame *f)
{
	size_t nr = 1;

	for (f = f->children; f; f = f->next)
		nr += count_frames(f);
	return nr;
}

static void put_frame(struct flame *flame, const struct frame *f, double x, size_t line)
{
	double width = (double)WIDTH * f->value / flame->all;
	size_t y = (flame->depth - 1 - line) * LINE;
	const struct frame *child;

	if (width < NARROW) {
		flame->narrow += count_frames(f);
		return;
	}
	fputs("<g><title>", flame->out);
	html_text(f->name, flame->out);
	fputs(": ", flame->out);
	put_value(flame->a, f->value, flame->out);
	fprintf(flame->out, ", %.1f %%</title>", 100.0 * f->value / flame->all);
	fprintf(flame->out, "<rect class=\"f%u\" x=\"%.1f\" y=\"%zu\"", colour_of(f->name), x, y);
	fprintf(flame->out, " width=\"%.1f\" height=\"%d\"/>", width - 0.5, LINE - 1);
	if (width > 3 * LETTER) {
		fprintf(flame->out, "<text x=\"%.1f\" y=\"%zu\">", x + 3, y + LINE - 5);
		html_part(f->name, (width - 6) / LETTER, flame->out);
		fputs("</text>", flame->out);
	}
	fputs("</g>\n", flame->out);
	for (child = f->children; child; child = child->next) {
		put_frame(flame, child, x, line + 1);
		x += (double)WIDTH * child->value / flame->all;
	}
}

static unsigned long long width_of(const struct answer *a, const struct group *g)
{
	if (!a->timed)
		return worth_of(a) ? g->weight : g->hits;
	return g->sum > 0 ? (unsigned long long)g->sum : 0;
}

int html_flame(const struct answer *a, const struct table *t, FILE *out)
{
	struct frame root = { .name = "all" };
	struct flame flame = { .a = a, .out = out };
	bool deep = false;
	int ret = 0;
	size_t i;

	for (i = 0; i < t->nr && !ret; i++) {
		const struct group *g = &t->groups[i];

		ret = add_row(&root, t, g, width_of(a, g), &deep);
	}
	if (!ret && root.value) {
		flame.all = root.value;
		flame.depth = depth_of(&root);
		fputs("<h2>Stacks</h2>\n<div class=\"wide\">", out);
		fputs("<svg class=\"flame\" role=\"img\" aria-label=\"Flame graph\"", out);
		fprintf(out, " viewBox=\"0 0 %d %zu\">\n", WIDTH, flame.depth * LINE);
		put_frame(&flame, &root, 0, 0);
		fputs("</svg></div>\n<p>The innermost functions are on top; the width is ", out);
		fputs(a->timed || worth_of(a) == WORTH_TIME ? "time. " :
		      worth_of(a) == WORTH_PAGES ? "the number of pages. " :
		      "the number of calls. ", out);
		fputs("Point at one to see its whole name.", out);
		if (flame.narrow)
			fprintf(out, " %zu narrower than a thousandth are not drawn.",
				flame.narrow);
		if (deep)
			fprintf(out, " Of deeper stacks, the %d outermost functions are drawn.",
				DEPTH);
		fputs("</p>\n", out);
	}
	free_frames(root.children);
	return ret;
}
