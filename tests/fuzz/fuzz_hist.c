// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * Histogram triggers of any bytes.
 *
 *   - nothing is read after the text;
 *   - an error has an errno and a code, and its caret is in the text;
 *   - keys and values of what is accepted, as they are shown, are accepted again and mean the same;
 *   - a hit with any record is counted in a row, and its row is printed.
 */
#include <linux/seq_file.h>
#include "kernel/trace/hit/table_hit.h"
#include "kernel/trace/hit/vars_hit.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/hist.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/table/view.h"
#include "tests/fuzz/check.h"

#define RECORD	48
#define ROWS	64

static struct pe_arg args[5];

/* No other trigger has variables. */
static int find(const struct pe_hist_scope *scope, struct pe_str group, struct pe_str event,
		struct pe_str name, struct pe_hist_found *found)
{
	return -2;	/* -ENOENT */
}

static bool defined(const struct pe_hist_scope *scope, struct pe_str name)
{
	return false;
}

static const struct pe_hist_scope scope = {
	.group = "g", .event = "e", .find = find, .defined = defined,
};

static int parse(struct pe_hist *hist, const char *text, const struct pe_layout *layout,
		 struct pe_parse_err *err)
{
	char *work = malloc(strlen(text) + 1);
	int ret;

	memcpy(work, text, strlen(text) + 1);
	ret = pe_hist_parse(hist, text, work, layout, &scope, err);
	free(work);
	return ret ? ret : pe_hist_finish(hist, text, layout, &scope, err);
}

