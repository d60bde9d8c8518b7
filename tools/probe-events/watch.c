// SPDX-License-Identifier: GPL-2.0
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
#include "cgroup.h"
#include "live.h"
#include "presets.h"
#include "progress.h"
#include "recipe.h"
#include "report.h"
#include "running.h"
#include "session.h"
#include "spike.h"
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
	unsigned long long before;	/* how much is kept */
	unsigned long times, kb;	/* how often; of each CPU's buffer */
	const char *with;		/* functions that are recorded, too */
	struct recipe recipe;
	struct preset beside;		/* what is recorded beside the call */
	struct types types;
	struct session session;
	struct child child;
	struct live live;
	bool redraw;
	bool waiting;			/* the trigger is set */
	unsigned long long armed;	/* when recording began, or began again */
	unsigned long kept;
	unsigned long long calls, longest;
};

/* ---- what is written ---- */

/* "t sched_switch prev=..." is the event sched_switch; @enable: its line that enables it. */
static void put_beside(const struct watching *w, bool enable, FILE *out)
{
	size_t i;

	for (i = 0; i < w->beside.nr_probes; i++) {
		const char *command = preset_command(&w->beside, i);
		int len;

		if (!command)
			continue;
		len = strcspn(command + 2, " ");
		if (enable)
			fprintf(out, "enable %.*s\n", len, command + 2);
		else
			fprintf(out, "%c:%.*s%s\n", *command, len, command + 2, command + 1);
	}
}

static void put_typed(FILE *out, int argc, char **argv)
{
	int i;

	fputs("comment", out);
	for (i = 0; i < argc && ftell(out) < 200; i++)
		fprintf(out, " %.*s", (int)strcspn(argv[i], "\n"), argv[i]);
	fputc('\n', out);
}

static char *commands_of(const struct watching *w, int argc, char **argv)
{
	size_t size;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	put_typed(out, argc, argv);
	fprintf(out, "%s\nfilter lat %s\n", w->recipe.definition, w->recipe.filter);
	fputs("trigger lat hist:keys=common_cpu:vals=ns.max:size=128\n", out);
	put_beside(w, false, out);
	if (w->with)
		fprintf(out, "f:in %s\nf:out %s%%return ns=$elapsed\nenable in\nenable out\n",
			w->with, w->with);
	put_beside(w, true, out);
	fputs("enable lat\n", out);
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
	printf("instance %lu\n# echo mono > instances/sN/trace_clock\n%s", w->kb, commands);
	printf("# after %.3f s\ntrigger lat snapshot:1 if %s\n", w->before / 1e9,
	       w->recipe.filter);
	return fflush(stdout) ? PE_EXIT_MISSING : 0;
}

static int arm(struct watching *w, const char *commands, const sigset_t *signals)
{
	if (session_begin(&w->session) || session_instance(&w->session, w->kb) ||
	    session_set(&w->session, "trace_clock", "mono") ||
	    (w->r.command && child_start(&w->child, w->r.command, signals)))
		return -1;
	if (session_arm(&w->session, commands)) {
		child_drop(&w->child);
		return -1;
	}
	w->armed = now_ns();
	if (w->r.command)
		child_go(&w->child);
	printf("recording into 2 x %lu KB for each CPU; waiting for %s\n", w->kb, w->r.what);
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
	w->calls = all.hits;
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
		print_count(calls, w->calls), print_time(longest, w->longest, w->r.unit), w->kept);
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

/* The line of the last call; NULL: there is none.  The event lat is recorded of slow calls only. */
static const char *find_call(const char *trace, struct spike_line *call)
{
	const char *found = NULL;
	struct spike_line l;

	for (; trace; trace = strchr(trace, '\n')) {
		trace += *trace == '\n';
		if (!spike_read(&l, trace) || l.event_len != 3 || strncmp(l.event, "lat", 3))
			continue;
		*call = l;
		found = trace;
	}
	return found;
}

/* "bash-181": what stands before the CPU.  Bytes that would change the screen are \xNN. */
static void put_task(const char *line, FILE *out)
{
	size_t len = strcspn(line, "\n");
	const char *end = memmem(line, len, " [", 2);

	line += strspn(line, " ");
	while (end && end > line && end[-1] == ' ')
		end--;
	for (; end && line < end; line++)
		if ((unsigned char)*line < 32 || *line == 127)
			fprintf(out, "\\x%02x", (unsigned char)*line);
		else
			fputc(*line, out);
}

