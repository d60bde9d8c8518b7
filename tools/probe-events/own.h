/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * own.h - trace shows what others do, not what it takes to show that.
 *
 * Each line that is written, and each look at a buffer, may be a hit of what is traced.  Interrupts
 * that come meanwhile are not this program's: they are shown.
 */
#ifndef PE_TOOL_OWN_H
#define PE_TOOL_OWN_H

#include "request.h"

/* Stands for a number of a process in what is only shown. */
#define OWN_PID		"PID"

/**
 * own_left_out() - are this program's own hits left out?
 * @r: the question
 *
 * They are, unless tasks are named, or a command's are asked for.  Of -f dat with -M the modules
 * count the hits, as all that is recorded is in the file.
 *
 * Return: whether they are.
 */
bool own_left_out(const struct request *r);

/**
 * own_filter() - what a hit has to be, and no own one
 * @filter: what it has to be besides; NULL: anything
 * @pid: this program's, in digits, or OWN_PID
 *
 * Return: its text, for free(); NULL without memory.
 */
char *own_filter(const char *filter, const char *pid);

#endif
