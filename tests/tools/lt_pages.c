// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * lt_pages.c - raw pages of each CPU, with libtracefs and libtraceevent's parser.
 *
 * usage: lt_pages HITS FLOOD
 *
 * HITS on a CPU must be in that CPU's trace_pipe_raw, to the last one, whether
 * read or spliced.  FLOOD hits are more than the buffer has room for.  Each must be a
 * record or be counted in the number of lost ones that the pages have.
 */
#include "lt.h"
#include <kbuffer.h>
#include <sys/stat.h>

static int our_id;

/* The contents of pages. */
struct sum {
	unsigned long hits, lost, pages;
	unsigned long long last;		/* time of the record before */
};

static void page_came(struct sum *sum, void *page, int size)
{
	struct kbuffer *kbuf = kbuffer_alloc(KBUFFER_LSIZE_8, KBUFFER_ENDIAN_LITTLE);
	unsigned long long ts;
	unsigned char *record;
	int missed;

	CHECK(kbuf && !kbuffer_load_subbuffer(kbuf, page));
	CHECK(kbuffer_subbuffer_size(kbuf) <= size);
	missed = kbuffer_missed_events(kbuf);
	CHECK(missed >= 0);		/* -1: lost, but not how many */
	sum->lost += missed;
	sum->pages++;
	for (record = kbuffer_read_event(kbuf, &ts); record;
	     record = kbuffer_next_event(kbuf, &ts)) {
		CHECK(ts >= sum->last);
		sum->last = ts;
		/* Every event here is ours: common_type is first. */
		CHECK((record[0] | record[1] << 8) == our_id);
		sum->hits++;
	}
	kbuffer_free(kbuf);
}

static void hit(int cpu, unsigned long hits)
{
	int zero = lt_zero();

	lt_pin(cpu);
	CHECK(!tracefs_trace_on(NULL));
	while (hits--)
		lt_hit(zero, 1);
	CHECK(!tracefs_trace_off(NULL));
	close(zero);
}

static struct sum by_read(int cpu)
{
	struct tracefs_cpu *tcpu = tracefs_cpu_open(NULL, cpu, true);
	struct sum sum = {};
	int size, n;
	char *page;

	CHECK(tcpu);
	size = tracefs_cpu_read_size(tcpu);
	CHECK(size >= 4096);
	page = malloc(size);
	CHECK(page);
	while ((n = tracefs_cpu_read(tcpu, page, true)) > 0) {
		CHECK(n == size);
		page_came(&sum, page, size);
	}
	tracefs_cpu_close(tcpu);
	free(page);
	return sum;
}

/* Whole pages are spliced, the rest is flushed. */
static struct sum by_splice(int cpu)
{
	struct tracefs_cpu *tcpu = tracefs_cpu_open(NULL, cpu, true);
	int fd = open("/tmp/lt_pages", O_RDWR | O_CREAT | O_TRUNC, 0600);
	struct sum sum = {};
	struct stat st;
	char *page;
	int size;

	CHECK(tcpu && fd >= 0);
	size = tracefs_cpu_read_size(tcpu);
	while (tracefs_cpu_write(tcpu, fd, true) > 0)
		;
	while (tracefs_cpu_flush_write(tcpu, fd) > 0)
		;
	tracefs_cpu_close(tcpu);
	CHECK(!fstat(fd, &st) && st.st_size % size == 0);
	CHECK(lseek(fd, 0, SEEK_SET) == 0);
	page = malloc(size);
	CHECK(page);
	while (read(fd, page, size) == size)
		page_came(&sum, page, size);
	CHECK((off_t)sum.pages * size == st.st_size);
	close(fd);
	free(page);
	return sum;
}

static void check(const char *what, int cpu, struct sum (*get)(int cpu), unsigned long hits,
		  bool flood)
{
	struct sum sum;

	hit(cpu, hits);
	sum = get(cpu);
	printf("%s, CPU %d: %lu hits: %lu records, %lu lost, %lu pages\n", what, cpu, hits,
	       sum.hits, sum.lost, sum.pages);
	CHECK(sum.hits + sum.lost == hits);
	CHECK(flood == !!sum.lost);
	/* Nothing is left, here or elsewhere. */
	for (cpu = 0; cpu < sysconf(_SC_NPROCESSORS_ONLN); cpu++)
		CHECK(!by_read(cpu).pages);
}

int main(int argc, char **argv)
{
	unsigned long hits, flood;
	struct tracefs_dynevent *probe;
	int size, cpu;
	char *id;

	if (argc != 3)
		errx(2, "usage: lt_pages HITS FLOOD");
	hits = strtoul(argv[1], NULL, 0);
	flood = strtoul(argv[2], NULL, 0);
	probe = lt_probe(NULL);
	CHECK(!tracefs_trace_off(NULL));
	CHECK(!tracefs_instance_file_clear(NULL, "trace"));
	id = tracefs_event_file_read(NULL, LT_SYSTEM, LT_EVENT, "id", &size);
	CHECK(id);
	our_id = atoi(id);
	free(id);
	for (cpu = 0; cpu < sysconf(_SC_NPROCESSORS_ONLN); cpu++) {
		check("read", cpu, by_read, hits, false);
		check("splice", cpu, by_splice, hits, false);
		check("one", cpu, by_splice, 1, false);
		check("flood read", cpu, by_read, flood, true);
		check("flood splice", cpu, by_splice, flood, true);
	}
	CHECK(!tracefs_trace_on(NULL));
	lt_unprobe(NULL, probe);
	return 0;
}