static void put_clock(unsigned long long at, FILE *out)
{
	struct timespec ts;
	time_t seconds;
	struct tm tm;

	clock_gettime(CLOCK_REALTIME, &ts);
	at += ts.tv_sec * SECOND + ts.tv_nsec - now_ns();
	seconds = at / SECOND;
	localtime_r(&seconds, &tm);
	fprintf(out, "%02d:%02d:%02d.%03llu ", tm.tm_hour, tm.tm_min, tm.tm_sec,
		at / 1000000 % 1000);
}

/* A file that did not exist, or that of -o.  The first is spike-1752.txt, if it is 17:52 now. */
static FILE *open_kept(const struct watching *w, char *name, size_t size)
{
	time_t now = time(NULL);
	struct tm tm;
	int i, fd = -1;

	localtime_r(&now, &tm);
	if (w->r.output && !w->kept) {
		snprintf(name, size, "%s", w->r.output);
		return fopen(name, "we");
	}
	for (i = 1; i < 1000 && fd < 0 && (i == 1 || errno == EEXIST); i++) {
		if (w->r.output)
			snprintf(name, size, "%s.%d", w->r.output, i);
		else
			snprintf(name, size, i == 1 ? "spike-%02d%02d.txt" :
				 "spike-%02d%02d-%d.txt", tm.tm_hour, tm.tm_min, i);
		fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	}
	return fd < 0 ? NULL : fdopen(fd, "w");
}

static void tell_spike(const struct spike *s, const struct watching *w)
{
	unsigned long long span = s->until - (s->records ? s->first : s->until);
	char text[UNITS_TEXT];

	printf("  %s records", print_count(text, s->records));
	printf(", %s", print_time(text, span, NULL));
	if (!s->whole && span + SECOND / 100 < w->before)
		printf("; the buffers had no room for the time before: --kb %lu", 4 * w->kb);
	putchar('\n');
	if (s->asleep)
		printf("  the task was off its CPU for %s\n", print_time(text, s->asleep, NULL));
	if (s->requests) {
		printf("  block: %s requests", print_count(text, s->requests));
		printf(", the longest %s on %u:%u\n", print_time(text, s->longest, NULL),
		       s->dev >> 20, s->dev & 0xfffff);
	}
}

static int keep(struct watching *w, const struct spike_line *call, const char *line,
		const char *trace)
{
	struct spike s = { .tid = call->tid, .until = call->at + ROUND,
			   .from = call->at > w->before ? call->at - w->before : 0 };
	char name[PATH_MAX], text[UNITS_TEXT];
	unsigned long long ns = 0;
	FILE *out = open_kept(w, name, sizeof(name));
	int ret;

	if (!out)
		return complain("%s: %s", name, strerror(errno));
	ret = spike_cut(&s, trace, out) ? complain("no memory") : 0;
	if (fclose(out))
		ret = complain("%s: %s", name, strerror(errno));
	put_clock(call->at, stdout);
	printf("%s of ", w->r.what);
	put_task(line, stdout);
	spike_arg(call, "ns", &ns);
	printf(" took %s; %s\n", print_time(text, ns, w->r.unit), name);
	tell_spike(&s, w);
	return fflush(stdout) ? complain("cannot write: %s", strerror(errno)) : ret;
}

/* A trigger with a condition acts after the record, which so is the last of its kind. */
static int take_spike(struct watching *w)
{
	char *aside = read_own(w, "snapshot");
	struct spike_line call;
	const char *line = aside ? find_call(aside, &call) : NULL;
	int ret = -1;

	if (line)
		ret = keep(w, &call, line, aside);
	else if (aside)
		complain("the call's record has been overwritten");
	free(aside);
	w->kept++;
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
				   .of = "calls" };
	unsigned long long shown = 0;

	running_begin(&running, stdout);
	while (w->kept < w->times && !wait_round(wait, now_ns() + ROUND)) {
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
		    now_ns() - w->armed >= w->before && set_trigger(w, ""))
			return -1;
		if (w->redraw && now_ns() - shown > SECOND) {
			shown = now_ns();
			if (draw(w))
				return -1;
		}
	}
	progress_wipe();
	/* One may have come in the last moment. */
	if (w->kept < w->times && w->waiting && !wait->ended && look_for_spike(w))
		return -1;
	if (w->redraw)
		live_erase(&w->live);
	return 0;
}

/* ---- all of it ---- */

