// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_version.c - which version this is, and which the loaded module is.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "version.h"

static int failed;

/* With @loaded in the module's file, or without the file, that is said. */
static void says(const char *loaded, int status, const char *wanted)
{
	char path[] = "/tmp/test_version.XXXXXX", *text = NULL;
	int fd = mkstemp(path), got;
	size_t size;
	FILE *out;

	if (fd < 0 || (loaded && write(fd, loaded, strlen(loaded)) != (ssize_t)strlen(loaded)))
		exit(1);
	close(fd);
	if (!loaded)
		unlink(path);
	out = open_memstream(&text, &size);
	got = print_version(path, out);
	fclose(out);
	unlink(path);
	if (got != status || strcmp(text, wanted)) {
		printf("%s: status %d, wanted %d: %s", loaded ? loaded : "none", got, status,
		       text);
		failed = 1;
	}
	free(text);
}

int main(void)
{
	says(NULL, 0, "probe-events " PE_VERSION "\n");
	says(PE_VERSION "\n", 0, "probe-events " PE_VERSION "\n");
	says("0.1\n", 1, "probe-events " PE_VERSION "\n"
	     "The module that is loaded is another one: probe_events-0.1\n");
	says(PE_VERSION "1\n", 1, "probe-events " PE_VERSION "\n"
	     "The module that is loaded is another one: probe_events-" PE_VERSION "1\n");
	says("\n", 1, "probe-events " PE_VERSION "\n"
	     "The module that is loaded is another one: probe_events-\n");
	return failed;
}
