// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * watch.c - the verb watch: what happened before a call was slow, or failed.
 *
 * All is recorded into buffers that forget the oldest.  The call's return itself puts them aside,
 * by a trigger, so no process has to react in time; this program comes later and keeps the part
 * of the time that is asked for.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "beside.h"
#include "cgroup.h"
#include "comment.h"
#include "cost.h"
#include "dat_out.h"
#include "existing.h"
#include "kept.h"
#include "limiting.h"
#include "live.h"
#include "paint.h"
#include "presets.h"
#include "progress.h"
#include "recipe.h"
#include "refused.h"
#include "report.h"
#include "running.h"
#include "session.h"
#include "table.h"
#include "text.h"
#include "types.h"
#include "units.h"
#include "verb.h"
#include "wait.h"

#define SECOND 1000000000ULL
#define ROUND (SECOND / 10)

struct watching {
	struct request r;
	struct kept kept;
	unsigned long times;		/* how often */
	const char *with;		/* functions that are recorded, too */
	struct recipe recipe;
	struct preset preset;		/* what is recorded beside the call */
	struct beside beside;		/* as events */
	struct types types;
	struct session session;
	struct child child;
	struct live live;
	bool redraw;
	bool waiting;			/* the trigger is set */
	unsigned long long began;	/* when recording did */
	unsigned long long armed;	/* when it did, or did again after a call was kept */
	unsigned long long calls, longest;
};

/* ---- what is written ---- */

static char *commands_of(const struct watching *w, const char *typed)
{
	size_t size;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fprintf(out, "comment %s\n%s\nfilter lat %s\n", typed, w->recipe.definition,
		w->recipe.filter);
	fputs("trigger lat hist:keys=common_cpu:vals=ns.max:size=128\n", out);
	beside_define(&w->beside, out);
	fputs("enable lat\n", out);
	beside_limit(&w->beside, &w->r.limits, out);
	return fclose(out) ? NULL : text;
}

/* The trigger comes when the buffers have run for the time that is to be kept. */
static int set_trigger(struct watching *w, const char *sign)
{
	char *line;
	int ret;

	if (asprintf(&line, "trigger lat %ssnapshot:1 if %s\n", sign, w->recipe.filter) < 0)
		return complain("no memory");
	ret = session_write(&w->session, line);
	free(line);
	w->waiting = !*sign;
	return ret;
}

static int print_dry(const struct watching *w, const char *commands)
{
	printf("instance %lu\n# echo mono > instances/sN/trace_clock\n%s", w->kept.kb, commands);
	printf("# after %.3f s\ntrigger lat snapshot:1 if %s\n", w->kept.before / 1e9,
	       w->recipe.filter);
	return fflush(stdout) ? PE_EXIT_MISSING : 0;
}

static int arm(struct watching *w, const char *commands, const sigset_t *signals)
{
	if (session_begin(&w->session) || session_instance(&w->session, w->kept.kb) ||
	    session_set(&w->session, "trace_clock", "mono") ||
	    (w->r.command && child_start(&w->child, w->r.command, signals)))
		return -1;
	if (session_arm(&w->session, commands)) {
		child_drop(&w->child);
		return -1;
	}
	w->began = now_ns();
	w->armed = w->began;
	if (w->r.command)
		child_go(&w->child);
	printf("recording into 2 x %lu KB for each CPU; waiting for %s\n", w->kept.kb, w->r.what);
	return fflush(stdout);
}

/* ---- while it waits ---- */

static char *read_own(const struct watching *w, const char *file)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/instances/%s/%s", w->session.dir, w->session.group, file);
	return read_text(path);
}

static int count_calls(struct watching *w)
{
	char *text = session_table(&w->session, "lat", false);
	const char *wrong;
	struct table t;
	struct group all;

	wrong = text ? table_read(&t, text) : NULL;
	if (wrong)
		complain("the table cannot be read: %s", wrong);
	if (!text || wrong || table_merge(&t, &all)) {
		free(text);
		return -1;
	}
	w->calls = all.hits + t.balance.other;
	w->longest = all.max;
	free(all.steps);
	table_free(&t);
	free(text);
	return 0;
}

