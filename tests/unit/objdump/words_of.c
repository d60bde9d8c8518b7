// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * words_of.c - what pe_code_sees_no_words() says of functions (objdump/words).
 *
 * Lines of the input: "T ADDRESS" is code that only returns; "F ADDRESS COMPILED BYTES" is a
 * function, for which a line with 1 or 0 is printed: it sees no words, or may see some.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>

#include "arch/x86/insn/insn.h"
#include "arch/x86/insn/return_scan.h"
#include "harness.h"

struct _IO_FILE;
extern struct _IO_FILE *stdin;
char *fgets(char *s, int n, struct _IO_FILE *f);

#define MOST		4096		/* bytes of a function */
#define MOST_THUNKS	64

static unsigned long thunks[MOST_THUNKS];
static unsigned int nr_thunks;

static bool is_thunk(unsigned long addr)
{
	unsigned int i;

	for (i = 0; i < nr_thunks; i++) {
		if (thunks[i] == addr)
			return true;
	}
	return false;
}

static int hex(char c)
{
	return c >= 'a' ? c - 'a' + 10 : c - '0';
}

static void judge(char *s)
{
	static struct pe_stack_state states[MOST];
	unsigned long addr = strtoul(s, &s, 16);
	bool compiled = strtoul(s, &s, 10);
	size_t len;
	u8 *code;

	s++;
	len = strlen(s) / 2;
	if (len > MOST)
		exit(2);
	code = malloc(len);	/* of this length: ASan watches its end */
	for (size_t i = 0; i < len; i++)
		code[i] = hex(s[2 * i]) << 4 | hex(s[2 * i + 1]);
	printf("%d\n", pe_code_sees_no_words(code, len, addr, is_thunk, compiled, states));
	free(code);
}

int main(void)
{
	static char line[2 * MOST + 64];

	while (fgets(line, sizeof(line), stdin)) {
		if (line[0] == 'F')
			judge(line + 2);
		else if (nr_thunks < MOST_THUNKS)
			thunks[nr_thunks++] = strtoul(line + 2, NULL, 16);
		else
			exit(2);
	}
	return 0;
}
