// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * patient.c - what has to be so before a probe can fire on a machine, checked one by one.
 *
 * Each check looks at files only, and says one of three things: good; a remark, when probes work
 * but not as one may expect; or missing, with the command that mends it.  What the module itself
 * refuses when it is loaded is in the kernel's log; here is what can be told before, and what no
 * log tells.
 */
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "mounts.h"
#include "needed.gen.h"
#include "patient.h"
#include "text.h"
#include "version.h"

enum verdict { GOOD, REMARK, MISSING };

/* What a check has found: a line of text, and a command or an explanation. */
struct finding {
	enum verdict is;
	char text[256];
	char mend[PATH_MAX + 128];
};

[[gnu::format(printf, 3, 4)]]
static void say(struct finding *f, enum verdict is, const char *format, ...)
{
	va_list args;

	f->is = is;
	va_start(args, format);
	vsnprintf(f->text, sizeof(f->text), format, args);
	va_end(args);
}

[[gnu::format(printf, 2, 3)]]
static void mend(struct finding *f, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(f->mend, sizeof(f->mend), format, args);
	va_end(args);
}

/* A file of the machine, for free(); NULL if it cannot be read. */
[[gnu::format(printf, 2, 3)]]
static char *file_of(const struct patient *p, const char *format, ...)
{
	char path[PATH_MAX];
	va_list args;
	int len = snprintf(path, sizeof(path), "%s", p->root);

	va_start(args, format);
	len += vsnprintf(path + len, sizeof(path) - len, format, args);
	va_end(args);
	return len < (int)sizeof(path) ? read_file(path) : NULL;
}

/* Does a file of the machine begin with this text? */
static bool begins(const struct patient *p, const char *path, const char *text)
{
	char *got = file_of(p, "%s", path);
	bool so = got && !strncmp(got, text, strlen(text));

	free(got);
	return so;
}

static bool exists(const struct patient *p, const char *path)
{
	char *got = file_of(p, "%s", path);

	free(got);
	return got;
}

/* Did this command come in Debian's package? */
static bool from_packages(const struct patient *p)
{
	return exists(p, "/usr/share/doc/probe-events/copyright");
}

/* ---- before it is loaded ---- */

static bool is_tested(unsigned int major, unsigned int minor)
{
	return (major == 5 && minor == 10) || (major == 6 && (minor == 1 || minor == 12)) ||
	       (major == 7 && minor == 3);
}

static void check_kernel(const struct patient *p, struct finding *f)
{
	unsigned int major = 0, minor = 0;

	say(f, GOOD, "kernel %s on %s", p->release, p->machine);
	if (strcmp(p->machine, "x86_64")) {
		say(f, MISSING, "a processor of x86-64: this is %s", p->machine);
		mend(f, "(there is no port to it)");
	} else if (sscanf(p->release, "%u.%u", &major, &minor) != 2 || !is_tested(major, minor)) {
		say(f, REMARK, "kernel %s is not among those that are tested: 5.10, 6.1, 6.12, 7.3",
		    p->release);
	}
}

static void check_rights(const struct patient *p, struct finding *f)
{
	enum { SYS_MODULE = 16, SYS_ADMIN = 21 };	/* numbers of capabilities */
	char *status = file_of(p, "/proc/self/status"), *map = file_of(p, "/proc/self/uid_map");
	const char *caps = status ? strstr(status, "\nCapEff:") : NULL;
	unsigned long long have = caps ? strtoull(caps + strlen("\nCapEff:"), NULL, 16) : 0;
	unsigned int inside, outside, count;

	say(f, GOOD, "rights of root");
	if (!(have >> SYS_ADMIN & 1) || !(have >> SYS_MODULE & 1)) {
		say(f, MISSING, "rights of root (CAP_SYS_ADMIN, CAP_SYS_MODULE)");
		mend(f, "sudo -i");
	} else if (map && sscanf(map, "%u %u %u", &inside, &outside, &count) == 3 &&
		   (inside || outside || count != UINT_MAX)) {
		say(f, MISSING, "the machine's own user namespace: this shell is in another one");
		mend(f, "(open a shell outside the container)");
	}
	free(status);
	free(map);
}

