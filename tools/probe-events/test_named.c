// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_named.c - names of errors and signals as the numbers that they are in the kernel.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include "expect.h"
#include "named.h"

static int number_of(const char *field, const char *value)
{
	int number;

	return named_number(field, value, &number) ? number : 0;
}

int main(void)
{
	EXPECT(number_of("ret", "ENOENT") == -ENOENT && number_of("ret", "-ENOENT") == -ENOENT);
	EXPECT(number_of("ret", "eacces") == -EACCES && number_of("ret", "ERESTARTSYS") == -512);
	EXPECT(!number_of("ret", "ENOTHING") && !number_of("ret", "2") && !number_of("ret", "-2"));
	EXPECT(!number_of("ret", "") && !number_of("ret", "-") && !number_of("ret", "CHLD"));
	EXPECT(number_of("sig", "CHLD") == SIGCHLD && number_of("sig", "SIGCHLD") == SIGCHLD);
	EXPECT(number_of("sig", "sigkill") == SIGKILL && number_of("sig:u8", "term") == SIGTERM);
	EXPECT(number_of("info.si_signo", "IO") == SIGIO && number_of("t->exit_signal", "HUP") == 1);
	EXPECT(!number_of("sig", "SIG") && !number_of("sig", "") && !number_of("sig", "ENOENT"));
	EXPECT(!number_of("sig", "17") && !number_of("sig", "SIGNOTHING"));
	/* Of any other field a name is a text. */
	EXPECT(!number_of("comm", "CHLD") && !number_of("sigset", "KILL") && !number_of("pos", "ENOENT"));
	EXPECT(!number_of("", "KILL") && !number_of("x.", "KILL"));
	EXPECT(named_error("ENOENT,EACCES", 6) == -ENOENT && !named_signal("KILLER", 6));
	return failed;
}
