/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/* What fuzz targets share. libFuzzer keeps the input of one that aborts. */
#ifndef PE_FUZZ_CHECK_H
#define PE_FUZZ_CHECK_H

#include "harness.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

#define CHECK(cond) do {						\
	if (!(cond)) {							\
		printf("%s:%d: %s\n", __FILE__, __LINE__, #cond);	\
		abort();						\
	}								\
} while (0)

#endif
