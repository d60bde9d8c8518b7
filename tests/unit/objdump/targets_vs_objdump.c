// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * targets_vs_objdump.c - compare what is found to lead into windows with a listing of objdump.
 *
 *	{ sed 's/^/S /' System.map; objdump -d -z -w -M intel64 FILE; } | targets_vs_objdump [STEP]
 *
 * "S ADDRESS TYPE NAME" is a symbol; all other lines are objdump's.  The text is what is between
 * _stext and _etext.  objdump alone says which branches there are and where they lead.
 *
 *   - Each target of a branch with a 32-bit distance has a mark of pe_targets_scan().
 *   - A window that pe_window_measure() accepts and that nothing is found to lead into has no
 *	target of any branch in it, after its first byte; and it ends where objdump begins an
 *	instruction.  Every STEP-th instruction of the text is tried (default 13).
 *   - The same of windows for short jumps, and of padding that may be an island, in every STEP-th
 *	function.
 *   - pe_ways_scan() finds the indirect jumps that objdump finds, one function at a time, or says
 *	that it does not understand the function.
 *
 * Prints the share of windows that are accepted, and why others are not.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>

#include "arch/x86/emit/detour.h"
#include "arch/x86/insn/insn_check.h"
#include "arch/x86/insn/targets.h"
#include "harness.h"

struct _IO_FILE;
extern struct _IO_FILE *stdin;
char *fgets(char *s, int n, struct _IO_FILE *f);
void qsort(void *base, unsigned long n, unsigned long size, int (*cmp)(const void *, const void *));

#define CHUNK		4096
#define MAX_SYMS	400000

static unsigned long syms[MAX_SYMS];
static unsigned int nr_syms;
static unsigned long start, end;
static u8 *text, *begins;		/* a byte of @begins for each byte of @text */
static struct pe_targets ours, theirs, far;	/* @far: of branches with 32 bits */
static struct pe_targets indirect_ours, indirect_theirs;	/* where indirect jumps are */
static unsigned int step = 13;

enum { TRIED, ACCEPTED, NO_PROBE, SHAPE, FAR, NEAR, INDIRECT, UNKNOWN, SHORT, ISLANDS, NR_COUNTS };
static const char * const count_names[] = {
	"tried", "accepted", "cannot be probed", "shape", "entered from afar",
	"entered from nearby", "indirect jump in the function", "not understood",
	"of these, a short jump fits", "places for islands",
};
static unsigned long count[NR_COUNTS], far_branches, marks, failures;

static int by_value(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;

	return x < y ? -1 : x > y;
}

static void add_symbol(const char *line)
{
	char *rest;
	unsigned long addr = strtoul(line, &rest, 16);

	if (!strcmp(rest, " T _stext\n") || !strcmp(rest, " t _stext\n"))
		start = addr;
	if (!strcmp(rest, " T _etext\n"))
		end = addr;
	if (strchr("tTwW", rest[1]) && nr_syms < MAX_SYMS)
		syms[nr_syms++] = addr;
}

static void fail(const char *what, unsigned long addr)
{
	if (failures++ < 20)
		printf("%s at %lx\n", what, addr);
}

static struct pe_targets no_targets(void)
{
	return (struct pe_targets){ start, end, calloc(1, pe_targets_bytes(start, end)) };
}

static void begin_text(void)
{
	unsigned int i, n = 0;

	if (!start || end <= start) {
		printf("no _stext and _etext\n");
		exit(2);
	}
	qsort(syms, nr_syms, sizeof(syms[0]), by_value);
	for (i = 0; i < nr_syms; i++) {
		if (syms[i] >= start && syms[i] < end && (!n || syms[n - 1] != syms[i]))
			syms[n++] = syms[i];
	}
	nr_syms = n;
	text = calloc(1, end - start);
	begins = calloc(1, end - start);
	ours = no_targets();
	far = no_targets();
	theirs = no_targets();
	indirect_ours = no_targets();
	indirect_theirs = no_targets();
}

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The target in "jne    ffffffff81000010 <symbol>"; 0: this is no direct branch. */
static unsigned long target_of(const char *s)
{
	static const char * const words[] = { "j", "call ", "loop", "xbegin" };
	unsigned long target;
	unsigned int i;
	char *stop;

	while (!strncmp(s, "bnd ", 4) || !strncmp(s, "cs ", 3) || !strncmp(s, "ds ", 3) ||
	       !strncmp(s, "addr32 ", 7) || !strncmp(s, "data16 ", 7) || !strncmp(s, "notrack ", 8))
		s = strchr(s, ' ') + 1;
	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (!strncmp(s, words[i], strlen(words[i])))
			break;
	}
	if (i == ARRAY_SIZE(words))
		return 0;
	while (*s && *s != ' ' && *s != ',')
		s++;
	if (*s == ',')		/* "jne,pn" */
		while (*s && *s != ' ')
			s++;
	while (*s == ' ')
		s++;
	if (hex(*s) < 0)
		return 0;
	target = strtoul(s, &stop, 16);
	return *stop == ' ' || *stop == '\n' || !*stop ? target : 0;
}

