// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * limiting.c - what a question may cost: words for the modules' limits.
 *
 * The modules check them again, and say what is wrong with a number.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "limiting.h"
#include "request.h"

static const char *number_option(const char *value, const char *end, const char *wrong,
				 const char **option)
{
	size_t digits = value ? strspn(value, "0123456789.") : 0;

	*option = value;
	if (!digits || !isdigit((unsigned char)*value))
		return wrong;
	return strspn(value + digits, end) == strlen(value + digits) ? NULL : wrong;
}

const char *limits_option(struct limits *l, const char *name, const char *value, bool *used)
{
	*used = true;
	if (!strcmp(name, "--cpu"))
		return number_option(value, "%", "--cpu wants a share: 5%", &l->cpu);
	if (!strcmp(name, "--one"))
		return number_option(value, "%", "--one wants a share: 50%", &l->one);
	if (!strcmp(name, "--rate"))
		return number_option(value, "kMGe0123456789/s",
				     "--rate wants hits in a second: 10k", &l->rate);
	if (!strcmp(name, "--ttl"))
		return value && parse_time(value, &l->ttl) ? NULL :
		       "--ttl wants a time: 500ms, 10s, 5m, 24h";
	*used = false;
	if (strcmp(name, "--no-limit"))
		return "";
	l->none = true;
	return NULL;
}

/* The value of a word in a text of words, or NULL. */
static const char *word_of(const char *text, const char *name, int *len)
{
	while (text && *text) {
		text += strspn(text, " ");
		*len = strcspn(text, " ");
		if (!strncmp(text, name, strlen(name))) {
			*len -= strlen(name);
			return text + strlen(name);
		}
		text += *len;
	}
	return NULL;
}

/*
 * From an option, else from @env, else, if that is NULL, @fallback; after it @end, if that lacks.
 */
static size_t put_word(char *text, size_t at, const char *env, const char *name, const char *option,
		       const char *fallback, const char *end)
{
	const char *value = option;
	int len = option ? (int)strlen(option) : 0;

	if (!value)
		value = word_of(env, name, &len);
	if (!value && !env && fallback) {
		value = fallback;
		len = strlen(fallback);
	}
	if (!value)
		return at;
	at += snprintf(text + at, LIMITS_TEXT - at, "%s%s%.*s%s", at ? " " : "", name,
		       len > 30 ? 30 : len, value,
		       (size_t)len >= strlen(end) &&
		       !strncmp(value + len - strlen(end), end, strlen(end)) ? "" : end);
	return at < LIMITS_TEXT ? at : LIMITS_TEXT - 1;
}

bool limits_words(const struct limits *l, unsigned long hits, char *text)
{
	const char *env = l->none ? "" : getenv("PROBE_EVENTS_LIMIT"), *shares = env;
	char seconds[24];
	size_t at = 0;
	int len;

	/* A variable with nothing but a rate that is not wanted is none. */
	if (env && l->no_rate && word_of(env, "rate=", &len) && !word_of(env, "cpu=", &len) &&
	    !word_of(env, "one=", &len))
		shares = NULL;
	*text = '\0';
	at = put_word(text, at, shares, "cpu=", l->cpu, "2%", "%");
	at = put_word(text, at, shares, "one=", l->one, "25%", "%");
	at = put_word(text, at, l->no_rate ? "" : env, "rate=", l->rate, NULL, "/s");
	snprintf(seconds, sizeof(seconds), "%llu", (l->ttl + 999999999) / 1000000000);
	at = put_word(text, at, env, "ttl=", l->ttl ? seconds : NULL, NULL, "");
	if (hits)
		at += snprintf(text + at, LIMITS_TEXT - at, "%shits=%lu", at ? " " : "", hits);
	return at;
}

void limits_line(const struct limits *l, unsigned long hits, const char *event, char *line)
{
	char words[LIMITS_TEXT];

	*line = '\0';
	if (limits_words(l, hits, words))
		snprintf(line, LIMITS_TEXT + 64, "limit %s %s\n", event, words);
}

bool limits_is_end(const char *why, unsigned long hits)
{
	return !*why || (hits && !strncmp(why, "hits ", 5));
}

const char *limits_advice(const char *why)
{
	if (!strncmp(why, "limits: ", 8))
		return "that of all events: probe-events limit";
	if (!strncmp(why, "cpu ", 4))
		return "--cpu P% allows more, --no-limit any";
	if (!strncmp(why, "one ", 4))
		return "--one P% allows more, --no-limit any";
	return "options --ttl and the like say how far it goes";
}
