// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * retell.c - an answer from what was saved: the verb report.
 *
 * An answer has rows, which are grouped again and added to those of other files; a record has hits,
 * which are listed or become rows.  What was not kept is not asked for, and the balance says so.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "balance.h"
#include "dat.h"
#include "json.h"
#include "match.h"
#include "narrow.h"
#include "paint.h"
#include "progress.h"
#include "redact.h"
#include "refused.h"
#include "report.h"
#include "report_hits.h"
#include "retell.h"
#include "saved.h"
#include "tally.h"
#include "units.h"
#include "verb.h"

/* ---- the beginning of a file ---- */

static const char *text_of(struct json_object *line, const char *name)
{
	struct json_object *o;

	return json_object_object_get_ex(line, name, &o) && json_object_is_type(o, json_type_string)
	       ? json_object_get_string(o) : "";
}

static double time_of(struct json_object *line)
{
	struct json_object *o;

	return json_object_object_get_ex(line, "t", &o) ? json_object_get_double(o) : 0;
}

/* The file's keys, if none were asked for. */
static int take_keys(struct retelling *re, struct json_object *line)
{
	struct json_object *by;
	size_t i;

	if (re->from_hits || re->r.nr_keys || !json_object_object_get_ex(line, "by", &by) ||
	    !json_object_is_type(by, json_type_array))
		return 0;
	for (i = 0; i < json_object_array_length(by); i++) {
		if (i == REQUEST_KEYS)
			return complain("%s: it has too many keys", re->path);
		re->keys[i] = saved_text(json_object_array_get_idx(by, i));
		if (!re->keys[i])
			return complain("%s: a key has no name", re->path);
		re->r.keys[re->r.nr_keys++] = re->keys[i];
	}
	return 0;
}

/* ---- what a preset adds up, and how it calls that ---- */

static const char *unit_of(struct json_object *line)
{
	static const char * const units[] = { "pages", "ns" };
	struct json_object *preset;
	size_t i;

	if (!json_object_object_get_ex(line, "preset", &preset))
		return "";
	for (i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(text_of(preset, "unit"), units[i]))
			return units[i];
	return "";
}

static const char *unit_name(const char *unit)
{
	return !strcmp(unit, "ns") ? "a time" : *unit ? unit : "neither time nor pages";
}

static char *preset_text(struct json_object *line, const char *name)
{
	struct json_object *preset, *o;

	return json_object_object_get_ex(line, "preset", &preset) &&
	       json_object_object_get_ex(preset, name, &o) ? saved_text(o) : NULL;
}

/* So that all forms show it as they showed the measurement. */
static void take_preset(struct retelling *re, struct json_object *line)
{
	if (!json_object_object_get_ex(line, "preset", NULL))
		return;
	re->unit = re->from_hits ? "" : unit_of(line);
	re->summary = preset_text(line, "summary");
	re->counts = preset_text(line, "counts");
	re->preset.summary = re->summary ?: re->what;
	re->preset.counts = re->counts;
	re->preset.weigh = strcmp(re->unit, "pages") ? NULL : re->unit;
	re->preset.spent = strcmp(re->unit, "ns") ? NULL : re->unit;
	re->rows.worth = *re->unit;
	re->r.preset = &re->preset;
}

/* Of a row, or of all; NULL: it has none. */
static struct json_object *worth_in(const struct retelling *re, struct json_object *line)
{
	struct json_object *o = NULL;

	json_object_object_get_ex(line, re->preset.weigh ? "pages" : "spent_ns", &o);
	return o;
}

/* What is in no row: what was given back, and what all CPUs had. */
static void take_worth(struct retelling *re, struct json_object *line, double seconds)
{
	struct json_object *o;

	if (json_object_object_get_ex(line, "freed_pages", &o)) {
		re->freed += rows_number(o);
		re->gives_back = true;
	}
	if (re->preset.spent)
		re->a.cpu_seconds += json_object_object_get_ex(line, "cpu_seconds", &o) ?
				     json_object_get_double(o) : seconds;
}

