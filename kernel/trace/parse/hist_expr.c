// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * hist_expr.c - expressions of histogram triggers.  [P]
 *
 *	-(EXPR)  EXPR + EXPR  EXPR - EXPR  EXPR * EXPR  EXPR / EXPR  NUMBER  FIELD  $VARIABLE
 *
 * As the kernel, from the last operator of the lowest precedence: what is on its left is read
 * first, then what is on its right, and of errors the first one counts.  There are three
 * operators at most, so the recursion is bounded.  Numbers are unsigned, and what is divided
 * by 0 is the largest.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "hist.h"
#include "hist_internal.h"
#include "lex.h"
#include "parse_err.h"

/**
 * struct expr - an expression that is being read
 * @p: the command
 * @operators: that have been read
 */
struct expr {
	const struct pe_hist_parser *p;
	unsigned int operators;
};

static int pe_read_expr(struct expr *x, struct pe_hist_field *field, struct pe_str text,
			enum pe_hist_role role);

/* The last one of two that bind equally; text.len if there is neither. */
static size_t pe_last_of(struct pe_str text, char a, char b)
{
	size_t i = pe_str_find_last(text, a), j = pe_str_find_last(text, b);

	if (i == text.len || j == text.len)
		return min(i, j);
	return max(i, j);
}

/*
 * The place where the text is split.  A minus sign at the beginning comes first, if it is the only
 * one: text.len then, and *minus.
 */
static size_t pe_split_at(struct pe_str text, bool *minus)
{
	size_t at;

	*minus = text.len && pe_str_find_last(text, '-') == 0;
	if (*minus)
		return text.len;
	at = pe_last_of(text, '-', '+');
	return at < text.len ? at : pe_last_of(text, '/', '*');
}

/* The text as it has been cut when it is all read: the kernel ends it at each operator and dot. */
static struct pe_str pe_text_as_cut(struct pe_str text)
{
	size_t i, dot, next, first = 0;
	bool minus;

	pe_split_at(text, &minus);
	if (minus) {
		text = pe_str_cut(text, pe_str_find_last(text, ')'));
		first = 1;
	}
	for (i = first; i < text.len; i++)
		if (strchr("+-*/", text.p[i]))
			break;
	text = pe_str_cut(text, i);
	dot = pe_str_find(text, '.');
	next = dot + 1 + pe_str_find(pe_str_from(text, dot + 1), '.');
	return next < text.len ? pe_str_cut(text, dot) : text;
}

static int pe_bad_expr(const struct pe_hist_parser *p, struct pe_str text)
{
	return pe_hist_fail(p, PE_ERR_HIST_EXPR, text, -EINVAL);
}

static bool pe_is_text(const struct pe_hist_field *field)
{
	return field->source == PE_HIST_STRING || field->source == PE_HIST_COMM ||
	       field->source == PE_HIST_STACK_TRACE;
}

static int pe_no_text(const struct pe_hist_parser *p, const struct pe_hist_field *field,
		      struct pe_str text)
{
	if (!pe_is_text(field))
		return 0;
	return pe_hist_fail(p, PE_ERR_HIST_STRING, pe_text_as_cut(text), -EINVAL);
}

/* ---- names ---- */

/* Put the text of an operand, for users. */
static bool pe_put_operand(struct pe_hist *hist, const struct pe_hist_field *field)
{
	bool usecs = field->source == PE_HIST_EXPR && field->usecs;

	if (field->source == PE_HIST_CONST)
		return pe_hist_put(hist, "%llu", field->constant);
	if (field->source == PE_HIST_REF && !hist->refs[field->at].full)
		pe_hist_put(hist, "$");
	pe_hist_put(hist, "%s", pe_hist_field_name(hist, field));
	if (usecs)
		pe_hist_put(hist, ".usecs");
	else if (field->mod)
		pe_hist_put(hist, ".%s", pe_hist_mods[field->mod]);
	return true;
}

/* ---- nodes ---- */

static struct pe_hist_node *pe_new_node(const struct pe_hist_parser *p, struct pe_str text)
{
	struct pe_hist *hist = p->hist;

	if (hist->nr_nodes < PE_HIST_NODES)
		return &hist->nodes[hist->nr_nodes++];
	pe_hist_fail(p, PE_ERR_HIST_LONG_EXPR, text, -E2BIG);
	return NULL;
}

/* The field of an expression, whose nodes follow each other. */
static void pe_expr_field(struct pe_hist_field *field, const struct pe_hist *hist,
			  struct pe_hist_node *node)
{
	node->last = hist->nr_nodes - 1;
	*field = (struct pe_hist_field){
		.source = PE_HIST_EXPR, .is_signed = node->left.is_signed, .size = node->left.size,
		.usecs = node->left.usecs, .at = node - hist->nodes, .depth = PE_HIST_STACK,
	};
}

