// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * The command parsers on any bytes.  The first byte gives the kind of place, the others
 * are the command.
 *
 *   - nothing is read after the text (it is copied to memory of its own size);
 *   - an error has an errno, and its caret is in the text or one after it;
 *   - each error is explained;
 *   - the words joined by single blanks give the same answer;
 *   - an accepted command, printed as kprobe_events shows it, is accepted and
 *     means the same.
 */
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/lex.h"
#include "kernel/trace/parse/limits.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/parse/spec.h"
#include "kernel/trace/parse/suggest.h"
#include "tests/fuzz/check.h"

struct result {
	struct pe_spec spec;
	struct pe_placed placed;
	struct pe_parse_err err;
	int ret;
};

static struct result first, second;
static const char *text;
static char joined[PE_MAX_COMMAND_LEN + PE_MAX_DENTRY_TEXT + 1];
static char hint[PE_HINT_LEN];
static char shown[4 * PE_MAX_COMMAND_LEN];

static void parse(struct result *r, const char *s, u8 where)
{
	const struct pe_parse_env env = {
		.on_entry = where & 1,
		.dentry_name_off = 0x28,
		.file_dentry_off = 0x48,
	};

	memset(&r->err, 0, sizeof(r->err));
	r->ret = pe_cmd_parse(&r->spec, s, &r->placed, &r->err);
	if (!r->ret && r->spec.cmd != PE_CMD_DELETE)
		r->ret = pe_args_parse(&r->placed, &env, &r->err);
}

static void check_answer(void)
{
	const struct result *r = &first;
	size_t len = pe_placed_join(&r->placed, joined, sizeof(joined));

	CHECK(r->ret <= 0);
	CHECK(r->ret || r->err.code == PE_ERR_NONE);
	CHECK(r->err.code < PE_NR_PARSE_ERRORS);
	CHECK(r->err.pos <= len);
	CHECK(len == strlen(joined));
}

/* Whatever is refused is explained, with a code and a caret in the text or one after it. */
static void check_explained(void)
{
	struct pe_parse_err err = first.err;

	if (!first.ret)
		return;
	memset(hint, 0xa5, sizeof(hint));
	pe_cmd_explain(&first.spec, first.ret, &err, hint, sizeof(hint));
	CHECK(err.code != PE_ERR_NONE);
	CHECK(err.code == first.err.code || first.err.code == PE_ERR_NONE);
	CHECK(err.pos <= strlen(joined) + 1);
	CHECK(!err.detail || strnlen(err.detail, PE_HINT_LEN) < PE_HINT_LEN);
}

static bool written_out(const struct pe_placed *placed)
{
	unsigned int i;

	for (i = 0; placed->shown && i < placed->nwords; i++)
		if (placed->words[i].in_pool)
			return true;
	return false;
}

static void check_joined(u8 where)
{
	char c = first.spec.nwords ? text[0] : ' ';

	/* A delete command must begin its line; %pd counts against a limit. */
	if (c == ' ' || (c >= '\t' && c <= '\r') || c == (char)0xa0 ||
	    written_out(&first.placed))
		return;
	parse(&second, joined, where);
	CHECK(first.ret == second.ret);
	CHECK(first.err.code == second.err.code);
	CHECK(first.err.pos == second.err.pos);
}

static char kind(const struct pe_spec *s)
{
	if (s->fprobe)
		return s->tpoint ? 't' : 'f';
	return s->cmd == PE_CMD_RETURN ? 'r' : 'p';
}

static size_t show(const struct pe_placed *placed)
{
	const struct pe_spec *s = placed->spec;
	char name[PE_MAX_EVENT_NAME_LEN];
	unsigned int i;
	size_t n;

	pe_placed_default_name(placed, name);
	if (!pe_lex_good_name(pe_str_of(name), false))
		name[0] = 0;
	n = scnprintf(shown, sizeof(shown), "%c%.0u:%s/%s ",
		      kind(s), s->maxactive,
		      s->group[0] ? s->group : pe_spec_default_group(s),
		      s->event[0] ? s->event : name);
	if (!s->place.symbol[0])
		n += scnprintf(shown + n, sizeof(shown) - n, "0x%016lx", s->place.addr);
	else
		n += scnprintf(shown + n, sizeof(shown) - n, "%s", s->place.symbol);
	if (s->place.offset)
		n += scnprintf(shown + n, sizeof(shown) - n, "+%lu", s->place.offset);
	if (s->fprobe && s->cmd == PE_CMD_RETURN)
		n += scnprintf(shown + n, sizeof(shown) - n, "%%return");
	for (i = 0; i < placed->nargs; i++)
		n += scnprintf(shown + n, sizeof(shown) - n, " %s=%s",
			       placed->args[i].name, placed->args[i].expr);
	return n;
}