static int tell_calls(struct watching *w, FILE *out)
{
	char calls[UNITS_TEXT], longest[UNITS_TEXT];

	if (count_calls(w))
		return -1;
	fprintf(out, "%s: %s calls, longest %s; %lu kept\n", w->r.what,
		print_count(calls, w->calls), print_time(longest, w->longest, w->r.unit),
		w->kept.nr);
	return 0;
}

static int draw(struct watching *w)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int ret = out ? tell_calls(w, out) : complain("no memory");

	if (out)
		fclose(out);
	if (!ret)
		live_draw(&w->live, text);
	free(text);
	return ret;
}

/* ---- a slow call ---- */

/* A trigger with a condition acts after the record, which so is the last of its kind. */
static int take_spike(struct watching *w)
{
	char *aside = read_own(w, "snapshot");
	int ret = aside ? kept_write(&w->kept, aside) : -1;

	free(aside);
	return ret;
}

/* The trigger counts down: 0 is left when it has done what it is for. */
static int look_for_spike(struct watching *w)
{
	char path[64], *text;
	bool done;

	snprintf(path, sizeof(path), "events/%s/lat/trigger", w->session.group);
	text = read_own(w, path);
	if (!text)
		return -1;
	done = strstr(text, "snapshot:count=0");
	free(text);
	if (!done)
		return 0;
	if (w->redraw)
		live_erase(&w->live);
	if (take_spike(w) || set_trigger(w, "!"))
		return -1;
	w->armed = now_ns();
	return 0;
}

static int wait_for_spikes(struct watching *w, struct wait *wait)
{
	struct running running = { .r = &w->r, .session = &w->session, .event = "lat",
				   .of = "calls", .beside = true };
	unsigned long long shown = 0;

	running_begin(&running, stdout);
	while (w->kept.nr < w->times && !wait_round(wait, now_ns() + ROUND)) {
		running_turn(&running, wait, 0);
		if (wait->asked && tell_calls(w, stdout))
			return -1;
		if (wait->asked)
			fflush(stdout);
		if (wait->resized && w->redraw)
			live_resize(&w->live);
		wait->asked = false;
		wait->resized = false;
		if (w->waiting ? look_for_spike(w) :
		    now_ns() - w->armed >= w->kept.before && set_trigger(w, ""))
			return -1;
		if (w->redraw && now_ns() - shown > SECOND) {
			shown = now_ns();
			if (draw(w))
				return -1;
		}
	}
	progress_wipe();
	/* One may have come in the last moment. */
	if (w->kept.nr < w->times && w->waiting && !wait->ended && look_for_spike(w))
		return -1;
	if (w->redraw)
		live_erase(&w->live);
	return 0;
}

/* ---- all of it ---- */

static double cost_of_all(const struct watching *w)
{
	double seconds = (now_ns() - w->began) / 1e9, cost = 0;
	unsigned long long ns;
	size_t i;

	for (i = 0; i < w->beside.nr; i++)
		if (cost_of(w->session.dir, w->session.group, w->beside.names[i], &ns))
			cost += cost_share(ns, seconds);
	return cost;
}

/* After the table: later calls are in the counters only. */
static int tell_balance(struct watching *w)
{
	char path[PATH_MAX], *text;
	unsigned long long lost;
	unsigned long refused;

	snprintf(path, sizeof(path), "%s/kprobe_losses", w->session.dir);
	text = read_text(path);
	if (!text || refused_count(w->session.dir, w->session.group, NULL, &refused)) {
		free(text);
		return PE_EXIT_MISSING;
	}
	beside_read(&w->beside, text, w->session.group);
	free(text);
	if (w->r.verbose)
		refused_tell(w->session.dir, w->session.group, NULL);
	lost = beside_print(&w->beside, w->calls, stdout);
	refused_print(refused, !w->r.verbose, stdout);
	printf("; cost %.2f%% of CPU\n", cost_of_all(w));
	if (fflush(stdout))
		return complain("cannot write: %s", strerror(errno)), PE_EXIT_MISSING;
	return lost ? PE_EXIT_LOST : 0;
}

