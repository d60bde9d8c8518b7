/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * expect.h - what the command's unit tests have in common: main() returns @failed.
 */
#ifndef PE_TOOL_EXPECT_H
#define PE_TOOL_EXPECT_H

#include <stdio.h>

static int failed;

#define EXPECT(cond) do {						\
	if (!(cond)) {							\
		fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #cond);	\
		failed = 1;						\
	}								\
} while (0)

#endif
