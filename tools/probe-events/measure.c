// SPDX-License-Identifier: GPL-2.0
/*
 * measure.c - the verbs count and lat: how often, by whom, and how long it takes.
 *
 * The modules count while the hits come; this program waits, and reads the table at the end.  What
 * it has defined belongs to a session, so it goes when the program does.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>
#include "child.h"
#include "measure.h"
#include "prototypes.h"
#include "recipe.h"
#include "report.h"
#include "request.h"
#include "session.h"
#include "show.h"
#include "tally.h"
#include "verb.h"

/* KB for each CPU: an instance has buffers, though nothing is recorded in this one. */
#define INSTANCE_KB 8

/* What a question needs while it is asked. */
struct measure {
	struct request r;
	char typed[200];
	bool timed;
	struct recipe recipe;
	struct prototypes *types;
	bool types_tried;
	struct session session;
	struct child child;
	struct show show;
};

/* The type data is read when the first field has to be spelt. */
static bool spell(void *ctx, const char *function, const char *expr, FILE *out)
{
	struct measure *m = ctx;

	if (!strchr(expr, '.') || strstr(expr, "->"))
		return false;
	if (!m->types_tried) {
		m->types_tried = true;
		m->types = prototypes_load();
	}
	return prototypes_spell(m->types, function, expr, out);
}

/* ---- waiting ---- */

static unsigned long long now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

/* Milliseconds until then, at least one if it is not over; -1: for ever. */
static int time_left(unsigned long long until)
{
	unsigned long long now = now_ns();

	if (!until)
		return -1;
	if (now >= until)
		return 0;
	return (until - now) / 1000000 < INT_MAX ? (until - now) / 1000000 + 1 : INT_MAX;
}

/* The session is told when somebody else ends it, or a module with its functions goes. */
static bool hear_session(const struct measure *m)
{
	char text[4096], *line, *rest;
	ssize_t len = read(m->session.fd, text, sizeof(text) - 1);

	if (len <= 0)
		return len < 0 && errno == EAGAIN;
	text[len] = '\0';
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		if (strncmp(line, "session ", 8))	/* its number */
			complain("%s", line);
	return true;
}

/* What a signal asks for; true: it is the end. */
static bool hear_signal(struct measure *m, int signals)
{
	struct signalfd_siginfo info;

	if (read(signals, &info, sizeof(info)) != sizeof(info))
		return false;
	if (info.ssi_signo == SIGCHLD)
		return m->r.command && child_ended(&m->child);
	return true;
}

/* Until the time is over, the command ends, or a signal comes that ends it; a table each -i. */
static int wait_for_end(struct measure *m, int signals)
{
	unsigned long long until = m->r.duration ? now_ns() + m->r.duration : 0;
	unsigned long long next = m->r.interval ? now_ns() + m->r.interval : 0;
	struct pollfd fds[] = {
		{ .fd = signals, .events = POLLIN },
		{ .fd = m->session.fd, .events = POLLIN },
	};

	for (;;) {
		unsigned long long wake = next && (!until || next < until) ? next : until;
		int n = poll(fds, 2, time_left(wake));

		if (n > 0 && fds[1].revents && !hear_session(m))
			return 0;
		if (n > 0 && fds[0].revents && hear_signal(m, signals))
			return 0;
		if (until && !time_left(until))
			return 0;
		if (next && !time_left(next)) {
			if (show_interval(&m->show))
				return -1;
			/* A table that took longer than the interval is followed by a whole one. */
			next += m->r.interval;
			if (next < now_ns())
				next = now_ns() + m->r.interval;
		}
	}
}

static size_t terminal_width(FILE *out)
{
	struct winsize size;

	if (!isatty(fileno(out)))
		return 0;
	return ioctl(fileno(out), TIOCGWINSZ, &size) || !size.ws_col ? 80 : size.ws_col;
}

/* ---- all of it ---- */

/* The session's comment: what was typed, as far as there is room, in one line. */
static void describe(struct measure *m, int argc, char **argv)
{
	size_t len = 0, i;
	int n;

	for (n = 0; n < argc && len < sizeof(m->typed); n++)
		len += snprintf(m->typed + len, sizeof(m->typed) - len, "%s%s", n ? " " : "",
				argv[n]);
	for (i = 0; m->typed[i]; i++)
		if (m->typed[i] == '\n')
			m->typed[i] = ' ';
}

