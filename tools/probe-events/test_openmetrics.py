#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# test_openmetrics.py TEST_FORMAT TEST_WORTH: what -f openmetrics writes, as the client library of Prometheus
# reads it: it refuses what is not well-formed, series that come twice, buckets that fall.
import subprocess
import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families


def series(verb, program=1):
    """{(sample, labels but le and why, le or why): value} of an answer of this verb"""
    text = subprocess.run([sys.argv[program], "openmetrics", verb], check=True,
                          stdout=subprocess.PIPE).stdout.decode()
    found = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = dict(sample.labels)
            apart = labels.pop("le", None) or labels.pop("why", None)
            key = (sample.name, tuple(sorted(labels.items())), apart)
            assert key not in found, key
            found[key] = sample.value
    return found


def row(*pairs):
    return tuple(sorted((("what", "a'\"<f"),) + pairs))


HOSTILE = row(("comm", "</pre><script>"), ("stack", "third;second"))
ODD = row(("comm", "a\"\\x5c\\x0a}\\xff'&"), ("stack", "second"))
SCREEN = row(("comm", "\\x1b[2J\u202e"), ("stack", "0x12"))
ROWS = {HOSTILE: 8, ODD: 5, SCREEN: 1}

count = series("count")
calls = {key[1]: value for key, value in count.items() if key[0] == "probe_events_calls_total"}
assert calls == ROWS, calls
assert count["probe_events_hits_total", row(), None] == 20
assert count["probe_events_lost_total", row(), "table_full"] == 2
assert count["probe_events_lost_total", row(), "recursion"] == 1
assert count["probe_events_lost_total", row(), "full"] == 0
assert count["probe_events_measured_seconds", row(), None] == 30

lat = series("lat")
times = "probe_events_call_seconds"
for labels, hits in ROWS.items():
    assert lat[times + "_count", labels, None] == hits
    assert lat[times + "_bucket", labels, "+Inf"] == hits
assert lat[times + "_sum", HOSTILE, None] == 1.4e-6
assert lat[times + "_sum", ODD, None] == 200
assert lat[times + "_sum", SCREEN, None] == 0
# Step 64 is 64 ns, step 160 512 ns, step 1000 42.9 s; a bucket has those before it.
buckets = {labels: [] for labels in ROWS}
for (name, labels, end), value in lat.items():
    if name == times + "_bucket" and end != "+Inf":
        buckets[labels].append((round(float(end) * 1e9), value))
ENDS = [(1 << octave) - 1 for octave in range(7, 37)]
assert buckets[HOSTILE] == [(end, 8 if end > 512 else 5) for end in ENDS], buckets[HOSTILE]
assert buckets[ODD] == [(end, 5 if end > 40 * 2**30 else 0) for end in ENDS], buckets[ODD]
assert buckets[SCREEN] == [(end, 1) for end in ENDS], buckets[SCREEN]


def preset(**labels):
    return tuple(sorted({"what": "@p", **labels}.items()))


# What hits are worth: of each row, and what is of none.
pages = series("pages", 2)
assert pages["probe_events_calls_total", preset(comm="a"), None] == 9
assert pages["probe_events_pages_total", preset(comm="a"), None] == 24
assert pages["probe_events_pages_total", preset(comm="b"), None] == 1
assert pages["probe_events_freed_pages_total", preset(), None] == 1407
oncpu = series("oncpu", 2)
assert oncpu["probe_events_spent_seconds_total", preset(comm="a"), None] == 1
assert oncpu["probe_events_longest_seconds", preset(comm="b"), None] == 0.09
assert oncpu["probe_events_cpu_seconds", preset(), None] == 4
lat = series("lat", 2)
assert lat[times + "_sum", preset(comm="a"), None] == 0.0062
assert lat["probe_events_cpu_seconds", preset(), None] == 4
assert not any(name.startswith("probe_events_spent") for name, _, _ in lat)
