// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_patient.c - machines made of files, each with one thing that is not as it has to be.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "patient.h"
#include "version.h"

static int failed;
static char root[64] = "/tmp/test_patient.XXXXXX";

#define RELEASE "6.12.1-test"
#define LIB "/lib/modules/" RELEASE
#define PROBES "/sys/kernel/probes/"

static const char config[] =
	"CONFIG_MODULES=y\nCONFIG_MODULE_UNLOAD=y\nCONFIG_KALLSYMS_ALL=y\n"
	"CONFIG_PREEMPTION=y\nCONFIG_TASKS_RCU=y\n";
/* What every kernel has, with one name of several for what changes text. */
#define SYMBOL(name) "0000000000000000 T " name "\n"
#define SYMBOLS(poke) SYMBOL("execmem_alloc") SYMBOL("execmem_free") SYMBOL("text_poke_sync") \
	SYMBOL(poke) SYMBOL("set_memory_ro") SYMBOL("set_memory_x") SYMBOL("text_poke") \
	SYMBOL("nmi_uaccess_okay") \
	SYMBOL("core_kernel_text") SYMBOL("__module_text_address") SYMBOL("kallsyms_lookup_name") \
	SYMBOL("kallsyms_lookup_size_offset") SYMBOL("kallsyms_on_each_match_symbol") \
	SYMBOL("search_exception_tables") SYMBOL("strncpy_from_kernel_nofault") \
	SYMBOL("strncpy_from_user_nofault") SYMBOL("put_task_stack") SYMBOL("idle_task") \
	SYMBOL("text_mutex") SYMBOL("_stext") SYMBOL("_etext")
static const char status[] = "Name:\tsh\nCapEff:\t000001ffffffffff\n";

/* A file of the machine, with the directories above it; without text it is removed. */
static void put(const char *path, const char *text)
{
	char full[PATH_MAX], *slash;
	FILE *file;

	snprintf(full, sizeof(full), "%s%s", root, path);
	for (slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(full, 0700);
		*slash = '/';
	}
	unlink(full);
	if (!text)
		return;
	file = fopen(full, "w");
	if (!file || fputs(text, file) < 0 || fclose(file)) {
		perror(full);
		exit(1);
	}
}

/* What is found, and how much of it is missing, is as wanted. */
static void found(const char *what, struct patient p, int missing, const char *wanted)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int got;

	p.root = root;
	got = examine(&p, out);
	fclose(out);
	if (got != missing || !strstr(text, wanted)) {
		printf("%s: %d missing, wanted %d and '%s' in\n%s", what, got, missing, wanted,
		       text);
		failed = 1;
	}
	free(text);
}

static const struct patient ours = { .machine = "x86_64", .release = RELEASE };

/* With this content of a file, not its own, that is what is found. */
static void with(const char *path, const char *text, const char *own, int missing,
		 const char *wanted)
{
	put(path, text);
	found(path, ours, missing, wanted);
	put(path, own);
}

