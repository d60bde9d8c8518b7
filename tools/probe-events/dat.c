// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * dat.c - what trace-cmd has recorded: trace.dat, by libtracecmd and libtraceevent.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "dat.h"
#include "json.h"
#include "progress.h"
#include "report.h"

#define MAGIC "\x17\x08\x44tracing"

bool dat_is(const char *path)
{
	char begin[sizeof(MAGIC) - 1];
	struct stat st;
	/* What is read of a pipe is gone. */
	FILE *in = !stat(path, &st) && S_ISREG(st.st_mode) ? fopen(path, "re") : NULL;
	bool is = in && fread(begin, sizeof(begin), 1, in) == 1 &&
		  !memcmp(begin, MAGIC, sizeof(begin));

	if (in)
		fclose(in);
	return is;
}

#ifdef PE_NO_TRACECMD

int dat_read(const char *path, saved_each *each, void *ctx)
{
	(void)each;
	(void)ctx;
	return complain("%s: this program is linked statically, without libtracecmd", path);
}

#else

#include <trace-cmd.h>
#include <traceevent/event-parse.h>

#define MOST_BUFFERS 64

struct reading {
	const char *path;
	saved_each *each;
	void *ctx;
	unsigned long long records, missed;
	double last;		/* time of the last record */
	unsigned int type_end;	/* in a record, of the number of its format; 0: not known yet */
	bool failed;
};

/* Numbers of a signed field that is shorter than 8 bytes. */
static long long widen(const struct tep_format_field *field, unsigned long long value)
{
	int bits = 8 * field->size;

	return bits >= 64 ? (long long)value : (long long)(value << (64 - bits)) >> (64 - bits);
}

/* Where a field's bytes are, and how many; 0: the record is too short for them. */
static unsigned int bytes_of(const struct tep_format_field *field, const struct tep_record *record,
			     const char **at)
{
	unsigned int offset = field->offset, len = field->size, loc;

	if (offset > (unsigned int)record->size || len > record->size - offset)
		return 0;
	if (field->flags & TEP_FIELD_IS_DYNAMIC && len == sizeof(loc)) {
		memcpy(&loc, (const char *)record->data + offset, sizeof(loc));
		offset = loc & 0xffff;
		len = loc >> 16;
		if (field->flags & TEP_FIELD_IS_RELATIVE)
			offset += field->offset + field->size;
		if (offset > (unsigned int)record->size || len > record->size - offset)
			return 0;
	}
	*at = (const char *)record->data + offset;
	return len;
}

/* A file's format may say anything of where a field is. */
static bool read_number(const struct tep_format_field *field, const struct tep_record *record,
			unsigned long long *value)
{
	const char *at;

	return bytes_of(field, record, &at) &&
	       !tep_read_number_field((struct tep_format_field *)field, record->data, value);
}

static struct json_object *text_object(const char *at, unsigned int len)
{
	char *text = strndup(at, len);
	struct json_object *o = text ? json_text(text) : NULL;

	free(text);
	return o;
}

static struct json_object *hex_object(const char *at, unsigned int len)
{
	struct json_object *o = json_object_new_object();
	char *hex = calloc(len + 1, 2);
	unsigned int i;

	for (i = 0; hex && i < len; i++)
		sprintf(hex + 2 * i, "%02x", (unsigned char)at[i]);
	json_object_object_add(o, "hex", hex ? json_object_new_string(hex) : NULL);
	free(hex);
	return o;
}

static struct json_object *field_object(const struct tep_format_field *field,
					const struct tep_record *record)
{
	unsigned long long value = 0;
	const char *at = NULL;
	unsigned int len = bytes_of(field, record, &at);

	if (field->flags & TEP_FIELD_IS_STRING)
		return text_object(at ?: "", len);
	if (field->flags & TEP_FIELD_IS_ARRAY || !len)
		return hex_object(at, len);
	tep_read_number_field((struct tep_format_field *)field, record->data, &value);
	return field->flags & TEP_FIELD_IS_SIGNED ? json_signed(widen(field, value)) :
	       json_number(value);
}

