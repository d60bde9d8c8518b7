// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * cmd_place.c - the place of a command: is it there, what is it, and what if it cannot be probed.
 *
 * A place may have alternatives.  The first that can be probed is taken, so each is tried to the
 * end: what refuses a probe may be the engine.
 */
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <pe/symbols.h>
#include "command.h"
#include "event_probe.h"
#include "place.h"
#include "tpoint.h"

int pe_command_fail(struct pe_command *cmd, enum pe_parse_errno code, unsigned int pos, int ret)
{
	return pe_parse_fail(&cmd->err, code, pos, ret);
}

int pe_command_fail_place(struct pe_command *cmd, enum pe_parse_errno code, int ret)
{
	cmd->is_place = true;
	return pe_command_fail(cmd, code, cmd->spec.place_off, ret);
}

/* The same, with what has been found out about it. */
int pe_command_fail_hint(struct pe_command *cmd, enum pe_parse_errno code, int ret)
{
	pe_command_fail_place(cmd, code, ret);
	if (cmd->hint.text[0])
		cmd->err.detail = cmd->hint.text;
	return ret;
}

enum entry { ENTRY_NO, ENTRY_YES, ENTRY_UNKNOWN };

/* Is it the entry of the function at this address, whatever symbol named it? */
static enum entry pe_entry_at(unsigned long addr)
{
	unsigned long start, size;

	if (!pe_symbol_at(addr, &start, &size))
		return ENTRY_UNKNOWN;
	return pe_addr_on_entry(start, addr - start) ? ENTRY_YES : ENTRY_NO;
}

/* Parameters have names and types if the place is one function. */
static unsigned long pe_only_function(const struct pe_command *cmd)
{
	struct pe_symbol found = {};

	if (!pe_place_is_pattern(&cmd->placed))
		pe_symbol_find(cmd->placed.place.symbol, &found);
	return found.count == 1 ? found.addr : 0;
}

/* A tracepoint that is not there may come with a module. */
static int pe_check_tpoint(struct pe_command *cmd, struct pe_parse_env *env)
{
	if (!PE_HAVE_TPOINTS) {
		pe_command_fail_place(cmd, PE_ERR_NO_TRACEPOINT, -EINVAL);
		cmd->err.detail = "this kernel has no tracepoints";
		return -EINVAL;
	}
	env->on_entry = true;
	env->addr = pe_tpoint_function(cmd->placed.place.symbol, cmd->mirrors);
	return 0;
}

/*
 * The symbol does not exist.  A clone may stand for it, but only if no alternative exists either.
 * A module that is not loaded is waited for if it is the last one's.
 */
static int pe_check_missing(struct pe_command *cmd)
{
	const struct pe_place *place = &cmd->placed.place;
	bool loaded = pe_module_loaded(place->symbol);

	if (place->next) {
		cmd->err.detail = loaded ? "no such symbol" : "its module is not loaded";
		return pe_command_fail_place(cmd, PE_ERR_BAD_PROBE_ADDR, -EINVAL);
	}
	if (!loaded)
		return 0;
	if (cmd->exists)
		cmd->err.detail = "no such symbol";
	else if (pe_place_clone(&cmd->placed, &cmd->hint) == 1)
		pe_symbol_find(place->symbol, &cmd->found);
	return cmd->found.count ? 0 : pe_command_fail_hint(cmd, PE_ERR_BAD_PROBE_ADDR, -EINVAL);
}

/*
 * The kernel's files take an offset beyond the function's end, and so ours do.  In a session it is
 * a mistake: the hits would be another function's.
 */
static int pe_check_offset(struct pe_command *cmd)
{
	const struct pe_place *place = &cmd->placed.place;
	unsigned long addr = cmd->found.addr + place->offset, start, size;

	if (!cmd->session || !place->offset || !cmd->found.addr ||
	    !pe_symbol_at(cmd->found.addr, &start, &size) || addr - start < size)
		return 0;
	cmd->err.detail = pe_hint_bounds(&cmd->hint, place, &cmd->found, addr);
	return pe_command_fail_place(cmd, PE_ERR_BAD_PROBE_ADDR, -EINVAL);
}

