// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fetch_parse.c - one fetch expression: a load and its dereferences [P]
 *
 *	%REG  $VAR  @ADDR  @SYM[+-OFFS]  \IMM  \"STRING"  +-[u]OFFS(FETCH)  NAME...
 *	(STRUCT)FETCH->FIELD...  this_cpu_ptr(FETCH)  this_cpu_read(FETCH)
 *
 * btf_arg.c knows names, and the fields after them.
 *
 * An expression is cut from outside to inside, one dereference or cast after the
 * other.  The innermost fetch becomes the load.  So dereferences are found in the
 * reverse of the order in which the hit path does them.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <pe/btf.h>
#include <pe_arch/abi.h>
#include "arg.h"
#include "lex.h"
#include "limits.h"
#include "parse_err.h"
#include "parser.h"
#include "spec.h"

struct reg {
	const char *name;
	u16 offset;
};

#define REG(r) { #r, offsetof(struct pt_regs, r) },
static const struct reg pe_fetch_parse_regs[] = { PE_ARCH_REGS(REG) };

static const struct reg *pe_find_register(struct pe_str name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pe_fetch_parse_regs); i++)
		if (pe_str_eq(name, pe_fetch_parse_regs[i].name))
			return &pe_fetch_parse_regs[i];
	return NULL;
}

bool pe_is_register(struct pe_str name)
{
	return pe_find_register(name);
}

static int pe_parse_reg(struct pe_arg_parser *p, struct pe_str name)
{
	const struct reg *reg = pe_find_register(name);

	if (!reg)
		return pe_hint_register(p, name, pe_arg_fail(p, PE_ERR_BAD_REG_NAME));
	p->arg->fetch.load = PE_LOAD_REG;
	p->arg->fetch.reg = reg->offset;
	return 0;
}

/* $stack, $stackN; @s is the text after "$stack" */
static int pe_parse_stack_var(struct pe_arg_parser *p, struct pe_str s)
{
	u64 n;

	if (!s.len) {
		p->arg->fetch.load = PE_LOAD_STACKP;
		return 0;
	}
	if (!isdigit(s.p[0]) || pe_lex_u64(s, 10, &n))
		return pe_arg_fail(p, PE_ERR_BAD_VAR);
	if (n > PE_MAX_STACK_WORDS)
		return pe_arg_fail(p, PE_ERR_BAD_STACK_NUM);
	p->arg->fetch.load = PE_LOAD_STACK;
	p->arg->fetch.index = n;
	return 0;
}

/*
 * A value that only the entry knows is kept in the call's frame until it
 * returns.  A time since the last hit is found once in a hit, whatever is made
 * of it.  Two arguments that want the same value share a word.
 */
static int pe_add_saved(struct pe_arg_parser *p, u16 what)
{
	struct pe_placed *placed = p->placed;
	unsigned int i;

	for (i = 0; i < placed->nr_saved; i++)
		if (placed->saved[i] == what)
			break;
	if (i == PE_MAX_SAVED)
		return pe_arg_fail(p, PE_ERR_EVENT_TOO_BIG);
	if (i == placed->nr_saved)
		placed->saved[placed->nr_saved++] = what;
	p->arg->fetch.load = PE_LOAD_SAVED;
	p->arg->fetch.index = i;
	return 0;
}

int pe_fetch_param(struct pe_arg_parser *p, unsigned int i)
{
	if (p->on_return)
		return pe_add_saved(p, i);
	p->arg->fetch.load = PE_LOAD_ARG;
	p->arg->fetch.index = i + p->spec->tpoint;
	return 0;
}

/* $argN; @s is the text after "$arg" */
static int pe_parse_arg_var(struct pe_arg_parser *p, struct pe_str s)
{
	u64 n;

	if (pe_lex_u64(s, 10, &n))
		return pe_arg_fail(p, PE_ERR_BAD_VAR);
	if (!n || n > PE_MAX_STACK_WORDS)
		return pe_arg_fail(p, PE_ERR_BAD_ARG_NUM);
	if (!p->on_entry && !p->on_return)
		return pe_arg_fail(p, PE_ERR_NOFENTRY_ARGS);
	return pe_fetch_param(p, n - 1);
}

/*
 * $retval.  With type data the type tells what may follow.  A kernel without it
 * takes any text and records the plain value, but a user who wrote "->field"
 * does not want that.
 */