/* Our events say in which function they are, and who has called it. */
static const char *function_of(struct tep_event *event, const struct tep_record *record,
			       const char *const *names)
{
	struct tep_format_field *field;
	unsigned long long value;

	for (; *names; names++) {
		field = tep_find_field(event, *names);
		if (field && read_number(field, record, &value))
			return tep_find_function(event->tep, value);
	}
	return NULL;
}

static struct json_object *hit_object(struct tep_event *event, struct tep_record *record,
				      int cpu)
{
	static const char * const of_func[] = { "__probe_func", "__probe_ip", NULL };
	static const char * const of_caller[] = { "__probe_ret_ip", NULL };
	struct json_object *o = json_line("hit", record->ts / 1e9);
	struct json_object *args = json_object_new_object();
	struct tep_format_field *field = tep_find_common_field(event, "common_pid");
	unsigned long long pid = 0;
	const char *name;
	char text[256];
	int tid = field && read_number(field, record, &pid) ? (int)pid : -1;

	json_object_object_add(o, "cpu", json_object_new_int(cpu));
	json_object_object_add(o, "tid", json_signed(tid));
	name = tep_data_comm_from_pid(event->tep, tid);
	json_object_object_add(o, "comm", json_text(name ?: ""));
	name = function_of(event, record, of_func);
	json_object_object_add(o, "func", json_text(name ?: event->name));
	snprintf(text, sizeof(text), "%s:%s", event->system, event->name);
	json_object_object_add(o, "event", json_text(text));
	for (field = event->format.fields; field; field = field->next)
		if (strncmp(field->name, "__probe_", 8))
			json_object_object_add(args, field->name, field_object(field, record));
	name = function_of(event, record, of_caller);
	if (name)
		json_object_object_add(args, "caller", json_text(name));
	json_object_object_add(o, "args", args);
	return o;
}

/* Where the number of an event's format ends in a record: libtraceevent reads it unseen. */
static unsigned int end_of_type(struct tep_handle *tep)
{
	unsigned int end = 0, at;
	int i;

	for (i = 0; i < tep_get_events_count(tep); i++) {
		struct tep_event *event = tep_get_event(tep, i);
		struct tep_format_field *type = tep_find_common_field(event, "common_type");

		if (!type)
			continue;
		at = type->offset < 0 || type->size < 0 ? UINT_MAX :
		     (unsigned int)type->offset + type->size;
		end = at > end ? at : end;
	}
	return end;
}

static int show_record(struct tracecmd_input *handle, struct tep_record *record, int cpu, void *ctx)
{
	struct tep_handle *tep = tracecmd_get_tep(handle);
	struct reading *reading = ctx;
	struct tep_event *event;
	struct json_object *o;

	if (!reading->type_end)
		reading->type_end = end_of_type(tep);
	if (record->size < 0 || (unsigned int)record->size < reading->type_end) {
		complain("%s: a record is shorter than its format says", reading->path);
		reading->failed = true;
		return -1;
	}
	event = tep_find_event_by_record(tep, record);
	if (record->missed_events)	/* below 0: their number is not known */
		reading->missed += record->missed_events > 0 ? record->missed_events : 1;
	if (!event)
		return 0;
	progress_records(++reading->records);
	reading->last = record->ts / 1e9;
	o = hit_object(event, record, cpu);
	reading->failed = reading->each(reading->ctx, o);
	json_object_put(o);
	return reading->failed ? -1 : 0;
}

/* The lines around the records. */
static int show_start(struct reading *reading, double at)
{
	struct json_object *o = json_line("start", at);
	char *what = NULL;
	int ret;

	/* A name without a slash would look like a function's. */
	if (asprintf(&what, "%s%s", strchr(reading->path, '/') ? "" : "./", reading->path) < 0)
		what = NULL;
	json_object_object_add(o, "verb", json_object_new_string("trace"));
	json_object_object_add(o, "what", json_text(what ?: "/"));
	free(what);
	json_object_object_add(o, "by", json_object_new_array());
	ret = reading->each(reading->ctx, o);
	json_object_put(o);
	return ret;
}