/* What is written to the session; NULL without memory. */
static char *commands_of(const struct measure *m)
{
	char *text;
	char keep[40] = "";

	if (m->r.keep)
		snprintf(keep, sizeof(keep), "keep ttl=%llu\n",
			 (m->r.keep + 999999999) / 1000000000);
	return asprintf(&text, "comment %s\n%s\ntrigger %s %s\n%s", m->typed,
			m->recipe.definition, m->recipe.event, m->recipe.trigger, keep) < 0 ?
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
	    session_write(&m->session, commands)) {
		child_drop(&m->child);
		return -1;
	}
	if (m->r.command)
		child_go(&m->child);
	else if (!m->r.quiet && !m->r.duration && !m->r.keep && isatty(STDERR_FILENO))
		fputs("counting; Ctrl-C ends it\n", stderr);
	return 0;
}

static int tell_kept(const struct measure *m)
{
	const char *nr = m->session.group + 1;

	fprintf(stderr, "armed as session %s; see it: probe-events list %s; "
		"end it: probe-events rm %s\n", nr, nr, nr);
	return 0;
}

static int open_output(struct measure *m)
{
	m->show.out = m->r.output ? fopen(m->r.output, "we") : stdout;
	if (!m->show.out)
		return complain("%s: %s", m->r.output, strerror(errno));
	m->show.a.width = terminal_width(m->show.out);
	return 0;
}

static void pass_error(void *ctx, const char *what, const char *command, int where)
{
	struct measure *m = ctx;

	m->show.format->error(what, command, where, m->show.out);
	fflush(m->show.out);
}

static void prepare_show(struct measure *m, const struct verb *verb)
{
	m->show = (struct show){
		.a = {
			.verb = verb->name, .r = &m->r, .timed = m->timed,
			.losses = &m->show.losses, .symbols = &m->show.symbols,
			.own = m->r.command && !m->r.all,
			.utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8"),
		},
		.session = &m->session,
		.event = m->recipe.event,
		.format = m->r.format ? format_find(m->r.format) : &format_text,
	};
}

/* All between the first line of the answer and the last. */
static int ask_and_show(struct measure *m, const char *commands)
{
	sigset_t mask, before;
	int signals, status = PE_EXIT_MISSING;

	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGHUP);
	sigaddset(&mask, SIGCHLD);
	sigprocmask(SIG_BLOCK, &mask, &before);
	signals = signalfd(-1, &mask, SFD_CLOEXEC);
	if (signals < 0) {
		complain("signalfd: %s", strerror(errno));
	} else if (m->r.keep) {
		status = arm(m, commands, &before) ? PE_EXIT_MISSING : tell_kept(m);
	} else if (!arm(m, commands, &before) && !wait_for_end(m, signals)) {
		sigprocmask(SIG_SETMASK, &before, NULL);	/* a second Ctrl-C ends at once */
		status = show_total(&m->show);
	}
	close(m->session.fd);
	close(signals);
	return status || !m->r.command || m->child.pid ? status : m->child.status;
}

static int ask(struct measure *m, const struct verb *verb, const char *commands)
{
	int status;

	prepare_show(m, verb);
	if (open_output(m))
		return PE_EXIT_MISSING;
	if (m->show.format->begin)
		m->show.format->begin(&m->show.a, commands, m->show.out);
	if (m->show.format->error)
		report_to(pass_error, m);
	status = show_end(&m->show, ask_and_show(m, commands));
	report_to(NULL, NULL);
	if (m->r.output && fclose(m->show.out)) {
		complain("%s: %s", m->r.output, strerror(errno));
		status = PE_EXIT_MISSING;
	}
	show_free(&m->show);
	return status;
}

