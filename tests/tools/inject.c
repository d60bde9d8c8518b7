// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * inject - let each allocation of an operation fail, one after the other.
 *
 * usage: inject NAME OPERATION [-- UNDO]...
 *        INJECT_ONLY=N inject NAME OPERATION
 *
 * An OPERATION, and an UNDO, is one system call on our files, in the current
 * directory:
 *   write FILE TEXT | append FILE TEXT | put DESCRIPTOR TEXT | clear FILE | open FILE | read FILE | mkdir DIR |
 *   rmdir DIR | mount TYPE DIR | umount DIR | insmod FILE | rmmod MODULE
 * The UNDOs, in their order, undo the operation.
 *
 * The kernel's fault injection counts, per task, the calls that may fail
 * (/proc/thread-self/fail-nth).  For N = 1, 2, 3, ... the Nth of them fails within
 * that one system call, until there is no Nth.  If an operation has many, the first and
 * the last INJECT_EDGE (from the environment, default 60) fail, and evenly spaced ones
 * between.
 *
 * Each time one of two things must hold: the operation answered ENOMEM, and all is as
 * before; or it succeeded without the allocation, and all is as after a success.  "All" is
 * the tree of our files, the contents of the files in lasting[], mounts, file systems,
 * modules, and the kernel's text at the symbols that INJECT_TEXT names.  With
 * INJECT_SNAPSHOT=1 it is also the sizes of the snapshot's buffer, which is allocated: only
 * an exchange shows them.
 *
 * Prints "NAME: N failures of T allocations, M refused"; exits with 1 if a check fails.
 *
 * With INJECT_ONLY=N only the Nth fails, and nothing is compared.  The exit status is 0 if the
 * operation succeeded nevertheless, 1 if it did not, 3 if there was no Nth.  Its error is
 * printed: "NAME, failure N: ...", with "(of fewer)" after N if there was no Nth.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <elf.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_STATE	(1 << 20)
#define NONE		1000000000	/* more than any operation has */
#define MAX_FAILURES	100000
#define TEXT_BYTES	64

struct operation {
	const char *what, *a, *b;
};

struct state {
	size_t len;
	char text[MAX_STATE];
};

static struct state before, after, now;
static int edge = 60;
static bool look_at_snapshot;

/* Files whose contents only an operation changes. */
static const char *const lasting[] = {
	"kprobe_events", "dynamic_events", "enable", "filter", "trigger", "format", "list", "set_event",
	"buffer_size_kb", "buffer_subbuf_size_kb", "tracing_on", "trace_clock", "trace_options",
	"snapshot", "available_events", "tracing_cpumask", "set_event_pid", "set_event_notrace_pid",
	"saved_cmdlines_size", "current_tracer", "enabled",
};

static struct {
	const char *name;
	off_t where;
} places[16];
static int n_places, kcore = -1;

static void die(const char *what)
{
	perror(what);
	exit(125);
}

static void put(struct state *s, const void *data, size_t len)
{
	if (s->len + len > sizeof(s->text)) {
		fprintf(stderr, "inject: the state is too large\n");
		exit(125);
	}
	memcpy(s->text + s->len, data, len);
	s->len += len;
}

static void puts_to(struct state *s, const char *format, ...)
{
	char line[4200];
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	put(s, line, len);
}

static bool is_lasting(const char *name)
{
	for (size_t i = 0; i < sizeof(lasting) / sizeof(lasting[0]); i++)
		if (!strcmp(name, lasting[i]))
			return true;
	return false;
}

/* An event gets a new number whenever it is defined: "ID: 60001" in its format. */
static void hide_id(char *text, size_t len)
{
	char *id = memmem(text, len, "\nID: ", 5);

	for (id = id ? id + 5 : NULL; id && id < text + len && *id != '\n'; id++)
		*id = '#';
}

/*
 * In kprobes/list: without memory, a function with an entry probe cannot move to the ops for
 * entry probes.  Then the ops for return probes goes on to serve it, and a disabled probe, too.
 */
static void hide_place(struct state *s, size_t from)
{
	static const char both[] = "[DISABLED][FTRACE]";
	const size_t keep = strlen("[DISABLED]"), drop = strlen("[FTRACE]");
	char *end = s->text + s->len, *at = s->text + from;

	while ((at = memmem(at, end - at, both, strlen(both)))) {
		at += keep;
		memmove(at, at + drop, end - at - drop);
		end -= drop;
	}
	s->len = end - s->text;
}

