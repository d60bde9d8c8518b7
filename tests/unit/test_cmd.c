// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* Heads of commands, and every command of tests/data/bad_commands.txt. */
#include <linux/errno.h>
#include "harness.h"
#include "kernel/trace/parse/lex.h"
#include "kernel/trace/parse/limits.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/parse/spec.h"
#include "table.h"

static struct pe_spec spec;
static struct pe_placed placed;
static struct pe_parse_err err;
static struct table table;
static char joined[PE_MAX_COMMAND_LEN + PE_MAX_DENTRY_TEXT + 1];

static int parse_at(const char *text, bool on_entry)
{
	struct pe_parse_env env = {
		.dentry_name_off = 0x28,
		.file_dentry_off = 0x48,
	};
	int ret;

	memset(&err, 0, sizeof(err));
	memset(&spec, 0xa5, sizeof(spec));	/* as memory that was used before */
	memset(&placed, 0xa5, sizeof(placed));
	ret = pe_cmd_parse(&spec, text, &placed, &err);
	if (ret || spec.cmd == PE_CMD_DELETE)
		return ret;
	env.on_entry = on_entry || (!strcmp(spec.place.symbol, "vfs_read") && !spec.place.offset);
	return pe_args_parse(&placed, &env, &err);
}

/* Tells the parser, like the event layer, that vfs_read is a function's entry. */
static int parse(const char *text)
{
	return parse_at(text, false);
}

static int parse_on_entry(const char *text)
{
	return parse_at(text, true);
}

static const struct {
	const char *name;
	int value;
} errnos[] = {
	{ "EINVAL", EINVAL }, { "ENOENT", ENOENT }, { "E2BIG", E2BIG },
	{ "ERANGE", ERANGE }, { "EOPNOTSUPP", EOPNOTSUPP },
	{ "ENOMEM", ENOMEM }, { "EILSEQ", EILSEQ },
};

static int errno_value(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(errnos); i++)
		if (!strcmp(errnos[i].name, name))
			return -errnos[i].value;
	return 1;
}

static enum pe_parse_errno code_value(const char *name, size_t len)
{
	static const char *const names[] = {
#define X(code, text) #code,
		PE_PARSE_ERRORS(X)
#undef X
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i]) == len && !memcmp(names[i], name, len))
			return i;
	return PE_NR_PARSE_ERRORS;
}

static void check_bad(void)
{
	static char text[sizeof(table.text)];
	char *code = table.col[2], *at = strchr(code, '@');
	enum pe_parse_errno want_code = PE_ERR_NONE;
	int want, want_pos, ret;

	table_decode(table.col[3], text, &want_pos);
	if (at)
		want_pos = strtoul(at + 1, NULL, 10);
	want = errno_value(table.col[1]);
	if (strcmp(code, "-"))
		want_code = code_value(code, at ? at - code : strlen(code));
	EXPECT(want <= 0);
	EXPECT(want_code != PE_NR_PARSE_ERRORS);
	EXPECT((want_code == PE_ERR_NONE) == (want_pos < 0));

	ret = parse(text);
	if (!strcmp(table.col[0], "e")) {
		/* The parser accepts the address; otherwise its error would have come first. */
		if (ret && want_code == PE_ERR_BAD_PROBE_ADDR)
			EXPECT(spec.place_off == want_pos);
		else
			EXPECT_EQ(ret, 0);
		return;
	}
	if (ret == want && err.code == want_code &&
	    (want_pos < 0 || err.pos == want_pos))
		return;
	printf("%s:%u: %s: %d \"%s\" at %u\n", table.path, table.line, text, ret,
	       pe_parse_err_text(err.code), err.pos);
	pe_test_failures++;
}

static void bad_commands(void)
{
	unsigned int n = 0;

	if (table_open(&table, "../data/bad_commands.txt"))
		return;
	while (table_next(&table)) {
		check_bad();
		n++;
	}
	printf("# %u refused commands\n", n);
	EXPECT(n >= 500);
}