static void check_same_arg(const struct pe_placed *a, const struct pe_placed *b,
			   unsigned int i)
{
	const struct pe_arg *x = &a->args[i], *y = &b->args[i];
	struct pe_fetch f = x->fetch, g = y->fetch;

	CHECK(!strcmp(x->name, y->name));
	CHECK(!strcmp(x->expr, y->expr));
	CHECK(x->type == y->type && x->count == y->count);
	CHECK(x->bf_width == y->bf_width && x->bf_shift == y->bf_shift);
	CHECK(x->offset == y->offset && x->size == y->size);
	if (f.load == PE_LOAD_SYM || f.load == PE_LOAD_STR)
		CHECK(!strcmp(a->pool + f.str, b->pool + g.str));
	f.str = 0;
	g.str = 0;
	CHECK(!memcmp(&f, &g, sizeof(f)));
	CHECK(f.nr_derefs <= PE_MAX_DEREFS);
	CHECK(x->count <= PE_MAX_ARRAY_LEN);
	CHECK(x->bf_width + x->bf_shift <= x->type->size * 8);
}

/* A return probe saves each word at the entry once, and each is used; others have $since only. */
static void check_saved(const struct pe_placed *a, const struct pe_placed *b)
{
	bool used[PE_MAX_SAVED] = {};
	unsigned int i, j;

	CHECK(a->nr_saved <= PE_MAX_SAVED);
	CHECK(!a->nr_saved || a->spec->cmd == PE_CMD_RETURN ||
	      (a->nr_saved == 1 && a->saved[0] == PE_SAVE_SINCE));
	CHECK(a->nr_saved == b->nr_saved);
	CHECK(!memcmp(a->saved, b->saved, a->nr_saved * sizeof(a->saved[0])));
	for (i = 0; i < a->nargs; i++) {
		if (a->args[i].fetch.load != PE_LOAD_SAVED)
			continue;
		CHECK(a->args[i].fetch.index < a->nr_saved);
		used[a->args[i].fetch.index] = true;
	}
	for (i = 0; i < a->nr_saved; i++) {
		CHECK(used[i]);
		for (j = 0; j < i; j++)
			CHECK(a->saved[i] != a->saved[j]);
	}
}

/* Each is a symbol, and they end. */
static void check_alternatives(void)
{
	struct pe_place *place = &first.placed.place;
	unsigned int n;

	for (n = 1; pe_place_next(&first.placed); n++) {
		CHECK(place->symbol[0] && strlen(place->symbol) < PE_MAX_SYMBOL_LEN);
		CHECK(n < PE_MAX_COMMAND_LEN);
	}
	CHECK(!place->next);
}

static void check_shown(u8 where)
{
	const struct pe_placed *p = &first.placed, *q = &second.placed;
	const struct pe_spec *a = &first.spec, *b = &second.spec;
	u64 number;
	unsigned int i;

	/* A symbol like 16 can't exist, and alone it would be an address. */
	if (a->place.symbol[0] && !a->fprobe && !pe_lex_u64(pe_str_of(a->place.symbol), 0, &number))
		return;
	if (show(p) > PE_MAX_COMMAND_LEN)
		return;
	parse(&second, shown, where);
	CHECK(!second.ret);
	CHECK(a->cmd == b->cmd && a->fprobe == b->fprobe && a->maxactive == b->maxactive);
	CHECK(a->tpoint == b->tpoint && (!a->tpoint || a->cmd == PE_CMD_PROBE));
	check_alternatives();
	CHECK(!strcmp(a->place.symbol, b->place.symbol));
	CHECK(a->place.offset == b->place.offset && a->place.addr == b->place.addr);
	CHECK(p->nargs == q->nargs && p->record_fixed == q->record_fixed);
	CHECK(p->record_fixed <= PE_RECORD_ARGS_RETURN + PE_MAX_RECORD_FIXED);
	for (i = 0; i < p->nargs; i++)
		check_same_arg(p, q, i);
	check_saved(p, q);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	u8 where;
	char *copy;

	if (!size)
		return 0;
	where = data[0];
	copy = malloc(size);
	memcpy(copy, data + 1, size - 1);
	copy[size - 1] = 0;
	text = copy;
	parse(&first, copy, where);
	check_answer();
	check_explained();
	if (!first.ret && first.spec.cmd != PE_CMD_DELETE)
		check_shown(where);
	else if (!first.ret)
		pe_spec_matches(&first.spec, "vfs_read", false, NULL, 0);
	check_joined(where);
	free(copy);
	return 0;
}