static int pe_fetch_parse_retval(struct pe_arg_parser *p, struct pe_str var)
{
	struct pe_str s = pe_str_from(var, 7);

	if (!p->on_return)
		return pe_arg_hint(p, pe_arg_fail(p, PE_ERR_RETVAL_ON_PROBE),
				   "use r, or PLACE%%return, for a return probe");
	if (pe_btf_known())
		return pe_btf_arg_parse(p, var);
	if (pe_str_starts(s, "->") || pe_str_starts(s, ".") || pe_str_starts(s, "["))
		return pe_arg_fail(p, PE_ERR_NOSUP_BTFARG);
	if (s.len)
		return pe_arg_fail(p, PE_ERR_BAD_VAR);
	p->arg->fetch.load = PE_LOAD_RETVAL;
	return 0;
}

/* $current */
static int pe_fetch_parse_current(struct pe_arg_parser *p, struct pe_str var)
{
	struct pe_str s = pe_str_from(var, 8);

	if (pe_str_starts(s, "-"))
		return pe_btf_arg_parse(p, var);
	if (s.len)
		return pe_arg_fail(p, PE_ERR_BAD_VAR);
	p->arg->fetch.load = PE_LOAD_CURRENT;
	return 0;
}

static int pe_parse_var(struct pe_arg_parser *p, struct pe_str var)
{
	struct pe_str name = pe_str_from(var, 1);

	if (pe_str_starts(name, "retval"))
		return pe_fetch_parse_retval(p, var);
	if (pe_str_starts(name, "stack"))
		return pe_parse_stack_var(p, pe_str_from(name, 5));
	if (pe_str_starts(name, "arg"))
		return pe_parse_arg_var(p, pe_str_from(name, 3));
	if (pe_str_starts(name, "current"))
		return pe_fetch_parse_current(p, var);
	if (pe_str_eq(name, "comm") || pe_str_eq(name, "COMM")) {
		p->arg->fetch.load = PE_LOAD_COMM;
		return 0;
	}
	if (pe_str_eq(name, "elapsed") && p->on_return)
		return pe_add_saved(p, PE_SAVE_TIME);
	if (pe_str_eq(name, "since"))
		return pe_add_saved(p, PE_SAVE_SINCE);
	return pe_hint_variable(p, name, pe_arg_fail(p, PE_ERR_BAD_VAR));
}

static int pe_add_deref(struct pe_arg_parser *p, struct pe_deref deref)
{
	struct pe_fetch *f = &p->arg->fetch;
	int ret = pe_arg_op(p);

	if (!ret)
		f->deref[f->nr_derefs++] = deref;
	return ret;
}

int pe_fetch_deref(struct pe_arg_parser *p, s32 offset, bool user)
{
	return pe_add_deref(p, (struct pe_deref){ .off = offset, .user = user });
}

/*
 * The kernel looks symbols up after all else is known to be good, so a bad
 * offset is reported at that time.  The event layer reports an unknown symbol.
 */
static int pe_fetch_parse_symbol(struct pe_arg_parser *p, struct pe_str s)
{
	struct pe_fetch *f = &p->arg->fetch;
	size_t sign = pe_str_find_any(s, "+-");
	s64 offset = 0;

	if (sign < s.len && !p->bad_offset)
		p->bad_offset = pe_lex_s64(pe_str_from(s, sign), 0, &offset);
	f->load = PE_LOAD_SYM;
	f->imm = offset;
	p->op++;
	return pe_pool_add(p->placed, pe_str_cut(s, sign), &f->str);
}

/* @ADDR, @SYM+-OFFS: memory, and so each has a dereference of its own */
static int pe_parse_memory(struct pe_arg_parser *p, struct pe_str s)
{
	struct pe_fetch *f = &p->arg->fetch;
	int ret;

	if (pe_str_at(s, 0) == '+')
		return pe_arg_fail(p, PE_ERR_FILE_ON_KPROBE);
	if (isdigit(pe_str_at(s, 0))) {
		ret = pe_lex_u64(s, 0, &f->imm);
		if (ret) {
			pe_arg_fail(p, PE_ERR_BAD_MEM_ADDR);
			return ret;
		}
		f->load = PE_LOAD_IMM;
	} else {
		ret = pe_fetch_parse_symbol(p, s);
		if (ret)
			return ret;
	}
	return pe_fetch_deref(p, 0, false);
}