static void heads(void)
{
	static const struct {
		const char *text, *group, *event, *symbol;
		enum pe_cmd cmd;
		unsigned int maxactive;
		unsigned long offset, addr;
	} t[] = {
		{ "p f", "", "", "f", PE_CMD_PROBE },
		{ "p:e f+0x10", "", "e", "f", PE_CMD_PROBE, .offset = 16 },
		{ "p:g/e f", "g", "e", "f" },
		{ "p:g.e f", "g", "e", "f" },
		{ "p:g/ f", "g", "", "f" },
		{ "p:g-1/e_2 m:f+8", "g-1", "e_2", "m:f", .offset = 8 },
		{ "p:e 0xffffffff81000000", "", "e", "",
		  .addr = 0xffffffff81000000 },
		{ "p 010", "", "", "", .addr = 8 },
		{ "p +5", "", "", "", .addr = 5 },
		{ "p f-0", "", "", "f" },
		{ "p f+4294967295", "", "", "f", .offset = 4294967295 },
		{ "r f", "", "", "f", PE_CMD_RETURN },
		{ "r0x10:e f", "", "e", "f", PE_CMD_RETURN, 16 },
		{ "r4096 f", "", "", "f", PE_CMD_RETURN, 4096 },
		{ "p:e f%return", "", "e", "f", PE_CMD_RETURN },
		{ "p:e f+0%return", "", "e", "f", PE_CMD_RETURN },
		{ "probe:e f", "", "e", "f", PE_CMD_PROBE },
		{ " \tp\v:e", "", "", ":e", PE_CMD_PROBE },
		{ "-:e", "", "e", "", PE_CMD_DELETE },
		{ "-:g/", "g", "", "", PE_CMD_DELETE },
		{ "-:g/e", "g", "e", "", PE_CMD_DELETE },
		{ "-:g.e", "", "g.e", "", PE_CMD_DELETE },
		{ "!p:g/e f a=b", "g", "e", "", PE_CMD_DELETE },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		EXPECT_EQ(parse(t[i].text), 0);
		EXPECT_EQ(err.code, PE_ERR_NONE);
		EXPECT_EQ(spec.cmd, t[i].cmd);
		EXPECT_STR(spec.group, t[i].group);
		EXPECT_STR(spec.event, t[i].event);
		EXPECT_STR(spec.place.symbol, t[i].symbol);
		EXPECT_EQ(spec.maxactive, t[i].maxactive);
		EXPECT_EQ(spec.place.offset, t[i].offset);
		EXPECT_EQ(spec.place.addr, t[i].addr);
		EXPECT_EQ(spec.bang, t[i].text[0] == '!');
	}
}

/* Functions and patterns; and what makes them return probes. */
static void functions(void)
{
	static const struct {
		const char *text, *symbol, *name;
		enum pe_cmd cmd;
		bool pattern;
	} t[] = {
		{ "f vfs_read", "vfs_read", "vfs_read__entry", PE_CMD_PROBE },
		{ "f:g/e vfs_read%return", "vfs_read", "vfs_read__exit", PE_CMD_RETURN },
		{ "f5 vfs_read%return", "vfs_read", "vfs_read__exit", PE_CMD_RETURN },
		{ "f vfs_read a=%di $retval", "vfs_read", "vfs_read__exit", PE_CMD_RETURN },
		{ "f vfs_read a=+0($retval):u8", "vfs_read", "vfs_read__exit", PE_CMD_RETURN },
		{ "f tcp_*", "tcp_*", "tcp____entry", PE_CMD_PROBE, true },
		{ "f m:a-[a-c]?", "m:a-[a-c]?", "m_a__a_c____entry", PE_CMD_PROBE, true },
		{ "f vfs_read+4", "vfs_read+4", "vfs_read_4__entry", PE_CMD_PROBE },
		{ "f 0x10", "0x10", "_0x10__entry", PE_CMD_PROBE },
		{ "f 9p_*%return", "9p_*", "_9p____exit", PE_CMD_RETURN, true },
		{ "f *'^\xe9", "*'^\xe9", "______entry", PE_CMD_PROBE, true },
	};
	char name[PE_MAX_EVENT_NAME_LEN];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		EXPECT_EQ(parse(t[i].text), 0);
		EXPECT(spec.fprobe);
		EXPECT_EQ(spec.cmd, t[i].cmd);
		EXPECT_STR(spec.place.symbol, t[i].symbol);
		EXPECT_STR(pe_spec_default_group(&spec), "fprobes");
		EXPECT_EQ(pe_place_is_pattern(&placed), t[i].pattern);
		pe_placed_default_name(&placed, name);
		EXPECT_STR(name, t[i].name);
	}
	EXPECT_EQ(parse("f5 vfs_read"), -EINVAL);
	EXPECT_EQ(err.code, PE_ERR_BAD_MAXACT_TYPE);
	EXPECT_EQ(parse("f0 vfs_read"), -EINVAL);
	EXPECT_EQ(err.code, PE_ERR_BAD_MAXACT);
	EXPECT_EQ(parse("f vfs_read%exit"), -EINVAL);
	EXPECT_EQ(err.code, PE_ERR_BAD_ADDR_SUFFIX);
	EXPECT_EQ(err.pos, 10);
	EXPECT_EQ(parse("f vfs_read $retvalx"), -EINVAL);
	EXPECT_EQ(err.code, PE_ERR_RETVAL_ON_PROBE);
	EXPECT_EQ(parse("p vfs_rea[d]"), 0);
	EXPECT(!spec.fprobe && !pe_place_is_pattern(&placed));
}

