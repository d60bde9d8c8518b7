/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * presets.h - finding presets: the user's, and those that are part of this program.
 */
#ifndef PE_TOOL_PRESETS_H
#define PE_TOOL_PRESETS_H

#include <stdio.h>
#include "preset.h"
#include "request.h"

/**
 * presets_find() - the preset of a name
 * @p: gets it, for preset_free()
 * @name: with its @
 * @args: the words after it
 * @nr_args: how many
 * @verb: what it is for
 *
 * Of its probes those are chosen that this kernel takes: they are defined in a session that ends at
 * once.  Nothing is armed.
 *
 * Return: 0, or an exit status after a message.
 */
int presets_find(struct preset *p, const char *name, char *const *args, size_t nr_args,
		 const char *verb);

/**
 * presets_prepare() - the preset that a question asks for, if it does, or the event e:GRP/EVENT
 * @r: the question; its @preset, and the columns of trace, are set
 * @p: gets the preset, for preset_free()
 * @verb: the verb
 *
 * Return: 0, or an exit status after a message.
 */
int presets_prepare(struct request *r, struct preset *p, const char *verb);

/**
 * presets_recall() - presets_prepare() of a question that has been asked already
 * @r: the question
 * @p: gets the preset, for preset_free()
 * @verb: the verb
 *
 * The kernel is not asked what it takes: nothing is defined, and there is no message.
 *
 * Return: NULL, or what is wrong: a static text.
 */
const char *presets_recall(struct request *r, struct preset *p, const char *verb);

/** presets_has() - there is a preset of this name, with its @ */
bool presets_has(const char *name);

/** presets_timed() - there is a preset of this name, with its @, and lat can use it */
bool presets_timed(const char *name);

/** presets_help() - show one, with what it is on this kernel, or all if @name is only "@" */
int presets_help(const char *name);

#endif