static int pe_parse_immediate(struct pe_arg_parser *p, struct pe_str s)
{
	struct pe_fetch *f = &p->arg->fetch;
	char first = pe_str_at(s, 0);
	int ret = -EINVAL;

	if (first == '"') {
		s = pe_str_from(s, 1);
		if (!s.len || s.p[s.len - 1] != '"')
			return pe_arg_fail_at(p, s.p + s.len, PE_ERR_IMMSTR_NO_CLOSE);
		f->load = PE_LOAD_STR;
		return pe_pool_add(p->placed, pe_str_cut(s, s.len - 1), &f->str);
	}
	f->load = PE_LOAD_IMM;
	if (isdigit(first))
		ret = pe_lex_u64(s, 0, &f->imm);
	else if (first == '-')
		ret = pe_lex_s64(s, 0, (s64 *)&f->imm);
	else if (first == '+')
		ret = pe_lex_s64(pe_str_from(s, 1), 0, (s64 *)&f->imm);
	if (ret)
		pe_arg_fail_at(p, s.p, PE_ERR_BAD_IMM);
	return ret;
}

static int pe_parse_load(struct pe_arg_parser *p, struct pe_str s)
{
	char first = pe_str_at(s, 0);

	switch (first) {
	case '$':
		return pe_parse_var(p, s);
	case '%':
		return pe_parse_reg(p, pe_str_from(s, 1));
	case '@':
		return pe_parse_memory(p, pe_str_from(s, 1));
	case '\\':
		return pe_parse_immediate(p, pe_str_from(s, 1));
	}
	if (!isalpha(first) && first != '_')
		return pe_arg_fail(p, PE_ERR_BAD_FETCH_ARG);
	if (p->on_entry || p->on_return)
		return pe_btf_arg_parse(p, s);
	p->part = PE_IN_NO_FUNCTION;
	return pe_arg_hint(p, pe_arg_fail(p, PE_ERR_NOSUP_BTFARG),
			   "parameters are only available at a function's entry and return");
}

/* One dereference's head, "+-[u]OFFS("; @s keeps the text after it. */
static int pe_parse_deref_head(struct pe_arg_parser *p, struct pe_str *s,
			       struct pe_deref *deref)
{
	bool minus = s->p[0] == '-';
	struct pe_str num;
	size_t brace;
	s64 offset;
	int ret;

	*deref = (struct pe_deref){ .user = pe_str_at(*s, 1) == 'u' };
	num = pe_str_from(*s, deref->user ? 2 : 1);
	brace = pe_str_find(num, '(');
	if (brace == num.len)
		return pe_arg_fail(p, PE_ERR_DEREF_NEED_BRACE);
	*s = pe_str_from(num, brace + 1);
	num = pe_str_cut(num, brace);
	/* "+-8(" is -8, but "-" may not be followed by another sign. */
	if (minus && (pe_str_at(num, 0) == '-' || pe_str_at(num, 0) == '+'))
		ret = -EINVAL;
	else
		ret = pe_lex_s64(num, 0, &offset);
	if (!ret && minus)
		offset = -offset;
	if (!ret && offset != (s32)offset)
		ret = -ERANGE;
	if (ret) {
		pe_arg_fail(p, PE_ERR_BAD_DEREF_OFFS);
		return ret;
	}
	deref->off = offset;
	if (deref->user)
		p->odd += pe_odd_columns(PE_IN_USER_DEREF);
	if (!minus && pe_str_at(num, 0) == '-')
		p->odd += pe_odd_columns(PE_IN_PLUS_MINUS);
	p->at = s->p;
	return 0;
}

#define THIS_CPU_PTR	"this_cpu_ptr("
#define THIS_CPU_READ	"this_cpu_read("

size_t pe_this_cpu_head(struct pe_str s)
{
	return pe_str_starts(s, THIS_CPU_PTR) ? strlen(THIS_CPU_PTR) :
	       pe_str_starts(s, THIS_CPU_READ) ? strlen(THIS_CPU_READ) : 0;
}

enum step { STEP_DEREF, STEP_CAST, STEP_CPU_PTR, STEP_CPU_READ };

/*
 * Layers around the load, from outside to inside.  @at, @odd: the place of what is in it, for the
 * way back.  A cast is one of @casts.  @at: the innermost one is around "@..."
 */