static void tracepoints(void)
{
	static const struct {
		const char *text, *symbol, *name;
	} t[] = {
		{ "t sched_switch", "sched_switch", "sched_switch" },
		{ "t:g/e kfree a=$arg1", "kfree", "kfree" },
		{ "tracepoint:g/ 9lives %di", "9lives", "_9lives" },
		{ "t a123456789012345678901234567890123456789012345678901234567890123",
		  "a123456789012345678901234567890123456789012345678901234567890123",
		  "a12345678901234567890123456789012345678901234567890123456789012" },
	};
	static const struct {
		const char *text;
		enum pe_parse_errno code;
		unsigned int pos;
	} bad[] = {
		{ "t5 kfree", PE_ERR_BAD_MAXACT_TYPE, 1 },
		{ "t0 kfree", PE_ERR_BAD_MAXACT, 1 },
		{ "t5000 kfree", PE_ERR_MAXACT_TOO_BIG, 1 },
		{ "t:e kfree%return", PE_ERR_BAD_ADDR_SUFFIX, 9 },
		{ "t k-%", PE_ERR_BAD_ADDR_SUFFIX, 4 },
		{ "t kfree|kmalloc", PE_ERR_BAD_TP_NAME, 7 },
		{ "t m:kfree", PE_ERR_BAD_TP_NAME, 3 },
		{ "t5 kfree $retval", PE_ERR_RETVAL_ON_PROBE, 9 },
		{ "t kfree  %di a=+0($retval):u8", PE_ERR_RETVAL_ON_PROBE, 17 },
		{ "t kfree $retvalx", PE_ERR_RETVAL_ON_PROBE, 8 },
		{ "t:/x kfree", PE_ERR_NO_GROUP_NAME, 2 },
		{ "t:g/9 kfree", PE_ERR_BAD_EVENT_NAME, 4 },
	};
	static char text[PE_MAX_SYMBOL_LEN + 3];
	char name[PE_MAX_EVENT_NAME_LEN];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		EXPECT_EQ(parse_on_entry(t[i].text), 0);
		EXPECT(spec.tpoint && spec.fprobe && !pe_place_is_pattern(&placed));
		EXPECT_EQ(spec.cmd, PE_CMD_PROBE);
		EXPECT_STR(spec.place.symbol, t[i].symbol);
		EXPECT_STR(pe_spec_default_group(&spec), "tracepoints");
		pe_placed_default_name(&placed, name);
		EXPECT_STR(name, t[i].name);
		EXPECT(!pe_place_next(&placed));
		EXPECT_STR(placed.place.symbol, t[i].symbol);
	}
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(parse_on_entry(bad[i].text), -EINVAL);
		EXPECT_EQ(err.code, bad[i].code);
		EXPECT_EQ(err.pos, bad[i].pos);
	}
	EXPECT_EQ(parse("t"), -EINVAL);
	EXPECT_EQ(parse("t:x"), -EINVAL);
	EXPECT_EQ(err.code, PE_ERR_NONE);
	EXPECT_EQ(parse("f vfs_read"), 0);
	EXPECT(!spec.tpoint);

	/* The name fills the room that there is for it, or does not fit. */
	memset(text, 'a', sizeof(text) - 1);
	memcpy(text, "t ", 2);
	EXPECT_EQ(parse_on_entry(text), -EINVAL);
	EXPECT_EQ(err.code, PE_ERR_NO_TRACEPOINT);
	EXPECT_EQ(err.pos, 2);
	text[sizeof(text) - 2] = 0;
	EXPECT_EQ(parse_on_entry(text), 0);
}