static void add_line(const char *s)
{
	unsigned int len = 0;
	unsigned long addr, target;
	char *p;

	addr = strtoul(s, &p, 16);
	if (p == s || p[0] != ':' || p[1] != '\t' || addr < start || addr >= end)
		return;
	begins[addr - start] = 1;
	for (s = p + 2; hex(s[0]) >= 0 && hex(s[1]) >= 0; s += s[2] == ' ' ? 3 : 2) {
		if (addr + len < end)
			text[addr - start + len] = hex(s[0]) << 4 | hex(s[1]);
		len++;
	}
	while (*s == ' ' || *s == '\t')
		s++;
	target = target_of(s);
	if (target) {
		pe_targets_mark(&theirs, target);
		if (len >= 5 && target >= start && target < end) {
			far_branches++;
			pe_targets_mark(&far, target);
		}
	}
	if (strstr(s, "jmp    *") || strstr(s, "jmp *") || strstr(s, "ljmp   *"))
		pe_targets_mark(&indirect_theirs, addr);
}

static void scan_far(void)
{
	unsigned long at, size;

	for (at = start; at < end; at += size) {
		size = min_t(unsigned long, CHUNK, end - at);
		pe_targets_scan(&ours, text + (at - start), size,
				min_t(unsigned long, size + PE_TARGETS_AHEAD, end - at), at);
	}
	for (at = start; at < end; at++)
		marks += pe_targets_any(&ours, at, at + 1);
}

/* All of objdump's targets of branches with a 32-bit distance are marked. */
static void compare_far(void)
{
	unsigned long at;

	for (at = start; at < end; at++) {
		if (pe_targets_any(&far, at, at + 1) && !pe_targets_any(&ours, at, at + 1))
			fail("a target without a mark", at);
	}
}