static void put_file(struct state *s, const char *path)
{
	static char buf[65536];
	int fd = open(path, O_RDONLY);
	size_t from = s->len;
	ssize_t n;

	if (fd < 0)
		die(path);
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		put(s, buf, n);
	if (n < 0)
		die(path);
	close(fd);
	hide_id(s->text + from, s->len - from);
	hide_place(s, from);
}

/* "entries: 5": how many records. */
static void put_first_line(struct state *s, const char *path)
{
	size_t from = s->len;
	char *end;

	put_file(s, path);
	end = memchr(s->text + from, '\n', s->len - from);
	if (end)
		s->len = end + 1 - s->text;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void put_tree(struct state *s, const char *dir)
{
	struct dirent **entry;
	char path[4096];
	int n = scandir(dir, &entry, NULL, by_name);

	if (n < 0)
		die(dir);
	for (int i = 0; i < n; i++) {
		const char *name = entry[i]->d_name;

		if (strcmp(name, ".") && strcmp(name, "..")) {
			snprintf(path, sizeof(path), "%s/%s", dir, name);
			puts_to(s, "%s\n", path);
			if (entry[i]->d_type == DT_DIR)
				put_tree(s, path);
			else if (is_lasting(name))
				put_file(s, path);
			else if (!strcmp(name, "stats"))
				put_first_line(s, path);
		}
		free(entry[i]);
	}
	free(entry);
}

static void exchange(void)
{
	int fd = open("snapshot", O_WRONLY);

	if (fd < 0 || write(fd, "1", 1) != 1)
		die("snapshot");
	close(fd);
}

static void put_snapshot(struct state *s)
{
	exchange();
	puts_to(s, "the snapshot:\n");
	put_file(s, "buffer_subbuf_size_kb");
	put_file(s, "buffer_size_kb");
	put_tree(s, "per_cpu");
	exchange();
}

/* The names in a directory, not in its subdirectories. */
static void put_names(struct state *s, const char *dir)
{
	struct dirent **entry;
	int n = scandir(dir, &entry, NULL, by_name);

	if (n < 0)
		die(dir);
	for (int i = 0; i < n; i++) {
		puts_to(s, "%s/%s\n", dir, entry[i]->d_name);
		free(entry[i]);
	}
	free(entry);
}

/*
 * An entry that ftrace serves calls a stub of the engine's.  If it stays in two filters,
 * because memory was missing, it calls ftrace.
 */
static void hide_target(unsigned char *bytes)
{
	static const unsigned char endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };

	if (!memcmp(bytes, endbr64, sizeof(endbr64)))
		bytes += sizeof(endbr64);
	if (bytes[0] == 0xe8)
		memset(bytes + 1, 0, 4);
}

static void put_text(struct state *s)
{
	unsigned char bytes[TEXT_BYTES];

	for (int i = 0; i < n_places; i++) {
		if (pread(kcore, bytes, sizeof(bytes), places[i].where) != sizeof(bytes))
			die("/proc/kcore");
		hide_target(bytes);
		puts_to(s, "text of %s:", places[i].name);
		for (size_t k = 0; k < sizeof(bytes); k++)
			puts_to(s, " %02x", bytes[k]);
		puts_to(s, "\n");
	}
}

static void take(struct state *s)
{
	s->len = 0;
	put_tree(s, ".");
	put_file(s, "/proc/self/mounts");
	put_file(s, "/proc/filesystems");
	put_names(s, "/sys/module");
	put_names(s, "/sys/kernel");
	put_text(s);
	if (look_at_snapshot)
		put_snapshot(s);
	s->text[s->len < sizeof(s->text) ? s->len : sizeof(s->text) - 1] = '\0';
}

/* The offset in /proc/kcore of the kernel's text at an address. */
static off_t kcore_offset(unsigned long addr)
{
	Elf64_Ehdr eh;
	Elf64_Phdr ph;

	if (pread(kcore, &eh, sizeof(eh), 0) != sizeof(eh))
		die("/proc/kcore");
	for (unsigned int i = 0; i < eh.e_phnum; i++) {
		if (pread(kcore, &ph, sizeof(ph), eh.e_phoff + i * sizeof(ph)) != sizeof(ph))
			die("/proc/kcore");
		if (ph.p_type == PT_LOAD && ph.p_vaddr <= addr &&
		    addr + TEXT_BYTES <= ph.p_vaddr + ph.p_memsz)
			return ph.p_offset + (addr - ph.p_vaddr);
	}
	fprintf(stderr, "inject: /proc/kcore has no %lx\n", addr);
	exit(125);
}

