// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * measure.c - the verbs count and lat: how often, by whom, and how long it takes.
 *
 * The modules count while the hits come; this program waits, and reads the table at the end.  What
 * it has defined belongs to a session, so it goes when the program does.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "balance.h"
#include "cgroup.h"
#include "child.h"
#include "comment.h"
#include "live.h"
#include "measure.h"
#include "paint.h"
#include "presets.h"
#include "progress.h"
#include "recipe.h"
#include "refused.h"
#include "report.h"
#include "request.h"
#include "running.h"
#include "session.h"
#include "show.h"
#include "stock_verb.h"
#include "tally.h"
#include "types.h"
#include "verb.h"
#include "wait.h"

/* KB for each CPU: an instance has buffers, though nothing is recorded in this one. */
#define INSTANCE_KB 8

#define SECOND 1000000000ULL

/* What a question needs while it is asked. */
struct measure {
	struct request r;
	struct preset preset;
	struct words words;
	char typed[COMMENT_ROOM];	/* the session's comment */
	bool cut;		/* it has only the beginning */
	bool timed;
	struct recipe recipe;
	struct types types;
	struct naming naming;
	struct session session;
	struct child child;
	struct show show;
	struct live live;
	struct running running;
	bool terminal;		/* the answer is for one */
	bool redraw;		/* a table is there and replaced while it counts */
	measure_live *top;	/* shows it meanwhile; NULL: this file does */
};

static void take_size(struct measure *m)
{
	live_resize(&m->live);
	m->show.a.width = m->live.width;
	m->show.a.fit = live_rows(&m->live);
}

static int draw(struct measure *m)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int ret = out ? show_live(&m->show, out) : complain("no memory");

	if (out)
		fclose(out);
	if (!ret)
		live_draw(&m->live, text);
	free(text);
	return ret;
}

/* What there is so far; forms for programs have no place for that. */
static int tell_now(struct measure *m)
{
	if (m->redraw)
		return draw(m);
	if (m->show.format != &format_text)
		return 0;
	if (show_live(&m->show, m->show.out))
		return -1;
	fputc('\n', m->show.out);
	return fflush(m->show.out) ? complain("cannot write: %s", strerror(errno)) : 0;
}

/* Until it is over; a table each -i, or on a terminal one that is replaced each second. */
static int wait_for_end(struct measure *m, struct wait *w)
{
	unsigned long long step = m->r.interval ?: m->redraw ? SECOND : 0;
	unsigned long long next = step ? now_ns() + step : 0;

	while (!wait_round(w, running_wake(&m->running, next))) {
		if (running_turn(&m->running, w, next))
			continue;
		if (w->asked && tell_now(m))
			return -1;
		if (w->asked) {
			w->asked = false;
			continue;
		}
		if (w->resized && m->terminal)
			take_size(m);
		if (w->resized && !m->redraw) {
			w->resized = false;
			continue;
		}
		if (m->r.interval ? show_interval(&m->show) : draw(m))
			return -1;
		/* A table that took longer than the interval is followed by a whole one. */
		if (!w->resized)
			next += step;
		if (next < now_ns())
			next = now_ns() + step;
		w->resized = false;
	}
	progress_wipe();
	if (m->redraw)
		live_erase(&m->live);
	return 0;
}

/* ---- all of it ---- */

/* What is written to the session; NULL without memory. */
static char *commands_of(const struct measure *m)
{
	char *text, limit[LIMITS_TEXT + 64], keep[40] = "";

	if (m->r.keep)
		snprintf(keep, sizeof(keep), "keep ttl=%llu\n",
			 (m->r.keep + 999999999) / 1000000000);
	limits_line(&m->r.limits, m->r.most, m->recipe.event, limit);
	return asprintf(&text, "comment %s\n%s\ntrigger %s %s%s%s\n%s%s", m->typed,
			m->recipe.definition, m->recipe.event, m->recipe.trigger,
			m->recipe.filter ? " if " : "", m->recipe.filter ?: "", limit, keep) < 0 ?
	       NULL : text;
}

