// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * cmd_text.c - the text after a command of static_events: how the event's records are shown.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "command.h"
#include "kernel/trace/parse/event_text.h"
#include "kernel/trace/trace.h"

static const char *pe_cmd_text_word(const struct pe_event_text *shown)
{
	return shown->is_line ? "line" : "print";
}

/* Column of the text's first byte in the command as error_log shows it. */
static unsigned int pe_cmd_text_col(const struct pe_command *cmd)
{
	return pe_placed_arg_col(&cmd->placed, PE_MAX_ARGS) + strlen(pe_cmd_text_word(cmd->shown)) +
	       strlen(" \"");
}

int pe_command_check_text(struct pe_command *cmd)
{
	const struct pe_placed *placed = &cmd->placed;

	if (!cmd->shown)
		return 0;
	return pe_event_text_check(cmd->shown->text, placed->nargs, placed->args,
				   pe_cmd_text_col(cmd), &cmd->err);
}

int pe_command_same_text(struct pe_command *cmd, const struct pe_event *event)
{
	const struct pe_event_text *shown = cmd->shown;

	if (!shown || (event->text && shown->is_line == event->text_is_line &&
		       !strcmp(shown->text, event->text)))
		return 0;
	cmd->err.detail = "the event has another";
	return pe_command_fail(cmd, PE_ERR_BAD_TEXT, pe_cmd_text_col(cmd), -EEXIST);
}

int pe_command_keep_text(struct pe_command *cmd, struct pe_event *event)
{
	if (!cmd->shown)
		return 0;
	event->text_is_line = cmd->shown->is_line;
	event->text = kstrdup(cmd->shown->text, GFP_KERNEL_ACCOUNT);
	return event->text ? 0 : -ENOMEM;
}

void pe_command_join_text(struct pe_command *cmd)
{
	size_t len = strlen(cmd->joined);

	if (cmd->shown)
		scnprintf(cmd->joined + len, sizeof(cmd->joined) - len, " %s \"%s\"",
			  pe_cmd_text_word(cmd->shown), cmd->shown->text);
}
