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
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "answer.h"
#include "prototypes.h"
#include "recipe.h"
#include "report.h"
#include "request.h"
#include "session.h"
#include "symbols.h"
#include "text.h"
#include "verb.h"

/* What a question needs while it is asked. */
struct measure {
	struct request r;
	char typed[200];
	bool timed;
	struct recipe recipe;
	struct prototypes *types;
	bool types_tried;
	struct session session;
	pid_t child;		/* 0: there is none, or it has ended */
	int child_gate;		/* the command begins when this is closed */
	int child_status;
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

/* ---- a command ---- */

/* Signals are this program's business: the command has them as they were. */
static int start_command(struct measure *m, const sigset_t *before)
{
	int gate[2];
	char byte;

	if (pipe(gate))
		return complain("pipe: %s", strerror(errno));
	m->child = fork();
	if (m->child < 0)
		return complain("fork: %s", strerror(errno));
	if (!m->child) {
		close(gate[1]);
		/* Nothing comes: the other end closes when all is armed, or this program gone. */
		while (read(gate[0], &byte, 1) < 0 && errno == EINTR)
			;
		close(gate[0]);
		sigprocmask(SIG_SETMASK, before, NULL);
		execvp(m->r.command[0], m->r.command);
		complain("cannot run %s: %s", m->r.command[0], strerror(errno));
		_exit(errno == ENOENT ? PE_EXIT_NO_COMMAND : PE_EXIT_CANNOT_RUN);
	}
	close(gate[0]);
	m->child_gate = gate[1];
	return 0;
}

static void end_command(struct measure *m)
{
	int status;

	if (!m->child || waitpid(m->child, &status, WNOHANG) != m->child)
		return;
	m->child = 0;
	m->child_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
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

/* Until the time is over, the command ends, or a signal comes that ends it. */
static void wait_for_end(struct measure *m, int signals)
{
	unsigned long long until = m->r.duration ? now_ns() + m->r.duration : 0;
	struct pollfd fds[] = {
		{ .fd = signals, .events = POLLIN },
		{ .fd = m->session.fd, .events = POLLIN },
	};
	struct signalfd_siginfo info;

	for (;;) {
		int n = poll(fds, 2, time_left(until));

		if (!n && !time_left(until))
			return;
		if (fds[1].revents && !hear_session(m))
			return;
		if (!fds[0].revents || read(signals, &info, sizeof(info)) != sizeof(info))
			continue;
		if (info.ssi_signo != SIGCHLD)
			return;
		end_command(m);
		if (m->r.command && !m->child)
			return;
	}
}

/* ---- the answer ---- */

static int load_symbols(const struct table *t, struct functions *symbols, char **kallsyms)
{
	size_t i;

	for (i = 0; i < t->nr_columns; i++)
		if (t->columns[i].type == COLUMN_ADDRESS || t->columns[i].type == COLUMN_STACK)
			break;
	if (i == t->nr_columns)
		return 0;
	*kallsyms = read_text("/proc/kallsyms");
	return *kallsyms ? symbols_load(symbols, *kallsyms) : -1;
}

static size_t terminal_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO))
		return 0;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col ? 80 : size.ws_col;
}

/* The table is cut first: hits that come later are in the counters only, as "inside" or not. */
static int show_answer(struct measure *m)
{
	char *text = session_read(&m->session, m->recipe.event, "table");
	char *lost = NULL, *syms = NULL, path[PATH_MAX];
	struct functions symbols = {};
	struct losses losses;
	struct table table;
	struct answer a = {
		.r = &m->r, .timed = m->timed, .table = &table, .losses = &losses,
		.symbols = &symbols, .width = terminal_width(),
		.utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8"),
	};
	const char *wrong;
	int status = PE_EXIT_MISSING;

	snprintf(path, sizeof(path), "%s/kprobe_losses", m->session.dir);
	lost = text ? read_text(path) : NULL;
	wrong = lost ? table_read(&table, text) : NULL;
	if (wrong)
		complain("the table cannot be read: %s", wrong);
	if (lost && !wrong) {
		losses_read(&losses, lost, m->session.group, m->recipe.event);
		if (!load_symbols(&table, &symbols, &syms)) {
			answer_print(&a, stdout);
			status = answer_balance(&a, stdout) ? PE_EXIT_LOST : 0;
		}
		table_free(&table);
	}
	functions_free(&symbols);
	free(syms);
	free(lost);
	free(text);
	return fflush(stdout) ? PE_EXIT_MISSING : status;
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
	int len = asprintf(&text, "comment %s\n%s\ntrigger %s %s\n", m->typed, m->recipe.definition,
			   m->recipe.event, m->recipe.trigger);

	return len < 0 ? NULL : text;
}

static int ask(struct measure *m, const char *commands)
{
	sigset_t mask, before;
	int signals, status;

	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGHUP);
	sigaddset(&mask, SIGCHLD);
	sigprocmask(SIG_BLOCK, &mask, &before);
	signals = signalfd(-1, &mask, SFD_CLOEXEC);
	if (signals < 0)
		return complain("signalfd: %s", strerror(errno)), PE_EXIT_MISSING;
	if (session_begin(&m->session) || (m->r.command && start_command(m, &before)) ||
	    session_write(&m->session, commands))
		return PE_EXIT_MISSING;
	if (m->r.command)
		close(m->child_gate);
	else if (!m->r.quiet && !m->r.duration && isatty(STDERR_FILENO))
		fputs("counting; Ctrl-C ends it\n", stderr);
	wait_for_end(m, signals);
	status = show_answer(m);
	close(m->session.fd);
	close(signals);
	return status || !m->r.command || m->child ? status : m->child_status;
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
	if (!wrong && m.r.command && !m.r.all)
		wrong = "with a command the whole machine is measured: say so with -a";
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
		status = fputs(commands, stdout) < 0 ? PE_EXIT_MISSING : 0;
	else
		status = ask(&m, commands);
	free(commands);
	recipe_free(&m.recipe);
out:
	prototypes_free(m.types);
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
"  -p PID,...  only these processes      -n COMM  only tasks of this name\n"	\
"  --fail      only results below 0      -L TIME  only calls longer than TIME\n"	\
"  -r ROWS     show so many rows         -u UNIT  ns, us, ms or s\n"	\
"  -a -- COMMAND...  run it meanwhile, end with it\n"			\
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
"usage: probe-events count WHAT [by KEY[,KEY]] [if FILTER] [OPTIONS] [-a -- COMMAND...]\n"
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
"usage: probe-events lat WHAT [by KEY[,KEY]] [if FILTER] [OPTIONS] [-a -- COMMAND...]\n"
"\n"
"Measures how long calls of WHAT take: percentiles for each key, or a histogram if there\n"
"is none. Percentiles are at most 1.6 % off, the maximum is exact.\n"
"\n"
"    probe-events lat do_fsync by comm -d 30\n"
COMMON_HELP
};
