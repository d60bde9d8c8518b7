// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * stock_verb.c - count, lat and trace with the kernel's own tracefs: option --engine kernel.
 *
 * From the first definition to stock_end() signals are only heard, a broken pipe is an error as any
 * other, and there is one way out.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "answer.h"
#include "balance.h"
#include "child.h"
#include "format.h"
#include "hits.h"
#include "json.h"
#include "naming.h"
#include "narrow.h"
#include "own.h"
#include "paint.h"
#include "progress.h"
#include "report.h"
#include "running.h"
#include "screen.h"
#include "show.h"
#include "stock.h"
#include "stock_recipe.h"
#include "stock_verb.h"
#include "symbols.h"
#include "tally.h"
#include "types.h"
#include "units.h"
#include "verb.h"
#include "wait.h"

#define ROUND 100000000		/* ns between two readings of trace */
#define BUFFER_KB "1408"	/* for each CPU, of trace */

/* What does not hold there, by verb. */
enum { COUNT = 1 << RECIPE_COUNT, LAT = 1 << RECIPE_LAT, TRACE = 1 << RECIPE_TRACE };

static const struct {
	unsigned int verbs;
	const char *text;
} promises[] = {
	{ COUNT | LAT | TRACE, "after SIGKILL its events stay: group and instance " },
	{ COUNT | LAT | TRACE, "nothing limits what the hits cost, and the cost is not known" },
	{ COUNT | LAT | TRACE, "hits within a probe's handler are missed" },
	{ COUNT | LAT, "what is nested deeper than four levels is lost and not counted" },
	{ COUNT | LAT, "hits that come while the table is read may be in it or not" },
	{ LAT | TRACE, "of returns, more than 1024 calls at a time are missed" },
	{ LAT, "times are powers of 2: percentiles within a factor of 2, MAX is an upper bound" },
	{ LAT, "calls of more than 16384 tasks are not matched, and not counted" },
	{ LAT, "calls while their CPU is idle (task 0) are not matched, and not counted" },
	{ LAT, "of calls within calls of one task only the innermost is matched" },
	{ TRACE, "which of the hits are lost is not known, only how many" },
};

struct stock_question {
	const char *name;
	enum recipe_verb verb;
	const struct request *r;
	struct stock_recipe recipe;
	struct types types;
	struct naming naming;
	struct stock stock;
	struct child child;
	struct wait w;
	struct running running;
	const struct format *format;
	FILE *out, *save;
	/* of tables */
	struct answer a;
	struct table table;
	struct losses losses;
	char *text;
	double since;
	/* of hits */
	struct records records;
	struct hits hits;
};

static bool is_trace(const struct stock_question *q)
{
	return q->verb == RECIPE_TRACE;
}

static bool is_lat(const struct stock_question *q)
{
	return q->verb == RECIPE_LAT;
}

/* ---- what does not hold ---- */

static void tell_promises(const struct stock_question *q)
{
	char text[200];
	size_t i;

	for (i = 0; i < sizeof(promises) / sizeof(*promises); i++) {
		if (!(promises[i].verbs & 1U << q->verb))
			continue;
		snprintf(text, sizeof(text), "%s%s", promises[i].text,
			 i ? "" : q->stock.at.group);
		if (!q->r->quiet)
			fprintf(stderr, "not promised with --engine kernel: %s\n", text);
		if (q->format == &format_json)
			json_note(text, q->out);
		if (q->save)
			json_note(text, q->save);
	}
}

/* ---- commands, as a shell would write them ---- */

/* Of trace; for free(), NULL if all hits are wanted. */
static char *filter_of(const struct stock_question *q, const char *pid)
{
	const char *filter = q->recipe.filter;

	if (own_left_out(q->r))
		return own_filter(filter, pid);
	return filter ? strdup(filter) : NULL;
}