static void find_places(char *names)
{
	char line[512], name[256];
	unsigned long addr;
	FILE *f;

	kcore = open("/proc/kcore", O_RDONLY);
	if (kcore < 0)
		die("/proc/kcore");
	for (char *want = strtok(names, " "); want; want = strtok(NULL, " ")) {
		f = fopen("/proc/kallsyms", "r");
		if (!f)
			die("/proc/kallsyms");
		while (fgets(line, sizeof(line), f))
			if (sscanf(line, "%lx %*c %255s", &addr, name) == 2 && !strcmp(name, want)) {
				places[n_places].name = want;
				places[n_places++].where = kcore_offset(addr);
				break;
			}
		fclose(f);
	}
}

static int open_for(const struct operation *op)
{
	int flags, fd;

	if (!strcmp(op->what, "write"))
		flags = O_WRONLY;
	else if (!strcmp(op->what, "append"))
		flags = O_WRONLY | O_APPEND;
	else if (!strcmp(op->what, "read"))
		flags = O_RDONLY | O_NONBLOCK;
	else if (!strcmp(op->what, "insmod"))
		flags = O_RDONLY;
	else if (!strcmp(op->what, "put"))
		return dup(atoi(op->a));
	else
		return -1;
	fd = open(op->a, flags);
	if (fd < 0)
		die(op->a);
	return fd;
}

/* The system call itself; 0 or the error. */
static int call(const struct operation *op, int *fd)
{
	static char buf[65536];
	long ret;

	errno = 0;
	if (!strcmp(op->what, "write") || !strcmp(op->what, "append") ||
	    !strcmp(op->what, "put"))
		ret = write(*fd, op->b, strlen(op->b));
	else if (!strcmp(op->what, "open"))
		ret = *fd = open(op->a, O_RDONLY | O_NONBLOCK);
	else if (!strcmp(op->what, "clear"))
		ret = *fd = open(op->a, O_WRONLY | O_TRUNC);
	else if (!strcmp(op->what, "read"))
		ret = read(*fd, buf, sizeof(buf));
	else if (!strcmp(op->what, "mkdir"))
		ret = mkdir(op->a, 0755);
	else if (!strcmp(op->what, "rmdir"))
		ret = rmdir(op->a);
	else if (!strcmp(op->what, "mount"))
		ret = mount(op->a, op->b, op->a, 0, NULL);
	else if (!strcmp(op->what, "umount"))
		ret = umount(op->a);
	else if (!strcmp(op->what, "insmod"))
		ret = syscall(SYS_finit_module, *fd, "", 0);
	else if (!strcmp(op->what, "rmmod"))
		ret = syscall(SYS_delete_module, op->a, O_NONBLOCK);
	else
		errx(125, "what is '%s'?", op->what);
	return ret < 0 ? errno : 0;
}

/*
 * Do @op with its @nth allocation failing; returns its error.
 * *@left: how many more allocations were needed for one to fail, 0 if one did.  Reading and
 * resetting the count may fail, too, by the very count they ask for.
 */
static int attempt(const struct operation *op, int nth, int *left)
{
	char text[16] = "";
	int fd = open_for(op), fail = open("/proc/thread-self/fail-nth", O_RDWR), error;

	if (fail < 0)
		die("fail-nth");
	snprintf(text, sizeof(text), "%d", nth);
	if (pwrite(fail, text, strlen(text), 0) < 0)
		die("fail-nth");
	error = call(op, &fd);
	memset(text, 0, sizeof(text));
	while (pread(fail, text, sizeof(text) - 1, 0) < 0)
		;
	while (pwrite(fail, "0", 1, 0) < 0)
		;
	*left = atoi(text);
	close(fail);
	if (fd >= 0)
		close(fd);
	return error;
}

static bool same(const struct state *a, const struct state *b)
{
	return a->len == b->len && !memcmp(a->text, b->text, a->len);
}

static int differ(const char *name, int nth, const char *what, struct state *want)
{
	char *a = want->text, *b = now.text, *line_a, *line_b;
	int shown = 0;

	printf("FAIL: %s, failure %d: %s\n", name, nth, what);
	do {
		line_a = strsep(&a, "\n");
		line_b = strsep(&b, "\n");
		if (strcmp(line_a ? line_a : "", line_b ? line_b : "")) {
			printf("  want: %s\n  have: %s\n", line_a ? line_a : "(end)", line_b ? line_b : "(end)");
			shown++;
		}
	} while (shown < 8 && (a || b));
	return 1;
}

