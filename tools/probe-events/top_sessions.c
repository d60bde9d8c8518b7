// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * top_sessions.c - top without a question: the sessions of all programs.
 *
 * The files of the modules are read, at each picture anew: a session may be gone at any step, and
 * its number is never that of another one.  Nothing of a session is changed, unless a key asks for
 * its end.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "again.h"
#include "cost.h"
#include "grid.h"
#include "limit.h"
#include "losses.h"
#include "machine.h"
#include "picture.h"
#include "place.h"
#include "report.h"
#include "safe.h"
#include "text.h"
#include "top_sessions.h"
#include "units.h"
#include "verb.h"

#define LINES_HEAD 3	/* the head's two, and the note */

static const char help_text[] =
	"\n  tab    next session; shift-tab: the one before\n"
	"  s      next order of its table: by calls, a percentile, a key\n"
	"  r      the order the other way round\n"
	"  d      next interval: 1, 2, 5, 10 s\n"
	"  arrows choose a row; enter shows its histogram (lat)\n"
	"  /      show rows that contain a text: type it, then enter\n"
	"  p      pause: the picture stays\n"
	"  l      the limit of all events: type its words, as cpu=25% one=60%, then enter\n"
	"  k      end the session, if y follows\n"
	"  w      write its table to top-HHMMSS.json\n"
	"  q      end\n\n"
	"  any key goes back\n";

/* What the next keys are for. */
enum prompt { PROMPT_NONE, PROMPT_LIMIT, PROMPT_END };

/*
 * @id: the number of the chosen session, "" if there is none; @at: its place among the others
 * @again: its table, if @shown; if not, @why says why, or is ""
 * @row: the line of @text with the first row, or -1
 */
struct all {
	struct picture p;
	const char *dir;
	struct machine m;
	char id[16];
	size_t at;
	struct again again;
	bool shown;
	char why[200];
	char limits[80];
	enum prompt prompt;
	char words[64];
	char *text;
	long row;
};

/* ---- what there is ---- */

static char *read_ours(const struct all *t, const char *file)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", t->dir, file);
	return read_text(path);
}

static void read_limits(struct all *t)
{
	char path[PATH_MAX], *text;

	snprintf(path, sizeof(path), "%s/limits", t->dir);
	text = read_file(path);
	snprintf(t->limits, sizeof(t->limits), "%.*s", text ? (int)strcspn(text, "\n") : 0,
		 text ?: "");
	free(text);
}

static void forget(struct all *t)
{
	picture_of(&t->p, NULL);
	if (t->shown)
		again_end(&t->again);
	t->shown = false;
	*t->why = '\0';
	*t->id = '\0';
}

/* The session at @at, or the last one. */
static void choose(struct all *t, size_t at)
{
	const struct session_line *line;
	const char *wrong;

	forget(t);
	if (!t->m.nr)
		return;
	t->at = at < t->m.nr ? at : t->m.nr - 1;
	line = &t->m.of[t->at].line;
	snprintf(t->id, sizeof(t->id), "%s", line->id);
	wrong = again_begin(&t->again, t->dir, line->id, line->what);
	if (wrong) {
		again_end(&t->again);
		snprintf(t->why, sizeof(t->why), "%s", wrong);
		return;
	}
	t->shown = true;
	picture_of(&t->p, &t->again.show);
}

static int look(struct all *t)
{
	char *sessions = read_ours(t, "sessions"), *cost = read_ours(t, "kprobes/cost");
	char *losses = read_ours(t, "kprobe_losses");
	size_t i;

	if (!sessions || !cost || !losses) {
		free(sessions);
		free(cost);
		free(losses);
		return -1;
	}
	if (machine_look(&t->m, sessions, cost, losses, now_ns() / 1e9,
			 sysconf(_SC_NPROCESSORS_ONLN)))
		return complain("no memory");
	read_limits(t);
	for (i = 0; i < t->m.nr; i++)
		if (!strcmp(t->m.of[i].line.id, t->id))
			break;
	if (i == t->m.nr)
		choose(t, t->at);
	else
		t->at = i;
	return 0;
}

/* ---- the sessions ---- */