static void alternatives(void)
{
	const struct pe_place *place = &placed.place;
	struct pe_parse_env env = { .on_entry = true };

	EXPECT_EQ(parse("p:e a|m:b+0x10|c-0%return"), 0);
	EXPECT_EQ(spec.cmd, PE_CMD_RETURN);
	EXPECT_STR(place->symbol, "a");
	EXPECT(pe_place_next(&placed));
	EXPECT_STR(place->symbol, "m:b");
	EXPECT_EQ(place->offset, 16);
	EXPECT(pe_place_next(&placed));
	EXPECT_STR(place->symbol, "c");
	EXPECT_EQ(place->offset, 0);
	EXPECT(!pe_place_next(&placed));
	EXPECT_STR(place->symbol, "c");
	EXPECT_STR(spec.place.symbol, "a");

	/* Arguments are parsed anew for each, from the words as they were typed in. */
	EXPECT_EQ(parse("p:e b|vfs_read x=%di:%pd $arg1"), -EINVAL);
	EXPECT_EQ(parse("p:e vfs_read|b x=%di:%pd $arg1"), 0);
	EXPECT(!spec.words[2].in_pool && placed.words[2].in_pool && placed.shown);
	EXPECT_STR(placed.args[0].expr, "+0x0(+0x28(%di)):string");
	EXPECT(pe_place_next(&placed));
	env.dentry_name_off = 0x30;
	EXPECT_EQ(pe_args_parse(&placed, &env, &err), 0);
	EXPECT_STR(placed.args[0].expr, "+0x0(+0x30(%di)):string");
	EXPECT_EQ(placed.nargs, 2);
	pe_placed_join(&placed, joined, sizeof(joined));
	EXPECT_STR(joined, "p:e vfs_read|b x=+0x0(+0x30(%di)):string $arg1");

	/* Those that are not taken have to be good, too. */
	EXPECT_EQ(parse("p:e vfs_read|"), -EINVAL);
	EXPECT_EQ(err.code, PE_ERR_BAD_PROBE_ADDR);
	EXPECT_EQ(err.pos, 4);
	EXPECT_EQ(parse("p:e |vfs_read"), -EINVAL);
	EXPECT_EQ(parse("p:e vfs_read||b"), -EINVAL);
	EXPECT_EQ(parse("p:e vfs_read|b+x"), -EINVAL);
	EXPECT_EQ(parse("p:e a%return|b"), -EINVAL);
	EXPECT_EQ(err.code, PE_ERR_BAD_ADDR_SUFFIX);
}

/* The kernel looks the symbol up before it looks at the names. */
static void names_are_told_late(void)
{
	memset(&err, 0, sizeof(err));
	EXPECT_EQ(pe_cmd_parse(&spec, "p:/x nosuch", &placed, &err), 0);
	EXPECT_EQ(spec.place_off, 5);
	EXPECT_EQ(parse("p:/x nosuch"), -EINVAL);
	EXPECT_EQ(err.code, PE_ERR_NO_GROUP_NAME);
	EXPECT_EQ(err.pos, 2);
}

static void default_names(void)
{
	static const char *const t[][2] = {
		{ "p vfs_read", "p_vfs_read_0" },
		{ "p vfs_read+0x10", "p_vfs_read_16" },
		{ "r5 vfs_read", "r_vfs_read_0" },
		{ "p f%return", "r_f_0" },
		{ "p mod:f.isra.0+4", "p_mod_f_isra_0_4" },
		{ "p m:a$b^c\xe9", "p_m_a_b_c__0" },
		{ "p 0xffffffff81234567", "p_0x000000007edcba98" },
		{ "r 0x10", "r_0x00000000ffffffef" },
		{ "p a123456789012345678901234567890123456789012345678901234567890123",
		  "p_a123456789012345678901234567890123456789012345678901234567890" },
	};
	char name[PE_MAX_EVENT_NAME_LEN];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		EXPECT_EQ(parse(t[i][0]), 0);
		pe_placed_default_name(&placed, name);
		EXPECT_STR(name, t[i][1]);
	}
}

