// SPDX-License-Identifier: GPL-2.0
/*
 * killat N COMMAND...	- run a command, and kill it (SIGKILL) at its Nth stop at a system call
 *
 * Each system call has two stops: before it begins, and when it has ended.  With N = 0, or if there
 * are fewer, the command ends by itself.  Its last stop's number is written to the file killat.stops.
 * Exit status: 137 if it was killed, else the command's.  Children of the command are not followed.
 */
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static void tell(unsigned long stops)
{
	FILE *out = fopen("killat.stops", "w");

	if (!out || fprintf(out, "%lu\n", stops) < 0 || fclose(out))
		err(125, "killat.stops");
}

static pid_t start(char **command)
{
	pid_t pid = fork();

	if (pid < 0)
		err(125, "fork");
	if (pid)
		return pid;
	if (ptrace(PTRACE_TRACEME, 0, 0, 0))
		err(125, "ptrace");
	raise(SIGSTOP);
	execvp(*command, command);
	err(127, "%s", *command);
}

int main(int argc, char **argv)
{
	unsigned long at = argc > 2 ? strtoul(argv[1], NULL, 10) : 0, stops = 0;
	int status, deliver = 0;
	pid_t pid;

	if (argc < 3)
		errx(125, "usage: killat N COMMAND...");
	pid = start(argv + 2);
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL))
		err(125, "no process to trace");
	for (;;) {
		if (ptrace(PTRACE_SYSCALL, pid, 0, deliver) && errno != ESRCH)
			err(125, "ptrace");
		if (waitpid(pid, &status, 0) != pid)
			err(125, "waitpid");
		if (!WIFSTOPPED(status))
			break;
		deliver = 0;
		if (WSTOPSIG(status) != (SIGTRAP | 0x80)) {
			/* That of execve() is not the command's. */
			deliver = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
			continue;
		}
		if (++stops == at)
			kill(pid, SIGKILL);
	}
	tell(stops);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