/* Only the command and what it starts: pids of an instance, before anything is armed in it. */
static int follow_command(struct measure *m)
{
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", m->child.pid);
	return session_instance(&m->session, INSTANCE_KB) ||
	       session_set(&m->session, "set_event_pid", pid) ||
	       session_set(&m->session, "options/event-fork", "1");
}

static int arm(struct measure *m, const char *commands, const sigset_t *signals)
{
	if (session_begin(&m->session) ||
	    (m->r.command && child_start(&m->child, m->r.command, signals)))
		return -1;
	if ((m->r.command && !m->r.all && follow_command(m)) ||
	    session_arm(&m->session, commands)) {
		child_drop(&m->child);
		return -1;
	}
	if (m->r.command)
		child_go(&m->child);
	else if (!m->top && !m->r.quiet && !m->r.duration && !m->r.keep && !m->redraw &&
		 isatty(STDERR_FILENO))
		fputs("counting; Ctrl-C ends it\n", stderr);
	return 0;
}

static int tell_kept(const struct measure *m)
{
	const char *nr = m->session.group + 1, *dir = m->session.dir;
	unsigned long refused;

	if (m->r.verbose)
		refused_tell(dir, m->session.group, m->recipe.event);
	fprintf(stderr, "armed as session %s; see it: probe-events list %s; "
		"end it: probe-events rm %s", nr, nr, nr);
	if (!refused_count(dir, m->session.group, m->recipe.event, &refused))
		refused_print(refused, !m->r.verbose, stderr);
	fputc('\n', stderr);
	return 0;
}

static int open_output(struct measure *m)
{
	m->show.out = m->r.output ? fopen(m->r.output, "we") : stdout;
	if (!m->show.out)
		return complain("%s: %s", m->r.output, strerror(errno));
	if (m->r.save) {
		m->show.save = fopen(m->r.save, "we");
		if (!m->show.save)
			return complain("%s: %s", m->r.save, strerror(errno));
	}
	/* The whole screen of top has none. */
	paint_answer(m->show.format == &format_text && !m->top ? m->show.out : NULL);
	m->terminal = isatty(fileno(m->show.out)) && m->show.format == &format_text;
	if (m->terminal) {
		m->redraw = live_begin(&m->live, m->show.out) && !m->top && !m->r.interval &&
			    !m->r.command && !m->r.quiet;
		take_size(m);
	}
	return 0;
}

static void pass_error(void *ctx, const char *what, const char *command, int where)
{
	struct measure *m = ctx;

	if (m->show.format->error) {
		m->show.format->error(what, command, where, m->show.out);
		fflush(m->show.out);
	}
	if (m->show.save) {
		format_json.error(what, command, where, m->show.save);
		fflush(m->show.save);	/* a process that is to become the command ends without */
	}
}

static void prepare_show(struct measure *m, const struct verb *verb)
{
	m->show = (struct show){
		.a = {
			.verb = verb->name, .r = &m->r, .timed = m->timed,
			.losses = &m->show.losses, .symbols = &m->show.symbols,
			.words = &m->words, .cpus = show_cpus(m->r.cpus),
			.own = m->r.command && !m->r.all,
			.utf8 = !m->r.ascii && !strcmp(nl_langinfo(CODESET), "UTF-8"),
		},
		.session = &m->session,
		.event = m->recipe.event,
		.naming = &m->naming,
		.format = m->r.format ? format_find(m->r.format) : &format_text,
	};
}

/* Has a limit been an end before the one that was asked for? */
static bool is_early(const struct measure *m, const struct wait *w)
{
	return !limits_is_end(w->limited, m->r.most);
}

static void tell_limited(const struct wait *w)
{
	complain("stopped by its limit: %s (%s)", w->limited, limits_advice(w->limited));
}