static void test_not_loaded(void)
{
	const char *modules = "extra/probe_events.ko: extra/probe_core.ko\n";
	const char *sign = "code~Module signature appended~\n";

	put("/proc/self/status", status);
	put("/proc/self/uid_map", "         0          0 4294967295\n");
	put("/boot/config-" RELEASE, config);
	put(LIB "/modules.dep", modules);
	put(LIB "/extra/probe_events.ko", "the code of a module, without a signature");

	found("not loaded", ours, 1, "missing  the module in the kernel\n             modprobe");
	found("arm", (struct patient){ .machine = "aarch64", .release = RELEASE }, 2,
	      "missing  a processor of x86-64");
	found("old", (struct patient){ .machine = "x86_64", .release = "5.4.0-1" }, 2,
	      "remark   kernel 5.4.0-1 is not among");
	with("/proc/kallsyms", SYMBOLS("text_poke_bp"), NULL, 1, "modprobe");
	/* Where kernels have different names, each will do; all that are missing are named. */
	with("/proc/kallsyms", SYMBOLS("smp_text_poke_single"), NULL, 1, "modprobe");
	with("/proc/kallsyms", SYMBOLS("text_poke_bq"), NULL, 2,
	     "missing  a kernel with the symbols smp_text_poke_single\n");
	with("/proc/kallsyms", "0000000000000000 T text_poke\n", NULL, 2,
	     "missing  a kernel with the symbols execmem_alloc_rw execmem_free ");
	found("new", (struct patient){ .machine = "x86_64", .release = "7.9.4" }, 2,
	      "remark   kernel 7.9.4 is not among");
	with("/proc/self/status", "CapEff:\t0\n", status, 2, "missing  rights of root");
	with("/proc/self/status", "x\nCapEff:\t0000000000200000\n", status, 2, "missing  rights");
	with("/proc/self/uid_map", "0 1000 1\n", NULL, 2, "user namespace");
	with("/sys/kernel/security/lockdown", "none integrity [confidentiality]\n", NULL, 2,
	     "missing  a kernel without lockdown");
	with("/boot/config-" RELEASE, NULL, config, 1, "remark   the kernel's configuration");
	with("/boot/config-" RELEASE, "CONFIG_MODULES=y\nCONFIG_MODULE_UNLOAD=y\n", config, 2,
	     "CONFIG_KALLSYMS_ALL");
	with("/boot/config-" RELEASE, "# CONFIG_MODULES=y\nCONFIG_MODULE_UNLOAD=y\n", config, 2,
	     "CONFIG_MODULES");
	with("/boot/config-" RELEASE, "CONFIG_MODULES=y\nCONFIG_MODULE_UNLOAD=y\n"
	     "CONFIG_KALLSYMS_ALL=y\nCONFIG_PREEMPTION=y\n", config, 2, "FORCE_TASKS_RCU");
	with(LIB "/modules.dep", "extra/no_probe_events.ko:\n", modules, 2,
	     "apt-get install linux-headers-" RELEASE " ");
	put(LIB "/build/Makefile", "");
	with(LIB "/modules.dep", "", modules, 2, "make && make install");
	with("/usr/share/doc/probe-events/copyright", "", NULL, 1, "good     the module is inst");
	put(LIB "/modules.dep", "");
	with("/usr/share/doc/probe-events/copyright", "", NULL, 2, "probe-events-dkms linux-head");
	put(LIB "/modules.dep", modules);
	with("/proc/sys/kernel/modules_disabled", "1\n", NULL, 2, "only a reboot");

	put("/sys/module/module/parameters/sig_enforce", "Y\n");
	found("no signature", ours, 2, "missing  a signature");
	with(LIB "/extra/probe_events.ko", sign, "unsigned, and long enough for a signature", 1,
	     "good     modules without");
	with("/usr/share/doc/probe-events/copyright", "", NULL, 2,
	     "apt-get install probe-events-dkms linux-headers-" RELEASE "   # it signs");
	put("/sys/module/module/parameters/sig_enforce", "N\n");
	with("/sys/kernel/security/lockdown", "none [integrity] confidentiality\n", NULL, 2,
	     "missing  a signature");
}

static void test_loaded(void)
{
	const char *mounts = "probefs /sys/kernel/probes probefs rw 0 0\n";

	put("/sys/module/probe_events/initstate", "live\n");
	put("/sys/module/probe_events/version", PE_VERSION "\n");
	put("/proc/filesystems", "nodev\tprobefs\n");
	put("/proc/self/mounts", mounts);
	put(PROBES "kprobes/btf", "kernel\n");

	found("loaded", ours, 0, "good     all switches");
	with(LIB "/modules.dep", NULL, "", 0, "good     the module is loaded");
	with("/sys/module/probe_events/version", "0.1\n", PE_VERSION "\n", 0,
	     "remark   the module is version 0.1, this command " PE_VERSION);
	with("/sys/module/probe_events/version", NULL, PE_VERSION "\n", 0, "has no version");
	with("/proc/self/mounts", "", mounts, 1, "mount -t probefs");
	with("/proc/filesystems", "nodev\ttracefs\n", "nodev\tprobefs\n", 1,
	     "mount -t tracefs");
	with(PROBES "kprobes/enabled", "0\n", "1\n", 0, "echo 1 > " PROBES "kprobes/enabled");
	with(PROBES "tracing_on", "0\n", "1\n", 0, "nothing is recorded");
	with(PROBES "kprobes/compile", "0\n", "1\n", 0, "remark   kprobes/compile is 0");
	with("/proc/sys/kernel/ftrace_enabled", "0\n", "1\n", 0, "kernel.ftrace_enabled=1");
	with(PROBES "kprobes/btf", "none\n", "file\n", 0, "remark   arguments have no names");
	found("with a file", ours, 0, "good     arguments have names");
}

int main(void)
{
	char command[128];

	if (!mkdtemp(root)) {
		perror(root);
		return 1;
	}
	test_not_loaded();
	test_loaded();
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command) || failed;
}