static void columns(void)
{
	EXPECT_EQ(parse("  p:e \t vfs_read   a=%di  b=%si:%pd\tc=%dx "), 0);
	EXPECT_EQ(spec.place_off, 4);
	EXPECT_EQ(placed.args[0].text_off, 13);
	EXPECT_EQ(placed.args[1].text_off, 19);
	EXPECT_EQ(placed.args[2].text_off, 45);
	EXPECT_EQ(pe_placed_join(&placed, joined, sizeof(joined)), 50);
	EXPECT_STR(joined,
		   "p:e vfs_read a=%di b=+0x0(+0x28(%si)):string c=%dx");
}

static void joins(void)
{
	static char text[PE_MAX_COMMAND_LEN + 2];
	char small[8];
	unsigned int i;

	EXPECT_EQ(parse("p vfs_read a"), -EOPNOTSUPP);
	EXPECT_EQ(pe_placed_join(&placed, small, sizeof(small)), 7);
	EXPECT_STR(small, "p vfs_r");

	/* more words than are kept */
	memcpy(text, "p f", 3);
	for (i = 3; i < PE_MAX_COMMAND_LEN; i++)
		text[i] = i & 1 ? ' ' : 'x';
	text[i - 1] = 'x';
	EXPECT_EQ(parse(text), -E2BIG);
	EXPECT_EQ(err.code, PE_ERR_NONE);
	EXPECT_EQ(pe_placed_join(&placed, joined, sizeof(joined)), PE_MAX_COMMAND_LEN);
	EXPECT_STR(joined, text);

	/* one too long, and blank ones */
	text[PE_MAX_COMMAND_LEN] = 'x';
	EXPECT_EQ(parse(text), -EINVAL);
	EXPECT_EQ(parse(""), -EINVAL);
	EXPECT_EQ(parse(" \t\n"), -EINVAL);
}

static void deletes(void)
{
	static const struct {
		const char *text;
		bool matches, returns;
	} t[] = {
		{ "-:e", true },
		{ "-:e vfs_read+16", true },
		{ "-:e vfs_read", false },
		{ "-:e vfs_read+0x10", false },
		{ "-:e vfs_read+16 a=%di", true },
		{ "-:e vfs_read+16 a=%di b=+8(%si):u8", true },
		{ "-:e vfs_read+16 b=+8(%si):u8", false },
		{ "-:e vfs_read+16 a=%d", false },
		{ "-:e vfs_read+16 a=%dii", false },
		{ "-:e vfs_read+16 a", false },
		{ "-:e vfs_read+16 aa=%di", false },
		{ "-:e vfs_read+16 a=%di b=+8(%si):u8 c=%dx", false },
		{ "-:e vfs_read+16%return", false },
		{ "-:e vfs_read+16%return", true, true },
		{ "-:e vfs_read+16%return a=%di", true, true },
		{ "-:e vfs_read+16", true, true },
		{ "-:e vfs_read+16%returns", false, true },
		{ "-:e vfs_read%return", false, true },
	};
	static struct pe_placed probe;
	unsigned int i;

	EXPECT_EQ(parse("p:e vfs_read+16 a=%di b=+8(%si):u8"), 0);
	probe = placed;
	probe.args[0].expr = "%di";
	probe.args[1].expr = "+8(%si):u8";
	for (i = 0; i < ARRAY_SIZE(t); i++) {
		EXPECT_EQ(parse(t[i].text), 0);
		EXPECT_EQ(pe_spec_matches(&spec, "vfs_read+16", t[i].returns, probe.args,
					  probe.nargs), t[i].matches);
	}
}