/* What there is when it ends. */
static int show_limited(struct measure *m, struct wait *w)
{
	bool early = is_early(m, w);
	int status;

	if (early)
		tell_limited(w);
	status = show_total(&m->show);
	/* If all functions are hit all the time, the session is told of it only now. */
	if (!early && losses_of(&m->show.losses, "limited")) {
		wait_hear(w);
		early = is_early(m, w);
		if (early)
			tell_limited(w);
	}
	return early && status != PE_EXIT_MISSING ? PE_EXIT_LIMIT : status;
}

/* All between the first line of the answer and the last. */
static int ask_and_show(struct measure *m, const char *commands)
{
	struct wait w = { .session = &m->session, .child = &m->child, .command = m->r.command,
			  .keys = m->top };
	int status = PE_EXIT_MISSING;

	if (wait_begin(&w) || arm(m, commands, &w.before)) {
		wait_end(&w);
	} else if (m->r.keep) {
		wait_end(&w);
		wait_hear(&w);
		status = tell_kept(m);
	} else {
		w.until = m->r.duration ? now_ns() + m->r.duration : 0;
		m->running = (struct running){ .r = &m->r, .session = &m->session,
					       .event = m->recipe.event,
					       .of = m->timed ? "calls" : "hits" };
		running_begin(&m->running, m->show.out);
		if (!(m->top ? m->top(&m->show, &w) : wait_for_end(m, &w))) {
			wait_end(&w);
			if (m->r.verbose)
				refused_tell(m->session.dir, m->session.group, m->recipe.event);
			status = show_limited(m, &w);
			if (w.ended)
				status = PE_EXIT_MISSING;
		}
	}
	close(m->session.fd);
	if (!m->r.keep)
		cgroup_end(&m->r);
	return status || !m->r.command || m->child.pid ? status : m->child.status;
}

static unsigned long long counted(const struct measure *m)
{
	struct sums s;

	balance_make(&m->show.a, &s);
	return s.counted;
}

/* What stays in the file only if it could be written, @name; NULL: there is none. */
static int close_output(const char *name, FILE *out, int status)
{
	if (!name || !(ferror(out) | fclose(out)))
		return status;
	complain("%s: %s", name, strerror(errno));
	return PE_EXIT_MISSING;
}

static int ask(struct measure *m, const struct verb *verb, const char *commands)
{
	int status;

	prepare_show(m, verb);
	if (open_output(m))
		return PE_EXIT_MISSING;
	if (m->r.verbose)
		recipe_tell(&m->recipe, m->r.what, commands);
	if (m->show.format->begin)
		m->show.format->begin(&m->show.a, commands, m->show.out);
	if (m->show.save)
		format_json.begin(&m->show.a, commands, m->show.save);
	report_to(pass_error, m);
	progress_allow(!m->r.quiet);
	status = ask_and_show(m, commands);
	if (!status && m->r.expect && !m->r.keep && !counted(m))
		status = PE_EXIT_NOTHING;
	status = show_end(&m->show, status);
	report_to(NULL, NULL);
	status = close_output(m->r.output, m->show.out, status);
	status = close_output(m->r.save, m->show.save, status);
	show_free(&m->show);
	return status;
}

static void look_for_types(struct request *r)
{
	r->parameters = !access("/sys/kernel/btf/vmlinux", F_OK);
}

/* What is wrong beyond single words. */
static const char *check_request(const struct request *r, bool timed, bool top)
{
	const struct format *format = r->format ? format_find(r->format) : &format_text;

	if (top && (r->format || r->keep || r->command))
		return "-f, -k and a command are for count and lat: this is a screen";
	if (!format)
		return format_unknown(r->format);
	if (r->most && !request_wants_all(r))
		return "-M counts hits before any are chosen, so it would end too early: trace can";
	if (r->fine && !timed)
		return "--fine is for histograms: lat";
	if (r->stacks)
		return "-g is for trace: here a key does it, by stack";
	if (r->keep && (r->command || r->duration || r->interval || r->output || r->save))
		return "-k waits for nothing: no -d, -i, -o, -w and no command go with it";
	return (format->check ? format->check(r) : NULL) ?: tally_check(r, timed);
}