/* What was typed says more. */
static bool shows_owner(const struct all *t)
{
	return t->p.screen.width >= 100;
}

static void put_session(const struct all *t, struct grid *g, size_t i)
{
	const struct machine_session *s = &t->m.of[i];
	char text[UNITS_TEXT], state[48];
	size_t len = machine_state(&s->line, t->m.cost, state, sizeof(state));

	grid_cell(g, i == t->at ? ">" : "");
	grid_cell(g, s->line.id);
	if (shows_owner(t))
		grid_cell(g, s->line.comm);
	grid_cell(g, print_count(text, s->hits));
	grid_cell(g, s->seen ? print_count(text, s->rate + 0.5) : "-");
	if (s->seen)
		snprintf(text, sizeof(text), "%.2f%%", s->cpu);
	grid_cell(g, s->seen ? text : "-");
	/* Of one that a limit has stopped there is no room for more on a narrow screen. */
	if (*s->line.ttl != '-' && !strcmp(state, s->line.state))
		snprintf(state + len, sizeof(state) - len, " %.0fs", strtod(s->line.ttl, NULL));
	grid_cell(g, state);
	grid_cell(g, s->line.what);
}

/* The chosen one is among them, if not all have room. */
static void put_sessions(const struct all *t, size_t most, FILE *out)
{
	static const char * const headings[] = {
		"", "ID", "OWNER", "HITS", "HITS/S", "CPU", "STATE", "WHAT",
	};
	size_t from = t->at < most ? 0 : t->at - most + 1, i;
	struct grid g = {};

	if (!t->m.nr) {
		fputs("no sessions\n", out);
		return;
	}
	for (i = 0; i < sizeof(headings) / sizeof(*headings); i++)
		if (strcmp(headings[i], "OWNER") || shows_owner(t))
			grid_column(&g, headings[i], i < 3 || i > 5);
	for (i = from; i < t->m.nr && i < from + most; i++)
		put_session(t, &g, i);
	grid_print(&g, t->p.screen.width > 1 ? t->p.screen.width - 1 : 1, out);
	if (t->m.nr > most)
		fprintf(out, "(%zu of %zu)\n", most, t->m.nr);
	grid_free(&g);
}

/* ---- the chosen one, if there is no table: its events ---- */

static unsigned long long lost_of(const struct all *t, const char *event)
{
	static const char * const lost[] = { "recursion", "no_stack", "dropped", "full" };
	char group[32], name[128];
	unsigned long long sum = 0;
	struct losses l;
	size_t i;

	if (sscanf(event, "%31[^/]/%127s", group, name) != 2)
		return 0;
	losses_read(&l, t->m.losses, group, name);
	for (i = 0; i < sizeof(lost) / sizeof(*lost); i++)
		sum += losses_of(&l, lost[i]);
	return sum;
}

static void put_events(const struct all *t, size_t lines, FILE *out)
{
	static const char * const headings[] = {
		"EVENT", "STATE", "HITS", "LOST", "A HIT", "CPU", "PLACE",
	};
	char *copy = strdup(t->m.cost), *rest = copy, text[UNITS_TEXT];
	size_t i, nr = 0, more = 0;
	struct cost_line line;
	struct grid g = {};

	for (i = 0; i < sizeof(headings) / sizeof(*headings); i++)
		grid_column(&g, headings[i], i < 2 || i == 6);
	while (cost_next(&rest, &line)) {
		if (!machine_owns(t->id, line.event))
			continue;
		if (++nr + 4 > lines) {
			more++;
			continue;
		}
		grid_cell(&g, line.event);
		grid_cell(&g, line.state);
		grid_cell(&g, print_count(text, strtoull(line.hits, NULL, 10)));
		grid_cell(&g, print_count(text, lost_of(t, line.event)));
		grid_cell(&g, print_time(text, strtoull(line.price, NULL, 10), NULL));
		grid_cell(&g, line.cpu);
		grid_cell(&g, line.place);
	}
	if (nr > more)
		grid_print(&g, t->p.screen.width > 1 ? t->p.screen.width - 1 : 1, out);
	if (!nr)
		fputs("no events in its group\n", out);
	if (more)
		fprintf(out, "(%zu more)\n", more);
	if (*t->why)
		fprintf(out, "no table: %s\n", t->why);
	grid_free(&g);
	free(copy);
}

