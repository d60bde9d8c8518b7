// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * insn_vs_objdump.c - compare pe_insn_decode() with a listing of objdump.
 *
 *	objdump -d -z -w -M intel64 FILE | insn_vs_objdump [--random] [LABEL]
 *
 * Each line of the listing is one instruction, as objdump sees it.  The decoder gets its
 * bytes and those of the following lines.  It has to find the same length, the same target of
 * a relative branch, and the same address of a memory operand relative to rip.  objdump alone
 * decides where a line begins, so one difference does not cause others.
 *
 *   Counted, not compared: lines that say "(bad)".
 *   Joined before the comparison: an instruction that objdump prints on two lines
 *	(prefixes that have no effect), and two that it prints on one (FWAIT and the
 *	x87 instruction after it).
 *   Counted, and no difference: REX before a VEX, EVEX or XOP prefix.
 *
 * Exit status 1 if anything differs.  With --random the input is noise: differences are
 * only reported, by kind, except that a length outside 1-15 fails.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>

#include "arch/x86/insn/insn.h"
#include "harness.h"

struct _IO_FILE;
extern struct _IO_FILE *stdin;
char *fgets(char *s, int n, struct _IO_FILE *f);

#define AHEAD	32

struct line {
	unsigned long addr;
	unsigned int len;
	u8 bytes[32];
	char text[120];
};

static struct line queue[AHEAD];
static unsigned int queued;

static struct {
	unsigned long lines, compared, bad, joined, fwait, rexvector, rip, branches;
	unsigned long length, undefined, target, accepted, shown;
} count;

static bool random_input;

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "  addr:\tbytes \ttext": false for headings and empty lines. */
static bool parse_line(const char *s, struct line *l)
{
	char *end;

	memset(l, 0, sizeof(*l));
	l->addr = strtoul(s, &end, 16);
	if (end == s || end[0] != ':' || end[1] != '\t')
		return false;
	for (s = end + 2; hex(s[0]) >= 0 && hex(s[1]) >= 0; s += s[2] == ' ' ? 3 : 2) {
		if (l->len == sizeof(l->bytes))
			return false;
		l->bytes[l->len++] = hex(s[0]) << 4 | hex(s[1]);
	}
	while (*s == ' ' || *s == '\t')
		s++;
	strscpy(l->text, s, sizeof(l->text));
	return l->len;
}

static void fill(void)
{
	char buf[512];

	while (queued < AHEAD && fgets(buf, sizeof(buf), stdin))
		if (parse_line(buf, &queue[queued]))
			queued++;
}

static void drop(unsigned int n)
{
	queued -= n;
	memmove(queue, queue + n, queued * sizeof(queue[0]));
}

/* Bytes from the first line on, while the lines are adjacent: at most 15. */
static unsigned int window(u8 *bytes)
{
	unsigned int i, j, n = 0;

	for (i = 0; i < queued && n < PE_INSN_MAX; i++) {
		if (queue[i].addr != queue[0].addr + n)
			break;
		for (j = 0; j < queue[i].len && n < PE_INSN_MAX; j++)
			bytes[n++] = queue[i].bytes[j];
	}
	return n;
}

static bool is_word(const char *word, const char *text, size_t n)
{
	return strlen(word) == n && !strncmp(word, text, n);
}

/* Does the line show only prefixes? */
static bool only_prefixes(const char *text)
{
	static const char * const words[] = {
		"data16", "addr32", "lock", "repz", "repnz", "rep", "bnd", "notrack",
		"cs", "ds", "es", "ss", "fs", "gs", "xacquire", "xrelease",
	};
	unsigned int i;
	size_t n;

	for (; *text && *text != '\n'; text += n + (text[n] == ' ')) {
		n = 0;
		while (text[n] && text[n] != ' ' && text[n] != '\n')
			n++;
		if (!n) {
			text++;
			continue;
		}
		if (n >= 3 && !strncmp(text, "rex", 3))
			continue;
		for (i = 0; i < ARRAY_SIZE(words); i++)
			if (is_word(words[i], text, n))
				break;
		if (i == ARRAY_SIZE(words))
			return false;
	}
	return true;
}

static bool is_bad(const struct line *l)
{
	return strstr(l->text, "(bad)") || !strncmp(l->text, ".byte", 5);
}

static void show(const char *what, const struct pe_insn *insn, int err)
{
	unsigned int i;

	if (count.shown++ >= 20)
		return;
	printf("%s: %lx:", what, queue[0].addr);
	for (i = 0; i < queue[0].len; i++)
		printf(" %02x", queue[0].bytes[i]);
	if (err)
		printf("  error %d", err);
	else
		printf("  length %u", insn->length);
	printf("  objdump: %u  %s", queue[0].len, queue[0].text);
}

/*
 * The address in "call 1234 <symbol>", "jmp 0x1234" or "# 1234 <symbol>": the last word
 * before the symbol.
 */
static bool last_address(const char *s, unsigned long *addr)
{
	const char *end = strstr(s, " <"), *word;
	char *stop;

	if (!end)
		end = s + strlen(s);
	while (end > s && (end[-1] == '\n' || end[-1] == ' '))
		end--;
	for (word = end; word > s && word[-1] != ' '; )
		word--;
	*addr = strtoul(word, &stop, 16);
	return stop == end && stop != word;
}

