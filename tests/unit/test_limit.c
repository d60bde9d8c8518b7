// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * limit_parse.c: the words of a limit, how they are shown, and the column of a refusal.
 * limit_window.h: whose sum a word has.
 */
#include <linux/errno.h>
#include "harness.h"
#include "kernel/trace/event/limit_window.h"
#include "kernel/trace/parse/limit_words.h"
#include "kernel/trace/parse/parse_err.h"

static void wrong(const char *text, int ret, const struct pe_parse_err *err, const char *shown)
{
	printf("%s: %d, \"%s\" (%s) at %u, shown as %s\n", text, ret, pe_parse_err_text(err->code),
	       err->detail ? err->detail : "-", err->pos, shown);
	pe_test_failures++;
}

/* It means what @shown means, which is its shortest text. */
static void says(const char *text, const char *shown)
{
	struct pe_parse_err err = { 0 };
	struct pe_limit_words words, again;
	char is[PE_LIMIT_TEXT] = "";
	int ret = pe_limit_parse(&words, text, &err);

	if (!ret)
		pe_limit_print(is, &words);
	if (ret || err.code != PE_ERR_NONE || strcmp(is, shown) ||
	    pe_limit_parse(&again, is, &err) || memcmp(&words, &again, sizeof(words)) ||
	    pe_limit_is_none(&words) != !strcmp(shown, "none"))
		wrong(text, ret, &err, is);
}

static void refused(const char *text, unsigned int pos)
{
	struct pe_parse_err err = { 0 };
	struct pe_limit_words words;
	int ret = pe_limit_parse(&words, text, &err);

	if (ret != -EINVAL || err.code != PE_ERR_LIMIT_INVALID || err.pos != pos || !err.detail)
		wrong(text, ret, &err, "refused");
}

static void test_good(void)
{
	says("none", "none");
	says("  none \t\n", "none");
	says("hits=1", "hits=1");
	says("hits=10k", "hits=10000");
	says("hits=3M", "hits=3000000");
	says("hits=2G", "hits=2000000000");
	says("hits=1e6", "hits=1000000");
	says("hits=7e0", "hits=7");
	says("hits=4e18", "hits=4000000000000000000");
	says("hits=4611686018427387904", "hits=4611686018427387904");
	says("hits=08", "hits=8");
	says("rate=50k/s", "rate=50000/s");
	says("rate=1G/s", "rate=1000000000/s");
	says("rate=1e9/s", "rate=1000000000/s");
	says("ttl=60", "ttl=60s");
	says("ttl=60s", "ttl=60s");
	says("ttl=2m", "ttl=120s");
	says("ttl=3h", "ttl=10800s");
	says("ttl=3650d", "ttl=315360000s");
	says("ttl=5 hits=4\trate=3/s", "hits=4 rate=3/s ttl=5s");
	says("cpu=1%", "cpu=1%");
	says("cpu=100%", "cpu=100%");
	says("cpu=100.000%", "cpu=100%");
	says("cpu=0.001%", "cpu=0.001%");
	says("cpu=2.50% one=12.345%", "cpu=2.5% one=12.345%");
	says("one=09.01%", "one=9.01%");
	says("hits=4611686018427387904 rate=1G/s ttl=3650d one=99.999% cpu=99.999%",
	     "cpu=99.999% one=99.999% hits=4611686018427387904 rate=1000000000/s ttl=315360000s");
}