static int decide(struct retelling *re)
{
	bool listed;

	if (re->question == QUESTION_TRACE && !re->from_hits)
		return complain("%s: a table has no hits to show", re->path);
	if (re->question == QUESTION_LAT && !re->from_hits && !re->saved_timed)
		return complain("%s: count has no times", re->path);
	if (re->question == QUESTION_ANY)
		re->question = re->from_hits ? re->r.nr_keys ? QUESTION_COUNT : QUESTION_TRACE :
			       re->saved_timed ? QUESTION_LAT : QUESTION_COUNT;
	listed = re->question == QUESTION_TRACE;
	if (!listed && re->r.nr_keys > TABLE_KEYS)
		return complain("three keys after 'by' at most");
	if (!listed && re->most)
		return complain("-M is for hits that are listed");
	if (listed && (re->r.sort || re->r.reverse || re->r.rows))
		return complain("-s and -r are for tables: by KEY makes one of hits");
	if (listed && re->format != &format_text && re->format != &format_json)
		return complain("hits are shown as text or json: by KEY makes a table of them");
	if (!progress_beside(re->out) && (listed || !isatty(fileno(re->out))))
		progress_allow(false);	/* what is shown comes as it is read, or through a pager */
	return 0;
}

/* What was written to the session, as lines; for free(). */
static char *commands_of(struct json_object *line)
{
	struct json_object *commands;
	char *text = NULL, *command;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	if (json_object_object_get_ex(line, "commands", &commands) &&
	    json_object_is_type(commands, json_type_array))
		for (i = 0; i < json_object_array_length(commands); i++) {
			command = saved_text(json_object_array_get_idx(commands, i));
			fprintf(out, "%s\n", command ?: "");
			free(command);
		}
	fclose(out);
	return text;
}

/* What was in the output's file stays if there is no answer: of a table, all has been read. */
static int begin_output(struct retelling *re)
{
	/* What is no file has no length. */
	if (re->r.output && ftruncate(fileno(re->out), 0) && errno != EINVAL)
		return complain("%s: %s", re->r.output, strerror(errno));
	if (re->format->begin)
		re->format->begin(&re->a, re->commands ?: "", re->out);
	if (re->question == QUESTION_TRACE && re->format == &format_text) {
		re->lines = narrow_open(re->out);
		hit_heading(&re->r, re->lines);
	}
	return 0;
}

static int begin_answer(struct retelling *re, struct json_object *line)
{
	static const char * const verbs[] = {
		[QUESTION_COUNT] = "count", [QUESTION_LAT] = "lat", [QUESTION_TRACE] = "trace",
	};
	const char *wrong;

	if (decide(re))
		return -1;
	re->a.verb = verbs[re->question];
	re->a.timed = re->question == QUESTION_LAT;
	re->rows.timed = re->a.timed;
	re->rows.nr_keys = re->r.nr_keys;
	wrong = re->question == QUESTION_TRACE ? NULL : tally_check(&re->r, re->a.timed);
	if (!wrong && re->format->check)
		wrong = re->format->check(&re->r);
	if (wrong)
		return complain("%s", wrong);
	re->origin.at = time_of(line);
	snprintf(re->origin.host, sizeof(re->origin.host), "%s", text_of(line, "host"));
	snprintf(re->origin.kernel, sizeof(re->origin.kernel), "%s", text_of(line, "kernel"));
	snprintf(re->origin.time, sizeof(re->origin.time), "%s", text_of(line, "time"));
	re->r.what = re->what;
	re->commands = commands_of(line);
	return re->question == QUESTION_TRACE ? begin_output(re) : 0;
}

