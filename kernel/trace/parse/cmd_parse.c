// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_parse.c - the head of a command: kind, names, place [P]
 *
 *	p[...][:[GRP/][EVENT]]  [MOD:]SYM[+OFFS][%return]|ADDR  ...
 *	r[MAXACTIVE][:...]      ...
 *	-:[GRP/][EVENT]         ...      and with a "!" and any letters before ":"
 *
 * The order is that in which the kernel finds errors: kind, maxactive, place.
 * Then the caller looks the symbol up.  Then come names, then arguments
 * (arg_parse.c).
 */
#include "lex.h"
#include "limits.h"
#include "parse_err.h"
#include "parser.h"
#include "spec.h"
#include "sym_text.h"
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

static void split(struct pe_spec *spec)
{
	struct pe_str rest = pe_str_of(spec->text), w;
	unsigned int col = 0;

	while (pe_lex_word(&rest, &w)) {
		if (spec->nwords < ARRAY_SIZE(spec->words))
			spec->words[spec->nwords] = (struct pe_word){
				.off = w.p - spec->text,
				.len = w.len,
				.col = col,
			};
		spec->nwords++;
		col += w.len + 1;
	}
}

static void copy(char *to, struct pe_str s)
{
	memcpy(to, s.p, s.len);
	to[s.len] = 0;
}

static int parse_maxactive(struct pe_spec *spec, struct pe_str s,
			   struct pe_parse_err *err)
{
	u64 n;

	if (spec->cmd != PE_CMD_RETURN)
		return pe_parse_fail(err, PE_ERR_BAD_MAXACT_TYPE, 1, -EINVAL);
	if (s.len >= PE_MAX_EVENT_NAME_LEN || pe_lex_u64(s, 0, &n) ||
	    !n || n > UINT_MAX)
		return pe_parse_fail(err, PE_ERR_BAD_MAXACT, 1, -EINVAL);
	if (n > PE_MAX_MAXACTIVE)
		return pe_parse_fail(err, PE_ERR_MAXACT_TOO_BIG, 1, -EINVAL);
	spec->maxactive = n;
	return 0;
}

/* "[MOD:]SYM[+OFFS][%return]".  After a percent sign, only "return" may follow. */
static int parse_symbol(struct pe_spec *spec, struct pe_str s,
			struct pe_parse_err *err)
{
	size_t percent = pe_str_find(s, '%'), sign;
	struct pe_str sym = pe_str_cut(s, percent);
	s64 offset = 0;

	if (percent < s.len) {
		if (!pe_str_eq(pe_str_from(s, percent), "%return"))
			return pe_parse_fail(err, PE_ERR_BAD_ADDR_SUFFIX,
					     spec->place_off + percent, -EINVAL);
		spec->cmd = PE_CMD_RETURN;
	}
	sign = pe_str_find_any(sym, "+-");
	if (sign < sym.len &&
	    pe_lex_s64(pe_str_from(sym, sign), 0, &offset))
		goto bad;
	/* No symbol has an empty name, or one that is too long for us. */
	if (offset < 0 || offset > UINT_MAX || !sign ||
	    sign >= PE_MAX_SYMBOL_LEN)
		goto bad;
	copy(spec->symbol, pe_str_cut(sym, sign));
	spec->offset = offset;
	return 0;
bad:
	return pe_parse_fail(err, PE_ERR_BAD_PROBE_ADDR, spec->place_off, -EINVAL);
}

static int parse_place(struct pe_spec *spec, struct pe_parse_err *err)
{
	struct pe_str s = pe_spec_word(spec, 1);
	u64 addr;

	spec->place_off = spec->words[1].col;
	if (!pe_lex_u64(s, 0, &addr)) {
		spec->addr = addr;
		return 0;
	}
	/* A path and an offset: a probe of user space, not ours to define. */
	if (pe_str_find(s, '/') < s.len && pe_str_find(s, ':') < s.len)
		return -EINVAL;
	return parse_symbol(spec, s, err);
}