static void check_lockdown(const struct patient *p, struct finding *f)
{
	char *modes = file_of(p, "/sys/kernel/security/lockdown");

	say(f, GOOD, "no lockdown that forbids probes");
	if (modes && strstr(modes, "[confidentiality]")) {
		say(f, MISSING, "a kernel without lockdown in the mode confidentiality");
		mend(f, "(boot without lockdown=confidentiality)");
	}
	free(modes);
}

/* The kernel's configuration, for free(); NULL if it is nowhere. */
static char *configuration(const struct patient *p)
{
	static const char * const places[] = {
		"/boot/config-%s", "/lib/modules/%s/config", "/lib/modules/%s/build/.config",
	};
	char path[PATH_MAX], *text = NULL;
	size_t i;

	for (i = 0; !text && i < sizeof(places) / sizeof(*places); i++) {
		snprintf(path, sizeof(path), places[i], p->release);
		text = file_of(p, "%s", path);
	}
	return text;
}

static bool has_option(const char *config, const char *option)
{
	char line[64];
	int len = snprintf(line, sizeof(line), "\nCONFIG_%s=y\n", option);

	return !strncmp(config, line + 1, len - 1) || strstr(config, line);
}

static void check_config(const struct patient *p, struct finding *f)
{
	static const char * const needed[] = { "MODULES", "MODULE_UNLOAD", "KALLSYMS_ALL" };
	char *config = configuration(p);
	size_t i;

	if (!config) {
		say(f, REMARK, "the kernel's configuration is not in /boot or /lib/modules");
		return;
	}
	say(f, GOOD, "the kernel's configuration");
	for (i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		if (!has_option(config, needed[i]))
			break;
	if (i < sizeof(needed) / sizeof(*needed)) {
		say(f, MISSING, "a kernel that is configured with CONFIG_%s", needed[i]);
		mend(f, "(another kernel has to be booted)");
	} else if (has_option(config, "PREEMPTION") && !has_option(config, "TASKS_RCU")) {
		say(f, MISSING, "CONFIG_TASKS_RCU, as this kernel is preemptible");
		mend(f, "(build it with CONFIG_FORCE_TASKS_RCU=y)");
	}
	free(config);
}

/* Does the kernel have a symbol by one of these names, each with a space after it? */
static bool has_symbol(const char *kallsyms, const char *names)
{
	char line[128];
	size_t len;

	for (; *names; names += len + 1) {
		len = strcspn(names, " ");
		snprintf(line, sizeof(line), " %.*s\n", (int)len, names);
		if (strstr(kallsyms, line))
			return true;
	}
	return false;
}

/*
 * What the modules look up by name.  A version says less: distributions take changes from later
 * kernels, and leave out others.  The file is large, and shows the names to everybody.
 */
static void check_symbols(const struct patient *p, struct finding *f)
{
	char *kallsyms = p->loaded ? NULL : file_of(p, "/proc/kallsyms");
	const size_t n = sizeof(needed_symbols) / sizeof(*needed_symbols);
	char lacks[sizeof(f->text) / 2] = "";
	size_t i, len = 0;

	for (i = 0; kallsyms && *kallsyms && i < n && len < sizeof(lacks); i++) {
		if (!has_symbol(kallsyms, needed_symbols[i]))
			len += snprintf(lacks + len, sizeof(lacks) - len, " %.*s",
					(int)strcspn(needed_symbols[i], " "), needed_symbols[i]);
	}
	say(f, GOOD, "the kernel's functions that the modules use");
	if (!p->loaded && (!kallsyms || !*kallsyms)) {
		say(f, REMARK, "/proc/kallsyms cannot be read: has the kernel what is needed?");
	} else if (len) {
		say(f, MISSING, "a kernel with the symbols%s", lacks);
		mend(f, "(the modules do not load into this one)");
	}
	free(kallsyms);
}

/* The path of our module below /lib/modules/RELEASE; false if it is not installed. */
static bool installed_at(const struct patient *p, char *path, size_t size)
{
	char *deps = file_of(p, "/lib/modules/%s/modules.dep", p->release), *line, *rest;
	bool found = false;

	for (line = deps ? strtok_r(deps, "\n", &rest) : NULL; line && !found;
	     line = strtok_r(NULL, "\n", &rest)) {
		const char *name;

		line[strcspn(line, ":")] = '\0';
		name = strrchr(line, '/');
		found = !strncmp(name ? name + 1 : line, "probe_events.ko", 15);
		if (found)
			snprintf(path, size, "%s", line);
	}
	free(deps);
	return found;
}

static void check_installed(const struct patient *p, struct finding *f)
{
	char path[PATH_MAX];
	char *headers = file_of(p, "/lib/modules/%s/build/Makefile", p->release);

	if (installed_at(p, path, sizeof(path))) {
		say(f, GOOD, "the module is installed: %s", path);
	} else if (from_packages(p)) {
		/* The packages: modules that are there for this kernel, or made for it. */
		say(f, MISSING, "the module for this kernel, %s", p->release);
		mend(f, "apt-get install %s-modules-%s || apt-get install %s-dkms linux-headers-%s",
		     "probe-events", p->release, "probe-events", p->release);
	} else if (headers) {
		say(f, MISSING, "the module, built and installed for this kernel");
		mend(f, "make && make install        # in the sources of probe-events");
	} else {
		say(f, MISSING, "the headers of this kernel, to build the module with");
		mend(f, "apt-get install linux-headers-%s gcc make pkg-config %s %s", p->release,
		     "libbpf-dev libjson-c-dev libncurses-dev",
		     "libtraceevent-dev libtracefs-dev libtracecmd-dev");
	}
	free(headers);
}

/* Of a compressed one modinfo knows; if there is none, it is not told. */
static bool unsigned_compressed(const char *path)
{
	char command[PATH_MAX + 64];
	bool lacks = false;
	FILE *out;

	if (strchr(path, '\''))
		return false;
	snprintf(command, sizeof(command), "modinfo -F sig_id '%s' 2>/dev/null", path);
	out = popen(command, "r");
	if (out) {
		lacks = fgetc(out) == EOF;
		lacks = !pclose(out) && lacks;
	}
	return lacks;
}

/* Whether the module's file ends as signed ones do. */
static bool unsigned_file(const struct patient *p)
{
	static const char magic[] = "~Module signature appended~\n";
	char relative[PATH_MAX / 2], path[PATH_MAX], end[sizeof(magic)] = "";
	bool lacks = false;
	FILE *file;

	if (!installed_at(p, relative, sizeof(relative)))
		return false;
	snprintf(path, sizeof(path), "%s/lib/modules/%s/%s", p->root, p->release, relative);
	if (strcmp(strrchr(relative, '.'), ".ko"))
		return unsigned_compressed(path);
	file = fopen(path, "rb");
	if (!file)
		return false;
	if (!fseek(file, -(long)strlen(magic), SEEK_END) &&
	    fread(end, 1, strlen(magic), file) == strlen(magic))
		lacks = strcmp(end, magic);
	fclose(file);
	return lacks;
}

static void check_signature(const struct patient *p, struct finding *f)
{
	char *modes = file_of(p, "/sys/kernel/security/lockdown");

	say(f, GOOD, "modules without a signature are allowed, or this one has one");
	if (begins(p, "/proc/sys/kernel/modules_disabled", "1")) {
		say(f, MISSING, "a kernel that loads modules: kernel.modules_disabled is 1");
		mend(f, "(only a reboot changes that)");
	} else if ((begins(p, "/sys/module/module/parameters/sig_enforce", "Y") ||
		    (modes && strstr(modes, "[integrity]"))) && unsigned_file(p)) {
		say(f, MISSING, "a signature of the module, which this kernel demands");
		mend(f, "(sign it with a key that mokutil has imported: README, Secure Boot)");
		if (from_packages(p))
			mend(f, "apt-get install probe-events-dkms linux-headers-%s   # it signs",
			     p->release);
	}
	free(modes);
}

static void check_loaded(const struct patient *p, struct finding *f)
{
	say(f, GOOD, "the module is loaded");
	if (!p->loaded) {
		say(f, MISSING, "the module in the kernel");
		mend(f, "modprobe probe_events");
	}
}

/* ---- after it is loaded ---- */

/* Where our files are, and of which type; false if they are not mounted there. */
static bool files_at(const struct patient *p, const char **type, const char **dir)
{
	char *types = file_of(p, "/proc/filesystems"), *mounts = file_of(p, "/proc/self/mounts");
	bool own = !types || filesystems_has(types, "probefs");
	bool there;

	*type = own ? "probefs" : "tracefs";
	*dir = own ? "/sys/kernel/probes" : "/sys/kernel/tracing";
	there = mounts && mounts_has(mounts, *type, *dir);
	free(types);
	free(mounts);
	return there;
}

static void check_mounted(const struct patient *p, struct finding *f)
{
	const char *type, *dir;

	if (files_at(p, &type, &dir)) {
		say(f, GOOD, "the files are at %s", dir);
	} else {
		say(f, MISSING, "the files at %s", dir);
		mend(f, "mount -t %s %s %s", type, type, dir);
	}
}

/* An older module stays loaded when files are replaced. */
static void check_version(const struct patient *p, struct finding *f)
{
	char *loaded = file_of(p, "/sys/module/probe_events/version");

	say(f, GOOD, "the module and this command are of one version, " PE_VERSION);
	if (!loaded) {
		say(f, REMARK, "the module has no version; this command is " PE_VERSION);
	} else if (version_differs(loaded)) {
		say(f, REMARK, "the module is version %.*s, this command " PE_VERSION,
		    (int)strcspn(loaded, "\n"), loaded);
		mend(f, "systemctl restart probe-events");
	}
	free(loaded);
}

/* Switches: probes work with each of them off, but not as is expected. */
static void check_switches(const struct patient *p, struct finding *f)
{
	static const struct {
		const char *file, *off;
	} switches[] = {
		{ "kprobes/enabled", "all probes are disarmed" },
		{ "tracing_on", "nothing is recorded" },
		{ "kprobes/compile", "no hit is compiled: each costs ten times as much" },
		{ "kprobes/optimization", "no breakpoint becomes a jump" },
	};
	const char *type, *dir;
	size_t i;

	say(f, GOOD, "all switches are on");
	if (!files_at(p, &type, &dir))
		return;
	for (i = 0; i < sizeof(switches) / sizeof(*switches); i++) {
		char path[PATH_MAX];

		snprintf(path, sizeof(path), "%s/%s", dir, switches[i].file);
		if (!begins(p, path, "0"))
			continue;
		say(f, REMARK, "%s is 0: %s", switches[i].file, switches[i].off);
		mend(f, "echo 1 > %s", path);
		return;
	}
}

static void check_ftrace(const struct patient *p, struct finding *f)
{
	say(f, GOOD, "ftrace is on, or this kernel has none");
	if (begins(p, "/proc/sys/kernel/ftrace_enabled", "0")) {
		say(f, REMARK, "ftrace is off: entries of functions can't be probed");
		mend(f, "sysctl kernel.ftrace_enabled=1");
	}
}

static void check_names(const struct patient *p, struct finding *f)
{
	const char *type, *dir;
	char path[PATH_MAX];
	bool mounted = files_at(p, &type, &dir);

	snprintf(path, sizeof(path), "%s/kprobes/btf", dir);
	if (mounted ? !begins(p, path, "none") : exists(p, "/sys/kernel/btf/vmlinux")) {
		say(f, GOOD, "arguments have names");
	} else {
		say(f, REMARK, "arguments have no names: this kernel has no type data (BTF)");
		mend(f, "(kprobes/btf takes it from a file)");
	}
}

static const struct {
	void (*check)(const struct patient *p, struct finding *f);
	enum { ALWAYS, BEFORE, AFTER } when;	/* the module is loaded */
} checks[] = {
	{ check_kernel, ALWAYS },
	{ check_rights, ALWAYS },
	{ check_lockdown, ALWAYS },
	{ check_config, BEFORE },
	{ check_symbols, BEFORE },
	{ check_installed, BEFORE },
	{ check_signature, BEFORE },
	{ check_loaded, ALWAYS },
	{ check_version, AFTER },
	{ check_mounted, AFTER },
	{ check_switches, AFTER },
	{ check_ftrace, AFTER },
	{ check_names, AFTER },
};

int examine(struct patient *p, FILE *out)
{
	static const char * const words[] = { "good", "remark", "missing" };
	int missing = 0;
	size_t i;

	p->loaded = exists(p, "/sys/module/probe_events/initstate");
	for (i = 0; i < sizeof(checks) / sizeof(*checks); i++) {
		struct finding f = { .mend = "" };

		if (checks[i].when == (p->loaded ? BEFORE : AFTER))
			continue;
		checks[i].check(p, &f);
		fprintf(out, "%-8s %s\n", words[f.is], f.text);
		if (f.mend[0])
			fprintf(out, "             %s\n", f.mend);
		missing += f.is == MISSING;
	}
	return missing;
}
