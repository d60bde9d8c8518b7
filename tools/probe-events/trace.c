// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * trace.c - the verb trace: each hit, as it comes.
 *
 * The event belongs to a session and is enabled in the session's own instance, from whose buffers
 * the records are read.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "cgroup.h"
#include "comment.h"
#include "cost.h"
#include "dat_out.h"
#include "format.h"
#include "hits.h"
#include "json.h"
#include "losses.h"
#include "narrow.h"
#include "outcome.h"
#include "own.h"
#include "paint.h"
#include "presets.h"
#include "progress.h"
#include "refused.h"
#include "report.h"
#include "running.h"
#include "stock_verb.h"
#include "text.h"
#include "types.h"
#include "units.h"
#include "verb.h"
#include "wait.h"

#define INSTANCE_KB 1408	/* for each CPU */
#define ROUND 100000000		/* ns between two readings */

struct tracing {
	struct request r;
	char typed[COMMENT_ROOM];	/* the session's comment */
	struct preset preset;
	struct recipe recipe;
	struct types types;
	struct naming naming;
	struct session session;
	struct child child;
	struct records records;
	struct hits hits;
	struct dat_out dat;
	unsigned long long dropped;	/* before the event was switched off */
	FILE *out;			/* gets the answer; @hits.out may cut its lines */
};

/* The modules' limit of hits ends it: it counts them before a filter sees them. */
static bool modules_end(const struct tracing *t)
{
	return t->r.most && request_wants_all(&t->r) && !own_left_out(&t->r);
}

/* A script that gets what is only shown has no own hits. */
static int put_filter(const struct tracing *t, FILE *out)
{
	const char *filter = t->recipe.filter;
	char pid[16], *without;

	if (filter && (t->r.dry_run || !own_left_out(&t->r)))
		fprintf(out, "filter trace %s\n", filter);
	if (!own_left_out(&t->r))
		return 0;
	snprintf(pid, sizeof(pid), "%d", getpid());
	without = own_filter(filter, t->r.dry_run ? OWN_PID : pid);
	if (without)
		fprintf(out, "%sfilter trace %s\n", t->r.dry_run ? "# " : "", without);
	free(without);
	return without ? 0 : -1;
}

static char *commands_of(const struct tracing *t)
{
	size_t size;
	char *text = NULL, limit[LIMITS_TEXT + 64];
	struct limits entries = t->r.limits;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fprintf(out, "comment %s\n%s\n", t->typed, t->recipe.definition);
	if (t->recipe.entries)
		fprintf(out, "%s\n", t->recipe.entries);
	if (put_filter(t, out)) {
		fclose(out);
		free(text);
		return NULL;
	}
	limits_line(&t->r.limits, modules_end(t) ? t->r.most : 0, "trace", limit);
	fputs(limit, out);
	if (t->recipe.entries) {
		/* Not the rate: begins and returns would be thinned each for itself. */
		entries.rate = NULL;
		limits_line(&entries, 0, RECIPE_ENTRY, limit);
		fputs(limit, out);
	}
	fclose(out);
	return text;
}

/* What arms it. */
static const char *last_lines(const struct tracing *t)
{
	return t->recipe.entries ? "enable " RECIPE_ENTRY "\nenable trace\n" : "enable trace\n";
}

static int print_dry(const struct tracing *t, const char *commands)
{
	printf("instance %u\n# echo mono > instances/sN/trace_clock\n", INSTANCE_KB);
	if (t->r.stacks)
		puts("# echo 1 > instances/sN/options/stacktrace");
	if (t->r.command && !t->r.all)
		puts("# echo PID > instances/sN/set_event_pid\n"
		     "# echo 1 > instances/sN/options/event-fork");
	printf("%s%s", commands, last_lines(t));
	return fflush(stdout) ? PE_EXIT_MISSING : 0;
}

static int follow(struct tracing *t)
{
	char pid[16];

	if (!t->r.command || t->r.all)
		return 0;
	snprintf(pid, sizeof(pid), "%d", t->child.pid);
	return session_set(&t->session, "set_event_pid", pid) ||
	       session_set(&t->session, "options/event-fork", "1");
}