static void test_bad(void)
{
	refused("", 0);
	refused(" \t\n", 0);
	refused("none none", 5);
	refused("none hits=1", 5);
	refused("hits=1 none", 7);
	refused("nones", 0);
	refused("hits", 0);
	refused("hit=1", 0);
	refused("Hits=1", 0);
	refused("hits=", 5);
	refused("hits=0", 5);
	refused("hits=0k", 5);
	refused("hits=-1", 5);
	refused("hits=+1", 5);
	refused("hits=0x10", 5);
	refused("hits=1K", 5);
	refused("hits=1kk", 5);
	refused("hits=1.5k", 5);
	refused("hits=1e", 5);
	refused("hits=1e19", 5);
	refused("hits=1e-1", 5);
	refused("hits=1e6k", 5);
	refused("hits=5e18", 5);
	refused("hits=4611686018427387905", 5);
	refused("hits=18446744073709551617", 5);
	refused("hits=99999999999G", 5);
	refused("hits=1 hits=2", 7);
	refused("hits=1/s", 5);
	refused("rate=5", 5);
	refused("rate=5/", 5);
	refused("rate=5/m", 5);
	refused("rate=/s", 5);
	refused("rate=0/s", 5);
	refused("rate=2G/s", 5);
	refused("rate=5/s/s", 5);
	refused("ttl=0", 4);
	refused("ttl=5x", 4);
	refused("ttl=1e3", 4);
	refused("ttl=3651d", 4);
	refused("hits=1 ttl=", 11);
	refused("hits=1, ttl=5", 5);
	refused("cpu=", 4);
	refused("cpu=1", 4);
	refused("cpu=%", 4);
	refused("cpu=0%", 4);
	refused("cpu=0.000%", 4);
	refused("cpu=.5%", 4);
	refused("cpu=5.%", 4);
	refused("cpu=-1%", 4);
	refused("cpu=1.2345%", 4);
	refused("cpu=1.2.3%", 4);
	refused("cpu=100.001%", 4);
	refused("cpu=101%", 4);
	refused("cpu=18446744073709551617%", 4);
	refused("cpu=1e1%", 4);
	refused("one=1%%", 4);
	refused("one=1 %", 4);
	refused("cpu=1% cpu=1%", 7);
}

static void joins(const char *a, const char *b, const char *both)
{
	struct pe_parse_err err = { 0 };
	struct pe_limit_words words, other;
	char is[PE_LIMIT_TEXT];

	pe_limit_parse(&words, a, &err);
	pe_limit_parse(&other, b, &err);
	pe_limit_join(&words, &other);
	pe_limit_print(is, &words);
	if (err.code != PE_ERR_NONE || strcmp(is, both))
		wrong(a, 0, &err, is);
}

static void test_join(void)
{
	joins("none", "none", "none");
	joins("hits=5", "none", "hits=5");
	joins("none", "hits=5", "hits=5");
	joins("cpu=5% one=2%", "one=3% cpu=4%", "cpu=4% one=2%");
	joins("hits=5 rate=7/s", "hits=6 ttl=8", "hits=5 rate=7/s ttl=8s");
	joins("hits=6 ttl=9", "ttl=8 hits=5 rate=7/s", "hits=5 rate=7/s ttl=8s");
}

/* @id finds @word, adds @ns, and the word has the sum; 0: it is left alone. */
static void adds(u64 word, u64 id, u64 ns, u64 sum)
{
	u64 is = pe_limit_window_add(word, id, ns);
	bool late = pe_limit_window_later(is, id);

	if (sum ? !late && pe_limit_window_sum(is) == sum : late && is == word)
		return;
	printf("%llx, %llx + %llu: %llx\n", (unsigned long long)word, (unsigned long long)id,
	       (unsigned long long)ns, (unsigned long long)is);
	pe_test_failures++;
}

static void test_window(void)
{
	const u64 some = pe_limit_window_add(0, 1000, 70), last = (1 << 24) - 1;
	const u64 far = pe_limit_window_add(0, 1 << 23, 70);

	adds(0, 0, 5, 5);
	adds(some, 1000, 5, 75);
	adds(some, 1000, PE_LIMIT_SUM_MOST - 70, PE_LIMIT_SUM_MOST);
	adds(some, 1000, U64_MAX, PE_LIMIT_SUM_MOST);
	/* a later window has a sum of its own, whatever is left there */
	adds(some, 1004, 5, 5);
	adds(some, 1000 + (1 << 22), 5, 5);
	/* late, but not by more than there are windows */
	adds(some, 996, 5, 0);
	adds(some, 999, 5, 0);
	/* they have begun anew */
	adds(some, 995, 5, 5);
	adds(some, 992, 5, 5);
	adds(some, 0, 5, 5);
	/* the number's bits begin again */
	adds(pe_limit_window_add(far, last - 3, 70), last + 1, 5, 5);
	adds(pe_limit_window_add(0, last + 1, 70), last - 3, 5, 0);
	adds(pe_limit_window_add(far, last, 70), last, 5, 75);
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "good", test_good },
		{ "bad", test_bad },
		{ "joined", test_join },
		{ "window", test_window },
	};

	return PE_RUN(tests);
}
