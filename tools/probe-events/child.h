/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * child.h - the command that a verb runs and measures.
 */
#ifndef PE_TOOL_CHILD_H
#define PE_TOOL_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/**
 * struct child - a command
 * @pid: its process; 0: there is none, or it has ended
 * @gate: the command begins when a byte comes through it, and is not run if it is closed before
 * @status: its exit status, when it has ended
 */
struct child {
	pid_t pid;
	int gate;
	int status;
};

/**
 * child_start() - make the process, which waits before it becomes the command
 * @c: gets it
 * @command: the words
 * @signals: which signals the command blocks: those of before this program began
 *
 * Return: 0, or -1 after a message.
 */
int child_start(struct child *c, char **command, const sigset_t *signals);

/** child_go() - let the command begin */
void child_go(struct child *c);

/** child_drop() - the command is not to be run: end its process, if there is one */
void child_drop(struct child *c);

/** child_ended() - look after a SIGCHLD whether it has ended; then @c->status is known */
bool child_ended(struct child *c);

#endif