/* What would be written; with a command there is more to do before. */
static int print_dry(const struct measure *m, const char *commands)
{
	if (m->r.command && !m->r.all)
		printf("instance %u\n"
		       "# echo PID > instances/sN/set_event_pid\n"
		       "# echo 1 > instances/sN/options/event-fork\n", INSTANCE_KB);
	return fputs(commands, stdout) < 0 || fflush(stdout) ? PE_EXIT_MISSING : 0;
}

int measure(const struct verb *verb, int argc, char **argv, bool timed, measure_live *top)
{
	struct measure m = { .timed = timed, .session.fd = -1, .top = top };
	const struct recipe_types types = types_recipe(&m.types);
	const char *wrong;
	int status = PE_EXIT_USAGE;
	char *commands;

	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(verb->help, stdout);
		return 0;
	}
	m.cut = !comment_make(m.typed, argc, argv);
	wrong = request_parse(&m.r, argc, argv);
	if (!wrong && m.r.stock && !top)
		return stock_verb(verb->name, timed ? RECIPE_LAT : RECIPE_COUNT, &m.r);
	if (m.r.stock)
		wrong = "--engine kernel is for count, lat and trace";
	look_for_types(&m.r);
	if (!wrong) {
		status = cgroup_prepare(&m.r) ?:
			 presets_prepare(&m.r, &m.preset, timed ? "lat" : "count");
		if (status)
			return status;
		status = PE_EXIT_USAGE;
	}
	if (!wrong)
		wrong = check_request(&m.r, timed, top);
	if (!wrong && m.r.keep && m.cut)
		wrong = "-k: the line is too long to be kept with its table (255 bytes)";
	if (!wrong)
		wrong = recipe_make(&m.recipe, &m.r, timed ? RECIPE_LAT : RECIPE_COUNT,
				    &types);
	if (!wrong)
		wrong = naming_begin(&m.naming, &m.r, &m.types);
	if (wrong) {
		complain_at(m.r.at ?: m.recipe.at ?: m.naming.at,
			    "%s: %s (probe-events %s --help)", verb->name, wrong, verb->name);
		goto out;
	}
	setlocale(LC_CTYPE, "");
	commands = commands_of(&m);
	if (!commands)
		status = PE_EXIT_MISSING;
	else if (m.r.dry_run)
		status = print_dry(&m, commands);
	else
		status = ask(&m, verb, commands);
	free(commands);
out:
	recipe_free(&m.recipe);
	naming_free(&m.naming);
	preset_free(&m.preset);
	words_free(&m.words);
	types_free(&m.types);
	return status;
}

static int run_count(const struct verb *verb, int argc, char **argv)
{
	return measure(verb, argc, argv, false, NULL);
}

static int run_lat(const struct verb *verb, int argc, char **argv)
{
	return measure(verb, argc, argv, true, NULL);
}

