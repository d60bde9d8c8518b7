// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * sweep - steps that the sweep repeats ten thousand times per VM, without a fork.
 *
 *   sweep deal SEED SLICES SLICE
 *       the lines of stdin that slice SLICE (0 to SLICES-1) gets, each after its position
 *       in the slice, from 1; the seed decides how they are dealt
 *   sweep define p|r ARMED REFUSED
 *       an event sw/eN for each line "N 0xADDR ..." of stdin, in the current directory's
 *       kprobe_events; the line goes to ARMED, or with error_log's reason before it to REFUSED
 *   sweep enable ARMED REFUSED
 *       enable all at once; if this fails, remove the event that is to blame, and try again
 *   sweep reboot
 *       like reboot(8) -f
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/reboot.h>
#include <unistd.h>

static char **lines;
static size_t nlines;

static void read_lines(FILE *f)
{
	size_t room = 0, len = 0;
	char *line = NULL;

	nlines = 0;
	while (getline(&line, &len, f) > 0) {
		line[strcspn(line, "\n")] = 0;
		if (nlines == room) {
			room = room ? 2 * room : 65536;
			lines = realloc(lines, room * sizeof(*lines));
		}
		lines[nlines] = strdup(line);
		if (!lines[nlines++])
			err(2, "strdup");
	}
}

/* ---- dealing ---- */

static uint64_t rng_state;

static uint64_t rng(void)
{
	uint64_t z = rng_state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

static int deal(unsigned long seed, unsigned long slices, unsigned long slice)
{
	size_t i, n = 0, *order, *slice_of;

	read_lines(stdin);
	order = malloc(nlines * sizeof(*order));
	slice_of = malloc(nlines * sizeof(*slice_of));
	if (!slices || !order || !slice_of)
		errx(2, "nothing to deal");
	rng_state = seed;
	for (i = 0; i < nlines; i++) {
		size_t k = rng() % (i + 1);

		order[i] = order[k];
		order[k] = i;
	}
	for (i = 0; i < nlines; i++)
		slice_of[order[i]] = i % slices;
	for (i = 0; i < nlines; i++)
		if (slice_of[i] == slice)
			printf("%zu %s\n", ++n, lines[i]);
	return 0;
}

/* ---- defining ---- */

static int open_file(const char *name, int flags)
{
	int fd = open(name, flags);

	if (fd < 0)
		err(2, "%s", name);
	return fd;
}

static char *error_log(void)
{
	static char text[65536];
	int fd = open_file("error_log", O_RDONLY);
	ssize_t n, len = 0;

	while ((n = read(fd, text + len, sizeof(text) - 1 - len)) > 0)
		len += n;
	close(fd);
	text[len] = 0;
	return text;
}

static void forget_errors(void) { close(open_file("error_log", O_WRONLY | O_TRUNC)); }

/*
 * The next entry of the log at *@at: the reason of the refusal, and the number of the event in
 * the command; 0 if there is none.
 */
static unsigned long next_error(char **at, char **why)
{
	char *start = strstr(*at, ": error: "), *command;

	if (!start)
		return 0;
	*why = start + strlen(": error: ");
	command = strstr(*why, "Command: ");
	if (!command)
		return 0;
	(*why)[strcspn(*why, "\n")] = 0;
	*at = command + strcspn(command, "\n");
	command = strstr(command, ":sw/e");
	return command ? strtoul(command + strlen(":sw/e"), NULL, 10) : 0;
}

static const char *reason_of(unsigned long n, int error)
{
	char *at = error_log(), *why, *found = NULL;
	unsigned long which;

	while ((which = next_error(&at, &why)))
		if (which == n)
			found = why;
	return found ? found : strerror(error);
}

static unsigned long number_of(const char *line) { return strtoul(line, NULL, 10); }

static FILE *create(const char *name)
{
	FILE *f = fopen(name, "w");

	if (!f)
		err(2, "%s", name);
	return f;
}

static int define(const char *kind, const char *armed_name, const char *refused_name)
{
	FILE *armed = create(armed_name), *refused = create(refused_name);
	int fd = open_file("kprobe_events", O_WRONLY | O_APPEND);
	size_t i;

	read_lines(stdin);
	for (i = 0; i < nlines; i++) {
		unsigned long n = number_of(lines[i]);
		const char *addr = lines[i] + strcspn(lines[i], " ") + 1;
		char command[128];
		int len = snprintf(command, sizeof(command), "%c:sw/e%lu %.*s\n", *kind, n,
				   (int)strcspn(addr, " "), addr);

		if (write(fd, command, len) == len)
			fprintf(armed, "%s\n", lines[i]);
		else
			fprintf(refused, "%s\t%s\n", reason_of(n, errno), lines[i]);
	}
	return fclose(armed) || fclose(refused) || close(fd);
}

/* ---- enabling ---- */

/* Removes the event to blame; its line goes from the armed (emptied here) to the refused. */
static int blame(unsigned long n, const char *why, FILE *refused)
{
	int fd = open_file("kprobe_events", O_WRONLY | O_APPEND);
	char command[32];
	int len = snprintf(command, sizeof(command), "-:sw/e%lu\n", n);
	size_t i;

	if (write(fd, command, len) != len)
		err(2, "removing e%lu", n);
	close(fd);
	for (i = 0; i < nlines; i++) {
		if (*lines[i] && number_of(lines[i]) == n) {
			fprintf(refused, "%s (when enabled)\t%s\n", why, lines[i]);
			lines[i] = "";
			return 1;
		}
	}
	return 0;
}

static int blame_all(FILE *refused)
{
	char *at = error_log(), *why;
	unsigned long n;
	int found = 0;

	while ((n = next_error(&at, &why)))
		found += blame(n, why, refused);
	return found;
}

static int enable(const char *armed_name, const char *refused_name)
{
	FILE *armed = fopen(armed_name, "r"), *refused = fopen(refused_name, "a");
	int fd = open_file("events/sw/enable", O_WRONLY), error;
	size_t i;

	if (!armed || !refused)
		err(2, "%s", armed_name);
	read_lines(armed);
	fclose(armed);
	for (;;) {
		forget_errors();
		if (write(fd, "1", 1) == 1)
			break;
		error = errno;
		if (!blame_all(refused))
			errx(1, "enabling: %s, and no probe is blamed", strerror(error));
	}
	armed = create(armed_name);
	for (i = 0; i < nlines; i++)
		if (*lines[i])
			fprintf(armed, "%s\n", lines[i]);
	return fclose(armed) || fclose(refused) || close(fd);
}

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";

	if (!strcmp(verb, "deal") && argc == 5)
		return deal(strtoul(argv[2], NULL, 0), strtoul(argv[3], NULL, 0),
			    strtoul(argv[4], NULL, 0));
	if (!strcmp(verb, "define") && argc == 5)
		return define(argv[2], argv[3], argv[4]);
	if (!strcmp(verb, "enable") && argc == 4)
		return enable(argv[2], argv[3]);
	if (!strcmp(verb, "reboot"))
		return reboot(RB_AUTOBOOT);
	errx(2, "usage: sweep deal|define|enable|reboot ...");
}
