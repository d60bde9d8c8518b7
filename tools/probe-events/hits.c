// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * hits.c - a hit as a line: verb trace.
 *
 * The columns are the question's keys.  Without keys, each argument is NAME=VALUE.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include "errors.h"
#include "folded.h"
#include "hits.h"
#include "json.h"
#include "paint.h"
#include "preset.h"
#include "report.h"
#include "safe.h"
#include "symbols.h"
#include "text.h"
#include "units.h"

/*
 * No record is longer than a page: a text of 4095 bytes, or an array, of whose bytes each becomes
 * four characters.
 */
#define VALUE_TEXT 16384
#define FUNC_WIDTH 24

static unsigned long long number_of(const struct hits *h, const struct record *r,
				    const char *name)
{
	struct tep_format_field *field = tep_find_any_field(h->rs->event, name);
	unsigned long long value = 0;

	if (field)
		tep_read_number_field(field, r->data, &value);
	return value;
}

/* Numbers of a signed field that is shorter than 8 bytes. */
static long long widen(const struct tep_format_field *field, unsigned long long value)
{
	int bits = 8 * field->size;

	if (!(field->flags & TEP_FIELD_IS_SIGNED) || bits >= 64)
		return value;
	return (long long)(value << (64 - bits)) >> (64 - bits);
}

/* To read all symbols takes long: it is done for the first address that is shown. */
static void symbol_of(struct hits *h, unsigned long long addr, char *text)
{
	char hex[24];

	if (!h->kallsyms) {
		h->kallsyms = read_text("/proc/kallsyms") ?: strdup("");
		if (h->kallsyms && symbols_load(&h->symbols, h->kallsyms))
			complain("no memory");
	}
	snprintf(hex, sizeof(hex), "0x%llx", addr);
	symbols_print(&h->symbols, text, VALUE_TEXT, hex);
}

/* A text in the record: __data_loc has its length above, its place below. */
static void text_of(const struct tep_format_field *field, const struct record *r, char *text)
{
	const char *at = (const char *)r->data + field->offset;
	unsigned int loc, len = field->size;

	if (field->flags & TEP_FIELD_IS_DYNAMIC) {
		memcpy(&loc, at, sizeof(loc));
		at = (const char *)r->data + (loc & 0xffff);
		len = loc >> 16;
	}
	snprintf(text, VALUE_TEXT, "%.*s", (int)len, at);
}

/* The elements of an array, as the library shows them. */
static void array_of(const struct tep_format_field *field, const struct record *r, char *text)
{
	struct trace_seq seq;

	trace_seq_init(&seq);
	tep_print_field(&seq, r->data, (struct tep_format_field *)field);
	trace_seq_terminate(&seq);
	snprintf(text, VALUE_TEXT, "%s", seq.buffer);
	trace_seq_destroy(&seq);
}

/* Has the field a text, rather than a number?  Then @text gets it. */
static bool text_of_field(const struct tep_format_field *field, const struct record *r, char *text)
{
	if (field->flags & TEP_FIELD_IS_STRING)
		text_of(field, r, text);
	else if (field->flags & TEP_FIELD_IS_ARRAY)
		array_of(field, r, text);
	else
		return false;
	return true;
}

static void value_of(struct hits *h, const struct record *r,
		     const struct tep_format_field *field, const char *modifier, char *text)
{
	unsigned long long value = 0;
	const char *error;
	long long wide;

	if (text_of_field(field, r, text))
		return;
	tep_read_number_field((struct tep_format_field *)field, r->data, &value);
	wide = widen(field, value);
	error = error_name(wide);
	if (!strcmp(modifier, ".sym"))
		symbol_of(h, value, text);
	else if (!strcmp(modifier, ".hex") || (value >> 63 && wide < -(1LL << 46)))
		snprintf(text, VALUE_TEXT, "0x%llx", value);
	else if (error && !strcmp(field->name, "ret"))
		snprintf(text, VALUE_TEXT, "-%s", error);
	else if (!strcmp(field->name, "ns"))
		print_time(text, value, h->r->unit);
	else if (field->flags & TEP_FIELD_IS_SIGNED)
		snprintf(text, VALUE_TEXT, "%lld", wide);
	else
		snprintf(text, VALUE_TEXT, "%llu", value);
}

static void func_of(struct hits *h, const struct record *r, char *text)
{
	symbol_of(h, number_of(h, r, h->recipe->returns ? "__probe_func" : "__probe_ip"), text);
}

static unsigned long long part_of(const struct hits *h, const struct record *r, const char *end,
				  const char *part)
{
	char name[80];

	snprintf(name, sizeof(name), "%s_%s", end, part);
	return number_of(h, r, name);
}

