/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * command.h - a command that is being done, shared by event_cmd.c, cmd_place.c and cmd_text.c.
 */
#ifndef PE_COMMAND_H
#define PE_COMMAND_H

#include <linux/types.h>
#include <pe/kprobe.h>
#include <pe/symbols.h>
#include "event_cmd.h"
#include "kernel/trace/parse/limits.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/parse/spec.h"
#include "owner.h"
#include "place.h"

struct pe_event;
struct pe_event_text;
struct pe_mirrors;
struct pe_session;
struct pe_source;

/**
 * struct pe_command - a command that is being done; about 60 KB
 * @spec: what it says
 * @err: its first error
 * @placed: at the one of its places that is tried, or the clone that stands for that
 * @found: by its symbol, if it has one
 * @hint: about it
 * @is_place: the error is the place's, or the probe's there: another place may do
 * @exists: one of the places, or may come with its module
 * @tried: places that have been refused, each with its reason
 * @joined: the command's words, for error_log
 * @file: to which it was written; that of a session is as if to dynamic_events
 * @shown: how records are shown, or NULL
 * @session: whose command it is, or NULL
 * @mirrors: the caller has locked, and undoes what it has made when it fails; or NULL
 * @mirrored: a new event gets a mirror
 * @made: the source that it has defined
 * @is_new: the event, too
 * @owner: who owns the event, for the error
 */
struct pe_command {
	struct pe_spec spec;
	struct pe_parse_err err;
	struct pe_placed placed;
	struct pe_symbol found;
	struct pe_hint hint;
	bool is_place;
	bool exists;
	struct pe_hint tried;
	char joined[PE_MAX_COMMAND_LEN + PE_MAX_DENTRY_TEXT + 1];
	enum pe_command_file file;
	const struct pe_event_text *shown;
	struct pe_session *session;
	struct pe_mirrors *mirrors;
	bool mirrored;
	struct pe_source *made;
	bool is_new;
	char owner[PE_OWNER_TEXT];
};

/* cmd_place.c: all return @ret. */

/* The error, unless there has been one. */
int pe_command_fail(struct pe_command *cmd, enum pe_parse_errno code, unsigned int pos, int ret);
/* The same, of the place; and with the hint about it. */
int pe_command_fail_place(struct pe_command *cmd, enum pe_parse_errno code, int ret);
int pe_command_fail_hint(struct pe_command *cmd, enum pe_parse_errno code, int ret);

/**
 * pe_command_check_place() - check the place as far as parsing the arguments needs it
 * @cmd: what the symbol of its place is goes to @cmd->found
 * @env: filled
 *
 * A symbol of a module that is not loaded is assumed to be there.  Functions of an fprobe are
 * looked for last, as the kernel does.
 *
 * Return: 0 or -errno, with the error.
 */
int pe_command_check_place(struct pe_command *cmd, struct pe_parse_env *env);

/**
 * pe_command_next_place() - go on to the next of its places
 * @cmd: refused where it is, at its place; keeps the reason
 *
 * Return: false if there is none; then the error tells the reason of each.
 */
bool pe_command_next_place(struct pe_command *cmd);

/* event_named.c */

/* Return: 0, to go on. */
typedef int (*pe_source_found_t)(void *data, struct pe_source *source);

/**
 * pe_sources_named() - find the sources that a removing command names
 * @spec: the command, parsed
 * @found: called for each; must not remove it
 * @data: for @found
 *
 * Context: pe_event_mutex held.
 * Return: 0, or what @found has returned if that is not 0.
 */
int pe_sources_named(const struct pe_spec *spec, pe_source_found_t found, void *data);

/* cmd_text.c: what is shown of the event's records, if the command says it */

/* With the arguments parsed. */
int pe_command_check_text(struct pe_command *cmd);
/* A further probe of the event need not repeat it. */
int pe_command_same_text(struct pe_command *cmd, const struct pe_event *event);
int pe_command_keep_text(struct pe_command *cmd, struct pe_event *event);
/* Append it to @cmd->joined. */
void pe_command_join_text(struct pe_command *cmd);

/* The command is done, and waits for a module.  May be that was not meant. */
void pe_command_note_awaited(struct pe_command *cmd);

#endif
