// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * ktext - look at the running kernel's text through /proc/kcore.
 *
 *   ktext save FILE          write the text, _stext to _etext, to FILE
 *   ktext diff FILE          compare it with FILE: every differing run of bytes
 *                            with its symbol; exit 1 if there is one
 *   ktext sites N SEED       print N random instruction boundaries
 *   ktext uniform N SEED     print N different boundaries, each as likely as any other
 *   ktext inside N SEED      print N random addresses that are no boundary
 *   ktext functions          print every function, also those of modules
 *   ktext every N PHASE [SYMBOL...]
 *                            print every Nth instruction boundary of the text, or of
 *                            these symbols, from the PHASEth (0 to N-1)
 *
 * A site is drawn uniformly over bytes of text, and moved down to the start of the
 * instruction that holds the byte.  Decoding from the start of the symbol finds that start.
 * The filler between functions does not count.  The decoder is the engine's;
 * insn_vs_objdump compares it with objdump.
 * Output lines: "0xADDR SYMBOL+0xOFF LENGTH", of functions "0xADDR SYMBOL [MODULE]",
 * without the padding before functions (__pfx_) and with one line per address.
 *
 * It is linked statically, for a guest that has only a kernel.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The engine's decoder, which ktext_insn.c compiles against the unit tests' shim. */
struct pe_insn;
int ktext_insn_length(const unsigned char *bytes, unsigned int len);

struct sym {
	uint64_t addr;
	char *name;
};