/* One end of a connection: fields END_4, END_6a, END_6b and END_port, and fam of both. */
static void end_of(const struct hits *h, const struct record *r, const char *end, char *text)
{
	unsigned long long six[2] = { part_of(h, r, end, "6a"), part_of(h, r, end, "6b") };

	words_inet(part_of(h, r, end, "4"), number_of(h, r, "fam") == AF_INET6 ?
		   (unsigned char *)six : NULL, part_of(h, r, end, "port"), text, VALUE_TEXT);
}

/* The lock of a hit, with the fields that its preset names beside it. */
static void lock_of(struct hits *h, const struct record *r, char *text)
{
	const struct preset *p = h->r->preset;
	unsigned long long lock = number_of(h, r, p->beside[0]);

	if (p->kinds.nr)
		lock += number_of(h, r, p->kinds.of[0]);
	locks_print(&h->locks, p, lock, number_of(h, r, p->beside[1]), text);
}

/* A field that a preset gives a form; false: it has none. */
static bool formed_value(struct hits *h, const struct record *r, const char *key, char *text)
{
	const char *form = preset_form(h->r->preset, key);
	struct tep_format_field *field;
	unsigned long long value = 0;
	char name[64];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(key, "."), key);
	if (!strcmp(form, "inet")) {
		end_of(h, r, name, text);
		return true;
	}
	if (!strcmp(form, "lock") && h->r->preset->beside[0]) {
		lock_of(h, r, text);
		return true;
	}
	if (!strcmp(form, "owner")) {
		snprintf(text, VALUE_TEXT, "%s", h->entry ?: "?");
		return true;
	}
	field = *form ? tep_find_any_field(h->rs->event, name) : NULL;
	if (!field || field->flags & (TEP_FIELD_IS_STRING | TEP_FIELD_IS_ARRAY))
		return false;
	tep_read_number_field(field, r->data, &value);
	if (!strcmp(form, "sym"))
		symbol_of(h, value, text);
	else if (!strcmp(form, "hex"))
		snprintf(text, VALUE_TEXT, "0x%llx", value);
	else if (!words_print(&h->words, form, widen(field, value), text))
		snprintf(text, VALUE_TEXT, "%lld", widen(field, value));
	return true;
}

/* A key's value: of the record itself, or an argument. */
static void key_value(struct hits *h, const struct record *r, const char *key, char *text)
{
	struct tep_format_field *field;
	const char *modifier;
	char name[64];

	if (formed_value(h, r, key, text))
		return;
	if (!strcmp(key, "cpu")) {
		snprintf(text, VALUE_TEXT, "%d", r->cpu);
	} else if (!strcmp(key, "tid")) {
		snprintf(text, VALUE_TEXT, "%llu", number_of(h, r, "common_pid"));
	} else if (!strcmp(key, "func")) {
		func_of(h, r, text);
	} else {
		modifier = recipe_field(key, name, sizeof(name));
		if (!strcmp(name, "caller") && h->recipe->returns)
			snprintf(name, sizeof(name), "__probe_ret_ip");
		if (!strcmp(key, "caller"))
			modifier = ".sym";
		field = tep_find_any_field(h->rs->event, name);
		if (field)
			value_of(h, r, field, modifier, text);
		else
			snprintf(text, VALUE_TEXT, "?");
	}
}

/* The number of a key that has names; false: it has none, or the hit does not have the field. */
static bool named_value(const struct hits *h, const struct record *r, size_t key,
			long long *number, const char **name)
{
	const char *word = h->r->keys[key];
	struct tep_format_field *field;
	unsigned long long value = 0;
	char text[64];

	*number = 0;
	if (!naming_has(h->naming, key, number, name))
		return false;
	recipe_field(recipe_is_errno(h->r, word) ? "ret" : word, text, sizeof(text));
	field = tep_find_any_field(h->rs->event, text);
	if (!field)
		return false;
	tep_read_number_field(field, r->data, &value);
	*number = widen(field, value);
	return naming_has(h->naming, key, number, name);
}

/* A column. */
static void column_value(struct hits *h, const struct record *r, size_t key, char *text)
{
	long long number;
	const char *name;

	if (!named_value(h, r, key, &number, &name))
		key_value(h, r, h->r->keys[key], text);
	else if (name)
		snprintf(text, VALUE_TEXT, "%s", name);
	else
		snprintf(text, VALUE_TEXT, "%lld", number);
}

/* Fields that every record has are no arguments. */
static bool is_argument(const struct tep_format_field *field)
{
	return strncmp(field->name, "__probe_", 8) && strcmp(field->name, "comm") &&
	       strcmp(field->name, RECIPE_CGROUP) && strcmp(field->name, RECIPE_LEVEL);
}