/* What there is when it ends. */
static int tell_end(struct watching *w, const struct wait *wait)
{
	int status;

	if (*wait->limited)
		complain("stopped by its limit: %s: %s (%s)",
			 beside_shown(&w->beside, wait->event), wait->limited,
			 limits_advice(wait->limited));
	status = tell_calls(w, stdout) ? PE_EXIT_MISSING : tell_balance(w);
	return *wait->limited && status != PE_EXIT_MISSING ? PE_EXIT_LIMIT : status;
}

static int watch(struct watching *w, const char *commands)
{
	struct wait wait = { .session = &w->session, .child = &w->child, .command = w->r.command,
			     .signals = -1 };
	int status = PE_EXIT_MISSING;

	if (w->r.verbose)
		recipe_tell(&w->recipe, w->r.what, commands);
	paint_answer(stdout);
	progress_allow(!w->r.quiet);
	w->redraw = isatty(STDOUT_FILENO) && !w->r.command && !w->r.quiet &&
		    live_begin(&w->live, stdout);
	if (!wait_begin(&wait) && !arm(w, commands, &wait.before)) {
		wait.until = w->r.duration ? now_ns() + w->r.duration : 0;
		if (!wait_for_spikes(w, &wait) && !wait.ended)
			status = tell_end(w, &wait);
	}
	wait_end(&wait);
	if (w->session.fd >= 0)
		close(w->session.fd);
	cgroup_end(&w->r);
	return status || !w->r.command || w->child.pid ? status : w->child.status;
}

/* Options that no other verb has are taken out of the words; a static text: what is wrong. */
static const char *own_options(struct watching *w, int *argc, char **argv)
{
	int from, to = 1;
	char *end;

	*w = (struct watching){ .session.fd = -1, .times = 1,
				.kept = { .before = 2 * SECOND, .kb = 2048 } };
	for (from = 1; from < *argc; from++) {
		char *word = argv[from], *value = from + 1 < *argc ? argv[from + 1] : NULL;
		unsigned long *number = !strcmp(word, "--times") ? &w->times :
					!strcmp(word, "--kb") ? &w->kept.kb : NULL;

		if (!strcmp(word, "--"))
			break;
		if (!strcmp(word, "--before")) {
			if (!value || !parse_time(value, &w->kept.before))
				return "--before wants a time: 2s, 500ms";
		} else if (!strcmp(word, "--with")) {
			if (!value || strpbrk(value, " \t\n"))
				return "--with wants functions: 'ext4_*'";
			w->with = value;
		} else if (number) {
			*number = value ? strtoul(value, &end, 10) : 0;
			if (!*number || *end || *number > 1000000)
				return "--times and --kb want a number";
		} else {
			argv[to++] = word;
			continue;
		}
		from++;
	}
	while (from < *argc)
		argv[to++] = argv[from++];
	*argc = to;
	argv[to] = NULL;
	return NULL;
}

static const char *check(struct request *r)
{
	if (!r->nr_filter && !r->longer && !r->fail && !r->errors)
		return "which calls? -L TIME, --fail, -x ERROR or if FILTER";
	if (r->nr_keys || r->interval || r->rows || r->reverse || r->sort || r->keep || r->most ||
	    r->stacks || r->stock)
		return "by, -i, -k, -s, -r, -g, -M, rows and --engine are not for watch";
	if (r->format && !request_form_is(r, "text") && !request_form_is(r, "dat"))
		return "a form of watch is text or dat";
	if (r->save || r->all || r->clock || r->expect || r->fine || r->ascii)
		return "-w, -a, -T, --expect, --fine and --ascii are not for watch";
	if (existing_is(r->what) || *r->what == '@')
		r->at = r->what;
	if (existing_is(r->what))
		return "a function is wanted, not an event";
	return *r->what == '@' ? "a function is wanted; beside it, @spike is recorded" : NULL;
}

