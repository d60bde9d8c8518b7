// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * near.c - names that a user may have meant.  [P]
 *
 * All symbols of a kernel are offered, a hundred thousand and more.  So most have to be told to
 * be far by their length, or by the first rows of the table of distances.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include "near.h"

/* A letter or two: of a short name, most others are at a greater distance. */
static unsigned int pe_too_far(size_t len)
{
	return len < 4 ? 1 : len < 8 ? 2 : 3;
}

static const char *pe_system_call(const char *want)
{
	static const char *const prefixes[] = {
		"SyS_", "__se_sys_", "__do_sys_", "__ia32_sys_", "__arm64_sys_", "__riscv_sys_",
		"__s390x_sys_",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (!strncmp(want, prefixes[i], strlen(prefixes[i])))
			return want + strlen(prefixes[i]);
	return NULL;
}

void pe_near_init(struct pe_near *near, const char *want)
{
	near->want = want;
	near->call = pe_system_call(want);
	near->distance = pe_too_far(strlen(want));
	near->name[0] = '\0';
}

/* @name is "..._WANT", as __x64_sys_open is for sys_open: nearer than a name misspelt. */
static bool pe_ends_with(const char *name, size_t len, const char *want, size_t want_len)
{
	return len > want_len && want_len >= 4 && name[len - want_len - 1] == '_' &&
	       !memcmp(name + len - want_len, want, want_len);
}

/* @name is "__MACHINE_sys_CALL". */
static bool pe_is_system_call(const char *name, size_t len, const char *call)
{
	size_t call_len = strlen(call);

	return call_len && len > call_len + 5 && !strncmp(name, "__", 2) &&
	       !memcmp(name + len - call_len - 5, "_sys_", 5) &&
	       !memcmp(name + len - call_len, call, call_len);
}

void pe_near_offer(struct pe_near *near, const char *name)
{
	size_t want_len = strlen(near->want), len = strnlen(name, PE_NEAR_LEN);
	unsigned int distance = near->distance;

	if (len == PE_NEAR_LEN || want_len >= PE_NEAR_LEN || !distance)
		return;
	if (near->call && pe_is_system_call(name, len, near->call))
		distance = 0;
	else if (pe_ends_with(name, len, near->want, want_len))
		distance = 1;
	else if (len < want_len + distance && want_len < len + distance)
		distance = pe_name_distance(near->want, name, distance);
	if (distance >= near->distance)
		return;
	near->distance = distance;
	memcpy(near->name, name, len + 1);
}

unsigned int pe_name_distance(const char *a, const char *b, unsigned int max)
{
	size_t alen = strnlen(a, PE_NEAR_LEN), blen = strnlen(b, PE_NEAR_LEN), i, j;
	u8 rows[3][PE_NEAR_LEN + 1], *row = rows[0], *last = rows[1], *before = rows[2], *tmp;
	unsigned int least, d;

	if (alen == PE_NEAR_LEN || blen == PE_NEAR_LEN)
		return max;
	for (j = 0; j <= blen; j++)
		row[j] = j;
	for (i = 1; i <= alen; i++) {
		tmp = before;
		before = last;
		last = row;
		row = tmp;
		row[0] = i;
		least = i;
		for (j = 1; j <= blen; j++) {
			d = last[j - 1] + (a[i - 1] != b[j - 1]);
			d = min(d, min(last[j], row[j - 1]) + 1U);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d = min(d, before[j - 2] + 1U);
			row[j] = d;
			least = min(least, d);
		}
		/* An exchange goes past this row, but is no shorter than a way through it. */
		if (least >= max)
			return max;
	}
	return min_t(unsigned int, row[blen], max);
}

bool pe_name_is_function(const char *name)
{
	return strncmp(name, "__pfx_", 6) && strncmp(name, "__cfi_", 6) && !strstr(name, ".cold");
}

enum pe_clone pe_name_is_clone(const char *name, const char *plain)
{
	static const char *const whole[] = { ".isra.", ".constprop." };
	size_t len = strlen(plain);
	unsigned int i;

	if (strncmp(name, plain, len) || name[len] != '.')
		return PE_CLONE_NO;
	if (strstr(name + len, ".cold") || strstr(name + len, ".part."))
		return PE_CLONE_PART;
	for (i = 0; i < ARRAY_SIZE(whole); i++) {
		if (strstr(name + len, whole[i]))
			return PE_CLONE_WHOLE;
	}
	return PE_CLONE_NO;
}
