// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * killat [-f] [-t] N COMMAND...	- run a command, and kill it (SIGKILL) at its Nth stop at a system call
 *
 * Each system call has two stops: before it begins, and when it has ended.  With N = 0, or if there
 * are fewer, the command ends by itself.  Its last stop's number is written to the file killat.stops.
 * With -f the stops of what it starts count as well, and the task that is at the Nth is killed; all of them
 * are waited for.  With -t its input and output are a terminal, of which nothing is kept.
 * Exit status: 137 if it was killed, else the command's.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST 256		/* tasks that are followed, in all */

static bool follow, terminal;
static pid_t known[MOST];
static size_t nr_known;

static void tell(unsigned long stops)
{
	FILE *out = fopen("killat.stops", "w");

	if (!out || fprintf(out, "%lu\n", stops) < 0 || fclose(out))
		err(125, "killat.stops");
}

/* A task that writes to a terminal which is not read would wait for ever. */
static void *drain(void *arg)
{
	int fd = *(int *)arg;
	char text[4096];

	while (read(fd, text, sizeof(text)) > 0)
		;
	return NULL;
}

static pid_t start(char **command)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	static int fd;
	pthread_t reader;
	pid_t pid = terminal ? forkpty(&fd, NULL, NULL, &size) : fork();

	if (pid < 0)
		err(125, "fork");
	if (pid) {
		if (terminal && pthread_create(&reader, NULL, drain, &fd))
			errx(125, "no thread");
		return pid;
	}
	if (ptrace(PTRACE_TRACEME, 0, 0, 0))
		err(125, "ptrace");
	raise(SIGSTOP);
	execvp(*command, command);
	err(127, "%s", *command);
}

/* The first stop of a task that is followed is none of its own. */
static bool is_new(pid_t pid)
{
	size_t i;

	for (i = 0; i < nr_known; i++)
		if (known[i] == pid)
			return false;
	if (nr_known == MOST)
		errx(125, "too many tasks");
	known[nr_known++] = pid;
	return true;
}

/* The signal that a stopped task is to get; *stop: it is at a system call. */
static int signal_of(pid_t pid, int status, bool *stop)
{
	bool begins = is_new(pid);

	*stop = WSTOPSIG(status) == (SIGTRAP | 0x80);
	/* Events of ptrace() and that of execve() are not the command's. */
	if (*stop || status >> 16 || WSTOPSIG(status) == SIGTRAP)
		return 0;
	return begins && WSTOPSIG(status) == SIGSTOP ? 0 : WSTOPSIG(status);
}

static unsigned long run(pid_t first, unsigned long at, int *result)
{
	unsigned long stops = 0;
	bool stop, over = false;
	int status, deliver;
	pid_t pid = first;

	for (deliver = 0;;) {
		if (ptrace(PTRACE_SYSCALL, pid, 0, deliver) && errno != ESRCH)
			err(125, "ptrace");
		/* One that has ended has no next stop. */
		do {
			pid = waitpid(-1, &status, __WALL);
			if (pid < 0 && errno == ECHILD)
				return stops;
			if (pid < 0)
				err(125, "waitpid");
			if (!WIFSTOPPED(status) && pid == first) {
				*result = status;
				over = true;
			}
		} while (!WIFSTOPPED(status) && !(over && !follow));
		if (!WIFSTOPPED(status))
			return stops;
		deliver = signal_of(pid, status, &stop);
		if (stop && ++stops == at)
			kill(pid, SIGKILL);
	}
}

int main(int argc, char **argv)
{
	long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL;
	unsigned long stops, at;
	int status, option;
	pid_t pid;

	while ((option = getopt(argc, argv, "+ft")) > 0) {
		follow |= option == 'f';
		terminal |= option == 't';
	}
	if (argc - optind < 2 || option == '?')
		errx(125, "usage: killat [-f] [-t] N COMMAND...");
	if (follow)
		options |= PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE;
	at = strtoul(argv[optind], NULL, 10);
	pid = start(argv + optind + 1);
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_SETOPTIONS, pid, 0, options))
		err(125, "no process to trace");
	is_new(pid);
	stops = run(pid, at, &status);
	tell(stops);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