#define COMMON_HELP							\
"\n"									\
"WHAT   FUNC, MOD:FUNC, FUNC+OFFSET, a pattern 'tcp_*', a list of these: a,b,c;\n"	\
"       @PRESET (probe-events help @), e:GROUP/EVENT: an event that is defined\n"	\
"KEY    comm pid tid cpu func caller stack ret errno, or an argument:\n"	\
"       count, skb.len, arg1; after it .log2 .buckets=N .hex .sym .enum;\n" \
"       .log2 is the power of 2 that is not less: 10 is 513 to 1024\n"		\
"FILTER FIELD OPERATOR VALUE, joined by and, or, not; the operators are\n"	\
"       lt le gt ge eq ne has: if ret lt 0 and comm eq mysqld\n"	\
"\n"									\
"  -d TIME     end after TIME (10s, 500ms, 5m, 24h; a plain number is seconds)\n"	\
"  -i TIME     a table every TIME, then the total\n"			\
"  -- COMMAND  run it, measure only it and what it starts, end with it;\n"	\
"              -a -- COMMAND: the whole machine meanwhile\n"		\
"  -p PID,...  only these processes      -t TID,...  only these tasks\n"	\
"  -C 0-3,8    only these CPUs           -n COMM     only tasks of this name\n"	\
"  -G CGROUP   only tasks in this cgroup, as it is below /sys/fs/cgroup, or below it\n"	\
"  --fail      only calls that fail      -L TIME     only calls longer than TIME\n"	\
"  -s COLUMN   order of rows: a value's column, or a key\n"		\
"  -r          the other way round       -n N, -r N  show N rows\n"	\
"  -x ERROR,.. only results that are one of these errors: ENOENT,EACCES\n"	\
"  -u UNIT     ns, us, ms or s           -o FILE     write the answer to FILE\n"	\
"  -f FORM     text, json (lines), csv, html (a page), openmetrics, or folded (stacks;\n"	\
"              needs by stack)\n"						\
"  -w FILE     write it to FILE as json, too: for probe-events report\n"	\
"  -T          time of day above a table --ascii     bars of #\n"		\
"  --fine      of lat without by: a row for each step, not for each octave\n" \
"  -k TIME, --keep TIME  leave it armed for TIME and return: see it with list; when TIME is\n" \
"              over, or with rm, it goes with all that it has counted\n"	\
"  -M N        end after N hits, exactly\n"				\
"  --cpu P% --one P%  stop when the hits take this share of all CPUs' time, of one\n" \
"              CPU's; the default is 2% and 25%\n"			\
"  --rate N/s  count so many in a second, leave out the others\n"	\
"  --ttl TIME  stop then, also what -k leaves armed\n"		\
"  --no-limit  no default; the limit of all events stays (probe-events limit)\n"	\
"  --engine kernel  with the kernel's own tracefs: it says what is not promised then\n" \
"  --dry-run   show what would be written to the file session\n"	\
"  -v          show it, write it, and show which functions of a pattern are left out\n"	\
"  -q          no progress\n"						\
"  --expect    exit status 5 if nothing is counted\n"			\
"  --color WHEN  never, auto (on terminals, without NO_COLOR) or always\n"	\
"\n"									\
"Without -d it ends at Ctrl-C. What it has defined goes with it, however it ends.\n"	\
"The last line says where all hits have gone.\n"			\
"\n"									\
"Exit status: 0; 3 if something was lost; 4 if a limit has stopped it; 1 if nothing\n"	\
"could be measured; 2 if the command line is wrong; 5 of --expect; with COMMAND its\n"	\
"status if ours would be 0.\n"

const struct verb verb_count = {
	.name = "count",
	.summary = "how often, by whom",
	.run = run_count,
	.help =
"usage: probe-events count WHAT [by KEY[,KEY]] [if FILTER] [OPTIONS] [-- COMMAND...]\n"
"\n"
"Counts the hits of WHAT, which may be a tracepoint (t:NAME), too.\n"
"\n"
"    probe-events count kfree_skb by comm,caller -d 10\n"
COMMON_HELP
};

const struct verb verb_lat = {
	.name = "lat",
	.summary = "how long, by whom",
	.run = run_lat,
	.help =
"usage: probe-events lat WHAT [by KEY[,KEY]] [if FILTER] [OPTIONS] [-- COMMAND...]\n"
"\n"
"Measures how long calls of WHAT take: percentiles for each key, or a histogram if there\n"
"is none. Percentiles are at most 1.6 % off, the maximum is exact.\n"
"\n"
"    probe-events lat do_fsync by comm -d 30\n"
COMMON_HELP
};