/* The function that holds an address: what the kernel's symbol table would say. */
static unsigned int function_of(unsigned long addr)
{
	unsigned int lo = 0, hi = nr_syms;

	while (lo < hi) {
		unsigned int mid = (lo + hi) / 2;

		if (syms[mid] <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? lo - 1 : 0;
}

static unsigned long function_end(unsigned int i)
{
	return i + 1 < nr_syms ? syms[i + 1] : end;
}

static unsigned int ways_into(unsigned long addr, unsigned int len, unsigned int self)
{
	unsigned int first = function_of(addr - PE_SHORT_FORWARD - PE_INSN_MAX), i, ways = 0, w;
	unsigned long size, most;

	for (i = first; i < nr_syms && syms[i] < addr + len + PE_SHORT_BACK; i++) {
		size = function_end(i) - syms[i];
		most = i == self ? size : min_t(unsigned long, size, addr + len + PE_SHORT_BACK - syms[i]);
		w = pe_ways_scan(text + (syms[i] - start), most, size, syms[i], addr + 1, addr + len);
		ways |= i == self ? w : w & ~PE_WAYS_INDIRECT;
	}
	return ways;
}

/* No branch of objdump's enters the window, and its instructions are objdump's. */
static void compare_window(unsigned long addr, const struct pe_window *w)
{
	unsigned long off = addr - start, at;
	unsigned int i;
	bool mine;

	if (pe_targets_any(&theirs, addr + 1, addr + w->length))
		fail("a window that a branch enters", addr);
	/* In padding any byte may begin one. */
	for (at = off; at < off + w->padding; at++) {
		mine = false;
		for (i = 0; i < w->nr; i++)
			mine |= off + w->off[i] == at;
		if (mine != begins[at] && text[at] != 0x9b)
			fail("a window of other instructions", addr);
	}
}

/* Why there is no jump of @size bytes; or ACCEPTED. */
static unsigned int try_jump(unsigned long addr, unsigned int self, unsigned int size)
{
	unsigned long off = addr - start, avail = function_end(self) - addr;
	struct pe_window w;
	unsigned int ways;
	const char *why;

	if (pe_window_measure(&w, text + off, avail, size, &why))
		return SHAPE;
	if (pe_targets_any(&ours, addr + 1, addr + w.length))
		return FAR;
	ways = ways_into(addr, w.length, self);
	if (ways & PE_WAYS_UNKNOWN)
		return UNKNOWN;
	if (ways & PE_WAYS_INTO)
		return NEAR;
	compare_window(addr, &w);
	return ways & PE_WAYS_INDIRECT ? INDIRECT : ACCEPTED;
}

static void try_window(unsigned long addr, unsigned int self)
{
	unsigned long off = addr - start, avail = function_end(self) - addr;
	struct pe_insn_class cls;
	struct pe_insn insn;
	unsigned int result;

	pe_insn_decode(&insn, text + off, min_t(size_t, PE_INSN_MAX, avail));
	pe_insn_classify(&insn, text + off, avail, &cls);
	if (cls.kind == PE_INSN_REFUSE) {
		count[NO_PROBE]++;
		return;
	}
	count[TRIED]++;
	result = try_jump(addr, self, PE_JMP32_SIZE);
	count[result]++;
	if (result != ACCEPTED && try_jump(addr, self, PE_JMP8_SIZE) == ACCEPTED)
		count[SHORT]++;
}

/* No branch of objdump's leads to padding that may be an island. */
static void try_padding(unsigned int self)
{
	const u8 *code = text + (syms[self] - start);
	size_t size = function_end(self) - syms[self], off = 0, len, at;
	unsigned long addr;

	while ((len = pe_padding_next(code, size, &off, &at))) {
		for (; len >= PE_JMP32_SIZE; at += PE_JMP32_SIZE, len -= PE_JMP32_SIZE) {
			addr = syms[self] + at;
			if (pe_targets_any(&ours, addr, addr + PE_JMP32_SIZE) ||
			    (ways_into(addr - 1, PE_JMP32_SIZE + 1, self) &
			     (PE_WAYS_UNKNOWN | PE_WAYS_INTO)))
				continue;
			count[ISLANDS]++;
			if (pe_targets_any(&theirs, addr, addr + PE_JMP32_SIZE))
				fail("padding that a branch leads to", addr);
		}
	}
}

static void note_indirect(unsigned long addr, unsigned int len)
{
	if (pe_ways_scan(text + (addr - start), len, len, addr, 0, 0) & PE_WAYS_INDIRECT)
		pe_targets_mark(&indirect_ours, addr);
}

/* 32-bit code of the boot, for one: no window is accepted in such a function. */
static void not_understood(unsigned long from, unsigned long to)
{
	for (; from < to; from++) {
		if (pe_targets_any(&indirect_theirs, from, from + 1))
			pe_targets_mark(&indirect_ours, from);
	}
}

static unsigned long compare_indirect(void)
{
	unsigned long at, n = 0;

	for (at = start; at < end; at++) {
		n += pe_targets_any(&indirect_theirs, at, at + 1);
		if (pe_targets_any(&indirect_theirs, at, at + 1) !=
		    pe_targets_any(&indirect_ours, at, at + 1))
			fail("an indirect jump that one does not see", at);
	}
	return n;
}

static void scan_functions(void)
{
	struct pe_insn insn;
	unsigned int i, phase = pe_test_seed() % step;
	size_t off, size, before;

	for (i = 0; i < nr_syms; i++) {
		off = 0;
		size = function_end(i) - syms[i];
		if (i % step == 0)
			try_padding(i);
		while (off < size) {
			before = off;
			if (pe_insn_next(&insn, text + (syms[i] - start), size, &off) <= 0) {
				not_understood(syms[i] + before, syms[i] + size);
				break;
			}
			note_indirect(syms[i] + before, insn.length);
			if (text[syms[i] - start + before] == 0xcc || phase++ % step)
				continue;
			if (begins[syms[i] - start + before])
				try_window(syms[i] + before, i);
		}
	}
}

int main(int argc, char **argv)
{
	unsigned long indirect;
	unsigned int i;
	char buf[1024];

	if (argc > 1)
		step = strtoul(argv[1], NULL, 0);
	while (fgets(buf, sizeof(buf), stdin)) {
		if (buf[0] == 'S' && buf[1] == ' ') {
			add_symbol(buf + 2);
			continue;
		}
		if (!text)
			begin_text();
		add_line(buf);
	}
	if (!text)
		begin_text();
	scan_far();
	compare_far();
	scan_functions();
	indirect = compare_indirect();
	printf("# %lu bytes, %u symbols, %lu far branches, %lu marks, %lu indirect jumps\n",
	       end - start, nr_syms, far_branches, marks, indirect);
	for (i = 0; i < NR_COUNTS; i++)
		printf("# %-30s %8lu %5lu.%lu %%\n", count_names[i], count[i],
		       count[i] * 100 / (count[TRIED] ?: 1), count[i] * 1000 / (count[TRIED] ?: 1) % 10);
	printf("# %lu failures\n", failures);
	return failures || !count[ACCEPTED] || !far_branches;
}
