// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * cmd_parse.c - the head of a command: kind, names, place [P]
 *
 *	p[...][:[GRP/][EVENT]]  [MOD:]SYM[+OFFS][%return]|ADDR  ...
 *	r[MAXACTIVE][:...]      ...
 *	f[MAXACTIVE][:...]      [MOD:]PATTERN[%return]
 *	t[:...]                 TRACEPOINT
 *	-:[GRP/][EVENT]         ...      and with a "!" and any letters before ":"
 *
 * A place may have alternatives, separated by "|".  No symbol of a kernel has that character.
 *
 * The order is that in which the kernel finds errors: kind, maxactive, place.
 * Then the caller looks the symbol up.  Then errors in names are told, then those
 * in arguments (arg_parse.c).  The symbol of "f" is looked up last.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "lex.h"
#include "limits.h"
#include "parse_err.h"
#include "parser.h"
#include "spec.h"
#include "sym_text.h"

static int pe_cmd_fail(struct pe_parse_err *err, enum pe_parse_errno code, unsigned int pos)
{
	return pe_parse_fail(err, code, pos, -EINVAL);
}

static int pe_parse_maxactive(struct pe_spec *spec, struct pe_str s,
			      struct pe_parse_err *err)
{
	u64 n;

	if (spec->cmd != PE_CMD_RETURN && !spec->fprobe)
		return pe_cmd_fail(err, PE_ERR_BAD_MAXACT_TYPE, 1);
	if (s.len >= PE_MAX_EVENT_NAME_LEN || pe_lex_u64(s, 0, &n) ||
	    !n || n > UINT_MAX)
		return pe_cmd_fail(err, PE_ERR_BAD_MAXACT, 1);
	if (n > PE_MAX_MAXACTIVE)
		return pe_cmd_fail(err, PE_ERR_MAXACT_TOO_BIG, 1);
	spec->maxactive = n;
	return 0;
}

/* "[MOD:]SYM[+OFFS]"; of an fprobe there is no offset, and "-" may be part of a pattern */
static int pe_cmd_parse_symbol(const struct pe_spec *spec, struct pe_str sym,
			       struct pe_place *place, struct pe_parse_err *err)
{
	size_t sign = spec->fprobe ? sym.len : pe_str_find_any(sym, "+-");
	s64 offset = 0;

	if (sign < sym.len &&
	    pe_lex_s64(pe_str_from(sym, sign), 0, &offset))
		goto bad;
	/* No symbol has an empty name, or one that is too long for us. */
	if (offset < 0 || offset > UINT_MAX || !sign ||
	    !pe_str_copy(place->symbol, sizeof(place->symbol), pe_str_cut(sym, sign)))
		goto bad;
	place->offset = offset;
	return 0;
bad:
	return pe_cmd_fail(err, PE_ERR_BAD_PROBE_ADDR, spec->place_off);
}

/* The alternative at offset @at of the place's word, whose suffix is known to be good. */
static int pe_parse_alternative(const struct pe_spec *spec, size_t at, struct pe_place *place,
				struct pe_parse_err *err)
{
	struct pe_str word = pe_spec_word(spec, 1), s;
	size_t bar;

	word = pe_str_cut(word, pe_str_find(word, '%'));
	s = pe_str_from(word, at);
	bar = pe_str_find(s, '|');
	place->next = bar < s.len ? at + bar + 1 : 0;
	return pe_cmd_parse_symbol(spec, pe_str_cut(s, bar), place, err);
}

bool pe_place_next(struct pe_placed *placed)
{
	struct pe_place *place = &placed->place;
	struct pe_parse_err err = {};

	return place->next && !pe_parse_alternative(placed->spec, place->next, place, &err);
}

/* Alternatives and "%return" after them; nothing else may follow a percent sign. */
static int pe_parse_symbols(struct pe_spec *spec, struct pe_str s, struct pe_parse_err *err)
{
	size_t percent = pe_str_find(s, '%');
	int ret;

	if (percent < s.len) {
		if (!pe_str_eq(pe_str_from(s, percent), "%return"))
			return pe_cmd_fail(err, PE_ERR_BAD_ADDR_SUFFIX, spec->place_off + percent);
		spec->cmd = PE_CMD_RETURN;
	}
	do {
		ret = pe_parse_alternative(spec, spec->place.next, &spec->place, err);
	} while (!ret && spec->place.next);
	return ret ?: pe_parse_alternative(spec, 0, &spec->place, err);
}

