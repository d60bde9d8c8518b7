// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * Names and fields with type data that is wrong.  The first byte chooses a command; each six bytes
 * after it replace a word of the types of btf_world.h, by its number and its value.  Bytes that
 * remain are put into the command's end.
 *
 *   - nothing is read outside the type data (it is copied to memory of its own size);
 *   - every way through the types ends;
 *   - what is accepted is a program that a hit can follow.
 */
#include "btf_world.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/limits.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/parse/spec.h"
#include "tests/fuzz/check.h"

static const char *const commands[] = {
	"p fn $arg*", "p fn o->in.a", "p fn o->next->next->next->text:string", "p fn o->in.deeper",
	"p fn o->in.name:string", "p fn o->one o->five o->byte o->rest o->color", "p fn s:ustring",
	"r fn $retval->in.u $arg*", "r none $retval", "p many $arg*", "p dots $arg*", "p fn $arg8",
	"p fn $current->mm->in.name:string", "p fn o->in.numbers[3] o[1].five s[2]",
	"p fn (table)n->many[3][1]->names[5]:string (table,nested[1][1])o->rows[2].u",
	"p fn (outer)%di->in.deeper", "p fn (outer,in.numbers)((inner)+8(o)->a)->next->five",
	"p fn (outer,in", "p fn (outer)this_cpu_ptr(@v)->in.a", "p fn this_cpu_read(o->next)", "p fn o->", "r fn $retval:string", "p fn o->huge x=o->in.numbers:s32[4]", "p fn ",
	"p fn (hints)n->u1 (hints)n->s1 (hints)n->u2 (hints)n->s2 (hints)n->e8 (hints)n->v8 (hints)n->bits",
};

static struct pe_spec spec;
static struct pe_placed placed;

static void check_arg(const struct pe_arg *arg)
{
	CHECK(arg->type);
	CHECK(arg->fetch.nr_derefs <= PE_MAX_DEREFS);
	CHECK(arg->bf_width + arg->bf_shift <= arg->type->size * 8);
	CHECK(arg->size == arg->type->size * (arg->count ? arg->count : 1));
	if (arg->fetch.load == PE_LOAD_SAVED)
		CHECK(arg->fetch.index < placed.nr_saved);
}

static void parse(const char *text)
{
	const struct pe_parse_env env = { .on_entry = true };
	struct pe_parse_err err = {};
	unsigned int i;

	if (pe_cmd_parse(&spec, text, &placed, &err) || pe_args_parse(&placed, &env, &err)) {
		CHECK(err.code < PE_NR_PARSE_ERRORS);
		return;
	}
	for (i = 0; i < placed.nargs; i++)
		check_arg(&placed.args[i]);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static struct btf_world world, *copy;
	char text[256];
	struct btf btf;
	size_t at;
	u32 value;

	if (!size)
		return 0;
	world_make(&world);
	for (at = 1; at + 6 <= size; at += 6) {
		memcpy(&value, data + at + 2, sizeof(value));
		world.types[(data[at] | data[at + 1] << 8) % world.used] = value;
	}
	scnprintf(text, sizeof(text), "%s%.*s", commands[data[0] % ARRAY_SIZE(commands)],
		  (int)(size - at), (const char *)data + at);
	copy = malloc(sizeof(world));
	memcpy(copy, &world, sizeof(world));
	if (!pe_blob_open(&btf, copy, sizeof(world))) {
		pe_fake_btf = &btf;
		parse(text);
		pe_fake_btf = NULL;
	}
	pe_blob_close(&btf);
	free(copy);
	return 0;
}