/* ---- for people ---- */

static int width_of(const char *key)
{
	int len = strcspn(key, ".");

	if (strstr(key, ".inet"))
		return 21;
	if (strstr(key, ".lock") || strstr(key, ".owner"))
		return 24;
	if (strchr(key, '.') && strcmp(key + len, ".hex"))
		return 16;
	if (!strcmp(key, "comm") || !strcmp(key, "func") || !strcmp(key, "caller") ||
	    !strcmp(key, "errno"))
		return 16;
	return len < 8 ? 8 : len;
}

static void put_column(const struct hits *h, size_t i, const char *text)
{
	bool last = i + 1 == h->r->nr_keys;

	fputs("  ", h->out);
	put_safe(text, last ? 0 : width_of(h->r->keys[i]), h->out);
}

/* Of several functions, which, if no key says so already. */
static bool shows_func(const struct hits *h)
{
	size_t i;

	for (i = 0; i < h->r->nr_keys; i++)
		if (!strcmp(h->r->keys[i], "func"))
			return false;
	return h->recipe->several;
}

void hits_heading(const struct hits *h)
{
	char name[64];
	size_t i, k;

	if (h->json || h->folded || h->kept)
		return;
	fprintf(h->out, "%-12s  %-7s  %-*s", "TIME", "TID", h->r->nr_keys || shows_func(h) ?
		16 : 0, "COMM");
	if (shows_func(h))
		fprintf(h->out, "  %-*s", h->r->nr_keys ? FUNC_WIDTH : 0, "FUNC");
	for (i = 0; i < h->r->nr_keys; i++) {
		snprintf(name, sizeof(name), "%.*s", (int)(h->r->preset ?
			 strcspn(h->r->keys[i], ".") : strlen(h->r->keys[i])), h->r->keys[i]);
		for (k = 0; name[k]; k++)
			name[k] = toupper((unsigned char)name[k]);
		put_column(h, i, name);
	}
	fputc('\n', h->out);
	fflush(h->out);
}

static void put_time(const struct hits *h, const struct record *r)
{
	unsigned long long at = r->at + h->wall;
	time_t seconds = at / 1000000000;
	struct tm tm;

	localtime_r(&seconds, &tm);
	fprintf(h->out, "%02d:%02d:%02d.%03llu", tm.tm_hour, tm.tm_min, tm.tm_sec,
		at / 1000000 % 1000);
}

static void put_arguments(struct hits *h, const struct record *r)
{
	struct tep_format_field *field;
	char text[VALUE_TEXT];

	for (field = h->rs->event->format.fields; field; field = field->next) {
		if (!is_argument(field))
			continue;
		value_of(h, r, field, "", text);
		fprintf(h->out, "  %s=", field->name);
		put_safe(text, 0, h->out);
	}
}

static void put_lost_stack(const struct hits *h)
{
	fprintf(h->out, "%14s", "");
	paint(PAINT_BAD, h->out);
	fputs("(its stack was lost)", h->out);
	paint(PAINT_NONE, h->out);
	fputc('\n', h->out);
}

/* The innermost first, a line each. */
static void put_stack(struct hits *h, const struct record *r)
{
	char text[VALUE_TEXT];
	size_t i;

	if (!r->stack)
		put_lost_stack(h);
	for (i = 0; i < r->frames; i++) {
		symbol_of(h, r->stack[i], text);
		fprintf(h->out, "%14s", "");
		put_safe(text, 0, h->out);
		fputc('\n', h->out);
	}
}

static void put_line(struct hits *h, const struct record *r)
{
	char text[VALUE_TEXT];
	size_t i;

	put_time(h, r);
	fprintf(h->out, "  %-7llu  ", number_of(h, r, "common_pid"));
	key_value(h, r, "comm", text);
	put_safe(text, 16, h->out);
	if (shows_func(h)) {
		func_of(h, r, text);
		fputs("  ", h->out);
		put_safe(text, h->r->nr_keys ? FUNC_WIDTH : 0, h->out);
	}
	for (i = 0; i < h->r->nr_keys; i++) {
		column_value(h, r, i, text);
		put_column(h, i, text);
	}
	if (!h->r->nr_keys)
		put_arguments(h, r);
	fputc('\n', h->out);
	if (h->r->stacks)
		put_stack(h, r);
}