static void undo_all(const char *name, const struct operation *undo, int n)
{
	int left;

	for (int i = 0; i < n; i++) {
		int error = attempt(&undo[i], NONE, &left);

		if (!error)
			continue;
		printf("FAIL: %s: undoing it by %s %s: %s\n", name, undo[i].what, undo[i].a, strerror(error));
		exit(1);
	}
}

/*
 * The next allocation to let fail after the @nth of about @total.  There are more than the
 * total if a failure makes the operation ask again, for less.
 */
static int next_failure(int nth, int total)
{
	int middle = total - 2 * edge;

	if (nth >= total + edge)
		return nth + 1 + (nth - total) / edge;
	if (nth < edge || nth >= total - edge || middle < edge)
		return nth + 1;
	return nth + 1 + middle / edge;
}

/* One failure.  Returns 1 if a check fails, else *@error is the operation's result. */
static int one_failure(const char *name, const struct operation *op, int nth, int *error, int *left)
{
	*error = attempt(op, nth, left);
	take(&now);
	if (*error && (*error != ENOMEM || *left)) {
		printf("FAIL: %s, failure %d: %s\n", name, nth, strerror(*error));
		return 1;
	}
	if (*error && !same(&before, &now))
		return differ(name, nth, "refused, but something changed", &before);
	if (!*error && !same(&after, &now))
		return differ(name, nth, "success, but not its effect", &after);
	return 0;
}

static int sweep(const char *name, const struct operation *op, const struct operation *undo, int n_undo)
{
	int nth, error, left, total, done = 0, refused = 0;

	take(&before);
	error = attempt(op, NONE, &left);
	if (error) {
		printf("FAIL: %s, without a failure: %s\n", name, strerror(error));
		return 1;
	}
	take(&after);
	undo_all(name, undo, n_undo);
	take(&now);
	if (!same(&before, &now))
		return differ(name, 0, "undoing it left a trace", &before);
	/* Again: the first time, the kernel's caches were cold, and KASAN had no shadow. */
	attempt(op, NONE, &left);
	total = NONE - left;
	undo_all(name, undo, n_undo);
	for (nth = 1; nth < MAX_FAILURES; nth = next_failure(nth, total)) {
		if (one_failure(name, op, nth, &error, &left))
			return 1;
		if (!error)
			undo_all(name, undo, n_undo);
		if (left)
			break;
		done++;
		refused += error != 0;
	}
	printf("%s: %d failures of %d allocations, %d refused\n", name, done, nth - 1, refused);
	return nth >= MAX_FAILURES;
}

static int only(const char *name, const struct operation *op, int nth)
{
	int left, error = attempt(op, nth, &left);

	if (error)
		printf("%s, failure %d%s: %s\n", name, nth, left ? " (of fewer)" : "", strerror(error));
	return error ? 1 : left ? 3 : 0;
}

int main(int argc, char **argv)
{
	struct operation ops[8] = { 0 };
	int n = 0, i = 2;

	if (argc < 4) {
		fprintf(stderr, "usage: inject NAME OPERATION [-- UNDO]...\n");
		return 125;
	}
	while (i < argc && n < 8) {
		const char **field[] = { &ops[n].what, &ops[n].a, &ops[n].b };

		for (int k = 0; i < argc && strcmp(argv[i], "--"); k++, i++) {
			if (k == 3)
				return fprintf(stderr, "inject: too many words\n"), 125;
			*field[k] = argv[i];
		}
		if (!ops[n].b)
			ops[n].b = "";
		n++;
		i++;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (getenv("INJECT_ONLY"))
		return only(argv[1], &ops[0], atoi(getenv("INJECT_ONLY")));
	look_at_snapshot = getenv("INJECT_SNAPSHOT") && *getenv("INJECT_SNAPSHOT");
	if (getenv("INJECT_EDGE"))
		edge = atoi(getenv("INJECT_EDGE"));
	if (edge < 1)
		return fprintf(stderr, "inject: INJECT_EDGE is no number from 1\n"), 125;
	if (getenv("INJECT_TEXT"))
		find_places(strdup(getenv("INJECT_TEXT")));
	return sweep(argv[1], &ops[0], &ops[1], n - 1);
}