/* A table that cannot be read any more, because its session has just gone, is none. */
static void put_chosen(struct all *t, bool again, size_t lines, FILE *out)
{
	char *table = NULL, why[sizeof(t->why)];
	size_t size;
	FILE *to = t->shown ? open_memstream(&table, &size) : NULL;
	int ret = to ? picture_table(&t->p, again, lines - t->again.part, to) : -1;

	if (to)
		fclose(to);
	if (!ret) {
		fputs(table, out);
		if (t->again.part)
			fputs("(of the interval that runs)\n", out);
	} else {
		if (to) {
			snprintf(why, sizeof(why), "%s", t->p.note);
			*t->p.note = '\0';
			picture_of(&t->p, NULL);
			again_end(&t->again);
			t->shown = false;
			memcpy(t->why, why, sizeof(why));
		}
		if (*t->id)
			put_events(t, lines, out);
	}
	free(table);
}

/* ---- the screen ---- */

static void put_head(const struct all *t, FILE *out)
{
	char text[UNITS_TEXT];

	fputs("top  ", out);
	picture_clock(&t->p, out);
	picture_order(&t->p, out);
	fprintf(out, "  h: help\n%zu session%s; all probes: ", t->m.nr, t->m.nr == 1 ? "" : "s");
	if (t->m.lost)
		fprintf(out, "LOST %s", print_count(text, t->m.lost));
	else
		fputs("none lost", out);
	if (t->m.limited)
		fprintf(out, ", limited %s", print_count(text, t->m.limited));
	fprintf(out, "; cost %.2f%% of CPU\n", t->m.cpu);
}

static void put_note(const struct all *t, FILE *out)
{
	if (t->prompt == PROMPT_LIMIT) {
		fprintf(out, "limit of all events, now %s: %s", *t->limits ? t->limits : "?",
			t->words);
	} else if (t->prompt == PROMPT_END) {
		fprintf(out, "end session %s, ", t->id);
		put_safe(t->m.of[t->at].line.what, 0, out);
		fputs("? y", out);
	} else {
		put_safe(t->p.note, 0, out);
	}
	fputc('\n', out);
}

/* The rest of the screen is in @text; @again: what was read last, in another order. */
static int refresh(struct all *t, bool again)
{
	size_t height = t->p.screen.height > LINES_HEAD ? t->p.screen.height - LINES_HEAD : 1;
	size_t size, used = 0;
	char *text = NULL, *at;
	FILE *out;

	if (!again && look(t))
		return -1;
	out = open_memstream(&text, &size);
	if (!out)
		return complain("no memory");
	put_sessions(t, height > 9 ? height / 3 - 1 : 1, out);
	fputc('\n', out);
	fflush(out);
	for (at = text; (at = strchr(at, '\n')); at++)
		used++;
	put_chosen(t, again, height > used + 1 ? height - used : 1, out);
	t->row = t->shown ? picture_first_row(&t->p) : -1;
	if (t->row >= 0)
		t->row += used;
	fclose(out);
	free(t->text);
	t->text = text;
	return 0;
}

static int draw(struct all *t)
{
	long row = t->p.help || t->row < 0 ? -1 : LINES_HEAD + t->row + t->p.row;
	char *all = NULL;
	size_t size;
	FILE *out = open_memstream(&all, &size);

	if (!out)
		return complain("no memory");
	put_head(t, out);
	put_note(t, out);
	fputs(t->p.help ? help_text : t->text ?: "", out);
	fclose(out);
	screen_draw(&t->p.screen, all, row);
	free(all);
	return 0;
}

/* ---- keys ---- */

static void set_limits(struct all *t)
{
	char typed[sizeof(t->words)], *words[16], *rest = typed;
	int nr = 0;

	snprintf(typed, sizeof(typed), "%s", t->words);
	while (nr < 16 && (words[nr] = strsep(&rest, " ")))
		nr += *words[nr] != '\0';
	if (nr && !limit_set(t->dir, "all", words, nr))
		snprintf(t->p.note, sizeof(t->p.note), "limit of all events: %s", t->words);
}