static struct sym *syms;
static size_t nsyms;
static uint64_t text_start, text_end;
static unsigned char *text;

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static int by_addr(const void *a, const void *b)
{
	const struct sym *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static void add_symbol(uint64_t addr, const char *name)
{
	static size_t room;

	if (nsyms == room) {
		room = room ? 2 * room : 65536;
		syms = realloc(syms, room * sizeof(*syms));
		if (!syms)
			die("realloc");
	}
	syms[nsyms].addr = addr;
	syms[nsyms].name = strdup(name);
	if (!syms[nsyms].name)
		die("strdup");
	nsyms++;
}

enum symbols { BOUNDS, KERNEL, ALL };

/*
 * Reads text symbols of the kernel proper, or those of modules as well; or only the symbols
 * at the ends of the text.  No sscanf(): under emulation the whole file takes seconds.
 */
static void read_symbols(enum symbols which)
{
	FILE *f = fopen("/proc/kallsyms", "r");
	char line[512], *name;

	if (!f)
		die("/proc/kallsyms");
	while (fgets(line, sizeof(line), f)) {
		uint64_t addr = strtoull(line, &name, 16);

		if (strlen(name) < 4 || (which != ALL && strchr(name, '[')))
			continue;
		name[strcspn(name, "\n")] = 0;
		if (!strcmp(name + 3, "_stext"))
			text_start = addr;
		if (!strcmp(name + 3, "_etext"))
			text_end = addr;
		if (which == BOUNDS && text_start && text_end)
			break;
		if (which != BOUNDS && strchr("tTwW", name[1]))
			add_symbol(addr, name + 3);
	}
	fclose(f);
	if (!text_start || text_end <= text_start) {
		fprintf(stderr, "ktext: no _stext and _etext in /proc/kallsyms\n");
		exit(2);
	}
	qsort(syms, nsyms, sizeof(*syms), by_addr);
}

static void read_text(void)
{
	int fd = open("/proc/kcore", O_RDONLY);
	size_t len = text_end - text_start, got = 0;
	off_t where = -1;
	Elf64_Ehdr eh;
	Elf64_Phdr ph;

	if (fd < 0)
		die("/proc/kcore");
	if (pread(fd, &eh, sizeof(eh), 0) != sizeof(eh))
		die("/proc/kcore header");
	for (unsigned int i = 0; i < eh.e_phnum; i++) {
		if (pread(fd, &ph, sizeof(ph), eh.e_phoff + i * sizeof(ph)) != sizeof(ph))
			die("/proc/kcore header");
		if (ph.p_type == PT_LOAD && ph.p_vaddr <= text_start &&
		    text_end <= ph.p_vaddr + ph.p_memsz)
			where = ph.p_offset + (text_start - ph.p_vaddr);
	}
	if (where < 0) {
		fprintf(stderr, "ktext: no segment of /proc/kcore holds the text\n");
		exit(2);
	}
	text = malloc(len);
	if (!text)
		die("malloc");
	while (got < len) {
		ssize_t n = pread(fd, text + got, len - got, where + got);

		if (n <= 0)
			die("/proc/kcore read");
		got += n;
	}
	close(fd);
}

static const struct sym *symbol_of(uint64_t addr)
{
	size_t lo = 0, hi = nsyms;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (syms[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? &syms[lo - 1] : NULL;
}

static int save(const char *path)
{
	FILE *f = fopen(path, "w");

	if (!f || fwrite(text, text_end - text_start, 1, f) != 1 || fclose(f))
		die(path);
	return 0;
}

static int diff(const char *path)
{
	size_t len = text_end - text_start, i, runs = 0;
	unsigned char *old = malloc(len);
	FILE *f = fopen(path, "r");

	if (!f || !old || fread(old, len, 1, f) != 1)
		die(path);
	for (i = 0; i < len; i++) {
		const struct sym *s;
		size_t end = i;

		if (old[i] == text[i])
			continue;
		while (end < len && old[end] != text[end])
			end++;
		if (!nsyms)
			read_symbols(KERNEL);
		s = symbol_of(text_start + i);
		printf("0x%llx %s+0x%llx:", (unsigned long long)text_start + i, s ? s->name : "?",
		       s ? (unsigned long long)(text_start + i - s->addr) : 0);
		for (size_t k = i; k < end; k++)
			printf(" %02x->%02x", old[k], text[k]);
		printf("\n");
		runs++;
		i = end;
	}
	printf("ktext: %zu bytes compared, %zu runs differ\n", len, runs);
	return runs != 0;
}

static uint64_t rng_state;

static uint64_t rng(void)
{
	rng_state ^= rng_state >> 12;
	rng_state ^= rng_state << 25;
	rng_state ^= rng_state >> 27;
	return rng_state * 0x2545f4914f6cdd1dULL;
}

/*
 * The instruction that holds @addr: its start, and its length in *@len.  No function is as
 * long as FAR.  After the last function, text is filled up to the next large page.  To decode
 * that for each address drawn there would take minutes.
 */
#define FAR 65536

static uint64_t insn_of(const struct sym *s, uint64_t addr, int *len)
{
	uint64_t at = s->addr;

	if (addr - at >= FAR)
		return 0;
	while (at <= addr) {
		*len = ktext_insn_length(text + (at - text_start), text_end - at);
		if (*len <= 0)
			return 0;
		if (addr < at + *len)
			return at;
		at += *len;
	}
	return 0;
}

/* Between and before functions: int3, ud2 and the room for call thunks. */
static int is_filler(const struct sym *s, uint64_t at)
{
	const unsigned char *p = text + (at - text_start);

	return p[0] == 0xcc || (p[0] == 0x0f && p[1] == 0x0b) ||
	       !strncmp(s->name, "__pfx_", 6);
}

static int print_boundary(const struct sym *s, uint64_t at, int len)
{
	return printf("0x%llx %s+0x%llx %d\n", (unsigned long long)at, s->name,
		      (unsigned long long)(at - s->addr), len);
}

/* A byte that is drawn counts only if an instruction begins there. */
static int uniform(unsigned long n)
{
	size_t size = text_end - text_start;
	char *drawn = calloc(size, 1);

	if (!drawn || n > size / 16) {
		fprintf(stderr, "ktext: too many boundaries\n");
		return 2;
	}
	while (n) {
		uint64_t addr = text_start + rng() % size;
		const struct sym *s = symbol_of(addr);
		int len;

		if (drawn[addr - text_start] || !s || s->addr < text_start ||
		    insn_of(s, addr, &len) != addr || is_filler(s, addr))
			continue;
		drawn[addr - text_start] = 1;
		print_boundary(s, addr, len);
		n--;
	}
	return 0;
}

static int sites(unsigned long n, int boundary)
{
	while (n) {
		uint64_t addr = text_start + rng() % (text_end - text_start), at;
		const struct sym *s = symbol_of(addr);
		int len;

		if (!s || s->addr < text_start)
			continue;
		at = insn_of(s, addr, &len);
		if (!at || is_filler(s, at))
			continue;
		if (!boundary) {
			if (len < 2)
				continue;
			at += 1 + rng() % (len - 1);
		}
		print_boundary(s, at, len);
		n--;
	}
	return 0;
}

/* Prints kallsyms' first name for each address; modules' text is after the kernel's. */
static int functions(void)
{
	uint64_t last = 0;

	for (size_t i = 0; i < nsyms; i++) {
		const struct sym *s = &syms[i];
		char *tab = strchr(s->name, '\t');

		if (s->addr == last || !strncmp(s->name, "__pfx_", 6) ||
		    (!tab && (s->addr < text_start || s->addr >= text_end)))
			continue;
		last = s->addr;
		if (tab)
			*tab = ' ';
		printf("0x%llx %s\n", (unsigned long long)s->addr, s->name);
	}
	return 0;
}

/* No names: all are meant. */
static int is_meant(const char *name, char **names)
{
	char **one;

	for (one = names; *one; one++) {
		if (!strcmp(name, *one))
			return 1;
	}
	return one == names;
}

/* Bytes that cannot be decoded end their symbol; int3 is filler, even within functions. */
static int every(unsigned long n, unsigned long phase, char **names)
{
	for (size_t i = 0; n && i < nsyms; i++) {
		uint64_t at = syms[i].addr, end = i + 1 < nsyms ? syms[i + 1].addr : text_end;
		int len;

		if (at < text_start || at >= text_end || at == end || end - at > FAR)
			continue;
		if (end > text_end)
			end = text_end;
		if (!strncmp(syms[i].name, "__pfx_", 6) || !is_meant(syms[i].name, names))
			continue;
		for (; at < end; at += len) {
			len = ktext_insn_length(text + (at - text_start), text_end - at);
			if (len <= 0)
				break;
			if (text[at - text_start] == 0xcc || phase--)
				continue;
			phase = n - 1;
			print_boundary(&syms[i], at, len);
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "functions")) {
		read_symbols(ALL);
		return functions();
	}
	if (argc < 3) {
		fprintf(stderr, "usage: ktext save|diff FILE, ktext sites|uniform|inside N SEED, "
			"ktext functions, ktext every N PHASE [SYMBOL...]\n");
		return 2;
	}
	if (!strcmp(argv[1], "save") || !strcmp(argv[1], "diff")) {
		read_symbols(BOUNDS);
		read_text();
		return argv[1][0] == 's' ? save(argv[2]) : diff(argv[2]);
	}
	read_symbols(KERNEL);
	read_text();
	if (!strcmp(argv[1], "every") && argc > 3)
		return every(strtoul(argv[2], NULL, 0), strtoul(argv[3], NULL, 0), argv + 4);
	rng_state = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
	if (!rng_state)
		rng_state = 1;
	if (!strcmp(argv[1], "sites"))
		return sites(strtoul(argv[2], NULL, 0), 1);
	if (!strcmp(argv[1], "uniform"))
		return uniform(strtoul(argv[2], NULL, 0));
	if (!strcmp(argv[1], "inside"))
		return sites(strtoul(argv[2], NULL, 0), 0);
	fprintf(stderr, "ktext: what is '%s'?\n", argv[1]);
	return 2;
}