static void compare_targets(const struct pe_insn *insn)
{
	unsigned long next = queue[0].addr + insn->length, addr;
	const char *hash = strstr(queue[0].text, "# ");
	bool rip = insn->flags & PE_INSN_RIP_RELATIVE;
	bool differs = rip != (strstr(queue[0].text, "(%rip)") || strstr(queue[0].text, "(%eip)"));

	if (rip && hash && last_address(hash, &addr)) {
		/* objdump forgets that a 32-bit address is zero-extended. */
		unsigned long mask = insn->prefixes & PE_PFX_ADDRSIZE ? U32_MAX : ~0UL;

		count.rip++;
		differs |= (next + insn->disp - addr) & mask;
	}
	if ((insn->flags & PE_INSN_REL_BRANCH) && last_address(queue[0].text, &addr)) {
		count.branches++;
		differs |= next + insn->imm != addr;
	}
	if (!differs)
		return;
	count.target++;
	show("target", insn, 0);
}

/* objdump shows FWAIT and an x87 instruction as one. */
static bool is_fwait_pair(const struct pe_insn *insn, const u8 *bytes, unsigned int n)
{
	struct pe_insn second;

	if (insn->opcode != 0x9b || insn->map != PE_MAP_ONE || insn->length >= n)
		return false;
	return !pe_insn_decode(&second, bytes + insn->length, n - insn->length) &&
	       insn->length + second.length == queue[0].len;
}

/* REX before VEX, EVEX or XOP: objdump shows both, every CPU raises #UD. */
static bool is_rex_vector(const u8 *bytes, unsigned int n)
{
	unsigned int i = 0;

	while (i < n && (bytes[i] & 0xf0) != 0x40)
		i++;
	return i + 1 < n && (bytes[i + 1] == 0xc4 || bytes[i + 1] == 0xc5 ||
			     bytes[i + 1] == 0x62 || bytes[i + 1] == 0x8f);
}

/*
 * Joins prefix lines with the line after them.  If the input ends first, the line stays
 * prefixes only; the comparison handles it.
 */
static void join_prefixes(void)
{
	while (queued > 1 && only_prefixes(queue[0].text) &&
	       queue[1].addr == queue[0].addr + queue[0].len &&
	       queue[0].len + queue[1].len <= sizeof(queue[0].bytes)) {
		memmove(queue[1].bytes + queue[0].len, queue[1].bytes, queue[1].len);
		memcpy(queue[1].bytes, queue[0].bytes, queue[0].len);
		queue[1].len += queue[0].len;
		queue[1].addr = queue[0].addr;
		count.joined++;
		drop(1);
		fill();
	}
}

static void compare_first(u8 *const exact[])
{
	u8 bytes[PE_INSN_MAX];
	struct pe_insn insn;
	unsigned int n;
	int err;

	count.lines++;
	join_prefixes();
	n = window(bytes);
	memcpy(exact[n], bytes, n);		/* heap block of n bytes: ASan watches its end */
	err = pe_insn_decode(&insn, exact[n], n);
	if (!err && (insn.length < 1 || insn.length > n)) {
		show("impossible", &insn, 0);
		exit(2);
	}
	if (is_bad(&queue[0])) {
		count.bad++;
		if (!err)
			count.accepted++;
		return;
	}
	if (err == -ENODATA && n < PE_INSN_MAX && random_input)
		return;				/* cut off by the end of the input */
	count.compared++;
	if (err == -EINVAL && is_rex_vector(bytes, n)) {
		count.rexvector++;
	} else if (err) {
		count.undefined++;
		show("undefined", &insn, err);
	} else if (insn.length == queue[0].len) {
		compare_targets(&insn);
	} else if (is_fwait_pair(&insn, bytes, n)) {
		count.fwait++;
	} else {
		count.length++;
		show("length", &insn, 0);
	}
}

int main(int argc, char **argv)
{
	const char *label = "listing";
	u8 *exact[PE_INSN_MAX + 1];
	unsigned int i;

	for (i = 1; i < (unsigned int)argc; i++) {
		if (!strcmp(argv[i], "--random"))
			random_input = true;
		else
			label = argv[i];
	}
	for (i = 0; i <= PE_INSN_MAX; i++)
		exact[i] = malloc(i);
	fill();
	while (queued) {
		compare_first(exact);
		drop(1);
		fill();
	}
	for (i = 0; i <= PE_INSN_MAX; i++)
		free(exact[i]);
	printf("%s: %lu instructions compared (%lu rip operands, %lu branch targets), %lu lines joined, %lu with fwait, %lu REX before VEX, %lu (bad)\n",
	       label, count.compared, count.rip, count.branches, count.joined, count.fwait,
	       count.rexvector, count.bad);
	printf("%s: %lu lengths differ, %lu targets differ, %lu undefined here only, %lu of the (bad) defined here\n",
	       label, count.length, count.target, count.undefined, count.accepted);
	if (!count.compared) {
		printf("%s: nothing to compare\n", label);
		return 2;
	}
	return !random_input && (count.length || count.target || count.undefined);
}