/* All but the last lines, which begin it. */
static int prepare(struct tracing *t, const char *commands, const sigset_t *signals)
{
	if (session_begin(&t->session) || session_instance(&t->session, INSTANCE_KB) ||
	    session_set(&t->session, "trace_clock", "mono") ||
	    (t->r.stacks && session_set(&t->session, "options/stacktrace", "1")) ||
	    (t->r.command && child_start(&t->child, t->r.command, signals)))
		return -1;
	if (!follow(t) && !session_arm(&t->session, commands) &&
	    !records_open(&t->records, &t->session, "trace", t->r.stacks) &&
	    (!t->recipe.entries || !records_also(&t->records, &t->session, RECIPE_ENTRY))) {
		t->records.page = t->hits.kept ? dat_out_page : NULL;
		t->records.page_ctx = &t->dat;
		return 0;
	}
	child_drop(&t->child);
	return -1;
}

static unsigned long long wall_offset(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec - now_ns();
}

static bool enough(const struct tracing *t)
{
	return t->r.most && t->hits.shown == t->r.most;
}

static int flush_hits(struct tracing *t)
{
	return fflush(t->hits.out) ? complain("cannot write: %s", strerror(errno)) : 0;
}

/* The modules' counters, for free(); NULL after a message. */
static char *read_counters(const struct tracing *t)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/kprobe_losses", t->session.dir);
	return read_text(path);
}

/*
 * Calls that are in progress when the event is switched off are no loss, whether they return before
 * the counters are read, which counts them as dropped, or after.  So what was dropped while the
 * event was on is read before.  A limit, as that of -M, has switched it off already: all that was
 * dropped is taken for such calls.
 */
static int read_dropped(struct tracing *t, const struct wait *w)
{
	struct losses losses;
	char *text;

	if (!t->recipe.returns || *w->limited || modules_end(t))
		return 0;
	text = read_counters(t);
	if (!text)
		return -1;
	losses_read(&losses, text, t->session.group, "trace");
	t->dropped = losses_of(&losses, "dropped");
	free(text);
	return 0;
}

static int show_until_end(struct tracing *t, struct wait *w)
{
	struct running running = { .r = &t->r, .session = &t->session, .event = "trace",
				   .of = "hits" };
	unsigned long long begin;
	bool end = false;

	running_begin(&running, t->hits.out);
	while (!end && !enough(t)) {
		running_turn(&running, w, 0);
		w->resized = false;
		w->asked = false;
		end = wait_round(w, now_ns() + ROUND);
		begin = now_ns();
		if (records_read(&t->records, begin, hits_show, &t->hits) || flush_hits(t))
			return -1;
	}
	progress_wipe();
	/* No hit comes after this, so what is left is complete. */
	if (read_dropped(t, w) ||
	    session_write(&t->session, t->recipe.entries ?
			  "disable entry\ndisable trace\n" : "disable trace\n") ||
	    records_read(&t->records, -1ULL, hits_show, &t->hits))
		return -1;
	return flush_hits(t);
}

/* ---- the balance ---- */