static void numbers(void)
{
	static const struct {
		const char *text;
		unsigned int base;
		int ret, sret;
		u64 val;
	} t[] = {
		{ "0", 0, 0, 0, 0 }, { "00", 0, 0, 0, 0 }, { "010", 0, 0, 0, 8 },
		{ "010", 10, 0, 0, 10 }, { "0x10", 0, 0, 0, 16 },
		{ "0XaF", 0, 0, 0, 0xaf }, { "0x10", 10, -EINVAL, -EINVAL },
		{ "0x", 0, -EINVAL, -EINVAL }, { "0xg", 0, -EINVAL, -EINVAL },
		{ "08", 0, -EINVAL, -EINVAL }, { "", 0, -EINVAL, -EINVAL },
		{ "+", 0, -EINVAL, -EINVAL }, { "-", 0, -EINVAL, -EINVAL },
		{ "+1", 0, 0, 0, 1 }, { "-1", 0, -EINVAL, 0, -1ULL },
		{ "-0", 0, -EINVAL, 0, 0 }, { "--1", 0, -EINVAL, -EINVAL },
		{ "-+1", 0, -EINVAL, -EINVAL }, { "++1", 0, -EINVAL, -EINVAL },
		{ "1 ", 0, -EINVAL, -EINVAL }, { "1x", 0, -EINVAL, -EINVAL },
		{ "9223372036854775807", 0, 0, 0, ~0ULL >> 1 },
		{ "9223372036854775808", 0, 0, -ERANGE, 1ULL << 63 },
		{ "-9223372036854775808", 0, -EINVAL, 0, 1ULL << 63 },
		{ "-9223372036854775809", 0, -EINVAL, -ERANGE },
		{ "18446744073709551615", 0, 0, -ERANGE, ~0ULL },
		{ "18446744073709551616", 0, -ERANGE, -ERANGE },
		{ "18446744073709551616x", 0, -ERANGE, -ERANGE },
		{ "0xffffffffffffffff", 0, 0, -ERANGE, ~0ULL },
		{ "0x10000000000000000", 0, -ERANGE, -ERANGE },
		{ "01777777777777777777777", 0, 0, -ERANGE, ~0ULL },
		{ "02000000000000000000000", 0, -ERANGE, -ERANGE },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		struct pe_str s = pe_str_of(t[i].text);
		u64 u = 77;
		s64 n = 77;

		EXPECT_EQ(pe_lex_u64(s, t[i].base, &u), t[i].ret);
		EXPECT_EQ(u, t[i].ret ? 77 : t[i].val);
		EXPECT_EQ(pe_lex_s64(s, t[i].base, &n), t[i].sret);
		EXPECT_EQ(n, t[i].sret ? 77 : (s64)t[i].val);
	}
}

/* Every error has a text, and the reference has a line for it. */
static void texts(void)
{
	static char doc[1 << 20];
	unsigned int i;
	size_t len = 0;
	void *f = fopen("../../Documentation/kprobe-events.md", "r");

	EXPECT(f);
	while (f && len < sizeof(doc) - 1 && fgets(doc + len, sizeof(doc) - len, f))
		len += strlen(doc + len);
	EXPECT(len < sizeof(doc) - 1);
	for (i = 1; i < PE_NR_PARSE_ERRORS; i++) {
		char cell[128];

		EXPECT(pe_parse_err_text(i)[0]);
		scnprintf(cell, sizeof(cell), "| %s |", pe_parse_err_text(i));
		if (!strstr(doc, cell)) {
			printf("not in kprobe-events.md: %s\n", cell);
			pe_test_failures++;
		}
	}
	if (f)
		fclose(f);
	EXPECT_STR(pe_parse_err_text(PE_ERR_NONE), "");
	EXPECT_STR(pe_parse_err_text(PE_NR_PARSE_ERRORS), "");
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "bad commands", bad_commands },
		{ "heads", heads },
		{ "functions", functions },
		{ "tracepoints", tracepoints },
		{ "alternatives", alternatives },
		{ "names are told late", names_are_told_late },
		{ "default names", default_names },
		{ "columns", columns },
		{ "joins", joins },
		{ "deletes", deletes },
		{ "numbers", numbers },
		{ "error texts", texts },
	};

	return PE_RUN(tests);
}