static void put_commands(const struct stock_question *q, FILE *out)
{
	const struct stock *s = &q->stock;
	const struct stock_recipe *c = &q->recipe;
	const char *args = *c->args ? " " : "", *filter = c->filter ?: "";
	char *shown = is_trace(q) ? filter_of(q, OWN_PID) : NULL;

	fprintf(out, "%s:%s/%s %s%s%s\n", c->base.returns ? "r1024" : "p", s->at.group, s->event,
		c->place, args, c->args);
	if (is_lat(q))
		fprintf(out, "p:%s/%s %s\n", s->at.group, s->entry, c->place);
	if (is_lat(q))
		fprintf(out, "# %s: of each return, ns = its time - that of the task's entry\n",
			s->synth_name);
	if (shown)
		fprintf(out, "# filter: %s\n", shown);
	free(shown);
	if (!is_trace(q))
		fprintf(out, "# trigger: %s%s%s\n", c->trigger, c->filter ? " if " : "", filter);
}

static char *commands_of(const struct stock_question *q)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	put_commands(q, out);
	return fclose(out) ? NULL : text;
}

/* ---- a table ---- */

static int arm_table(struct stock_question *q)
{
	const struct stock_recipe *c = &q->recipe;
	char *trigger;
	int ret;

	if (is_lat(q) && stock_match(&q->stock, c->place, c->args))
		return -1;
	if (asprintf(&trigger, "%s%s%s", c->trigger, c->filter ? " if " : "",
		     c->filter ?: "") < 0)
		return complain("no memory");
	ret = stock_trigger(&q->stock, trigger);
	free(trigger);
	q->since = now_ns() / 1e9;
	return ret;
}

/* Hits are read after the table: those that come between are later. */
static int read_table(struct stock_question *q)
{
	unsigned long long hits = 0, missed = 0, counted;
	const char *wrong = NULL;
	char *hist = stock_hist(&q->stock), *text;

	if (!hist)
		return -1;
	table_free(&q->table);
	free(q->text);
	text = stock_hist_table(hist, q->recipe.keys, q->recipe.nr_keys, is_lat(q) ? "ns" : NULL,
				q->since, now_ns() / 1e9, &wrong);
	q->text = text;
	free(hist);
	wrong = text ? table_read(&q->table, text) : wrong;
	if (!wrong && naming_apply(&q->naming, &q->table))
		wrong = "no memory";
	if (wrong)
		return complain("%s", wrong);
	stock_profile(&q->stock, &hits, &missed);
	/* What a filter refuses is counted nowhere: it is the rest. */
	counted = q->table.balance.rows + q->table.balance.other;
	if (q->recipe.filter && hits > counted)
		q->table.balance.filtered = hits - counted;
	q->losses = (struct losses){ .names = { "hits", "missed" },
				     .values = { hits + missed, missed }, .nr = 2 };
	return 0;
}

static int show_table(struct stock_question *q)
{
	const char *wrong = tally_sort(&q->table, q->r, is_lat(q));

	if (wrong)
		return complain("%s", wrong);
	q->a.table = &q->table;
	q->format->table(&q->a, q->out);
	if (q->save)
		format_json.table(&q->a, q->save);
	q->a.table = &q->table;
	return fflush(q->out) ? complain("cannot write: %s", strerror(errno)) : 0;
}

/* SIGQUIT asks what there is so far; forms for programs have no place for that. */
static int wait_for_table(struct stock_question *q)
{
	while (!wait_round(&q->w, running_wake(&q->running, 0))) {
		running_turn(&q->running, &q->w, 0);
		q->w.resized = false;
		if (q->w.asked && q->format == &format_text &&
		    (read_table(q) || show_table(q)))
			return -1;
		q->w.asked = false;
	}
	progress_wipe();
	return read_table(q);
}

static int table_status(const struct stock_question *q)
{
	struct sums s;

	balance_make(&q->a, &s);
	if (q->r->expect && !s.counted && !s.lost)
		return PE_EXIT_NOTHING;
	return s.lost ? PE_EXIT_LOST : 0;
}

/* ---- hits ---- */

static unsigned long long wall_offset(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec - now_ns();
}