int pe_command_check_place(struct pe_command *cmd, struct pe_parse_env *env)
{
	const struct pe_spec *spec = &cmd->spec;
	const struct pe_place *place = &cmd->placed.place;
	struct pe_symbol *found = &cmd->found;
	enum entry entry = ENTRY_UNKNOWN;

	*found = (struct pe_symbol){};
	if (spec->tpoint)
		return pe_check_tpoint(cmd, env);
	if (spec->fprobe) {
		env->on_entry = spec->cmd == PE_CMD_PROBE;
		env->addr = pe_only_function(cmd);
		cmd->exists = true;
		return 0;
	}
	if (!place->symbol[0]) {
		env->on_entry = pe_entry_at(place->addr) == ENTRY_YES;
		env->addr = place->addr;
		return 0;
	}
	pe_place_find(place, found, &cmd->hint);
	if (!found->count) {
		int ret = pe_check_missing(cmd);

		if (ret)
			return ret;
	}
	cmd->exists = true;
	if (found->count > 1)
		return pe_command_fail_hint(cmd, PE_ERR_NON_UNIQ_SYMBOL, -EINVAL);
	if (found->addr) {
		env->addr = found->addr + place->offset;
		entry = pe_entry_at(env->addr);
	}
	if (pe_check_offset(cmd))
		return -EINVAL;
	env->on_entry = entry == ENTRY_YES;
	/* The engine reports an address outside of functions, and does so last. */
	if (spec->cmd == PE_CMD_RETURN && entry == ENTRY_NO)
		return pe_command_fail_place(cmd, PE_ERR_BAD_RETPROBE, -EINVAL);
	return 0;
}

/* Keep the reason why the place was refused; of one that is the only one, the error tells it. */
static void pe_note_tried(struct pe_command *cmd)
{
	char *to = cmd->tried.text + strlen(cmd->tried.text);
	size_t room = cmd->tried.text + sizeof(cmd->tried.text) - to, used;

	used = scnprintf(to, room, "%s%s", *cmd->tried.text ? "; " : "", cmd->placed.place.symbol);
	if (cmd->placed.place.offset)
		used += scnprintf(to + used, room - used, "+%lu", cmd->placed.place.offset);
	if (cmd->err.code != PE_ERR_BAD_PROBE_ADDR || !cmd->err.detail)
		used += scnprintf(to + used, room - used, ": %s", pe_parse_err_text(cmd->err.code));
	if (cmd->err.detail)
		scnprintf(to + used, room - used, ": %s", cmd->err.detail);
}

bool pe_command_next_place(struct pe_command *cmd)
{
	if (cmd->placed.place.next) {
		pe_note_tried(cmd);
		cmd->err = (struct pe_parse_err){};
		cmd->hint.text[0] = '\0';
		cmd->is_place = false;
		/* The arguments depend on the place, and so does how they are shown. */
		cmd->placed.shown = false;
		return pe_place_next(&cmd->placed);
	}
	/* One look through all symbols has told about places that do not exist. */
	if (*cmd->tried.text && cmd->exists) {
		pe_note_tried(cmd);
		cmd->err.detail = cmd->tried.text;
	}
	return false;
}

/* "p FUNC:NAME" is a place in a module FUNC.  More often it is a mistake for "p:NAME FUNC". */
static bool pe_say_exchanged(struct pe_command *cmd)
{
	const char *symbol = cmd->placed.place.symbol, *colon = strchr(symbol, ':');
	struct pe_symbol found = {};
	char *name;

	if (!colon || cmd->spec.fprobe || pe_module_loaded(symbol))
		return false;
	name = kstrndup(symbol, colon - symbol, GFP_KERNEL);
	if (name)
		pe_symbol_find(name, &found);
	kfree(name);
	scnprintf(cmd->hint.text, sizeof(cmd->hint.text), "did you mean %c:%s %.*s?",
		  cmd->spec.cmd == PE_CMD_RETURN ? 'r' : 'p', colon + 1, (int)(colon - symbol),
		  symbol);
	return found.count;
}

static bool pe_say_near_tpoint(struct pe_command *cmd)
{
	const char *place = cmd->placed.place.symbol;
	struct pe_near near;

	if (cmd->spec.tpoint ? !!pe_tpoint_function(place, cmd->mirrors) : pe_module_loaded(place))
		return false;
	pe_tpoint_near(place, &near);
	scnprintf(cmd->hint.text, sizeof(cmd->hint.text), "did you mean t %s?", near.name);
	return near.name[0];
}

void pe_command_note_awaited(struct pe_command *cmd)
{
	if (pe_say_exchanged(cmd) || pe_say_near_tpoint(cmd))
		pe_command_fail_hint(cmd, PE_ERR_MODULE_AWAITED, 0);
}