struct outer {
	struct {
		struct pe_deref deref;
		u8 kind;
		const char *at;
		int odd;
	} step[PE_MAX_ARGSTR_LEN / 3];
	unsigned int depth, nr_casts;
	struct pe_cast casts[PE_MAX_CASTS];
	bool at;
};

static enum step pe_kind_of_step(struct pe_str s)
{
	if (pe_this_cpu_head(s))
		return pe_str_starts(s, THIS_CPU_PTR) ? STEP_CPU_PTR : STEP_CPU_READ;
	return pe_str_at(s, 0) == '(' ? STEP_CAST : STEP_DEREF;
}

/* Cut what is in a bracket that has been opened before @s. */
static int pe_cut_bracket(struct pe_arg_parser *p, struct pe_str *s, bool is_all)
{
	size_t close = pe_str_find_last(*s, ')');

	if (close == s->len)
		return pe_arg_fail_at(p, s->p + s->len, PE_ERR_DEREF_OPEN_BRACE);
	if (is_all && close + 1 != s->len)
		return pe_arg_fail_at(p, s->p + close + 1, PE_ERR_BAD_FETCH_ARG);
	*s = pe_str_cut(*s, close);
	return 0;
}

/* Take one step inwards; @s keeps what is there. */
static int pe_parse_outer(struct pe_arg_parser *p, struct pe_str *s, struct outer *o)
{
	enum step kind = pe_kind_of_step(*s);
	size_t head = pe_this_cpu_head(*s);
	int ret = 0;

	switch (kind) {
	case STEP_CAST:
		if (o->nr_casts == PE_MAX_CASTS)
			return pe_arg_fail(p, PE_ERR_TOO_MANY_NESTED);
		ret = pe_cast_parse(p, s, &o->casts[o->nr_casts++]);
		break;
	case STEP_DEREF:
		ret = pe_parse_deref_head(p, s, &o->step[o->depth].deref);
		break;
	default:
		*s = pe_str_from(*s, head);
		p->at = s->p;
	}
	if (!ret && kind != STEP_CAST)
		ret = pe_cut_bracket(p, s, kind != STEP_DEREF);
	o->step[o->depth].kind = kind;
	o->step[o->depth].at = p->at;
	o->step[o->depth++].odd = p->odd;
	return ret;
}

/* "@..." is the variable's address here, and is not read. */
static int pe_apply_this_cpu(struct pe_arg_parser *p, bool at)
{
	const struct pe_deref this_cpu = { .cpu = true };

	if (!at)
		return pe_add_deref(p, this_cpu);
	p->arg->fetch.deref[0] = this_cpu;
	return 0;
}

/* Take one step back, and do what the step is. */
static int pe_apply_outer(struct pe_arg_parser *p, struct outer *o)
{
	u8 load = p->arg->fetch.load, kind;
	int ret = 0;

	kind = o->step[--o->depth].kind;
	p->at = o->step[o->depth].at;
	p->odd = o->step[o->depth].odd;
	if (load == PE_LOAD_COMM || load == PE_LOAD_STR)
		return pe_arg_fail(p, PE_ERR_COMM_CANT_DEREF);
	if (kind == STEP_CAST) {
		ret = pe_btf_cast(p, &o->casts[--o->nr_casts]);
	} else {
		if (kind != STEP_DEREF)
			ret = pe_apply_this_cpu(p, o->at);
		if (!ret && kind != STEP_CPU_PTR)
			ret = pe_add_deref(p, o->step[o->depth].deref);
		/* Memory at a number has no type. */
		p->last = NULL;
	}
	o->at = false;
	return ret;
}

int pe_fetch_parse(struct pe_arg_parser *p, struct pe_str s)
{
	struct outer outer = {};
	int ret;

	while (pe_this_cpu_head(s) || (s.len && strchr("+-(", s.p[0]))) {
		ret = pe_parse_outer(p, &s, &outer);
		if (ret)
			return ret;
	}
	outer.at = pe_str_at(s, 0) == '@';
	/* A time is no address. */
	if (outer.depth && (pe_str_eq(s, "$elapsed") || pe_str_eq(s, "$since")))
		return pe_arg_fail(p, PE_ERR_BAD_VAR);
	ret = pe_parse_load(p, s);
	while (!ret && outer.depth)
		ret = pe_apply_outer(p, &outer);
	return ret;
}