static int watch(struct watching *w, const char *commands)
{
	struct wait wait = { .session = &w->session, .child = &w->child, .command = w->r.command,
			     .signals = -1 };
	int status = PE_EXIT_MISSING;

	progress_allow(!w->r.quiet);
	w->redraw = isatty(STDOUT_FILENO) && !w->r.command && !w->r.quiet &&
		    live_begin(&w->live, stdout);
	if (!wait_begin(&wait) && !arm(w, commands, &wait.before)) {
		wait.until = w->r.duration ? now_ns() + w->r.duration : 0;
		if (!wait_for_spikes(w, &wait) && !wait.ended && !tell_calls(w, stdout) &&
		    !fflush(stdout))
			status = 0;
	}
	child_drop(&w->child);
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

	*w = (struct watching){ .session.fd = -1, .before = 2 * SECOND, .times = 1, .kb = 2048 };
	for (from = 1; from < *argc; from++) {
		char *word = argv[from], *value = from + 1 < *argc ? argv[from + 1] : NULL;
		unsigned long *number = !strcmp(word, "--times") ? &w->times :
					!strcmp(word, "--kb") ? &w->kb : NULL;

		if (!strcmp(word, "--"))
			break;
		if (!strcmp(word, "--before")) {
			if (!value || !parse_time(value, &w->before))
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

static const char *check(const struct request *r)
{
	if (!r->nr_filter && !r->longer && !r->fail && !r->errors)
		return "which calls? -L TIME, --fail, -x ERROR or if FILTER";
	if (r->nr_keys || r->interval || r->rows || r->reverse || r->sort || r->keep || r->format ||
	    r->most || r->stacks || r->stock)
		return "by, -i, -k, -s, -r, -f, -g, -M, rows and --engine are not for watch";
	if (r->save || r->all || r->clock || r->expect || r->fine || r->ascii)
		return "-w, -a, -T, --expect, --fine and --ascii are not for watch";
	return *r->what == '@' ? "a function is wanted; beside it, @spike is recorded" : NULL;
}

static int run_watch(const struct verb *verb, int argc, char **argv)
{
	struct watching w;
	const char *wrong;
	const struct recipe_types types = types_recipe(&w.types);
	char *commands = NULL;
	int status = PE_EXIT_USAGE;

	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(verb->help, stdout);
		return 0;
	}
	wrong = own_options(&w, &argc, argv) ?: request_parse(&w.r, argc, argv) ?: check(&w.r);
	w.r.parameters = !access("/sys/kernel/btf/vmlinux", F_OK);
	if (!wrong && cgroup_prepare(&w.r))
		return PE_EXIT_MISSING;
	if (!wrong)
		wrong = recipe_make(&w.recipe, &w.r, RECIPE_LAT, &types);
	if (wrong) {
		complain("watch: %s (probe-events watch --help)", wrong);
	} else {
		status = presets_find(&w.beside, "@spike", NULL, 0, "watch");
		if (!status) {
			commands = commands_of(&w, argc, argv);
			status = !commands ? PE_EXIT_MISSING :
				 w.r.dry_run ? print_dry(&w, commands) : watch(&w, commands);
		}
		recipe_free(&w.recipe);
		preset_free(&w.beside);
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
"usage: probe-events watch WHAT -L TIME [if FILTER] [OPTIONS] [-- COMMAND...]\n"
"\n"
"Records switches of tasks, interrupts and block requests (the preset @spike) into buffers\n"
"that forget the oldest, waits for a call of WHAT that is longer than TIME, and keeps what\n"
"was before its end in spike-HHMM.txt. No call is too short: its return puts the buffers\n"
"aside. Calls that end before the buffers have run for as long as is kept do not count.\n"
"\n"
"    probe-events watch do_fsync -L 500ms\n"
"\n"
"  -L TIME        calls longer than TIME    --fail       calls that fail\n"
"  --before TIME  keep so much (2s)         --times N    as often (1)\n"
"  --with FUNCS   record calls of these functions, too: 'ext4_*'\n"
"  --kb N         size of the buffers of each CPU (2048); each is there twice\n"
"  -o FILE        write to FILE; the next ones to FILE.1, FILE.2\n"
"  -d TIME        end after TIME            -- COMMAND   run it, end with it\n"
"  -p PID,...     only calls of these processes          -t TID,...  of these tasks\n"
"  -C 0-3,8       only calls on these CPUs  -n COMM      only of tasks of this name\n"
"  -G CGROUP      only of tasks in this cgroup, as it is below /sys/fs/cgroup, or below it\n"
"  -u UNIT        ns, us, ms or s           -q           no progress\n"
"  --color WHEN   of messages: never, auto (on terminals) or always\n"
"  --dry-run      show what would be written to the file session\n"
"\n"
"Exit status: 0, also if there was no such call; 1 if nothing could be recorded; 2 if the\n"
"command line is wrong; with COMMAND its status if ours would be 0.\n",
};
