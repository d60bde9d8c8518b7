// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * version.c - which version this is, and which the loaded module is.
 */
#include <stdlib.h>
#include <string.h>
#include "text.h"
#include "verb.h"
#include "version.h"

bool version_differs(const char *loaded)
{
	size_t len = strcspn(loaded, "\n");

	return len != strlen(PE_VERSION) || strncmp(loaded, PE_VERSION, len);
}

int print_version(const char *path, FILE *out)
{
	char *loaded = read_file(path);
	bool differs = loaded && version_differs(loaded);

	fprintf(out, "probe-events %s\n", PE_VERSION);
	if (differs)
		fprintf(out, "The module that is loaded is another one: probe_events-%.*s\n",
			(int)strcspn(loaded, "\n"), loaded);
	free(loaded);
	return differs ? PE_EXIT_MISSING : 0;
}