static int take_start(struct retelling *re, struct json_object *line)
{
	const char *verb = text_of(line, "verb");
	bool hits = !strcmp(verb, "trace"), timed = !strcmp(verb, "lat");
	struct json_object *o;
	char *what;

	if (re->redact && redact(line))
		return -1;
	if (re->begun && !re->ended) {
		complain("%s: a part of it has no end: it is incomplete", re->path);
		re->incomplete = true;
	}
	re->begun = true;
	re->ended = false;
	if (!hits && !timed && strcmp(verb, "count"))
		return complain("%s: it is not of count, lat or trace", re->path);
	if (re->started && (hits != re->from_hits || timed != re->saved_timed))
		return complain("%s: it answers another question than the first file", re->path);
	what = json_object_object_get_ex(line, "what", &o) ? saved_text(o) : NULL;
	if (!what)
		return complain("%s: it does not say of what it is", re->path);
	re->from_hits = hits;
	re->saved_timed = timed;
	re->first = time_of(line);
	if (re->started) {
		if (!hits && strcmp(what, re->what)) {
			complain("%s: it is of %s, not %s", re->path, what, re->what);
			free(what);
			return -1;
		}
		free(what);
		if (!hits && strcmp(unit_of(line), re->unit))
			return complain("%s: its rows have %s, those of the first file %s",
					re->path, unit_name(unit_of(line)), unit_name(re->unit));
		return 0;
	}
	re->started = true;
	re->what = what;
	take_preset(re, line);
	return take_keys(re, line) || begin_answer(re, line) ? -1 : 0;
}

/* ---- rows and hits ---- */

static void find_keys(struct retelling *re, struct json_object *line, struct json_object **keys)
{
	size_t i;

	for (i = 0; i < re->r.nr_keys; i++) {
		keys[i] = hit_value(line, re->r.keys[i]);
		if (keys[i])
			re->found[i] = true;
		if (!keys[i])
			keys[i] = re->none;
	}
}

/* For match(): a field that nothing has is an error, which shows at the end. */
static bool find_field(void *ctx, const char *name, struct field *value)
{
	struct retelling *re = ctx;
	bool is = hit_field(re->line, name, value);
	size_t i;

	for (i = 0; i < re->nr_words; i++)
		if (re->words[i] == name) {
			re->asked[i] = true;
			re->known[i] |= is;
		}
	return is;
}

static bool passes(struct retelling *re, struct json_object *line)
{
	re->line = line;
	return match(re->words, re->nr_words, find_field, re);
}

/* The filter asks for names as they are; what is shown may be without them. */
static int hide(struct retelling *re, struct json_object *line, struct json_object **keys)
{
	if (!re->redact)
		return 0;
	if (redact(line))
		return -1;
	find_keys(re, line, keys);
	return 0;
}

/* A row of the total; those of intervals are in it. */
static int take_row(struct retelling *re, struct json_object *line)
{
	struct json_object *keys[REQUEST_KEYS], *hits = NULL, *ns = NULL;

	if (json_object_object_get_ex(line, "interval", NULL))
		return 0;
	json_object_object_get_ex(line, "hits", &hits);
	json_object_object_get_ex(line, "ns", &ns);
	re->all += rows_number(hits);
	find_keys(re, line, keys);
	if (!passes(re, line))
		return 0;
	re->matched += rows_number(hits);
	if (hide(re, line, keys))
		return -1;
	return rows_add(&re->rows, keys, rows_number(hits), ns, worth_in(re, line));
}

static int take_total(struct retelling *re, struct json_object *line)
{
	struct json_object *o = NULL;
	double seconds = json_object_object_get_ex(line, "seconds", &o) ?
			 json_object_get_double(o) : 0;

	if (seconds > re->seconds)
		re->seconds = seconds;
	take_worth(re, line, seconds);
	return re->r.nr_keys ? 0 : take_row(re, line);
}

static int show_hit(struct retelling *re, struct json_object *line)
{
	if (re->most && re->shown == re->most)
		return 0;
	re->shown++;
	if (re->format == &format_json)
		json_print(json_object_get(line), re->out);
	else
		hit_line(&re->r, line, re->lines);
	return ferror(re->lines ?: re->out) ? complain("cannot write: %s", strerror(errno)) : 0;
}

