// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
#include <stdlib.h>
#include <string.h>
#include "expect.h"
#include "refused.h"

static const char text[] =
	"s1/lat nmi_handle on the kernel's own blacklist of probes\n"
	"s1/lat2 other no memory\n"
	"s12/lat third entry code\n"
	"s1/in nmi_enter entry code\n"
	"s1/lat nmi_exit entry code\n";

static void lines(const char *group, const char *event, unsigned long nr, const char *wanted)
{
	char *got;
	size_t size;
	FILE *out = open_memstream(&got, &size);

	EXPECT(refused_lines(text, group, event, "  ", out) == nr);
	EXPECT(refused_lines(text, group, event, "  ", NULL) == nr);
	fclose(out);
	EXPECT(!strcmp(got, wanted));
	free(got);
}

static void shown(unsigned long nr, bool option, const char *wanted)
{
	char *got;
	size_t size;
	FILE *out = open_memstream(&got, &size);

	refused_print(nr, option, out);
	fclose(out);
	EXPECT(!strcmp(got, wanted));
	free(got);
}

int main(void)
{
	lines("s1", "lat", 2, "  refused: nmi_handle on the kernel's own blacklist of probes\n"
			      "  refused: nmi_exit entry code\n");
	lines("s1", "in", 1, "  refused: nmi_enter entry code\n");
	lines("s1", NULL, 4, "  refused: nmi_handle on the kernel's own blacklist of probes\n"
			     "  refused: other no memory\n  refused: nmi_enter entry code\n"
			     "  refused: nmi_exit entry code\n");
	lines("s2", NULL, 0, "");
	lines("s1", "la", 0, "");
	EXPECT(!refused_lines("", "s1", NULL, "", NULL));
	EXPECT(refused_lines("s1/lat f why", "s1", "lat", "", NULL) == 1);
	shown(0, true, "");
	shown(1022, true, "; 1,022 refused (-v)");
	shown(1, false, "; 1 refused");
	return failed;
}