static int write_filter(struct stock_question *q)
{
	char pid[16], *filter;
	int ret;

	snprintf(pid, sizeof(pid), "%d", getpid());
	filter = filter_of(q, pid);
	ret = filter ? stock_write(&q->stock, "filter", filter) : 0;
	free(filter);
	return ret;
}

static int arm_trace(struct stock_question *q)
{
	struct stock *s = &q->stock;
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", q->child.pid);
	q->hits = (struct hits){
		.r = q->r, .recipe = &q->recipe.base, .rs = &q->records,
		.naming = &q->naming, .wall = wall_offset(),
		.json = q->format == &format_json, .folded = q->format == &format_folded,
		.out = q->format == &format_text ? narrow_open(q->out) : q->out, .save = q->save,
	};
	if (stock_set(s, "buffer_size_kb", BUFFER_KB) || stock_set(s, "trace_clock", "mono") ||
	    (q->r->stacks && stock_set(s, "options/stacktrace", "1")) ||
	    (q->child.pid && !q->r->all && (stock_set(s, "set_event_pid", pid) ||
					    stock_set(s, "options/event-fork", "1"))) ||
	    write_filter(q) || records_open(&q->records, &s->at, s->event, q->r->stacks))
		return -1;
	hits_heading(&q->hits);
	return stock_write(s, "enable", "1");
}

static bool enough(const struct stock_question *q)
{
	return q->r->most && q->hits.shown == q->r->most;
}

static int flush_hits(struct stock_question *q)
{
	return fflush(q->hits.out) ? complain("cannot write: %s", strerror(errno)) : 0;
}

static int wait_for_hits(struct stock_question *q)
{
	unsigned long long begin;
	bool end = false;

	while (!end && !enough(q)) {
		running_turn(&q->running, &q->w, 0);
		q->w.resized = false;
		q->w.asked = false;
		end = wait_round(&q->w, now_ns() + ROUND);
		begin = now_ns();
		if (records_read(&q->records, begin, hits_show, &q->hits) || flush_hits(q))
			return -1;
	}
	progress_wipe();
	if (stock_write(&q->stock, "enable", "0") ||
	    records_read(&q->records, -1ULL, hits_show, &q->hits))
		return -1;
	return flush_hits(q);
}

/* The balance of hits; what is not known to be anything else is not shown. */
static void put_json_end(const struct stock_question *q, unsigned long long hits,
			 unsigned long long missed, unsigned long long overwritten, int status,
			 FILE *out)
{
	struct json_object *end = json_line("end", now_ns() / 1e9);
	struct json_object *balance = json_object_new_object(), *lost = json_object_new_object();
	unsigned long long seen = q->hits.shown + missed + overwritten;

	json_object_object_add(balance, "hits", json_number(hits));
	json_object_object_add(balance, "shown", json_number(q->hits.shown));
	json_object_object_add(balance, "not_shown", json_number(hits > seen ? hits - seen : 0));
	json_object_object_add(balance, "not_asked_for", json_number(0));
	json_object_object_add(balance, "in_flight", json_number(0));
	json_object_object_add(balance, "later", json_number(0));
	if (missed)
		json_object_object_add(lost, "missed", json_number(missed));
	if (overwritten)
		json_object_object_add(lost, "overwritten", json_number(overwritten));
	json_object_object_add(balance, "lost", lost);
	json_object_object_add(end, "status", json_object_new_int(status));
	json_object_object_add(end, "balance", balance);
	json_print(end, out);
}

static void put_json_ends(const struct stock_question *q, unsigned long long hits,
			  unsigned long long missed, unsigned long long overwritten, int status)
{
	if (q->hits.json)
		put_json_end(q, hits, missed, overwritten, status, q->out);
	if (q->save)
		put_json_end(q, hits, missed, overwritten, status, q->save);
}