/* What is wrong beyond single words. */
static const char *check_request(const struct request *r, bool timed)
{
	const struct format *format = r->format ? format_find(r->format) : &format_text;

	if (!format)
		return "a form is text, json, csv or folded";
	if (r->keep && (r->command || r->duration || r->interval || r->output))
		return "-k waits for nothing: no -d, -i, -o and no command go with it";
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

static int measure(const struct verb *verb, int argc, char **argv, bool timed)
{
	struct measure m = { .timed = timed, .session.fd = -1 };
	const char *wrong;
	int status = PE_EXIT_USAGE;
	char *commands;

	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(verb->help, stdout);
		return 0;
	}
	describe(&m, argc, argv);
	wrong = request_parse(&m.r, argc, argv);
	if (!wrong)
		wrong = check_request(&m.r, timed);
	if (!wrong)
		wrong = recipe_make(&m.recipe, &m.r, timed, spell, &m);
	if (wrong) {
		complain("%s: %s (probe-events %s --help)", verb->name, wrong, verb->name);
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
	recipe_free(&m.recipe);
out:
	prototypes_free(m.types);
	return status;
}

int measure_again(const char *dir, const char *id, const char *typed)
{
	struct measure m = { .session = { .fd = -1, .dir = dir } };
	char *copy = strdup(typed), *rest = copy, *argv[64];
	int argc = 0, status = PE_EXIT_MISSING;
	const char *wrong;

	while (argc < 64 && rest && (argv[argc] = strsep(&rest, " ")))
		argc++;
	m.timed = argc && !strcmp(argv[0], "lat");
	wrong = m.timed || (argc && !strcmp(argv[0], "count")) ? request_parse(&m.r, argc, argv) :
		"it is not one of count or lat";
	m.r.interval = 0;
	m.session.own = m.r.command && !m.r.all;
	if (!wrong)
		wrong = check_request(&m.r, m.timed) ?: recipe_make(&m.recipe, &m.r, m.timed,
								    spell, &m);
	if (wrong) {
		complain("session %s cannot be shown: %s", id, wrong);
	} else {
		snprintf(m.session.group, sizeof(m.session.group), "s%s", id);
		setlocale(LC_CTYPE, "");
		prepare_show(&m, m.timed ? &verb_lat : &verb_count);
		m.show.out = stdout;
		m.show.a.width = terminal_width(stdout);
		if (m.show.format->begin)
			m.show.format->begin(&m.show.a, "", stdout);
		status = show_end(&m.show, show_total(&m.show));
		show_free(&m.show);
		recipe_free(&m.recipe);
	}
	prototypes_free(m.types);
	free(copy);
	return status;
}

static int run_count(const struct verb *verb, int argc, char **argv)
{
	return measure(verb, argc, argv, false);
}

static int run_lat(const struct verb *verb, int argc, char **argv)
{
	return measure(verb, argc, argv, true);
}

#define COMMON_HELP							\
"\n"									\
"WHAT   FUNC, MOD:FUNC, FUNC+OFFSET, a pattern 'tcp_*'\n"		\
"KEY    comm pid tid cpu func caller stack ret, or an argument:\n"	\
"       count, skb.len, arg1; behind it .log2 .buckets=N .hex .sym\n"	\
"FILTER FIELD OPERATOR VALUE, joined by and, or, not; the operators are\n"	\
"       lt le gt ge eq ne has: if ret lt 0 and comm eq mysqld\n"	\
"\n"									\
"  -d TIME     end after TIME (10s, 500ms, 5m, 24h; a plain number is seconds)\n"	\
"  -i TIME     a table every TIME, then the total\n"			\
"  -- COMMAND  run it, measure only it and what it starts, end with it;\n"	\
"              -a -- COMMAND: the whole machine meanwhile\n"		\
"  -p PID,...  only these processes      -t TID,...  only these tasks\n"	\
"  -C 0-3,8    only these CPUs           -n COMM     only tasks of this name\n"	\
"  --fail      only results below 0      -L TIME     only calls longer than TIME\n"	\
"  -s COLUMN   order of rows: a value's column, or a key\n"		\
"  -r          the other way round       -n N, -r N  show N rows\n"	\
"  -u UNIT     ns, us, ms or s           -o FILE     write the answer to FILE\n"	\
"  -f FORM     text, json (lines), csv, or folded (flame graphs; needs by stack)\n"	\
"  -k TIME     leave it armed for TIME and return: see it with probe-events list\n"	\
"  --dry-run   show what would be written to the file session\n"	\
"  -q          no progress\n"						\
"\n"									\
"Without -d it ends at Ctrl-C. What it has defined goes with it, however it ends.\n"	\
"The last line says where all hits have gone.\n"			\
"\n"									\
"Exit status: 0; 3 if something was lost; 1 if nothing could be measured; 2 if the\n"	\
"command line is wrong; with COMMAND its status if ours would be 0.\n"

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
