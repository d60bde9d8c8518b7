// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * report_verb.c - the verb report: ask what was saved, on any machine.
 */
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "live.h"
#include "match.h"
#include "paint.h"
#include "report.h"
#include "retell.h"
#include "verb.h"

/* Options that are conditions, too. */
static const char *make_filter(struct retelling *re)
{
	static char longer[24];
	const struct request *r = &re->r;
	const char *parts[3][3] = {
		{ r->comm ? "comm" : NULL, "eq", r->comm },
		{ r->fail ? "ret" : NULL, "lt", "0" },
		{ r->longer ? "ns" : NULL, "gt", longer },
	};
	size_t i, k;

	snprintf(longer, sizeof(longer), "%llu", r->longer);
	if (r->nr_filter)
		re->words[re->nr_words++] = "(";
	for (i = 0; i < r->nr_filter; i++)
		re->words[re->nr_words++] = r->filter[i];
	if (r->nr_filter)
		re->words[re->nr_words++] = ")";
	for (i = 0; i < 3; i++) {
		if (!parts[i][0])
			continue;
		if (re->nr_words)
			re->words[re->nr_words++] = "and";
		for (k = 0; k < 3; k++)
			re->words[re->nr_words++] = parts[i][k];
	}
	return match_check(re->words, re->nr_words);
}

static const char *check(struct retelling *re)
{
	const struct request *r = &re->r;

	if (r->duration || r->interval || r->keep || r->command || r->all || r->dry_run ||
	    r->verbose || r->clock || r->save || r->stacks || r->stock)
		return "-d -i -k -a -g -T -v -w --dry-run --engine --: for what is measured now";
	if (r->expect || r->limits.cpu || r->limits.one || r->limits.rate || r->limits.ttl ||
	    r->limits.none)
		return "--expect and limits are for what is measured now";
	if (r->errors)
		return "-x is for what is measured now: if ret eq -2 or ret eq -13";
	if (r->pids || r->tids || r->cpus || r->cgroup)
		return "-p, -t, -C and -G are for what is measured now: if tid eq 5 or tid eq 6";
	re->format = r->format ? format_find(r->format) : &format_text;
	if (!re->format)
		return format_unknown(r->format);
	return make_filter(re);
}

/* It is of this verb only, and may stand anywhere. */
static bool take_redact(int *argc, char **argv)
{
	int i;

	for (i = 1; i < *argc && strcmp(argv[i], "--redact"); i++)
		;
	if (i >= *argc)
		return false;
	for (; i < *argc; i++)
		argv[i] = argv[i + 1];		/* the NULL after the last, too */
	--*argc;
	return true;
}

static enum question question_of(const char *word)
{
	return !strcmp(word, "count") ? QUESTION_COUNT : !strcmp(word, "lat") ? QUESTION_LAT :
	       !strcmp(word, "trace") ? QUESTION_TRACE : QUESTION_ANY;
}

