// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * units.c - numbers as people read them.
 */
#include <stdio.h>
#include <string.h>
#include "units.h"

char *print_count(char *text, unsigned long long count)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%llu", count), i;
	char *to = text;

	for (i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	return text;
}

/* Four digits in all: 1.204, 12.04, 120.4, and then whole numbers. */
static int digits_after(double value)
{
	return value < 9.9995 ? 3 : value < 99.995 ? 2 : value < 999.95 ? 1 : 0;
}

char *print_time(char *text, unsigned long long ns, const char *unit)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = { { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
	size_t i = 0;
	double value;

	/* 999.96us would be shown as 1000us. */
	if (unit)
		while (strcmp(units[i].name, unit))
			i++;
	else
		while (i < 3 && ns >= (i ? 999.95 : 999.5) * units[i].ns)
			i++;
	value = ns / units[i].ns;
	snprintf(text, UNITS_TEXT, "%.*f%s", i ? digits_after(value) : 0, value, units[i].name);
	return text;
}
