// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * child.c - the command that a verb runs and measures.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "child.h"
#include "report.h"
#include "verb.h"

static void become(const struct child *c, int gate, char **command, const sigset_t *signals)
{
	ssize_t got;
	char byte;
	int err;

	close(c->gate);
	do
		got = read(gate, &byte, 1);
	while (got < 0 && errno == EINTR);
	close(gate);
	if (got != 1)	/* this program is gone, or has failed: nothing is to be run */
		_exit(PE_EXIT_FAILED);
	sigprocmask(SIG_SETMASK, signals, NULL);
	execvp(command[0], command);
	err = errno;
	complain("cannot run %s: %s", command[0], strerror(err));
	_exit(err == ENOENT ? PE_EXIT_NO_COMMAND : PE_EXIT_CANNOT_RUN);
}

int child_start(struct child *c, char **command, const sigset_t *signals)
{
	int gate[2];

	if (pipe(gate))
		return complain("pipe: %s", strerror(errno));
	c->gate = gate[1];
	/* Else the process would write what is still in memory, too, if it has something to say. */
	fflush(NULL);
	c->pid = fork();
	if (c->pid < 0)
		return complain("fork: %s", strerror(errno));
	if (!c->pid)
		become(c, gate[0], command, signals);
	close(gate[0]);
	return 0;
}

void child_go(struct child *c)
{
	/* If the process is gone, its end will be seen. */
	if (write(c->gate, "", 1) != 1 && errno != EPIPE)
		complain("cannot start the command: %s", strerror(errno));
	close(c->gate);
}

/* The process has what this program had open, until it is gone: the session, too. */
void child_drop(struct child *c)
{
	if (c->pid <= 0)
		return;
	close(c->gate);
	waitpid(c->pid, NULL, 0);
	c->pid = 0;
}

bool child_ended(struct child *c)
{
	int status;

	if (!c->pid || waitpid(c->pid, &status, WNOHANG) != c->pid)
		return !c->pid;
	c->pid = 0;
	c->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return true;
}
