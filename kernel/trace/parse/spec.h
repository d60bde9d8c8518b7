/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * spec.h - the meaning of one command, handed from parser to event layer.
 *
 * The parser (lex.c, cmd_parse.c, arg_parse.c, fetch_parse.c) knows nothing of the
 * running kernel: symbols stay names.  It fills a struct pe_spec, which is constant
 * then, and a struct pe_placed for a place that the event layer has looked up.  That
 * builds a struct pe_source of it, and keeps the arguments (struct pe_arg) for the hit
 * path (fetch_hit.c) and the printers.
 */
#ifndef PE_SPEC_H
#define PE_SPEC_H

#include <linux/types.h>
#include "arg.h"
#include "limits.h"
#include "parse_err.h"

enum pe_cmd {
	PE_CMD_PROBE,		/* p */
	PE_CMD_RETURN,		/* r, or p or f ...%return, or f ...$retval */
	PE_CMD_DELETE,		/* -: or ! */
};

/**
 * struct pe_place - one of the places that a command names
 * @symbol: "[MOD:]SYM[,N]", or "" if the place is an address; of an fprobe, the SYM may be a
 *	pattern
 * @offset: bytes from @symbol, at most UINT_MAX
 * @addr: the address if there is no symbol
 * @next: in the word of the place, where the next one begins; 0 if it is the last one
 */
struct pe_place {
	char symbol[PE_MAX_SYMBOL_LEN];
	unsigned long offset;
	unsigned long addr;
	u16 next;
};

/* A word of a command.  Its bytes are in the text, or in the pool if something was written out. */
struct pe_word {
	u16 off;
	u16 len;
	u16 col;
	bool in_pool;
};

/* Those of a command that are kept. */
#define PE_MAX_WORDS	(PE_MAX_ARGS + 2)

/**
 * struct pe_spec - one parsed command
 * @cmd: kind of command
 * @fprobe: f: the place names functions, maybe several; or @tpoint
 * @tpoint: t: the place names a tracepoint.  Its functions have a parameter before those that
 *	the user counts
 * @group: "" if not given
 * @event: "" if not given
 * @maxactive: of a return probe, 0 if not given
 * @names: what is wrong with them, if something is
 * @place: the first of its places; pe_place_next() finds the others
 * @place_off: column of the place, for errors found later
 * @bang: a delete command of the form "!p:...", which the kernel takes in
 *	dynamic_events only
 * @text: the command, for the parser only, as what follows
 * @nwords: of the command
 * @words: the first of them; those after that are undefined
 *
 * Columns are counted in the command's words joined by single blanks
 * (pe_placed_join()), because error_log shows that text above the caret.
 */
struct pe_spec {
	enum pe_cmd cmd;
	bool fprobe, tpoint;
	char group[PE_MAX_EVENT_NAME_LEN];
	char event[PE_MAX_EVENT_NAME_LEN];
	struct pe_parse_err names;
	unsigned int maxactive;
	struct pe_place place;
	u16 place_off;
	bool bang;
	const char *text;
	unsigned int nwords;
	struct pe_word words[PE_MAX_WORDS];
};

/**
 * struct pe_placed - what a command means at one of its places
 * @spec: the command
 * @place: that place; or what stands for it
 * @shown: the command is shown with @words, not as it was typed in
 * @nargs: arguments parsed so far
 * @record_fixed: bytes of the record before any string data
 * @nr_saved: words that a return probe saves at entry; another probe may have PE_SAVE_SINCE
 * @saved: their meaning: the number of a function argument, or PE_SAVE_TIME,
 *	for which the handlers put nanoseconds since entry, or PE_SAVE_SINCE,
 *	for which they put those since the event's last hit; each only once
 * @pool_used: bytes of @pool that are used
 * @nwords: of @words
 * @words: the command's, where all that stands for something else has been written out: these
 *	are parsed.  If they are not @shown, they have no columns
 * @args: the arguments
 * @pool: NUL-terminated strings that args and fetches refer to
 * @hint: what an error's detail may point to
 *
 * About 50 KB: allocate it.  Most of that is @words and after it; bytes there that no parser
 * has written are undefined.  Pure data, no pointers into the kernel except the static type
 * table; @expr pointers go into @pool.
 */