/* What a filter, or pids, refuse is not told: so hits are no sum of others here. */
static int end_trace(struct stock_question *q)
{
	unsigned long long hits = 0, missed = 0, overwritten, lost;
	char text[UNITS_TEXT];
	FILE *out = q->hits.folded ? stderr : q->out;
	int status;

	narrow_close(q->hits.out, q->out);
	q->hits.out = q->out;
	stock_profile(&q->stock, &hits, &missed);
	overwritten = records_lost(&q->records, hits > q->hits.shown ? hits - q->hits.shown : 0);
	lost = missed + overwritten + q->hits.bare;
	status = lost ? PE_EXIT_LOST : q->r->expect && !q->hits.shown ? PE_EXIT_NOTHING : 0;
	if (q->hits.json || q->save)
		put_json_ends(q, hits + missed, missed, overwritten, status);
	if (q->hits.json || (q->hits.folded && !lost))
		return status;
	fprintf(out, "\nshown %s ", print_count(text, q->hits.shown));
	fprintf(out, "of %s hits", print_count(text, hits + missed));
	fprintf(out, lost ? "; LOST %s:" : "; none known to be lost",
		print_count(text, lost));
	if (missed)
		fprintf(out, " missed %s", print_count(text, missed));
	if (overwritten)
		fprintf(out, " overwritten %s", print_count(text, overwritten));
	if (q->hits.bare)
		fprintf(out, " stacks %s", print_count(text, q->hits.bare));
	fputc('\n', out);
	return status;
}

/* ---- all of it ---- */

static int arm(struct stock_question *q)
{
	const struct stock_recipe *c = &q->recipe;

	if (stock_begin(&q->stock, !is_trace(q), is_lat(q)) ||
	    (q->r->command && child_start(&q->child, q->r->command, &q->w.before)) ||
	    stock_define(&q->stock, c->base.returns, c->place, c->args) ||
	    (is_trace(q) ? arm_trace(q) : arm_table(q))) {
		child_drop(&q->child);
		return -1;
	}
	if (q->r->command)
		child_go(&q->child);
	else if (!q->r->quiet && !q->r->duration && !is_trace(q) && isatty(STDERR_FILENO))
		fputs("counting; Ctrl-C ends it\n", stderr);
	return 0;
}

/* Between the first definition and the last removal. */
static int measure(struct stock_question *q)
{
	int status = PE_EXIT_MISSING;

	if (!arm(q)) {
		q->w.until = q->r->duration ? now_ns() + q->r->duration : 0;
		q->running = (struct running){ .r = q->r, .profile = stock_profile,
					       .stock = &q->stock,
					       .of = is_lat(q) ? "calls" : "hits" };
		running_begin(&q->running, q->out);
		if (!(is_trace(q) ? wait_for_hits(q) : wait_for_table(q)))
			status = is_trace(q) ? end_trace(q) : 0;
	}
	records_close(&q->records);	/* first: open files would keep the instance */
	if (stock_end(&q->stock))
		status = PE_EXIT_MISSING;
	return status;
}

static void prepare_answer(struct stock_question *q)
{
	struct screen size = { .out = q->out };

	q->a = (struct answer){
		.verb = q->name, .r = q->r, .timed = is_lat(q), .losses = &q->losses,
		.cpus = show_cpus(q->r->cpus), .rough = true,
		.utf8 = !q->r->ascii && !strcmp(nl_langinfo(CODESET), "UTF-8"),
	};
	paint_answer(q->format == &format_text ? q->out : NULL);
	if (isatty(fileno(q->out)) && q->format == &format_text) {
		screen_resize(&size);
		q->a.width = size.width;
	}
}

static void pass_error(void *ctx, const char *what, const char *command, int where)
{
	struct stock_question *q = ctx;

	if (q->format->error) {
		q->format->error(what, command, where, q->out);
		fflush(q->out);
	}
	if (q->save) {
		format_json.error(what, command, where, q->save);
		fflush(q->save);	/* a process that is to become the command ends without */
	}
}

/* The last line of a table's answer, or of a failure. */
static void end_answer(struct stock_question *q, int status)
{
	if (is_trace(q) && status != PE_EXIT_MISSING)
		return;
	if (q->format->end && (!is_trace(q) || q->format == &format_json))
		q->format->end(&q->a, status, q->out);
	if (q->save)
		format_json.end(&q->a, status, q->save);
	q->a.table = NULL;
}

