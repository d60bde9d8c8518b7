// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * presets.c - finding presets: the user's, and those that are part of this program.
 *
 * A kernel does not have all functions that a preset names, or with other parameters.  What it
 * takes is found by asking it: the probes are defined, and not armed, and what is refused gives
 * way to the next.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "existing.h"
#include "place.h"
#include "presets.gen.h"
#include "presets.h"
#include "report.h"
#include "session.h"
#include "static.h"
#include "text.h"
#include "verb.h"

#define NR_BUILT_IN (sizeof(built_in) / sizeof(*built_in))

/* The user's own directory of them; "" if there is none. */
static void own_path(char *path, size_t size, const char *name)
{
	const char *home = getenv("HOME");

	snprintf(path, home ? size : 1, "%s/.config/probe-events/presets/%s", home ?: "", name);
}

/* The text of a preset, for free(); NULL: there is none. */
static char *text_of(const char *name)
{
	char path[PATH_MAX];
	size_t i;

	if (!*name || strchr(name, '/') || *name == '.')
		return NULL;
	own_path(path, sizeof(path), name);
	if (*path && !access(path, F_OK))
		return read_text(path);
	for (i = 0; i < NR_BUILT_IN; i++)
		if (!strcmp(built_in[i].name, name))
			return strdup(built_in[i].text);
	return NULL;
}

/* ---- which of its probes this kernel takes ---- */

static char *definitions(const struct preset *p)
{
	char *text = NULL;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (i = 0; i < p->nr_probes; i++) {
		char *entry = preset_entry_command(p, i);

		if (preset_command(p, i))
			fprintf(out, "%c:try%zu%s\n", *preset_command(p, i), i,
				preset_command(p, i) + 1);
		if (entry)
			fprintf(out, "p:entry%zu%s\n", i, entry + 1);
		free(entry);
	}
	return fclose(out) ? NULL : text;
}

static int choose_probes(struct preset *p)
{
	struct session s;
	int ret = session_begin(&s);
	char *text, *refused;
	size_t i;

	while (!ret) {
		text = definitions(p);
		if (!text) {
			ret = complain("no memory");
			break;
		}
		refused = NULL;
		if (!session_try(&s, text, &refused)) {
			free(text);
			break;
		}
		if (!refused || !preset_refused(p, refused)) {
			session_complain(&s);
			ret = -1;
		}
		free(refused);
		free(text);
	}
	if (s.fd >= 0)
		close(s.fd);
	for (i = 0; !ret && i < p->nr_probes && !preset_command(p, i); i++)
		;
	return !ret && i == p->nr_probes ?
	       complain("@%s: this kernel has none of its functions", p->name) : ret;
}

/* ---- for verbs ---- */

static void complain_missing(const char *name)
{
	char all[512] = "";
	size_t i, used = 0;

	for (i = 0; i < NR_BUILT_IN && used < sizeof(all); i++)
		used += snprintf(all + used, sizeof(all) - used, " @%s", built_in[i].name);
	complain_at(name, "there is no preset %s; there are%s (probe-events help @)", name, all);
}

static int parse(struct preset *p, const char *name, char *const *args, size_t nr_args)
{
	char *text = text_of(name + 1);
	const char *wrong;

	if (!text) {
		complain_missing(name);
		return PE_EXIT_USAGE;
	}
	wrong = preset_parse(p, text, args, nr_args);
	free(text);
	if (!wrong)
		return 0;
	complain_at(name, "%s: %s", name, wrong);
	return PE_EXIT_USAGE;
}

static int check_verb(const struct preset *p, const char *verb)
{
	size_t i;

	if (preset_for(p, verb))
		return 0;
	fprintf(stderr, "probe-events: @%s is not for %s: use", p->name, verb);
	for (i = 0; i < p->verbs.nr; i++)
		fprintf(stderr, "%s %s", i ? " or" : "", p->verbs.of[i]);
	fputc('\n', stderr);
	return PE_EXIT_USAGE;
}

int presets_find(struct preset *p, const char *name, char *const *args, size_t nr_args,
		 const char *verb)
{
	int status = parse(p, name, args, nr_args);

	if (status)
		return status;
	status = check_verb(p, verb);
	if (!status && choose_probes(p))
		status = PE_EXIT_MISSING;
	if (status)
		preset_free(p);
	return status;
}

/* ---- events that exist: e:GRP/EVENT ---- */