static void make_layout(struct pe_layout *layout)
{
	static const struct {
		const char *name, *type;
		u8 offset;
	} fields[] = {
		{ "a", "u64", 16 }, { "b", "s32", 24 }, { "c", "u8", 28 }, { "s", "string", 32 },
		{ "t", "s16", 36 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		strscpy(args[i].name, fields[i].name, sizeof(args[i].name));
		args[i].type = pe_type_find(fields[i].type, strlen(fields[i].type));
		args[i].offset = fields[i].offset;
		args[i].size = args[i].type->size;
	}
	*layout = (struct pe_layout){ .name = "e", .nargs = ARRAY_SIZE(fields), .args = args };
}

/* "cpu" and "CPU" are shown as common_cpu. */
static void same_cpu(struct pe_hist_field *shown, const struct pe_hist_field *field, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (shown[i].source == PE_HIST_CPU && field[i].source == PE_HIST_CPU &&
		    shown[i].mod == field[i].mod)
			shown[i] = field[i];
}

/* As in the kernel, an operand is shown with its modifier, but without the size of buckets. */
static bool lacks_a_size(const struct pe_hist *hist)
{
	unsigned int i;

	for (i = 0; i < hist->nr_nodes; i++)
		if (hist->nodes[i].left.mod == PE_MOD_BUCKETS ||
		    hist->nodes[i].right.mod == PE_MOD_BUCKETS)
			return true;
	return false;
}

static void check_again(const struct pe_hist *hist, const struct pe_layout *layout)
{
	static char text[4096];
	struct seq_file m = { .buf = text, .size = sizeof(text) };
	struct pe_parse_err err = { 0 };
	struct pe_hist again, shown = *hist;

	text[0] = 0;
	shown.name[0] = 0;
	pe_hist_show(&m, &shown);
	CHECK(!seq_has_overflowed(&m));
	/* Sort fields are shown with modifiers, which no command may have. */
	*strstr(text, ":sort=") = 0;
	CHECK(!parse(&again, text, layout, &err));
	same_cpu(again.keys, hist->keys, hist->nr_keys);
	same_cpu(again.vals, hist->vals, hist->nr_vals);
	again.nr_sorts = hist->nr_sorts;
	memcpy(again.sort, hist->sort, sizeof(again.sort));
	CHECK(pe_hist_same(&again, hist));
}

static void fill(const struct pe_vars_fill *how, u64 *word)
{
	const unsigned int *words = how->data;

	memset(word, 1, *words * sizeof(u64));
}

/* The hit's variables are set, and each action keeps something once. */
static void check_vars(const struct pe_hist *hist, struct pe_table_view *view,
		       const struct pe_table_key *key, const struct pe_table_from *from)
{
	struct pe_vars_spare spare = { 0 };
	struct pe_vars_map map;
	struct pe_vars_row *row;
	unsigned int i, words;
	struct pe_vars_fill how = { .fill = fill, .data = &words };
	u64 v, *memory;

	if (!pe_hist_has_vars(hist))
		return;
	pe_vars_shape(&map, &view->shape, hist, 2, 1);
	memory = calloc(pe_vars_words(&map), sizeof(u64));
	pe_vars_init(&map, memory);
	row = pe_vars_get(&map, key, &spare);
	CHECK(row && row == pe_vars_find(&map, key, pe_table_words(&view->shape)));
	for (i = 0; i < hist->nr_vars; i++) {
		v = pe_table_number(hist, &hist->vars[i].value, from);
		pe_vars_set(&map, row, i, v);
		CHECK(pe_vars_read(&map, row, i, true, &v) && !pe_vars_read(&map, row, i, true, &v));
	}
	words = map.node_words - 1;
	view->kept_words = 1 + map.node_words;
	view->kept = calloc(2 * hist->nr_actions + 1, view->kept_words * sizeof(u64));
	for (i = 0; i < hist->nr_actions; i++) {
		CHECK(pe_vars_track(&map, row, i, hist->actions[i].handler, 7, &how, &spare));
		CHECK(!pe_vars_track(&map, row, i, hist->actions[i].handler, 7, &how, &spare));
		CHECK(pe_vars_kept(&map, row, i, pe_view_kept(view, 0, i) + 1));
		pe_view_kept(view, 0, i)[0] = i & 1;
	}
	free(memory);
}

static void check_hit(const struct pe_hist *hist, const void *rec)
{
	static u64 stack[PE_HIST_MAX_STACK];
	struct pe_table_from from = { .rec = rec, .len = RECORD, .cpu = 1, .stack = stack };
	struct pe_table_view view = { .hist = *hist };
	struct pe_base none = { 0 };
	struct pe_base_room room;
	u64 val[PE_VAL_WORDS];
	struct pe_table_key key;
	struct pe_bank *bank;
	static char text[8192];
	struct seq_file m = { .buf = text, .size = sizeof(text) };

	pe_table_shape(&view.shape, hist);
	from.nr_stack = view.shape.depth;
	bank = malloc(pe_bank_size(&view.shape, ROWS));
	pe_bank_init(&view.shape, bank, ROWS);
	pe_table_key(&key, hist, &view.shape, &from);
	pe_table_vals(val, hist, &view.shape, &from);
	pe_bank_count(&view.shape, bank, &key, val);
	pe_bank_count(&view.shape, bank, &key, val);
	pe_base_sizes(&room, &view.shape, ROWS, 512);
	view.base = (struct pe_base){ .max_rows = ROWS, .pool_words = 512 };
	view.base.rows = calloc(1, room.rows);
	view.base.index = calloc(1, room.index);
	view.base.pool = calloc(1, room.pool);
	pe_base_move(&view.shape, &view.base, &none);
	pe_base_merge(&view.shape, &view.base, bank);
	CHECK(view.base.nr_rows == 1 && pe_base_hits(&view.shape, &view.base) == 2);
	view.order = calloc(1, sizeof(*view.order));
	view.lines = calloc(1, sizeof(*view.lines));
	check_vars(hist, &view, &key, &from);
	pe_view_sort(&view);
	pe_hist_print_line(&m, &view, 0);
	pe_table_print_head(&m, &view);
	pe_table_print_row(&m, &view, 0);
	free(view.kept);
	free(view.order);
	free(view.lines);
	free(view.base.rows);
	free(view.base.index);
	free(view.base.pool);
	free(bank);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct pe_parse_err err = { 0 };
	struct pe_layout layout;
	struct pe_hist hist;
	char *copy;
	u8 *rec;
	int ret;

	if (size < RECORD || size - RECORD > 1000)
		return 0;
	rec = malloc(RECORD);
	memcpy(rec, data, RECORD);
	size -= RECORD;
	copy = malloc(5 + size + 1);
	memcpy(copy, PE_HIST_PREFIX, 5);
	memcpy(copy + 5, data + RECORD, size);
	copy[5 + size] = 0;
	make_layout(&layout);
	ret = parse(&hist, copy, &layout, &err);
	if (ret) {
		CHECK(ret < 0 && err.code != PE_ERR_NONE && err.code < PE_NR_PARSE_ERRORS);
		CHECK(err.pos <= strlen(copy));
	} else {
		CHECK(err.code == PE_ERR_NONE);
		/* Names of variables may have bytes that are shown as others. */
		if (!pe_hist_has_vars(&hist) && !lacks_a_size(&hist))
			check_again(&hist, &layout);
		check_hit(&hist, rec);
	}
	free(copy);
	free(rec);
	return 0;
}