static int take_hit(struct retelling *re, struct json_object *line)
{
	struct json_object *keys[REQUEST_KEYS], *ns;

	re->all++;
	find_keys(re, line, keys);
	if (!passes(re, line))
		return 0;
	re->matched++;
	if (hide(re, line, keys))
		return -1;
	if (re->question == QUESTION_TRACE)
		return show_hit(re, line);
	ns = hit_value(line, "ns");
	if (re->a.timed && !ns)
		return complain("%s: a hit has no time (record $elapsed as ns)", re->path);
	return rows_hit(&re->rows, keys, rows_number(ns));
}

/* ---- the end of a file ---- */

static void add_loss(struct losses *l, const char *name, unsigned long long hits)
{
	size_t i;

	for (i = 0; i < l->nr && strcmp(l->names[i], name); i++)
		;
	if (i == LOSS_COLUMNS)
		i--;
	if (i == l->nr)
		snprintf(l->names[l->nr++], sizeof(*l->names), "%.15s", name);
	l->values[i] += hits;
}

static unsigned long long sum_of(struct json_object *balance, const char *name)
{
	struct json_object *o;

	return json_object_object_get_ex(balance, name, &o) ? rows_number(o) : 0;
}

static int take_end(struct retelling *re, struct json_object *line)
{
	struct json_object *balance, *lost;

	re->ended = true;
	re->last = time_of(line);
	if (re->from_hits && re->last - re->first > re->seconds)
		re->seconds = re->last - re->first;
	if (!json_object_object_get_ex(line, "balance", &balance)) {
		re->incomplete = true;
		return complain("%s: nothing was measured", re->path);
	}
	add_loss(&re->losses, "hits", sum_of(balance, "hits"));
	add_loss(&re->losses, "in_flight", sum_of(balance, "in_flight"));
	re->frees += sum_of(balance, "frees");
	re->a.refused += sum_of(balance, "refused");
	re->others += sum_of(balance, "not_asked_for") + sum_of(balance, "not_shown");
	if (!json_object_object_get_ex(balance, "lost", &lost) ||
	    !json_object_is_type(lost, json_type_object))
		return 0;
	json_object_object_foreach(lost, why, hits) {
		if (!strcmp(why, "table_full")) {
			re->table_full += rows_number(hits);
			continue;
		}
		if (!balance_knows(why))
			complain("%s: lost %s: %llu", re->path, why, rows_number(hits));
		add_loss(&re->losses, balance_knows(why) ? why : "dropped", rows_number(hits));
	}
	return 0;
}

static int take_line(void *ctx, struct json_object *line)
{
	struct retelling *re = ctx;
	const char *type = text_of(line, "type");

	if (!strcmp(type, "start"))
		return take_start(re, line);
	if (!re->started)
		return complain("%s: it does not begin with a start", re->path);
	if (!strcmp(type, "error"))
		complain("%s: %s", re->path, text_of(line, "what"));
	if (!strcmp(type, "row") && !re->from_hits && re->r.nr_keys)
		return take_row(re, line);
	if (!strcmp(type, "total") && !re->from_hits)
		return take_total(re, line);
	if (!strcmp(type, "hit") && re->from_hits)
		return take_hit(re, line);
	return strcmp(type, "end") ? 0 : take_end(re, line);
}

static int read_file(struct retelling *re, const char *path)
{
	int ret;

	re->path = path;
	re->begun = false;
	re->ended = false;
	ret = dat_is(path) ? dat_read(path, take_line, re) : saved_read(path, take_line, re);
	if (ret >= 0 && !re->started)
		return complain("%s: it is empty", path);
	if (!ret && !re->ended) {
		complain("%s: it has no end: it is incomplete", path);
		ret = SAVED_CUT;
	}
	re->incomplete |= ret == SAVED_CUT;
	return ret < 0 ? ret : 0;
}

/* ---- the answer ---- */