static int run_watch(const struct verb *verb, int argc, char **argv)
{
	struct watching w;
	const char *wrong;
	const struct recipe_types types = types_recipe(&w.types);
	char *commands = NULL, typed[COMMENT_ROOM];
	int status = PE_EXIT_USAGE;

	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(verb->help, stdout);
		return 0;
	}
	comment_make(typed, argc, argv);
	wrong = own_options(&w, &argc, argv) ?: request_parse(&w.r, argc, argv) ?: check(&w.r);
	w.r.parameters = !access("/sys/kernel/btf/vmlinux", F_OK);
	if (!wrong && ((request_form_is(&w.r, "dat") && dat_out_needs()) || cgroup_prepare(&w.r)))
		return PE_EXIT_MISSING;
	if (!wrong)
		wrong = recipe_make(&w.recipe, &w.r, RECIPE_LAT, &types);
	if (wrong) {
		complain_at(w.r.at ?: w.recipe.at, "watch: %s (probe-events watch --help)", wrong);
	} else {
		status = presets_find(&w.preset, "@spike", NULL, 0, "watch");
		if (!status) {
			w.kept.what = w.r.what;
			w.kept.output = w.r.output;
			w.kept.unit = w.r.unit;
			w.kept.dat = request_form_is(&w.r, "dat") ? &w.session : NULL;
			beside_begin(&w.beside, &w.preset, w.r.what, w.with);
			commands = commands_of(&w, typed);
			status = !commands ? PE_EXIT_MISSING :
				 w.r.dry_run ? print_dry(&w, commands) : watch(&w, commands);
		}
		recipe_free(&w.recipe);
		preset_free(&w.preset);
	}
	free(commands);
	types_free(&w.types);
	return status;
}

const struct verb verb_watch = {
	.name = "watch",
	.summary = "what happened before a call was slow",
	.run = run_watch,
	.help =
"usage: probe-events watch WHAT (-L TIME | --fail | -x ERROR | if FILTER) [OPTIONS]\n"
"                          [-- COMMAND...]\n"
"\n"
"Records switches of tasks, interrupts and block requests (the preset @spike) into buffers\n"
"that forget the oldest, waits for a call of WHAT that is longer than TIME, and keeps what\n"
"was before its end in spike-HHMM.txt. No call is too short: its return puts the buffers\n"
"aside. Calls that end before the buffers have run for as long as is kept do not count.\n"
"\n"
"    probe-events watch do_fsync -L 500ms\n"
"\n"
"  -L TIME        calls longer than TIME    --fail       calls that fail\n"
"  -x ERROR       calls that fail with it   if FILTER    calls of which it is true\n"
"  --before TIME  keep so much (2s)         --times N    as often (1)\n"
"  --with FUNCS   record calls of these functions, too: 'ext4_*'\n"
"  --kb N         size of the buffers of each CPU (2048); each is there twice\n"
"  -o FILE        write to FILE; the next ones to FILE.1, FILE.2\n"
"  -f dat         all that the buffers have, as spike-HHMM.dat, for trace-cmd report\n"
"  -d TIME        end after TIME            -- COMMAND   run it, end with it\n"
"  -p PID,...     only calls of these processes          -t TID,...  of these tasks\n"
"  -C 0-3,8       only calls on these CPUs  -n COMM      only of tasks of this name\n"
"  -G CGROUP      only of tasks in this cgroup, as it is below /sys/fs/cgroup, or below it\n"
"  -u UNIT        ns, us, ms or s           -q           no progress\n"
"  --cpu P% --one P%  stop when the hits of an event, the calls or one beside them, take\n"
"                 this share of all CPUs' time, of one CPU's; the default is 2% and 25%\n"
"  --rate N/s     record so many hits of an event in a second\n"
"  --ttl TIME     stop then                 --no-limit   no default\n"
"  --color WHEN   of messages: never, auto (on terminals) or always\n"
"  --dry-run      show what would be written to the file session; -v: show it, write it,\n"
"                 and show which functions of a pattern are left out, and why\n"
"\n"
"Exit status: 0, also if there was no such call; 3 if something was lost; 4 if a limit has\n"
"stopped it; 1 if nothing could be recorded; 2 if the command line is wrong; with COMMAND\n"
"its status if ours would be 0.\n",
};