static int pe_name_expr(const struct pe_hist_parser *p, struct pe_hist_field *field,
			const struct pe_hist_node *node, struct pe_str text)
{
	struct pe_hist *hist = p->hist;

	field->text = pe_hist_put_begin(hist);
	if (node->op == PE_HIST_NEG) {
		pe_hist_put(hist, "-(");
		if (node->left.source == PE_HIST_EXPR)
			pe_hist_put(hist, "%s", pe_hist_field_name(hist, &node->left));
		else
			pe_put_operand(hist, &node->left);
		pe_hist_put(hist, ")");
	} else {
		pe_put_operand(hist, &node->left);
		pe_hist_put(hist, "%c", node->op);
		pe_put_operand(hist, &node->right);
	}
	if (pe_hist_put_end(hist, field->text))
		return 0;
	return pe_hist_fail(p, PE_ERR_HIST_LONG_EXPR, text, -E2BIG);
}

/* -(EXPR) */
static int pe_read_minus(struct expr *x, struct pe_hist_field *field, struct pe_str text)
{
	struct pe_str rest = pe_str_from(text, 1), inside;
	struct pe_hist_node *node;
	size_t end;
	int ret;

	if (++x->operators > PE_HIST_OPERATORS)
		return pe_hist_fail(x->p, PE_ERR_HIST_MANY_OPERATORS, text, -EINVAL);
	if (pe_str_find(rest, '(') == rest.len)
		return pe_bad_expr(x->p, text);
	rest = pe_str_from(rest, 1);
	end = pe_str_find_last(rest, ')');
	if (end == rest.len)
		return pe_bad_expr(x->p, text);
	if (end + 1 < rest.len)
		return pe_hist_fail(x->p, PE_ERR_HIST_MINUS, rest, -EINVAL);
	inside = pe_str_cut(rest, end);
	node = pe_new_node(x->p, text);
	if (!node)
		return -E2BIG;
	node->op = PE_HIST_NEG;
	ret = pe_read_expr(x, &node->left, inside, PE_HIST_OPERAND);
	if (!ret)
		ret = pe_no_text(x->p, &node->left, inside);
	if (ret)
		return ret;
	/* The kernel has no name for these. */
	if (node->left.mod == PE_MOD_LOG2 || node->left.mod == PE_MOD_BUCKETS)
		return pe_bad_expr(x->p, text);
	pe_expr_field(field, x->p->hist, node);
	return pe_name_expr(x->p, field, node, text);
}

/* Is the operand, or the variable that it refers to, a constant, and which? */
static bool pe_node_constant(const struct pe_hist *hist, const struct pe_hist_field *field,
			     u64 *constant)
{
	const struct pe_hist_ref *ref;

	if (field->source == PE_HIST_REF) {
		ref = &hist->refs[field->at];
		*constant = ref->constant;
		return ref->is_constant;
	}
	*constant = field->constant;
	return field->source == PE_HIST_CONST;
}

static bool pe_in_usecs(const struct pe_hist *hist, const struct pe_hist_field *field)
{
	return field->source == PE_HIST_REF ? hist->refs[field->at].usecs : field->usecs;
}

/* A variable in an expression is read once for each time that it is set. */
static void pe_read_once(struct pe_hist *hist, const struct pe_hist_field *field)
{
	if (field->source == PE_HIST_REF)
		hist->refs[field->at].once = true;
}

static int pe_nodes_join(struct expr *x, struct pe_hist_field *field, struct pe_hist_node *node,
			 struct pe_str text, struct pe_str right)
{
	struct pe_hist *hist = x->p->hist;
	bool known[2];
	u64 a, b;

	if (pe_in_usecs(hist, &node->left) != pe_in_usecs(hist, &node->right))
		return pe_hist_fail(x->p, PE_ERR_HIST_UNITS, pe_str_of(""), -EINVAL);
	known[0] = pe_node_constant(hist, &node->left, &a);
	known[1] = pe_node_constant(hist, &node->right, &b);
	if (node->op == '/' && known[1] && !b)
		return pe_hist_fail(x->p, PE_ERR_HIST_BY_ZERO, pe_text_as_cut(right), -EDOM);
	if (known[0] && known[1]) {
		*field = (struct pe_hist_field){
			.source = PE_HIST_CONST, .size = 8, .depth = PE_HIST_STACK,
			.constant = pe_hist_calculate(node->op, a, b),
		};
		return 0;
	}
	pe_read_once(hist, &node->left);
	pe_read_once(hist, &node->right);
	pe_expr_field(field, hist, node);
	return pe_name_expr(x->p, field, node, text);
}

