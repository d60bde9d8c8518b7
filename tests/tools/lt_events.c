// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * lt_events.c - libtracefs's view of the events when no probe is defined.
 *
 * A program that starts before any probe asks which events there are.  That is no
 * error, and it finds a probe that is made afterwards.
 */
#include "lt.h"

static bool listed(char **names, const char *name)
{
	int i;

	for (i = 0; names && names[i]; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

int main(void)
{
	struct tracefs_dynevent *probe;
	struct tep_handle *tep;
	char **names;
	int failed = -1;

	names = tracefs_event_systems(NULL);
	CHECK(names && names[0]);
	CHECK(!listed(names, LT_SYSTEM));
	tracefs_list_free(names);

	tep = tracefs_local_events(NULL);
	CHECK(tep);
	CHECK(!tep_find_event_by_name(tep, LT_SYSTEM, LT_EVENT));
	probe = lt_probe(NULL);
	/* This call adds the new events. */
	CHECK(!tracefs_fill_local_events(NULL, tep, &failed));
	if (failed)
		errx(1, "formats of %d groups could not be read", failed);
	CHECK(tep_find_event_by_name(tep, LT_SYSTEM, LT_EVENT));
	lt_unprobe(NULL, probe);
	tep_free(tep);
	return 0;
}