/* The text of what stands for one; *nr: how many probes it has. */
static char *text_of_existing(const struct request *r, bool all, size_t *nr)
{
	static const char * const files[] = { "dynamic_events", "static_events" };
	const char *dir = place_of_files();
	char path[PATH_MAX], *list, *text = NULL;
	struct utsname kernel;
	size_t size, i;
	FILE *out = dir ? open_memstream(&text, &size) : NULL;

	*nr = 0;
	for (i = 0; out && !*nr && i < sizeof(files) / sizeof(*files); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, files[i]);
		list = read_text(path);
		*nr = list ? existing_preset(r, list, NULL, all, out) : 0;
		free(list);
	}
	list = out && !*nr ? static_text(r->what + 2) : NULL;
	if (list) {
		uname(&kernel);
		*nr = existing_preset(r, list, kernel.release, all, out);
		free(list);
	}
	if (out)
		fclose(out);
	return text;
}

static int prepare_existing(struct request *r, struct preset *p, const char *verb)
{
	size_t nr;
	const char *wrong;
	char *text;

	if (strcmp(verb, "count") && strcmp(verb, "lat") && strcmp(verb, "trace")) {
		complain_at(r->what, "%s: e:GRP/EVENT is for count, lat, trace and top", verb);
		return PE_EXIT_USAGE;
	}
	text = text_of_existing(r, !strcmp(verb, "trace"), &nr);
	if (!nr) {
		if (text)
			complain_at(r->what + 2,
				    "no event is defined as %s (dynamic_events, static_events); tracepoints are t:NAME",
				    r->what + 2);
		free(text);
		return PE_EXIT_MISSING;
	}
	wrong = preset_parse_plain(p, text);
	free(text);
	if (wrong) {
		complain_at(r->what, "%s: %s", r->what, wrong);
		return PE_EXIT_USAGE;
	}
	r->preset = p;
	if (!choose_probes(p))
		return 0;
	preset_free(p);
	r->preset = NULL;
	return PE_EXIT_MISSING;
}

int presets_prepare(struct request *r, struct preset *p, const char *verb)
{
	int status;
	size_t i;

	if (r->what && existing_is(r->what))
		return prepare_existing(r, p, verb);
	if (!r->what || *r->what != '@')
		return 0;
	status = presets_find(p, r->what, r->args, r->nr_args, verb);
	if (status)
		return status;
	r->preset = p;
	if (strcmp(verb, "trace") || r->nr_keys)
		return 0;
	for (i = 0; i < p->columns.nr && i < REQUEST_KEYS; i++)
		r->keys[r->nr_keys++] = p->columns.of[i];
	return 0;
}

const char *presets_recall(struct request *r, struct preset *p, const char *verb)
{
	char *text = *r->what == '@' ? text_of(r->what + 1) : NULL;
	const char *wrong;

	if (*r->what != '@')
		return NULL;
	if (!text)
		return "there is no such preset";
	wrong = preset_parse(p, text, r->args, r->nr_args);
	free(text);
	if (wrong)
		return wrong;
	r->preset = p;
	return preset_for(p, verb) ? NULL : "its preset is not for this verb";
}

bool presets_has(const char *name)
{
	char *text = text_of(name + 1);

	free(text);
	return text;
}

bool presets_timed(const char *name)
{
	char *text = text_of(name + 1);
	struct preset p;
	bool timed = false;

	if (text && !preset_parse(&p, text, NULL, 0)) {
		timed = preset_for(&p, "lat");
		preset_free(&p);
	}
	free(text);
	return timed;
}

/* ---- help ---- */

static void list_own(void)
{
	char path[PATH_MAX];
	const struct dirent *entry;
	DIR *dir;

	own_path(path, sizeof(path), "");
	dir = *path ? opendir(path) : NULL;
	while (dir && (entry = readdir(dir)))
		if (*entry->d_name != '.')
			printf("  @%-8s (your own)\n", entry->d_name);
	if (dir)
		closedir(dir);
}

static int list_all(void)
{
	size_t i;

	for (i = 0; i < NR_BUILT_IN; i++) {
		const char *dash = strstr(built_in[i].text, " - ");

		printf("  @%-8s %.*s\n", built_in[i].name, (int)strcspn(dash + 3, "\n"), dash + 3);
	}
	list_own();
	return fflush(stdout) ? PE_EXIT_MISSING : 0;
}

/* What trace reads when the calls begin. */
static void puts_entries(const struct preset *p)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return;
	preset_define_entries(p, "entry", out);
	fclose(out);
	if (*text)
		puts(text);
	free(text);
}

/* The text, and if the modules can be asked, the probes on this kernel. */
int presets_help(const char *name)
{
	struct preset p;
	char *text;
	int status;

	if (!strcmp(name, "@"))
		return list_all();
	status = parse(&p, name, NULL, 0);
	if (status)
		return status;
	text = text_of(name + 1);
	fputs(text ?: "", stdout);
	free(text);
	if (choose_probes(&p)) {
		status = PE_EXIT_MISSING;
	} else {
		puts("\n# on this kernel");
		preset_define(&p, p.name, "", stdout);
		putchar('\n');
		puts_entries(&p);
	}
	preset_free(&p);
	return fflush(stdout) ? PE_EXIT_MISSING : status;
}