/* "[GRP/][EVENT]", or with a dot for the slash, at column @off of the command */
static void parse_names(struct pe_spec *spec, struct pe_str s, size_t off)
{
	size_t sep = pe_str_find(s, '/');

	if (sep == s.len)
		sep = pe_str_find(s, '.');
	if (sep < s.len) {
		struct pe_str group = pe_str_cut(s, sep);

		if (!sep)
			return pe_defer(spec, PE_BEFORE_ARGS, PE_ERR_NO_GROUP_NAME, off, -EINVAL);
		if (sep >= PE_MAX_EVENT_NAME_LEN)
			return pe_defer(spec, PE_BEFORE_ARGS, PE_ERR_GROUP_TOO_LONG, off, -EINVAL);
		if (!pe_lex_good_name(group, true))
			return pe_defer(spec, PE_BEFORE_ARGS, PE_ERR_BAD_GROUP_NAME, off, -EINVAL);
		copy(spec->group, group);
		s = pe_str_from(s, sep + 1);
		off += sep + 1;
		if (!s.len)
			return;
	}
	if (!s.len)
		return pe_defer(spec, PE_BEFORE_ARGS, PE_ERR_NO_EVENT_NAME, off, -EINVAL);
	if (s.len >= PE_MAX_EVENT_NAME_LEN)
		return pe_defer(spec, PE_BEFORE_ARGS, PE_ERR_EVENT_TOO_LONG, off, -EINVAL);
	if (!pe_lex_good_name(s, false))
		return pe_defer(spec, PE_BEFORE_ARGS, PE_ERR_BAD_EVENT_NAME, off, -EINVAL);
	copy(spec->event, s);
}

/*
 * An impossible name is not found: -ENOENT.  An empty group before a slash is
 * such a name, not a missing group.
 */
static int parse_delete(struct pe_spec *spec)
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
		if (!slash || slash >= PE_MAX_EVENT_NAME_LEN)
			return -ENOENT;
		copy(spec->group, pe_str_cut(s, slash));
		s = pe_str_from(s, slash + 1);
	} else if (!s.len) {
		return -EINVAL;
	}
	if (s.len >= PE_MAX_EVENT_NAME_LEN)
		return -ENOENT;
	copy(spec->event, s);
	return 0;
}

int pe_cmd_parse(struct pe_spec *spec, const char *text, struct pe_parse_err *err)
{
	struct pe_str head, names = {};
	size_t colon;
	int ret;

	memset(spec, 0, offsetof(struct pe_spec, words));
	if (strnlen(text, PE_MAX_COMMAND_LEN + 1) > PE_MAX_COMMAND_LEN)
		return -EINVAL;
	spec->text = text;
	split(spec);
	if (!spec->nwords)
		return -EINVAL;

	head = pe_spec_word(spec, 0);
	/* The kernel tests the line's first byte: a blank is no minus sign. */
	if (text[0] == '-' || text[0] == '!')
		return parse_delete(spec);
	if ((head.p[0] != 'p' && head.p[0] != 'r') || spec->nwords < 2)
		return -EINVAL;
	spec->cmd = head.p[0] == 'r' ? PE_CMD_RETURN : PE_CMD_PROBE;

	/* The kernel ignores letters between the kind and the colon, but not digits. */
	colon = pe_str_find(head, ':');
	if (colon < head.len)
		names = pe_str_from(head, colon + 1);
	if (isdigit(pe_str_at(head, 1))) {
		ret = parse_maxactive(spec, pe_str_from(pe_str_cut(head, colon), 1),
				      err);
		if (ret)
			return ret;
	}
	ret = parse_place(spec, err);
	if (ret)
		return ret;
	if (colon < head.len)
		parse_names(spec, names, colon + 1);
	return 0;
}

void pe_spec_default_name(const struct pe_spec *spec, char *name)
{
	char kind = spec->cmd == PE_CMD_RETURN ? 'r' : 'p';
	char addr[32], *p;

	if (spec->symbol[0]) {
		scnprintf(name, PE_MAX_EVENT_NAME_LEN, "%c_%s_%lu", kind,
			  spec->symbol, spec->offset);
	} else {
		pe_sprint_hashed(addr, sizeof(addr), spec->addr);
		scnprintf(name, PE_MAX_EVENT_NAME_LEN, "%c_%s", kind, addr);
	}
	for (p = name; *p; p++)
		if (*p == ':' || *p == '.' || *p == '*')
			*p = '_';
}