static int ask(struct stock_question *q, const char *commands)
{
	int status = PE_EXIT_MISSING, err;
	sigset_t pipe;

	prepare_answer(q);
	if (q->r->verbose)
		recipe_tell(&q->recipe.base, q->r->what, commands);
	if (q->format->begin && (!is_trace(q) || q->format == &format_json))
		q->format->begin(&q->a, commands, q->out);
	if (q->save)
		format_json.begin(&q->a, commands, q->save);
	tell_promises(q);
	progress_allow(!q->r->quiet);
	report_to(pass_error, q);
	if (!wait_begin(&q->w)) {
		sigemptyset(&pipe);
		sigaddset(&pipe, SIGPIPE);
		sigprocmask(SIG_BLOCK, &pipe, NULL);
		status = measure(q);
		if (status != PE_EXIT_MISSING && !is_trace(q))
			status = show_table(q) ? PE_EXIT_MISSING : table_status(q);
	}
	report_to(NULL, NULL);
	end_answer(q, status);
	err = fflush(q->out) || ferror(q->out) ? errno : 0;
	wait_end(&q->w);	/* a broken pipe ends this program now */
	return err ? PE_EXIT_MISSING : status || !q->r->command || q->child.pid ? status :
	       q->child.status;
}

static FILE *open_file(const char *name)
{
	FILE *out = fopen(name, "we");

	if (!out)
		complain("%s: %s", name, strerror(errno));
	return out;
}

static int close_file(const char *name, FILE *out, int status)
{
	if (!name || !out || !(ferror(out) | fclose(out)))
		return status;
	complain("%s: %s", name, strerror(errno));
	return PE_EXIT_MISSING;
}

static int ask_or_show(struct stock_question *q)
{
	const struct request *r = q->r;
	char *commands;
	int status = PE_EXIT_MISSING;

	stock_names(&q->stock, q->name);
	commands = commands_of(q);
	if (!commands)
		return PE_EXIT_MISSING;
	if (r->dry_run) {
		status = fputs(commands, stdout) < 0 || fflush(stdout) ? PE_EXIT_MISSING : 0;
	} else {
		q->out = r->output ? open_file(r->output) : stdout;
		q->save = q->out && r->save ? open_file(r->save) : NULL;
		if (q->out && (!r->save || q->save))
			status = ask(q, commands);
		status = close_file(r->output, q->out, status);
		status = close_file(r->save, q->save, status);
	}
	free(commands);
	return status;
}

static const char *check(struct stock_question *q)
{
	const struct request *r = q->r;

	q->format = r->format ? format_find(r->format) : &format_text;
	if (!q->format)
		return format_unknown(r->format);
	if (!is_trace(q)) {
		if (r->stacks)
			return "-g is for trace";
		return (q->format->check ? q->format->check(r) : NULL) ?:
		       tally_check(r, is_lat(q));
	}
	if (q->format == &format_folded ? !r->stacks :
	    q->format != &format_text && q->format != &format_json)
		return "a form of trace is text, json, or with -g folded";
	return NULL;
}

int stock_verb(const char *name, enum recipe_verb verb, const struct request *r)
{
	struct stock_question q = { .name = name, .verb = verb, .r = r, .w.signals = -1 };
	const struct recipe_types types = types_recipe(&q.types);
	const char *wrong = check(&q) ?: stock_recipe_make(&q.recipe, r, verb, &types) ?:
			    naming_begin(&q.naming, r, &q.types);
	int status = PE_EXIT_USAGE;

	q.w.session = &q.stock.at;
	q.w.child = &q.child;
	q.w.command = r->command;
	if (wrong) {
		complain_at(q.recipe.base.at ?: q.naming.at, "%s: %s (probe-events %s --help)",
			    name, wrong, name);
	} else {
		setlocale(LC_CTYPE, "");
		status = ask_or_show(&q);
	}
	stock_recipe_free(&q.recipe);
	table_free(&q.table);
	free(q.text);
	hits_free(&q.hits);
	naming_free(&q.naming);
	types_free(&q.types);
	return status;
}