/* "comm;outermost;...;innermost 1": who reads that adds up what is equal. */
static void put_folded(struct hits *h, const struct record *r)
{
	char text[VALUE_TEXT];
	size_t i;

	key_value(h, r, "comm", text);
	folded_frame(text, h->out);
	for (i = r->frames; i; i--) {
		symbol_of(h, r->stack[i - 1], text);
		fputc(';', h->out);
		folded_frame(text, h->out);
	}
	fputs(" 1\n", h->out);
}

/* ---- for programs ---- */

static struct json_object *field_object(const struct record *r,
					const struct tep_format_field *field)
{
	unsigned long long value = 0;
	char text[VALUE_TEXT];

	if (text_of_field(field, r, text))
		return json_text(text);
	tep_read_number_field((struct tep_format_field *)field, r->data, &value);
	return field->flags & TEP_FIELD_IS_SIGNED ? json_signed(widen(field, value)) :
	       json_number(value);
}

/* Keys that have names, as they were typed. */
static struct json_object *names_object(const struct hits *h, const struct record *r)
{
	struct json_object *o = json_object_new_object();
	long long number;
	const char *name;
	size_t i;

	for (i = 0; i < h->r->nr_keys; i++)
		if (named_value(h, r, i, &number, &name))
			json_object_object_add(o, h->r->keys[i], json_named(number, name));
	return o;
}

static struct json_object *stack_object(struct hits *h, const struct record *r)
{
	struct json_object *list = json_object_new_array();
	char text[VALUE_TEXT];
	size_t i;

	for (i = 0; i < r->frames; i++) {
		symbol_of(h, r->stack[i], text);
		json_object_array_add(list, json_text(text));
	}
	return list;
}

static void put_object(struct hits *h, const struct record *r, FILE *out)
{
	struct json_object *o = json_line("hit", r->at / 1e9), *args = json_object_new_object();
	struct tep_format_field *field;
	char text[VALUE_TEXT];

	json_object_object_add(o, "cpu", json_object_new_int(r->cpu));
	json_object_object_add(o, "tid", json_number(number_of(h, r, "common_pid")));
	key_value(h, r, "comm", text);
	json_object_object_add(o, "comm", json_text(text));
	if (h->recipe->several)
		func_of(h, r, text);
	json_object_object_add(o, "func", json_text(h->recipe->several ? text : h->r->what));
	for (field = h->rs->event->format.fields; field; field = field->next)
		if (is_argument(field))
			json_object_object_add(args, field->name, field_object(r, field));
	json_object_object_add(o, "args", args);
	if (h->entry)
		json_object_object_add(args, "owner", json_text(h->entry));
	if (h->naming->any)
		json_object_object_add(o, "names", names_object(h, r));
	if (r->stack)
		json_object_object_add(o, "stack", stack_object(h, r));
	json_print(o, out);
}

/* The begin of a call: the lock's owner, and whether it is one of several readers. */
static void note_entry(struct hits *h, const struct record *r)
{
	struct tep_format_field *owner = tep_find_any_field(h->rs->also, "owner");
	struct tep_format_field *reader = tep_find_any_field(h->rs->also, "reader");
	struct tep_format_field *tid = tep_find_any_field(h->rs->also, "common_pid");
	struct tep_format_field *lock = tep_find_any_field(h->rs->also, "lock");
	unsigned long long bits = 0, task = 0, of = 0;
	char text[VALUE_TEXT];

	if (!owner || !tid || !text_of_field(owner, r, text))
		return;
	tep_read_number_field(tid, r->data, &task);
	if (lock)
		tep_read_number_field(lock, r->data, &of);
	if (reader)
		tep_read_number_field(reader, r->data, &bits);
	if (bits & 1 && strlen(text) + sizeof(" (read)") <= ENTRIES_TEXT)
		strcat(text, " (read)");
	if (entries_note(&h->entries, task, of, r->at, text))
		complain("no memory");
}

bool hits_show(void *ctx, const struct record *r)
{
	struct hits *h = ctx;

	if (r->also) {
		note_entry(h, r);
		return true;
	}
	if (h->rs->also)
		h->entry = entries_take(&h->entries, number_of(h, r, "common_pid"),
					number_of(h, r, "lock"), r->at, number_of(h, r, "ns"));
	if (h->r->most && h->shown == h->r->most)
		return false;
	h->shown++;
	h->bare += h->r->stacks && !r->stack;
	if (h->json)
		put_object(h, r, h->out);
	else if (h->folded)
		put_folded(h, r);
	else if (!h->kept)
		put_line(h, r);
	if (h->save)
		put_object(h, r, h->save);
	return true;
}

void hits_free(struct hits *h)
{
	words_free(&h->words);
	locks_free(&h->locks);
	entries_free(&h->entries);
	functions_free(&h->symbols);
	free(h->kallsyms);
}