/* Owners that are "?" for want of a record, or those of an earlier call.  Return: may any be? */
static bool tell_lost_entries(const struct losses *l)
{
	static const char * const ways[] = { "full", "limited", "recursion", "dropped" };
	unsigned long long lost = 0;
	size_t i;

	for (i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		lost += losses_of(l, ways[i]);
	if (lost)
		complain("the begin of %llu calls was lost: owners are '?', or of a wait before",
			 lost);
	return lost;
}

/* @since: when it was armed */
static int balance(struct tracing *t, unsigned long long since, struct outcome *o)
{
	unsigned long long ns, entries = 0;
	struct losses losses, begins = {};
	char *text = read_counters(t);

	if (!text)
		return PE_EXIT_MISSING;
	losses_read(&losses, text, t->session.group, "trace");
	if (t->recipe.entries)
		losses_read(&begins, text, t->session.group, RECIPE_ENTRY);
	free(text);
	outcome_add_up(o, &t->hits, &losses, t->dropped);
	if (refused_count(t->session.dir, t->session.group, "trace", &o->refused))
		return PE_EXIT_MISSING;
	if (t->r.verbose)
		refused_tell(t->session.dir, t->session.group, "trace");
	o->cost_known = cost_of(t->session.dir, t->session.group, "trace", &ns) &&
			(!t->recipe.entries ||
			 cost_of(t->session.dir, t->session.group, RECIPE_ENTRY, &entries));
	o->cost = cost_share(ns + entries, (now_ns() - since) / 1e9);
	return tell_lost_entries(&begins) || o->all_lost ? PE_EXIT_LOST : 0;
}

/* ---- all of it ---- */

static void pass_error(void *ctx, const char *what, const char *command, int where)
{
	struct tracing *t = ctx;

	if (t->hits.json) {
		format_json.error(what, command, where, t->hits.out);
		fflush(t->hits.out);
	}
	if (t->hits.save) {
		format_json.error(what, command, where, t->hits.save);
		fflush(t->hits.save);	/* a process that is to become the command ends without */
	}
}

static int record(struct tracing *t, const char *commands, struct outcome *o)
{
	struct wait w = { .session = &t->session, .child = &t->child, .command = t->r.command,
			  .signals = -1 };
	unsigned long long since = now_ns();
	int status = PE_EXIT_MISSING;

	if (!wait_begin(&w) && !prepare(t, commands, &w.before)) {
		hits_heading(&t->hits);
		since = now_ns();
		if (session_arm(&t->session, last_lines(t))) {
			child_drop(&t->child);
		} else {
			if (t->r.command)
				child_go(&t->child);
			w.until = t->r.duration ? now_ns() + t->r.duration : 0;
			if (!show_until_end(t, &w))
				status = balance(t, since, o);
			wait_hear(&w);
			/* Of many hits at once the limit comes first, but all are there. */
			if (!limits_is_end(w.limited, t->r.most) && !enough(t) &&
			    status != PE_EXIT_MISSING) {
				complain("stopped by its limit: %s (%s)", w.limited,
					 limits_advice(w.limited));
				status = PE_EXIT_LIMIT;
			}
			if (w.ended)
				status = PE_EXIT_MISSING;
		}
	}
	/* A signal that has come meanwhile, too, ends the tool here: what was recorded is safe. */
	if (t->hits.kept && o->known && dat_out_end(&t->dat, &t->session))
		status = PE_EXIT_MISSING;
	wait_end(&w);
	cgroup_end(&t->r);
	return status || !t->r.command || t->child.pid ? status : t->child.status;
}

static void begin_answer(struct tracing *t, const char *commands)
{
	const struct answer a = { .verb = "trace", .r = &t->r };

	if (t->r.verbose)
		recipe_tell(&t->recipe, t->r.what, commands);
	if (t->hits.json)
		format_json.begin(&a, commands, t->hits.out);
	if (t->hits.save)
		format_json.begin(&a, commands, t->hits.save);
	report_to(pass_error, t);
	progress_allow(!t->r.quiet);
}

static int open_outputs(struct tracing *t)
{
	t->hits = (struct hits){
		.r = &t->r, .recipe = &t->recipe, .rs = &t->records, .naming = &t->naming,
		.wall = wall_offset(), .json = request_form_is(&t->r, "json"),
		.folded = request_form_is(&t->r, "folded"), .kept = request_form_is(&t->r, "dat"),
		.out = t->r.output ? fopen(t->r.output, "we") : stdout,
	};
	if (!t->hits.out)
		return complain("%s: %s", t->r.output, strerror(errno));
	t->hits.save = t->r.save ? fopen(t->r.save, "we") : NULL;
	if (t->r.save && !t->hits.save)
		return complain("%s: %s", t->r.save, strerror(errno));
	return t->hits.kept ? dat_out_begin(&t->dat, t->r.output) : 0;
}

static void print_outcome(const struct tracing *t, const struct outcome *o, int status)
{
	const struct hits *h = &t->hits;

	if (h->json)
		outcome_json(o, h, status, h->out);
	else if (o->known && (!h->folded || o->all_lost || o->refused))
		outcome_print(o, h, h->folded ? stderr : h->kept ? stdout : h->out);
	if (h->save)
		outcome_json(o, h, status, h->save);
}

static int close_outputs(struct tracing *t, int status)
{
	if (flush_hits(t) || (t->r.output && fclose(t->hits.out)) || fflush(stdout))
		status = PE_EXIT_MISSING;
	if (t->hits.save && (ferror(t->hits.save) | fclose(t->hits.save))) {
		complain("%s: %s", t->r.save, strerror(errno));
		status = PE_EXIT_MISSING;
	}
	return status;
}

static int trace(struct tracing *t, const char *commands)
{
	struct outcome o = {};
	int status;

	if (open_outputs(t)) {
		dat_out_free(&t->dat);
		return PE_EXIT_MISSING;
	}
	paint_answer(t->hits.json || t->hits.folded ? NULL : t->hits.kept ? stdout : t->hits.out);
	begin_answer(t, commands);
	t->out = t->hits.out;
	if (!t->hits.json && !t->hits.folded)
		t->hits.out = narrow_open(t->out);
	status = record(t, commands, &o);
	if (narrow_close(t->hits.out, t->out))
		status = PE_EXIT_MISSING;
	t->hits.out = t->out;
	if (!status && t->r.expect && !t->hits.shown)
		status = PE_EXIT_NOTHING;
	report_to(NULL, NULL);
	print_outcome(t, &o, status);
	status = close_outputs(t, status);
	records_close(&t->records);	/* first: open files would keep the instance */
	close(t->session.fd);
	dat_out_free(&t->dat);
	hits_free(&t->hits);
	return status;
}

static const char *check(const struct request *r)
{
	if (r->interval || r->rows || r->reverse || r->sort || r->keep || r->fine)
		return "-i, -k, -s, -r, --fine and rows are for tables: count, lat";
	if (request_form_is(r, "folded"))
		return r->stacks ? NULL : "-f folded wants stacks: -g";
	if (request_form_is(r, "dat") && !r->output)
		return "-f dat wants a file: -o FILE";
	if (request_form_is(r, "dat") && r->most && !request_wants_all(r))
		return "-f dat has all that was recorded: -M cannot end it if hits are chosen";
	if (r->format && !request_form_is(r, "dat") && !request_form_is(r, "text") &&
	    !request_form_is(r, "json"))
		return "a form of trace is text, json, dat or folded";
	return NULL;
}

/* What every line begins with is not shown again. */
static void drop_heads(struct request *r)
{
	size_t i, nr = 0;

	for (i = 0; i < r->nr_keys; i++)
		if (strcmp(r->keys[i], "comm") && strcmp(r->keys[i], "tid"))
			r->keys[nr++] = r->keys[i];
	r->nr_keys = nr;
}

static int run_trace(const struct verb *verb, int argc, char **argv)
{
	struct tracing t = { .session.fd = -1 };
	const struct recipe_types types = types_recipe(&t.types);
	int status = PE_EXIT_USAGE;
	const char *wrong;
	char *commands;

	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(verb->help, stdout);
		return 0;
	}
	commands = NULL;
	comment_make(t.typed, argc, argv);
	wrong = request_parse(&t.r, argc, argv) ?: check(&t.r);
	drop_heads(&t.r);
	if (!wrong && t.r.stock)
		return stock_verb(verb->name, RECIPE_TRACE, &t.r);
	t.r.parameters = !access("/sys/kernel/btf/vmlinux", F_OK);
	if (!wrong) {
		status = cgroup_prepare(&t.r) ?:
			 presets_prepare(&t.r, &t.preset, verb->name);
		if (status)
			return status;
		status = PE_EXIT_USAGE;
	}
	if (!wrong)
		wrong = recipe_make(&t.recipe, &t.r, RECIPE_TRACE, &types);
	if (!wrong)
		wrong = naming_begin(&t.naming, &t.r, &t.types);
	if (wrong) {
		complain_at(t.r.at ?: t.recipe.at ?: t.naming.at,
			    "trace: %s (probe-events trace --help)", wrong);
		goto out;
	}
	commands = commands_of(&t);
	status = !commands ? PE_EXIT_MISSING : t.r.dry_run ? print_dry(&t, commands) :
		 trace(&t, commands);
out:
	recipe_free(&t.recipe);
	naming_free(&t.naming);
	preset_free(&t.preset);
	free(commands);
	types_free(&t.types);
	return status;
}

