/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#ifndef PE_TOOL_TOP_SESSIONS_H
#define PE_TOOL_TOP_SESSIONS_H

/**
 * top_sessions() - top without a question: the sessions of all programs
 * @argc: how many words, the verb included
 * @argv: nothing but -i TIME and -d TIME
 *
 * Return: the exit status.
 */
int top_sessions(int argc, char **argv);

#endif