static int pe_parse_tpoint(struct pe_spec *spec, struct pe_str s, struct pe_parse_err *err)
{
	size_t at = pe_str_find(s, '%');

	if (at < s.len)
		return pe_cmd_fail(err, PE_ERR_BAD_ADDR_SUFFIX, spec->place_off + at);
	for (at = 0; at < s.len; at++)
		if (!isalnum(s.p[at]) && s.p[at] != '_')
			return pe_parse_fail(err, PE_ERR_BAD_TP_NAME, spec->place_off + at,
					     -EINVAL);
	/* The kernel has none that is so long. */
	if (!pe_str_copy(spec->place.symbol, sizeof(spec->place.symbol), s))
		return pe_cmd_fail(err, PE_ERR_NO_TRACEPOINT, spec->place_off);
	return 0;
}

static int pe_parse_place(struct pe_spec *spec, struct pe_parse_err *err)
{
	struct pe_str s = pe_spec_word(spec, 1);
	u64 addr;

	spec->place_off = spec->words[1].col;
	if (spec->tpoint)
		return pe_parse_tpoint(spec, s, err);
	if (!spec->fprobe && !pe_lex_u64(s, 0, &addr)) {
		spec->place.addr = addr;
		return 0;
	}
	/* A path and an offset: a probe of user space, not ours to define. */
	if (!spec->fprobe && pe_str_find(s, '/') < s.len && pe_str_find(s, ':') < s.len)
		return -EINVAL;
	return pe_parse_symbols(spec, s, err);
}

/* "[GRP/][EVENT]" after the head's colon, or with a dot for the slash */
static int pe_parse_names(struct pe_spec *spec, struct pe_str head, struct pe_parse_err *err)
{
	size_t off = pe_str_find(head, ':') + 1, sep;
	struct pe_str s = pe_str_from(head, off);

	if (off > head.len)
		return 0;
	sep = pe_str_find(s, '/');
	if (sep == s.len)
		sep = pe_str_find(s, '.');
	if (sep < s.len) {
		struct pe_str group = pe_str_cut(s, sep);

		if (!sep)
			return pe_cmd_fail(err, PE_ERR_NO_GROUP_NAME, off);
		if (sep >= PE_MAX_EVENT_NAME_LEN)
			return pe_cmd_fail(err, PE_ERR_GROUP_TOO_LONG, off);
		if (!pe_lex_good_name(group, true))
			return pe_cmd_fail(err, PE_ERR_BAD_GROUP_NAME, off);
		pe_str_copy(spec->group, sizeof(spec->group), group);
		s = pe_str_from(s, sep + 1);
		off += sep + 1;
		if (!s.len)
			return 0;
	}
	if (!s.len)
		return pe_cmd_fail(err, PE_ERR_NO_EVENT_NAME, off);
	if (s.len >= PE_MAX_EVENT_NAME_LEN)
		return pe_cmd_fail(err, PE_ERR_EVENT_TOO_LONG, off);
	if (!pe_lex_good_name(s, false))
		return pe_cmd_fail(err, PE_ERR_BAD_EVENT_NAME, off);
	pe_str_copy(spec->event, sizeof(spec->event), s);
	return 0;
}

/*
 * An impossible name is not found: -ENOENT.  An empty group before a slash is
 * such a name, not a missing group.
 */
static int pe_parse_delete(struct pe_spec *spec)
{
	struct pe_str s = pe_spec_word(spec, 0);
	size_t colon, slash;

	spec->cmd = PE_CMD_DELETE;
	spec->bang = s.p[0] == '!';
	colon = spec->bang ? pe_str_find(s, ':') : 1;
	if (pe_str_at(s, colon) != ':')
		return -EINVAL;
	s = pe_str_from(s, colon + 1);
	slash = pe_str_find(s, '/');
	if (slash < s.len) {
		if (!slash || !pe_str_copy(spec->group, sizeof(spec->group), pe_str_cut(s, slash)))
			return -ENOENT;
		s = pe_str_from(s, slash + 1);
	} else if (!s.len) {
		return -EINVAL;
	}
	return pe_str_copy(spec->event, sizeof(spec->event), s) ? 0 : -ENOENT;
}

/* The first $retval of a word counts, at its offset *@at. */
static bool pe_names_retval(struct pe_str s, size_t *at)
{
	char c;

	for (*at = 0; s.len && !pe_str_starts(s, "$retval"); ++*at)
		s = pe_str_from(s, 1);
	c = pe_str_at(s, 7);
	return s.len && !isalnum(c) && c != '_';
}

/* Is $retval to be recorded?  At column *@col. */
static bool pe_wants_retval(const struct pe_spec *spec, size_t *col)
{
	struct pe_str rest = pe_str_of(spec->text), s;
	unsigned int i;
	size_t at;

	*col = 0;
	for (i = 0; pe_lex_word(&rest, &s); i++) {
		if (i >= 2 && pe_names_retval(s, &at)) {
			*col += at;
			return true;
		}
		*col += s.len + 1;
	}
	return false;
}

