/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * preset.h - a question that is prepared: where to look, and how to show it.
 *
 * A preset is a text.  Its first line is "# NAME - summary", each other one is
 *
 *	p|r|t|f PLACE ARGS	a probe, without the event's name; all are one event's
 *	| p|r|t|f PLACE ARGS	the same, if the probe before it is refused on this kernel
 *	? p|r|t|f PLACE ARGS	a probe that may be missing
 *	entry ARGS		of a return probe, above it: what trace reads when the call begins
 *	verbs VERB...		what it can be used with
 *	filter EXPRESSION	hits have to be so; left out if it needs a word that is not given
 *	shows KEY[.FORM]...	columns of trace, and how keys of tables are shown
 *	skip NAME...		functions that are never the caller; patterns
 *	weigh KEY		a hit counts for 2^KEY pages
 *	frees FIELD		it is 1 in hits that give back what others take, else 0
 *	spent FIELD		a hit stands for these nanoseconds
 *	beside KEY OTHER	KEY, a lock, needs OTHER, its task's mm, to be shown as a name
 *	kinds FIELD NAME...	FIELD says, from 1, which kind of lock it is
 *	inode			the argument is a file: fields ino and dev say which
 *	counts WORD		what a hit is
 *
 * $1 to $9 are the words after @NAME.  Pure: the text comes from the caller.
 */
#ifndef PE_TOOL_PRESET_H
#define PE_TOOL_PRESET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define PRESET_PROBES	24
#define PRESET_WAYS	4
#define PRESET_WORDS	24
#define PRESET_ARGS	4

/**
 * struct preset_probe - a probe
 * @ways: how it can be defined, the best first
 * @nr: how many ways there are
 * @chosen: the one in use; @nr: none is, it is left out
 * @entry: of its "entry"; NULL: none
 * @no_entry: the kernel has refused that
 * @optional: it may be left out
 */
struct preset_probe {
	const char *ways[PRESET_WAYS];
	size_t nr, chosen;
	const char *entry;
	bool optional, no_entry;
};

/** struct preset_words - a list of words */
struct preset_words {
	const char *of[PRESET_WORDS];
	size_t nr;
};

/**
 * struct preset - a preset
 * @name: as it is typed, after @
 * @summary: what it shows
 * @probes: the event's
 * @nr_probes: how many
 * @verbs: what it can be used with
 * @columns: of "shows"
 * @skip: of "skip"
 * @filter: NULL: none
 * @weigh: a key of tables; NULL: none
 * @frees: a field; NULL: none
 * @spent: a field; NULL: none
 * @beside: a key of tables, and the one that it needs
 * @kinds: of "kinds": a field, and names of what it says
 * @inode: the argument is a file
 * @counts: what a hit is; NULL: a call
 * @text: the preset's text, into which the others point
 */
struct preset {
	char name[32];
	const char *summary;
	struct preset_probe probes[PRESET_PROBES];
	size_t nr_probes;
	struct preset_words verbs, columns, skip, kinds;
	const char *filter;
	const char *weigh, *frees, *spent, *beside[2];
	bool inode;
	const char *counts;
	/* private */
	char *text;
};

/**
 * preset_parse() - understand a preset
 * @p: gets it, for preset_free()
 * @text: the whole text
 * @args: the words for $1 and so on
 * @nr_args: how many
 *
 * Return: NULL, or what is wrong: a static text.
 */
const char *preset_parse(struct preset *p, const char *text, char *const *args, size_t nr_args);

/** preset_parse_plain() - likewise, of a text in which a $ is one: nothing is put in its place */
const char *preset_parse_plain(struct preset *p, const char *text);

/** preset_free() - the end of preset_parse()'s result */
void preset_free(struct preset *p);

/** preset_returns() - its probes are at returns */
bool preset_returns(const struct preset *p);

/**
 * preset_define() - the commands that define its event
 * @p: the preset
 * @event: the event's name
 * @args: further arguments, each with a blank before it
 * @out: gets a line for each probe
 */
void preset_define(const struct preset *p, const char *event, const char *args, FILE *out);

/**
 * preset_refused() - a command was refused: is there another way?
 * @p: the preset; the next way is chosen
 * @command: the command, perhaps cut off
 *
 * Return: false if it is none of the preset's, or has to be there and there is no other way.
 */
bool preset_refused(struct preset *p, const char *command);

/** preset_field() - is a key one of its fields?  A form after a dot does not matter. */
bool preset_field(const struct preset *p, const char *key);

/** preset_entry_field() - is a key read when the call begins? */
bool preset_entry_field(const struct preset *p, const char *key);

/**
 * preset_define_entries() - the commands for what is read when the calls begin
 * @p: the preset
 * @event: the event's name
 * @out: gets a line for each probe that has some; nothing if none has
 */
void preset_define_entries(const struct preset *p, const char *event, FILE *out);

/** preset_entry_command() - a probe's command at the call's begin, for free(); NULL: it has none */
char *preset_entry_command(const struct preset *p, size_t probe);

/**
 * preset_form() - how a field is shown
 * @p: the preset; NULL: there is none
 * @key: the field; what is after a dot does not matter
 *
 * Return: what is after the dot in "shows"; "" if there is nothing.
 */
const char *preset_form(const struct preset *p, const char *key);

/** preset_skips() - a function is never the caller */
bool preset_skips(const struct preset *p, const char *function);

/** preset_command() - a probe's command as it is now; NULL: it is left out */
const char *preset_command(const struct preset *p, size_t probe);

/** preset_for() - can it be used with a verb? */
bool preset_for(const struct preset *p, const char *verb);

#endif