const struct verb verb_trace = {
	.name = "trace",
	.summary = "show each hit",
	.run = run_trace,
	.help =
"usage: probe-events trace WHAT [by KEY[,KEY]...] [if FILTER] [OPTIONS] [-- COMMAND...]\n"
"\n"
"Shows each hit of WHAT, which may be a tracepoint (t:NAME), as it comes.\n"
"\n"
"    probe-events trace do_sys_openat2 by ret,filename:ustring if ret lt 0\n"
"\n"
"WHAT   FUNC, MOD:FUNC, FUNC+OFFSET, a pattern 'tcp_*', a list of these: a,b,c;\n"
"       @PRESET (probe-events help @), e:GROUP/EVENT: an event that is defined\n"
"KEY    a column after time, tid and comm: pid cpu func caller ret errno ns, or an\n"
"       argument: skb.len, arg1; after it .hex .sym .enum or a type, :ustring. Without\n"
"       keys all parameters that the kernel's type data knows are shown, and the result\n"
"       if the event is one of returns.\n"
"FILTER FIELD OPERATOR VALUE, joined by and, or, not; the operators are\n"
"       lt le gt ge eq ne has: if ret lt 0 and comm eq mysqld\n"
"\n"
"  -d TIME     end after TIME            -M N        end after N lines\n"
"  -- COMMAND  run it, show only its hits and those of what it starts, end with it;\n"
"              -a -- COMMAND: those of the whole machine meanwhile\n"
"  -p PID,...  only these processes      -t TID,...  only these tasks\n"
"  -C 0-3,8    only these CPUs           -n COMM     only tasks of this name\n"
"  -G CGROUP   only tasks in this cgroup, as it is below /sys/fs/cgroup, or below it\n"
"  --fail      only calls that fail      -L TIME     only calls longer than TIME\n"
"  -x ERROR,.. only results that are one of these errors: ENOENT,EACCES\n"
"  -u UNIT     ns, us, ms or s           -o FILE     write to FILE\n"
"  -f FORM     text, json (lines), dat (with -o FILE, for trace-cmd report), or with -g\n"
"              folded (for flame graphs)\n"
"  -w FILE     write it to FILE as json, too\n"
"  -g          the stack of each hit\n"
"  --cpu P% --one P%  stop when the hits take this share of all CPUs' time, of one\n"
"              CPU's; the default is 2% and 25%\n"
"  --rate N/s  show so many in a second  --ttl TIME  stop then\n"
"  --no-limit  no default; the limit of all events stays (probe-events limit)\n"
"  --engine kernel  with the kernel's own tracefs: it says what is not promised then\n"
"  --dry-run   show what would be written to the file session\n"
"  -v          show it, write it, and show which functions of a pattern are left out\n"
"  --expect    exit status 5 if no hit is shown\n"
"  --color WHEN  never, auto (on terminals, without NO_COLOR) or always\n"
"\n"
"Its own hits are not shown, unless tasks are named: -p, -t, or -n probe-events.\n"
"Hits that came faster than they could be read are LOST: the last line says how many, and\n"
"the exit status is 3.\n"
"\n"
"Exit status: 0; 3 if something was lost; 4 if a limit has stopped it; 1 if nothing could\n"
"be recorded; 2 if the command line is wrong; 5 of --expect; with COMMAND its status if\n"
"ours would be 0.\n",
};