struct pe_placed {
	const struct pe_spec *spec;
	struct pe_place place;
	bool shown;
	unsigned int nargs;
	u16 record_fixed;
	u8 nr_saved;
	u16 saved[PE_MAX_SAVED];
	u16 pool_used;
	unsigned int nwords;
	struct pe_word words[PE_MAX_WORDS];
	struct pe_arg args[PE_MAX_ARGS];
	char pool[PE_SPEC_POOL * 4];
	char hint[PE_HINT_LEN];
};

/* Facts about the place that the argument parser needs. */
struct pe_parse_env {
	bool on_entry;		/* at a function's entry: $argN works */
	u32 dentry_name_off;	/* of d_name.name in struct dentry, for %pd */
	u32 file_dentry_off;	/* of f_path.dentry in struct file, for %pD */
	unsigned long addr;	/* of the place, for its function's type; 0: not known */
};

/* cmd_parse.c */

/**
 * pe_cmd_parse() - parse a command's head: kind, names, places; split the rest
 * @spec: filled; need not be initialised
 * @text: one command without its newline, not blank; must outlive the args'
 *	parsing, pe_placed_join() and pe_spec_matches()
 * @placed: at the first of its places then, without arguments; also if it is refused
 * @err: zeroed by the caller; code and column on failure
 *
 * A delete command has no arguments, so it is not for pe_args_parse().  If its
 * group or event is "", any group or event matches.
 *
 * Return: 0 or -errno as of the kernel's kprobe_events.
 */
int pe_cmd_parse(struct pe_spec *spec, const char *text, struct pe_placed *placed,
		 struct pe_parse_err *err);

/* Go on to the next of a command's places; false if there is no other.  The arguments stay. */
bool pe_place_next(struct pe_placed *placed);

/* The group of a command that gives none. */
const char *pe_spec_default_group(const struct pe_spec *spec);

/* Does the place, "[MOD:]SYM", have characters of a pattern? */
bool pe_place_is_pattern(const struct pe_placed *placed);

/*
 * The event name of a command that gives none: @name has PE_MAX_EVENT_NAME_LEN bytes, and is cut
 * to that as the kernel does.  More users may see names than kernel addresses: so the name of a
 * place given by its address has a hash of the address, as the kernel's has.
 */
void pe_placed_default_name(const struct pe_placed *placed, char *name);

/* arg_parse.c */

/**
 * pe_args_parse() - parse the fetch arguments of a parsed head
 * @placed: at the place
 * @env: facts about the place
 * @err: zeroed by the caller; code and column on failure
 *
 * This is separate from pe_cmd_parse() because only the event layer knows the
 * place, and the allowed arguments depend on it.  Lays out the record: offsets
 * and @record_fixed.
 *
 * A bad group or event name is reported here, not by pe_cmd_parse().  The kernel
 * looks at the names after it has looked up the symbol, and shows only the
 * first error.
 */
int pe_args_parse(struct pe_placed *placed, const struct pe_parse_env *env,
		  struct pe_parse_err *err);

/* parser.c */

/**
 * pe_placed_join() - the command as error_log shows it
 * @placed: at a place, with its arguments parsed or not
 * @buf: PE_MAX_COMMAND_LEN + PE_MAX_DENTRY_TEXT + 1 bytes are always enough
 * @size: bytes of @buf
 *
 * Return: characters written, without the NUL.
 */
size_t pe_placed_join(const struct pe_placed *placed, char *buf, size_t size);

/* The column of argument @i, for errors found later. */
unsigned int pe_placed_arg_col(const struct pe_placed *placed, unsigned int i);

/**
 * pe_spec_matches() - does the rest of a delete command fit a probe?
 * @spec: the command
 * @place: of the probe, as kprobe_events shows it
 * @returns: "%return" may follow the place
 * @args: of the probe, @nargs of them
 * @nargs: how many
 *
 * Compares text, as the kernel does: the place, then name=expr of as many
 * arguments as the command has.  A command without a place fits any probe.
 */
bool pe_spec_matches(const struct pe_spec *spec, const char *place, bool returns,
		     const struct pe_arg *args, unsigned int nargs);

#endif
