// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * request.c - what the words after a verb ask for.
 *
 * "by" and "if" are words, not options, so that nothing needs quotes.  All words and options may
 * stand in any order after WHAT; a filter ends at the next option, and at "by".
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "advice.h"
#include "preset.h"
#include "request.h"

bool parse_time(const char *text, unsigned long long *ns)
{
	static const struct {
		const char *name;
		unsigned long long ns;
	} units[] = {
		{ "", 1000000000 }, { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 },
		{ "s", 1000000000 }, { "m", 60000000000 }, { "h", 3600000000000 },
	};
	char *end;
	double number;
	size_t i;

	if (!isdigit((unsigned char)*text))
		return false;
	number = strtod(text, &end);
	for (i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(end, units[i].name))
			break;
	if (i == sizeof(units) / sizeof(*units))
		return false;
	number *= units[i].ns;
	if (number < 1 || number > 1e18)
		return false;
	*ns = number;
	return true;
}

/* The words: those from @next on are still to be read. */
struct words {
	char **begin;
	char **next;
	char **end;
};

static char *take(struct words *words)
{
	return words->next < words->end ? *words->next++ : NULL;
}

static const char *parse_keys(struct request *r, struct words *words)
{
	char *list = take(words), *key;

	if (r->nr_keys)
		return "'by' stands there twice";
	if (!list)
		return "'by' what? " ADVICE_KEYS " or an argument";
	while ((key = strsep(&list, ","))) {
		r->at = key;
		if (!*key)
			return "a key is missing in the list after 'by'";
		if (r->nr_keys == REQUEST_KEYS)
			return "twelve keys after 'by' at most";
		r->keys[r->nr_keys++] = key;
	}
	return NULL;
}

static bool ends_filter(const char *word)
{
	/* -2 and -ENOENT are values. */
	return !strcmp(word, "by") ||
	       (word[0] == '-' && !isdigit((unsigned char)word[1]) && word[1] != 'E');
}

static const char *parse_filter(struct request *r, struct words *words)
{
	if (r->nr_filter)
		return "'if' stands there twice";
	while (words->next < words->end && !ends_filter(*words->next)) {
		if (r->nr_filter == REQUEST_WORDS)
			return "the filter after 'if' is too long";
		r->filter[r->nr_filter++] = take(words);
	}
	return r->nr_filter ? NULL : "'if' what? for one: if ret lt 0";
}

static const char *parse_number(const char *text, unsigned long *number)
{
	char *end;

	*number = strtoul(text, &end, 10);
	return isdigit((unsigned char)*text) && !*end && *number ? NULL : "a number is wanted";
}

static const char *parse_unit(struct request *r, const char *unit)
{
	if (strcmp(unit, "ns") && strcmp(unit, "us") && strcmp(unit, "ms") && strcmp(unit, "s"))
		return "a unit is ns, us, ms or s";
	r->unit = unit;
	return NULL;
}

static const char *time_option(const char *text, unsigned long long *ns)
{
	return parse_time(text, ns) ? NULL : "a time is wanted: 500ms, 10s, 5m, 24h";
}