/* True: the key was for what is being asked. */
static bool answer_prompt(struct all *t, int key)
{
	if (t->p.typing) {
		t->p.typing = !picture_type(t->p.filter, sizeof(t->p.filter), key);
		return true;
	}
	if (t->prompt == PROMPT_LIMIT) {
		if (!picture_type(t->words, sizeof(t->words), key))
			return true;
		t->prompt = PROMPT_NONE;
		if (key != '\033')
			set_limits(t);
		return true;
	}
	if (t->prompt != PROMPT_END)
		return false;
	t->prompt = PROMPT_NONE;
	if (key == 'y' && !sessions_end(t->dir, t->id))
		snprintf(t->p.note, sizeof(t->p.note), "session %s is ended", t->id);
	return true;
}

/* What a key asks for; false: it is the end. */
static bool take_key(void *arg, int key)
{
	struct all *t = arg;

	*t->p.note = '\0';
	if (answer_prompt(t, key))
		return true;
	if (picture_back(&t->p))
		return key != 'q';
	switch (key) {
	case 'q':
		return false;
	case '\t':
		choose(t, t->at + 1 < t->m.nr ? t->at + 1 : 0);
		break;
	case KEY_BACKTAB:
		choose(t, t->at ? t->at - 1 : t->m.nr);
		break;
	case 'k':
		t->prompt = *t->id ? PROMPT_END : PROMPT_NONE;
		break;
	case 'l':
		t->prompt = PROMPT_LIMIT;
		memset(t->words, 0, sizeof(t->words));
		break;
	default:
		picture_key(&t->p, key);
	}
	return true;
}

/* While something is asked the sessions stay: what is answered is about what is seen. */
static int run_screen(struct all *t, struct wait *w)
{
	unsigned long long next = 0;
	bool stays;

	do {
		if (w->stopped)
			picture_stop(&t->p, w);
		if (w->resized)
			screen_resize(&t->p.screen);
		w->resized = false;
		w->asked = false;
		if (!picture_keys(&t->p, take_key, t))
			return 0;
		stays = t->p.paused || t->prompt != PROMPT_NONE;
		if (refresh(t, next && (now_ns() < next || stays)) || draw(t))
			return -1;
		if (now_ns() >= next || next > now_ns() + t->p.interval)
			next = now_ns() + t->p.interval;
	} while (!wait_round(w, next));
	return 0;
}

/* ---- all of it ---- */

static const char *parse(int argc, char **argv, unsigned long long *interval,
			 unsigned long long *duration)
{
	int i;

	for (i = 1; i < argc; i++) {
		unsigned long long *time = argv[i][1] == 'i' ? interval : duration;
		const char *value = argv[i][2] ? argv[i] + 2 : argv[i + 1];

		if (!parse_time(value, time))
			return "a time is wanted: 500ms, 10s, 5m, 24h";
		i += !argv[i][2];
	}
	return *interval && *interval < REQUEST_INTERVAL ? "an interval is 50ms at least" : NULL;
}

int top_sessions(int argc, char **argv)
{
	unsigned long long interval = 0, duration = 0;
	struct session none = { .fd = -1 };
	struct child child = {};
	struct wait w = { .session = &none, .child = &child, .keys = true, .signals = -1 };
	const char *wrong = parse(argc, argv, &interval, &duration);
	struct all t = {};
	int ret = -1;

	if (wrong) {
		complain_at(argv[argc - 1], "top: %s (probe-events top --help)", wrong);
		return PE_EXIT_USAGE;
	}
	setlocale(LC_CTYPE, "");
	t.dir = place_of_files();
	if (!t.dir || wait_begin(&w))
		return PE_EXIT_MISSING;
	if (!picture_begin(&t.p, interval)) {
		w.until = duration ? now_ns() + duration : 0;
		ret = run_screen(&t, &w);
		forget(&t);
		picture_end(&t.p, ret);
	}
	wait_end(&w);
	machine_free(&t.m);
	free(t.text);
	return ret ? PE_EXIT_MISSING : 0;
}