static int pe_read_both(struct expr *x, struct pe_hist_field *field, struct pe_str text, size_t at)
{
	struct pe_str left = pe_str_cut(text, at), right = pe_str_from(text, at + 1);
	struct pe_hist_node *node;
	int ret;

	x->operators++;
	if (!left.len || !right.len)
		return pe_bad_expr(x->p, text);
	node = pe_new_node(x->p, text);
	if (!node)
		return -E2BIG;
	node->op = text.p[at];
	ret = pe_read_expr(x, &node->left, left, PE_HIST_OPERAND);
	if (!ret)
		ret = pe_no_text(x->p, &node->left, left);
	if (!ret)
		ret = pe_read_expr(x, &node->right, right, PE_HIST_OPERAND);
	if (!ret)
		ret = pe_no_text(x->p, &node->right, right);
	return ret ? ret : pe_nodes_join(x, field, node, text, right);
}

static int pe_read_expr(struct expr *x, struct pe_hist_field *field, struct pe_str text,
			enum pe_hist_role role)
{
	bool minus;
	size_t at;

	if (x->operators > PE_HIST_OPERATORS)
		return pe_hist_fail(x->p, PE_ERR_HIST_MANY_OPERATORS, text, -EINVAL);
	at = pe_split_at(text, &minus);
	if (minus)
		return pe_read_minus(x, field, text);
	if (at < text.len)
		return pe_read_both(x, field, text, at);
	return pe_hist_atom(x->p, field, text, role);
}

static int pe_hist_expr(const struct pe_hist_parser *p, struct pe_hist_field *field,
			struct pe_str text, enum pe_hist_role role)
{
	struct expr x = { .p = p };

	return pe_read_expr(&x, field, text, role);
}

/* ---- keys, values and variables ---- */

/* Modifiers of numbers that no value can have: what they print is no sum. */
static bool pe_mod_is_for_keys(unsigned int mod)
{
	return mod == PE_MOD_SYM || mod == PE_MOD_SYM_OFFSET || mod == PE_MOD_SYSCALL ||
	       mod == PE_MOD_STACKTRACE || mod == PE_MOD_LOG2 || mod == PE_MOD_BUCKETS;
}

static struct pe_str pe_modifier_of(struct pe_str text)
{
	size_t dot = pe_str_find_last(text, '.');

	return pe_str_from(text, dot + 1);
}

/* Is a variable in it? */
static bool pe_has_ref(const struct pe_hist *hist, const struct pe_hist_field *field)
{
	const struct pe_hist_node *node;
	unsigned int i;

	if (field->source == PE_HIST_REF)
		return true;
	if (field->source != PE_HIST_EXPR)
		return false;
	for (i = field->at; i <= hist->nodes[field->at].last; i++) {
		node = &hist->nodes[i];
		if (node->left.source == PE_HIST_REF ||
		    (node->op != PE_HIST_NEG && node->right.source == PE_HIST_REF))
			return true;
	}
	return false;
}

int pe_hist_key(const struct pe_hist_parser *p, struct pe_hist_field *field, struct pe_str text)
{
	int ret = pe_hist_expr(p, field, text, PE_HIST_KEY);

	if (ret)
		return ret;
	if (pe_has_ref(p->hist, field))
		return pe_hist_fail(p, PE_ERR_HIST_REF_KEY, pe_text_as_cut(text), -EINVAL);
	if (pe_is_text(field) && field->mod && field->mod != PE_MOD_USECS)
		return pe_hist_bad_modifier(p, pe_modifier_of(text));
	return 0;
}

int pe_hist_val(const struct pe_hist_parser *p, struct pe_hist_field *field, struct pe_str text)
{
	int ret = pe_hist_expr(p, field, text, PE_HIST_VAL);

	if (ret)
		return ret;
	if (pe_mod_is_for_keys(field->mod) || field->source == PE_HIST_STACK_TRACE)
		return pe_hist_bad_modifier(p, pe_text_as_cut(text));
	if (field->source == PE_HIST_HITCOUNT && field->mod >= PE_MOD_DIST)
		return pe_hist_bad_modifier(p, pe_modifier_of(text));
	if (field->source == PE_HIST_STRING || field->source == PE_HIST_COMM)
		return pe_hist_fail(p, field->mod ? PE_ERR_HIST_BAD_MODIFIER : PE_ERR_HIST_STRING,
				    text, -EINVAL);
	return 0;
}

int pe_hist_var_value(const struct pe_hist_parser *p, struct pe_hist_field *field,
		      struct pe_str text)
{
	int ret = pe_hist_expr(p, field, text, PE_HIST_VAR);

	if (ret)
		return ret;
	if (field->mod == PE_MOD_LOG2 || field->mod == PE_MOD_BUCKETS)
		return pe_hist_bad_modifier(p, pe_text_as_cut(text));
	if (pe_is_text(field) || field->mod == PE_MOD_EXECNAME)
		return pe_hist_fail(p, PE_ERR_HIST_VAR_TEXT, text, -EINVAL);
	return 0;
}
