// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* Names that a user may have meant: distances, the nearest, clones. */
#include "harness.h"
#include "kernel/trace/parse/near.h"

static void distances(void)
{
	static const struct {
		const char *a, *b;
		unsigned int distance;
	} t[] = {
		{ "", "", 0 },
		{ "", "ab", 2 },
		{ "vfs_read", "vfs_read", 0 },
		{ "vfs_read", "vfs_raed", 1 },		/* an exchange */
		{ "vfs_read", "vfs_reads", 1 },
		{ "vfs_read", "fs_read", 1 },
		{ "vfs_read", "vfs_rxad", 1 },
		{ "vfs_read", "vsf_raed", 2 },
		{ "vfs_read", "vfs_write", 4 },
		{ "abc", "ca", 3 },			/* no letter is changed twice */
		{ "kitten", "sitting", 3 },
	};
	unsigned int i, max;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		for (max = 0; max < 8; max++) {
			EXPECT_EQ(pe_name_distance(t[i].a, t[i].b, max), min(t[i].distance, max));
			EXPECT_EQ(pe_name_distance(t[i].b, t[i].a, max), min(t[i].distance, max));
		}
	}
}

/* The definition, without a limit and without thought of its cost. */
static unsigned int slow(const char *a, size_t alen, const char *b, size_t blen)
{
	unsigned int d;

	if (!alen || !blen)
		return alen + blen;
	d = slow(a, alen - 1, b, blen - 1) + (a[alen - 1] != b[blen - 1]);
	d = min(d, slow(a, alen - 1, b, blen) + 1);
	d = min(d, slow(a, alen, b, blen - 1) + 1);
	if (alen > 1 && blen > 1 && a[alen - 1] == b[blen - 2] && a[alen - 2] == b[blen - 1])
		d = min(d, slow(a, alen - 2, b, blen - 2) + 1);
	return d;
}

static void random_distances(void)
{
	u64 state = pe_test_seed();
	unsigned int i, j, max, want;
	char name[2][7];

	for (i = 0; i < 2000; i++) {
		for (j = 0; j < 12; j++)
			name[j / 6][j % 6] = "abc"[pe_test_random(&state) % 3];
		name[0][pe_test_random(&state) % 7] = '\0';
		name[1][pe_test_random(&state) % 7] = '\0';
		name[0][6] = '\0';
		name[1][6] = '\0';
		want = slow(name[0], strlen(name[0]), name[1], strlen(name[1]));
		for (max = 0; max < 8; max++)
			EXPECT_EQ(pe_name_distance(name[0], name[1], max), min(want, max));
	}
}

static void long_names(void)
{
	static char a[PE_NEAR_LEN + 1], b[PE_NEAR_LEN + 1];
	struct pe_near near;

	memset(a, 'x', PE_NEAR_LEN - 1);
	memset(b, 'x', PE_NEAR_LEN - 2);
	EXPECT_EQ(pe_name_distance(a, b, 3), 1);
	pe_near_init(&near, a);
	pe_near_offer(&near, b);
	EXPECT_STR(near.name, b);
	a[PE_NEAR_LEN - 1] = 'x';		/* one too long */
	EXPECT_EQ(pe_name_distance(a, b, 3), 3);
	pe_near_init(&near, a);
	pe_near_offer(&near, b);
	EXPECT_STR(near.name, "");
	pe_near_init(&near, b);
	pe_near_offer(&near, a);
	EXPECT_STR(near.name, "");
}

static void nearest(void)
{
	static const char *const names[] = {
		"vfs_readv", "vfs_raed2", "do_sys_open", "__x64_sys_open", "sys_opens", "ab", "tcp_v4_rcv",
	};
	static const char *const t[][2] = {
		{ "vfs_read", "vfs_readv" },
		{ "vfs_reavd", "vfs_readv" },
		{ "sys_open", "do_sys_open" },		/* the first of those that end so */
		{ "tcp_v4_rvc", "tcp_v4_rcv" },
		{ "tcp_rcv", "" },			/* three letters are missing */
		{ "ac", "" },				/* of so short a name, all are near */
		{ "", "" },
		{ "nothing_like_it", "" },
		/* A system call, as other kernels and machines name it. */
		{ "SyS_open", "__x64_sys_open" },
		{ "__arm64_sys_open", "__x64_sys_open" },
		{ "__se_sys_", "" },
	};
	struct pe_near near;
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		pe_near_init(&near, t[i][0]);
		for (j = 0; j < ARRAY_SIZE(names); j++)
			pe_near_offer(&near, names[j]);
		EXPECT_STR(near.name, t[i][1]);
	}
}

static void clones(void)
{
	static const struct {
		const char *name;
		enum pe_clone clone;
	} t[] = {
		{ "f", PE_CLONE_NO },
		{ "f.isra.0", PE_CLONE_WHOLE },
		{ "f.constprop.0", PE_CLONE_WHOLE },
		{ "f.constprop.0.isra.0", PE_CLONE_WHOLE },
		{ "f.part.0", PE_CLONE_PART },
		{ "f.isra.0.cold", PE_CLONE_PART },
		{ "f.part.0.constprop.0", PE_CLONE_PART },
		{ "f.cold", PE_CLONE_PART },
		{ "f.1234", PE_CLONE_NO },		/* a static variable */
		{ "ff.isra.0", PE_CLONE_NO },
		{ "g.isra.0", PE_CLONE_NO },
		{ "", PE_CLONE_NO },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++)
		EXPECT_EQ(pe_name_is_clone(t[i].name, "f"), t[i].clone);
}

static void functions(void)
{
	static const struct {
		const char *name;
		bool is;
	} t[] = {
		{ "f", true },
		{ "f.isra.0", true },
		{ "cold", true },
		{ "x__pfx_f", true },
		{ "f.cold", false },
		{ "f.isra.0.cold", false },
		{ "__pfx_f", false },
		{ "__cfi_f", false },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++)
		EXPECT_EQ(pe_name_is_function(t[i].name), t[i].is);
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "distances", distances },
		{ "random_distances", random_distances },
		{ "long_names", long_names },
		{ "nearest", nearest },
		{ "clones", clones },
		{ "functions", functions },
	};

	return PE_RUN(tests);
}