static void set_balance(struct retelling *re)
{
	struct table *t = &re->rows.sum;

	re->a.table = t;
	t->now = re->last;
	t->seconds = re->seconds;
	t->balance.rows = re->matched + re->frees;	/* no line has them */
	t->balance.frees = re->frees;
	t->balance.filtered = re->others + re->all - re->matched;
	t->balance.other = re->table_full;
	t->freed = re->freed;
	/* A part of what was taken is not compared with all that was given back. */
	re->preset.frees = re->gives_back && !re->nr_words ? "frees" : NULL;
	if (losses_of(&re->losses, "hits") < re->all)	/* a file without its end */
		add_loss(&re->losses, "hits", re->all - losses_of(&re->losses, "hits"));
}

/* As that of trace: what is not in the file, or was not asked for, is no line. */
static void put_shown(struct retelling *re, const struct sums *s)
{
	char text[UNITS_TEXT];

	fprintf(re->out, "\nhits %s", print_count(text, s->hits));
	fprintf(re->out, " = shown %s", print_count(text, re->shown));
	if (s->hits - s->lost > re->shown)
		fprintf(re->out, " + not shown %s",
			print_count(text, s->hits - s->lost - re->shown));
	fputs("; ", re->out);
	paint(s->lost ? PAINT_BAD : PAINT_GOOD, re->out);
	if (s->lost)
		fprintf(re->out, "LOST %s", print_count(text, s->lost));
	else
		fputs("none lost", re->out);
	paint(PAINT_NONE, re->out);
	refused_print(re->a.refused, false, re->out);
	fputc('\n', re->out);
}

static int finish(struct retelling *re)
{
	struct sums s;
	int status;

	if (rows_end(&re->rows))
		return PE_EXIT_MISSING;
	if (re->question != QUESTION_TRACE && begin_output(re))
		return PE_EXIT_MISSING;
	set_balance(re);
	balance_make(&re->a, &s);
	status = s.lost || re->incomplete ? PE_EXIT_LOST : 0;
	if (re->question != QUESTION_TRACE) {
		if (tally_sort(&re->rows.sum, &re->r, re->a.timed))
			return PE_EXIT_MISSING;
		re->format->table(&re->a, re->out);
		re->format->end(&re->a, status, re->out);
	} else if (re->format == &format_json) {
		json_shown(&re->a, re->shown, status, re->out);
	} else {
		put_shown(re, &s);
	}
	if (fflush(re->out) || ferror(re->out)) {
		complain("cannot write the answer: %s", strerror(errno));
		return PE_EXIT_MISSING;
	}
	return status;
}

/* The name of a field that nothing has; NULL: there is none. */
static const char *unknown_field(const struct retelling *re)
{
	size_t i;

	for (i = 0; re->all && i < re->r.nr_keys; i++)
		if (!re->found[i])
			return re->r.keys[i];
	for (i = 0; i < re->nr_words; i++)
		if (re->asked[i] && !re->known[i])
			return re->words[i];
	return NULL;
}

static int read_files(struct retelling *re, char **files, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (read_file(re, files[i]))
			return PE_EXIT_MISSING;
	progress_wipe();
	if (unknown_field(re)) {
		complain_at(unknown_field(re), "no hit and no row has the field %s",
			    unknown_field(re));
		return PE_EXIT_MISSING;
	}
	return finish(re);
}

int retell(struct retelling *re, char **files, size_t nr)
{
	static const struct functions no_symbols;
	int status;
	size_t i;

	re->none = json_object_new_string("-");
	re->unit = "";
	/* Who asks for a part of a file does not make a loss that it tells of another one. */
	re->most = re->r.most;
	re->r.most = 0;
	re->a.r = &re->r;
	re->a.losses = &re->losses;
	re->a.symbols = &no_symbols;
	re->a.origin = &re->origin;
	progress_allow(!re->r.quiet);
	progress_guard();
	status = read_files(re, files, nr);
	if (re->lines)
		narrow_close(re->lines, re->out);
	json_object_put(re->none);
	table_free(&re->rows.sum);
	free(re->what);
	free(re->summary);
	free(re->counts);
	free(re->commands);
	for (i = 0; i < REQUEST_KEYS; i++)
		free(re->keys[i]);
	return status;
}