/* Would the answer be written into a file that is read?  It has other names, perhaps. */
static bool is_written_over(const struct request *r, char **files, int nr)
{
	struct stat out, in;

	if ((r->output ? stat(r->output, &out) : fstat(STDOUT_FILENO, &out)) ||
	    !S_ISREG(out.st_mode))
		return false;
	while (nr--)
		if (!stat(files[nr], &in) && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
			return true;
	return false;
}

static int open_output(struct retelling *re)
{
	struct live live = {};
	int fd = -1;

	if (re->r.output)
		fd = open(re->r.output, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	re->out = !re->r.output ? stdout : fd < 0 ? NULL : fdopen(fd, "w");
	if (!re->out)
		return complain("%s: %s", re->r.output, strerror(errno));
	paint_answer(re->format == &format_text ? re->out : NULL);
	if (re->format == &format_text && isatty(fileno(re->out))) {
		live_begin(&live, re->out);
		live_resize(&live);
		re->a.width = live.width;
	}
	return 0;
}

/* All files stand in front: the first is what request_parse() takes for WHAT. */
static int run_report(const struct verb *verb, int argc, char **argv)
{
	struct retelling re = {};
	int status = PE_EXIT_USAGE, first, nr;
	const char *wrong;

	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(verb->help, stdout);
		return 0;
	}
	re.redact = take_redact(&argc, argv);
	re.question = argc > 1 ? question_of(argv[1]) : QUESTION_ANY;
	first = re.question == QUESTION_ANY ? 1 : 2;
	for (nr = 0; first + nr < argc && *argv[first + nr] != '-' &&
	     strcmp(argv[first + nr], "by") && strcmp(argv[first + nr], "if"); nr++)
		;
	wrong = nr ? request_parse(&re.r, argc - first - nr + 2, argv + first + nr - 2) :
		"which file?";
	wrong = wrong ?: check(&re);
	if (wrong) {
		complain_at(re.r.at, "report: %s (probe-events report --help)", wrong);
		return status;
	}
	if (is_written_over(&re.r, argv + first, nr)) {
		complain_at(re.r.output, "report: %s: what is read is not written over",
			    re.r.output ?: "the output");
		return status;
	}
	if (re.redact)
		re.r.nr_filter = 0;	/* it is in the words already, and is not shown */
	setlocale(LC_CTYPE, "");
	re.a.utf8 = !re.r.ascii && !strcmp(nl_langinfo(CODESET), "UTF-8");
	status = open_output(&re) ? PE_EXIT_MISSING : retell(&re, argv + first, nr);
	if (re.out && re.r.output && fclose(re.out) && status != PE_EXIT_MISSING) {
		complain("%s: %s", re.r.output, strerror(errno));
		status = PE_EXIT_MISSING;
	}
	return status;
}

const struct verb verb_report = {
	.name = "report",
	.summary = "ask what was saved, on any machine",
	.run = run_report,
	.help =
"usage: probe-events report [count|lat|trace] FILE... [by KEY[,KEY]] [if FILTER] [OPTIONS]\n"
"\n"
"Reads what was saved and shows it in another form, by fewer keys, in part, or several\n"
"files as one. It needs no module and no root, and runs on any machine.\n"
"\n"
"    probe-events lat vfs_read by comm,stack -d 10 -f json -o a.json\n"
"    probe-events report a.json -f html -o a.html\n"
"    probe-events report a.html by comm if comm ne make -s p99\n"
"\n"
"FILE   of -f json or -f html, or what trace-cmd has recorded (trace.dat).\n"
"       Tables (of count, lat) of several machines are added: a percentile of all is exact\n"
"       to 1.6 %, too. Hits (of trace, trace.dat) are listed or, with by, counted; lat\n"
"       shows their times, if the field ns was recorded.\n"
"KEY    of a table, one of its keys; of hits, comm tid cpu func event or any field\n"
"FILTER FIELD OPERATOR VALUE, joined by and, or, not, of keys or fields; the operators are\n"
"       lt le gt ge eq ne has\n"
"\n"
"  -s COLUMN   order of rows             -r          the other way round\n"
"  -n N, -r N  show N rows               -M N        show N hits\n"
"  -n COMM     only tasks of this name   --fail      only results below 0\n"
"  -L TIME     only calls longer than TIME (of hits)\n"
"  -u UNIT     ns, us, ms or s           -o FILE     write the answer to FILE\n"
"  -q          no progress\n"
"  --color WHEN  never, auto (on terminals, without NO_COLOR) or always\n"
"  --redact    names of tasks and the machine, texts and addresses become comm-1, file-2\n"
"  -f FORM     text, json (lines), csv, html (a page), openmetrics, or folded (stacks;\n"
"              needs by stack); of listed hits text or json\n"
"\n"
"Exit status: 0; 3 if something was lost or a file has no end; 1 if there is no answer;\n"
"2 if the command line is wrong.\n",
};
