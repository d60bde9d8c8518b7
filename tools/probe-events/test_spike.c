// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_spike.c - lines of a trace, with odd names, and the part of it before a slow call.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "expect.h"
#include "spike.h"

#define SWITCH(at, prev, next) \
	"            bash-181     [001] d....    " at ": sched_switch: (x+0x0/0x60) prev=" prev \
	" prev_name=\"a b\" state=2 next=" next " next_name=\"next=7\"\n"
#define BLOCK(at, what, sector) \
	"          <idle>-0       [000] d.h..    " at ": block_rq_" what ": (x+0x0/0x60) dev=8388624" \
	" sector=" sector " len=4096\n"

static const char trace[] =
	"# tracer: nop\n"
	"#\n"
	SWITCH("10.000000", "42", "0")
	SWITCH("11.000100", "42", "0")
	BLOCK("11.000200", "issue", "77")
	BLOCK("11.000300", "issue", "78")
	SWITCH("11.200000", "9", "43")
	BLOCK("11.500200", "complete", "77")
	BLOCK("11.500300", "complete", "99")
	SWITCH("11.600100", "0", "42")
	SWITCH("11.700000", "42", "0")
	SWITCH("11.700100", "0", "42")
	"              x-42      [001] .....    12.000000: lat: (y+0x1/0x2 <- f) ns=1000000000\n"
	SWITCH("13.000000", "42", "0");

static void test_lines(void)
{
	unsigned long long value;
	struct spike_line l;

	EXPECT(spike_read(&l, "  a [000] b-c-17   [003] dNh2.  8123.000042: ev: (p) ns=5 x=-3"));
	EXPECT(l.tid == 17);
	EXPECT(spike_read(&l, "  a-b-c-17   [003] dNh2.  8123.000042: ev: (p) ns=5 x=-3 y=z"));
	EXPECT(l.tid == 17 && l.at == 8123000042000ULL && l.event_len == 2);
	EXPECT(spike_arg(&l, "ns", &value) && value == 5);
	EXPECT(spike_arg(&l, "x", &value) && (long long)value == -3);
	EXPECT(!spike_arg(&l, "s", &value) && !spike_arg(&l, "y", &value));
	EXPECT(!spike_arg(&l, "n", &value));
	EXPECT(!spike_read(&l, "# x-1 [000] ..... 1.000000: ev: a"));
	EXPECT(!spike_read(&l, "") && !spike_read(&l, "x-1 [000]") && !spike_read(&l, "[000] "));
	EXPECT(!spike_read(&l, "x-1 [000] ..... 1.0: ev: a"));
	EXPECT(!spike_read(&l, "x-1 [000] ..... 1.000000: ev"));
	EXPECT(!spike_read(&l, "CPU:1 [LOST 3028 EVENTS]"));
}

static void test_cut(void)
{
	struct spike s = { .from = 11000000000ULL, .until = 12000000000ULL, .tid = 42 };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	EXPECT(!spike_cut(&s, trace, out));
	fclose(out);
	EXPECT(s.records == 10 && s.whole && s.first == 11000100000ULL);
	EXPECT(s.asleep == 600000000ULL);
	EXPECT(s.requests == 1 && s.longest == 500000000ULL && s.dev == 8388624);
	EXPECT(!strncmp(text, "# tracer", 8) && !strstr(text, "10.000000:"));
	EXPECT(strstr(text, "lat: (y") && !strstr(text, "13.000000:"));
	free(text);
	s = (struct spike){ .from = 1, .until = 2, .tid = 42 };
	out = open_memstream(&text, &size);
	EXPECT(!spike_cut(&s, trace, out) && !s.records && !s.whole && !s.asleep);
	fclose(out);
	free(text);
}

int main(void)
{
	test_lines();
	test_cut();
	return failed;
}