/* Checks that only an fprobe has, or that come late: with $retval it is one of the return. */
static int pe_finish_fprobe(struct pe_spec *spec, struct pe_parse_err *err)
{
	size_t col;

	if (spec->cmd == PE_CMD_PROBE && pe_wants_retval(spec, &col)) {
		if (spec->tpoint)
			return pe_cmd_fail(err, PE_ERR_RETVAL_ON_PROBE, col);
		spec->cmd = PE_CMD_RETURN;
	}
	if (spec->maxactive && spec->cmd != PE_CMD_RETURN)
		return pe_cmd_fail(err, PE_ERR_BAD_MAXACT_TYPE, 1);
	return 0;
}

static void pe_cmd_split(struct pe_spec *spec)
{
	struct pe_str rest = pe_str_of(spec->text), w;
	unsigned int col = 0;

	for (; pe_lex_word(&rest, &w); col += w.len + 1, spec->nwords++)
		if (spec->nwords < PE_MAX_WORDS)
			spec->words[spec->nwords] = (struct pe_word){
				.off = w.p - spec->text, .len = w.len, .col = col,
			};
}

static int pe_cmd_parse_head(struct pe_spec *spec, const char *text, struct pe_parse_err *err)
{
	struct pe_str head;
	size_t colon;
	int ret;

	memset(spec, 0, offsetof(struct pe_spec, words));
	spec->text = text;
	if (strnlen(text, PE_MAX_COMMAND_LEN + 1) > PE_MAX_COMMAND_LEN)
		return -EINVAL;
	pe_cmd_split(spec);
	if (!spec->nwords)
		return -EINVAL;

	head = pe_spec_word(spec, 0);
	/* The kernel tests the line's first byte: a blank is no minus sign. */
	if (text[0] == '-' || text[0] == '!')
		return pe_parse_delete(spec);
	if (!strchr("prft", head.p[0]) || spec->nwords < 2)
		return -EINVAL;
	spec->cmd = head.p[0] == 'r' ? PE_CMD_RETURN : PE_CMD_PROBE;
	spec->tpoint = head.p[0] == 't';
	spec->fprobe = head.p[0] == 'f' || spec->tpoint;

	/* The kernel ignores letters between the kind and the colon, but not digits. */
	colon = pe_str_find(head, ':');
	if (isdigit(pe_str_at(head, 1))) {
		ret = pe_parse_maxactive(spec, pe_str_from(pe_str_cut(head, colon), 1),
					 err);
		if (ret)
			return ret;
	}
	ret = pe_parse_place(spec, err);
	if (!ret && spec->fprobe)
		ret = pe_finish_fprobe(spec, err);
	if (!ret)
		pe_parse_names(spec, head, &spec->names);
	return ret;
}

int pe_cmd_parse(struct pe_spec *spec, const char *text, struct pe_placed *placed,
		 struct pe_parse_err *err)
{
	int ret = pe_cmd_parse_head(spec, text, err);

	placed->spec = spec;
	placed->place = spec->place;
	placed->shown = false;
	return ret;
}

const char *pe_spec_default_group(const struct pe_spec *spec)
{
	if (spec->tpoint)
		return PE_DEFAULT_TPOINT_GROUP;
	return spec->fprobe ? PE_DEFAULT_FPROBE_GROUP : PE_DEFAULT_GROUP;
}

bool pe_place_is_pattern(const struct pe_placed *placed)
{
	struct pe_str s = pe_str_of(placed->place.symbol);

	return placed->spec->fprobe && pe_str_find_any(s, "*?[\\") < s.len;
}

/* No symbol of the kernel's own begins with a digit, but a pattern may. */
static const char *pe_before_digit(const struct pe_place *place)
{
	return isdigit(place->symbol[0]) ? "_" : "";
}

void pe_placed_default_name(const struct pe_placed *placed, char *name)
{
	const struct pe_spec *spec = placed->spec;
	const struct pe_place *place = &placed->place;
	bool is_return = spec->cmd == PE_CMD_RETURN;
	char kind = is_return ? 'r' : 'p';
	char addr[32], *p;

	if (spec->tpoint) {
		scnprintf(name, PE_MAX_EVENT_NAME_LEN, "%s%s", pe_before_digit(place),
			  place->symbol);
	} else if (spec->fprobe) {
		scnprintf(name, PE_MAX_EVENT_NAME_LEN, "%s%s__%s", pe_before_digit(place),
			  place->symbol, is_return ? "exit" : "entry");
	} else if (place->symbol[0]) {
		scnprintf(name, PE_MAX_EVENT_NAME_LEN, "%c_%s_%lu", kind,
			  place->symbol, place->offset);
	} else {
		pe_sprint_hashed(addr, sizeof(addr), place->addr);
		scnprintf(name, PE_MAX_EVENT_NAME_LEN, "%c_%s", kind, addr);
	}
	for (p = name; *p; p++)
		if (!isascii(*p) || (!isalnum(*p) && *p != '_'))
			*p = '_';
}