static int show_end(struct reading *reading)
{
	struct json_object *o = json_line("end", reading->last);
	struct json_object *balance = json_object_new_object(), *lost = json_object_new_object();
	int ret;

	json_object_object_add(balance, "hits", json_number(reading->records + reading->missed));
	json_object_object_add(balance, "shown", json_number(reading->records));
	if (reading->missed)
		json_object_object_add(lost, "overwritten", json_number(reading->missed));
	json_object_object_add(balance, "lost", lost);
	json_object_object_add(o, "balance", balance);
	ret = reading->each(reading->ctx, o);
	json_object_put(o);
	return ret;
}

/* The buffers of instances have readers of their own, with one order of time for all. */
static int read_buffers(struct reading *reading, struct tracecmd_input *top)
{
	struct tracecmd_input *all[MOST_BUFFERS + 1] = { top };
	int nr = tracecmd_buffer_instances(top), i, open = 1, ret = 0;

	for (i = 0; i < nr && i < MOST_BUFFERS; i++) {
		all[open] = tracecmd_buffer_instance_handle(top, i);
		open += !!all[open];
	}
	if (open <= nr)
		ret = complain("%s: the buffer of an instance cannot be read", reading->path);
	if (!ret)
		tracecmd_iterate_events_multi(all, open, show_record, reading);
	for (i = 1; i < open; i++)
		tracecmd_close(all[i]);
	return ret || reading->failed ? -1 : 0;
}

static struct tracecmd_input *open_recording(const char *path)
{
	/* Plugins only change how records are printed, and run code of the machine's. */
	tracecmd_set_loglevel(TEP_LOG_CRITICAL);
	return tracecmd_open(path, TRACECMD_FL_LOAD_NO_PLUGINS);
}

/* In a process that may crash: it says so through @pipe if it does not. */
static void try_to_open(const char *path, int pipe)
{
	const struct rlimit none = {};
	struct tracecmd_input *top;
	int quiet = open("/dev/null", O_WRONLY | O_CLOEXEC), i;

	setrlimit(RLIMIT_CORE, &none);
	prctl(PR_SET_DUMPABLE, 0);
	dup2(quiet, STDOUT_FILENO);
	dup2(quiet, STDERR_FILENO);
	top = open_recording(path);
	for (i = 0; top && i < tracecmd_buffer_instances(top) && i < MOST_BUFFERS; i++)
		tracecmd_buffer_instance_handle(top, i);
	if (!top || write(pipe, "", 1) != 1)
		_exit(1);
	tracecmd_close(top);	/* it may have made files; all has been said, if this crashes */
	_exit(0);
}

/* libtracecmd crashes when it gives up a file that is cut: so another process tries it first. */
static bool can_open(const char *path)
{
	int ends[2];
	char byte;
	bool can;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return false;
	pid = fork();
	if (!pid)
		try_to_open(path, ends[1]);
	close(ends[1]);
	can = pid > 0 && TEMP_FAILURE_RETRY(read(ends[0], &byte, 1)) == 1;
	close(ends[0]);
	if (pid > 0)
		TEMP_FAILURE_RETRY(waitpid(pid, NULL, 0));
	return can;
}

int dat_read(const char *path, saved_each *each, void *ctx)
{
	struct reading reading = { .path = path, .each = each, .ctx = ctx };
	struct tracecmd_input *top;
	int ret;

	top = can_open(path) ? open_recording(path) : NULL;
	if (!top)
		return complain("%s: libtracecmd cannot read it: it may be cut", path);
	reading.last = tracecmd_get_first_ts(top) / 1e9;
	ret = show_start(&reading, reading.last) || read_buffers(&reading, top) ||
	      show_end(&reading) ? -1 : 0;
	tracecmd_close(top);
	return ret;
}

#endif