static bool is_number(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

/* -n 5 is so many rows, -n NAME tasks of that name: names of digits only are for "if". */
static const char *parse_name(struct request *r, const char *value)
{
	if (is_number(value))
		return parse_number(value, &r->rows);
	r->comm = value;
	return NULL;
}

static const char *parse_list(const char *value, const char *of, const char *wrong,
			      const char **list)
{
	*list = value;
	return value[strspn(value, of)] ? wrong : NULL;
}

static const char *parse_interval(struct request *r, const char *value)
{
	const char *wrong = time_option(value, &r->interval);

	return !wrong && r->interval < REQUEST_INTERVAL ? "an interval is 50ms at least" : wrong;
}

/* An option with a value, which may stand after the letter or be the next word. */
static const char *parse_valued(struct request *r, const char *option, struct words *words)
{
	const char *value;

	if (!option[1] || !strchr("dikpntCGLMrsuofwx", option[1]))
		return "no such option";
	/* -r without a number turns the order round. */
	if (option[1] == 'r' && !option[2] &&
	    (words->next == words->end || !is_number(*words->next))) {
		r->reverse = true;
		return NULL;
	}
	value = option[2] ? option + 2 : take(words);
	if (!value || !*value)
		return "the option's value is missing";
	switch (option[1]) {
	case 'd':
		return time_option(value, &r->duration);
	case 'i':
		return parse_interval(r, value);
	case 'k':
		return time_option(value, &r->keep);
	case 'L':
		return time_option(value, &r->longer);
	case 'M':
		return parse_number(value, &r->most);
	case 'r':
		return parse_number(value, &r->rows);
	case 'u':
		return parse_unit(r, value);
	case 'p':
		return parse_list(value, "0123456789,", "-p wants numbers: PID,...", &r->pids);
	case 't':
		return parse_list(value, "0123456789,", "-t wants numbers: TID,...", &r->tids);
	case 'C':
		return parse_list(value, "0123456789,-", "-C wants a list of CPUs: 0-3,8",
				  &r->cpus);
	case 'G':
		r->cgroup = value;
		return NULL;
	case 's':
		r->sort = value;
		return NULL;
	case 'f':
		r->format = value;
		return NULL;
	case 'o':
		r->output = value;
		return NULL;
	case 'w':
		r->save = value;
		return NULL;
	case 'x':
		r->errors = value;
		return NULL;
	}
	return parse_name(r, value);
}

static const char *parse_engine(struct request *r, struct words *words)
{
	const char *engine = take(words);

	if (!engine || (strcmp(engine, "kernel") && strcmp(engine, "modules")))
		return "--engine kernel, or modules";
	r->stock = *engine == 'k';
	return NULL;
}

/* paint.h knows it already: messages of the other options have colours, too. */
static const char *parse_color(struct words *words)
{
	const char *when = take(words);

	return when && (!strcmp(when, "auto") || !strcmp(when, "always") ||
			!strcmp(when, "never")) ? NULL : "--color never, auto or always";
}

static const char *parse_option(struct request *r, const char *option, struct words *words)
{
	const struct {
		const char *name;
		bool *flag;
	} flags[] = {
		{ "--fail", &r->fail }, { "--dry-run", &r->dry_run },
		{ "-q", &r->quiet }, { "-a", &r->all },
		{ "-T", &r->clock }, { "-v", &r->verbose },
		{ "--ascii", &r->ascii }, { "--expect", &r->expect },
		{ "-g", &r->stacks }, { "--fine", &r->fine },
	};
	const char *wrong;
	bool used;
	size_t i;

	for (i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (!strcmp(option, flags[i].name)) {
			*flags[i].flag = true;
			return NULL;
		}
	if (!strcmp(option, "--keep")) {
		const char *value = take(words);

		return value ? time_option(value, &r->keep) : "--keep wants a time, as -k";
	}
	if (!strcmp(option, "--color"))
		return parse_color(words);
	if (!strcmp(option, "--engine"))
		return parse_engine(r, words);
	wrong = limits_option(&r->limits, option, words->next < words->end ? *words->next : NULL,
			      &used);
	if (wrong && !*wrong)
		return parse_valued(r, option, words);
	words->next += used && words->next < words->end;
	return wrong;
}

/* As others call it.  A module of such a name would be waited for. */
static const char *check_what(const char *what)
{
	static const char * const functions[] = {
		"kprobe:", "kretprobe:", "kfunc:", "kretfunc:", "fentry:", "fexit:",
	};
	size_t i;

	for (i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (!strncmp(what, functions[i], strlen(functions[i])))
			return "a function stands alone: vfs_read; lat is of returns";
	if (!strncmp(what, "tracepoint:", 11) || (!strncmp(what, "t:", 2) && strchr(what + 2, ':')))
		return "a tracepoint is t:NAME, without a group: t:sched_switch";
	return NULL;
}

/* "-d 5 seconds", "-L10 ms": words of a line that has at least an option before its last word */
static bool is_unit_apart(char **last, const char *word)
{
	static const char * const units[] = {
		"ns", "us", "ms", "s", "m", "h", "sec", "secs", "second", "seconds",
		"min", "mins", "minute", "minutes", "hour", "hours",
	};
	const char *option = is_number(last[-1]) ? last[-2] : last[-1];
	const char *value = is_number(last[-1]) ? last[-1] : option + strnlen(option, 2);
	size_t i;

	if (option[0] != '-' || !option[1] || !strchr("dikL", option[1]) || !is_number(value))
		return false;
	for (i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(word, units[i]))
			return true;
	return false;
}

static const char *parse_word(struct request *r, char *word, struct words *words)
{
	if (words->next - words->begin > 2 && is_unit_apart(words->next - 1, word))
		return "a time is one word, of a number and ns, us, ms, s, m or h";
	if (!strcmp(word, "by"))
		return parse_keys(r, words);
	if (!strcmp(word, "if"))
		return parse_filter(r, words);
	if (word[0] == '-')
		return parse_option(r, word, words);
	if (r->what && *r->what == '@' && r->nr_args < REQUEST_ARGS) {
		r->args[r->nr_args++] = word;
		return NULL;
	}
	if (r->what && r->fail && *word == 'E')
		return "--fail takes all errors; only some: -x ENOENT,EACCES";
	if (r->what && r->nr_keys && words->next - words->begin > 2 &&
	    !strcmp(words->next[-3], "by"))
		return "several keys are one word: by comm,cpu";
	if (r->what)
		return "one WHAT at a time, then by, if or options; several functions: a,b,c";
	r->what = word;
	return check_what(word);
}

/* Where the first of a list ends: at a comma that no number follows. */
static size_t part_length(const char *list)
{
	size_t len = strcspn(list, ","), digits;

	while (list[len]) {
		digits = strspn(list + len + 1, "0123456789");
		if (!digits || (list[len + 1 + digits] && list[len + 1 + digits] != ','))
			break;
		len += 1 + digits;
	}
	return len;
}

bool request_is_list(const char *what)
{
	return *what != '@' && what[part_length(what)] != '\0';
}

char *request_part(const char **list)
{
	size_t len = part_length(*list);
	char *part = strndup(*list, len);

	*list = (*list)[len] ? *list + len + 1 : NULL;
	return part;
}

bool request_form_is(const struct request *r, const char *form)
{
	return r->format && !strcmp(r->format, form);
}

bool request_wants_all(const struct request *r)
{
	return !r->nr_filter && !r->pids && !r->tids && !r->cpus && !r->comm && !r->cgroup &&
	       !r->fail && !r->errors && !r->longer && !(r->preset && r->preset->filter) &&
	       (!r->command || r->all);
}

const char *request_parse(struct request *r, int argc, char **argv)
{
	struct words words = { argv, argv + 1, argv + argc };
	const char *wrong = NULL;
	char *word;

	*r = (struct request){};
	while (!wrong && (word = take(&words))) {
		if (strcmp(word, "--")) {
			r->at = NULL;
			wrong = parse_word(r, word, &words);
			/* The last word that was taken, but for one of a list. */
			if (!wrong || !r->at)
				r->at = wrong ? words.next[-1] : NULL;
			continue;
		}
		if (words.next == words.end)
			wrong = "the command after -- is missing";
		r->command = words.next;
		words.next = words.end;
		if (wrong)
			r->at = word;
	}
	if (!wrong && !r->what)
		wrong = "which function?";
	if (!wrong && r->most && r->limits.rate) {
		wrong = "-M ends after the last hit, --rate leaves some out before: one of them";
		r->at = r->limits.rate;
	}
	r->limits.no_rate = r->most;
	if (!wrong && r->output && r->save && !strcmp(r->output, r->save)) {
		wrong = "-o and -w are two files";
		r->at = r->save;
	}
	return wrong;
}
