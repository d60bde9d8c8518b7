// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "match.h"
#include "recipe.h"
#include "request.h"
#include "test_said.h"

static int failed;

/* As for a struct sk_buff *skb. */
static bool spell(void *ctx, const char *function, const char *expr, FILE *out)
{
	(void)ctx;
	if (strcmp(function, "kfree_skb") || strcmp(expr, "skb.len"))
		return false;
	fputs("skb->len", out);
	return true;
}

/* What functions return by their names; nothing is known of the others. */
static struct recipe_result result(void *ctx, const char *function)
{
	static const struct {
		const char *name;
		struct recipe_result is;
	} all[] = {
		{ "vfs_read", { RESULT_NUMBER, "s64", NULL } },
		{ "do_f", { RESULT_NUMBER, "s32", NULL } },
		{ "tiny", { RESULT_NUMBER, "s8", NULL } },
		{ "filp_open", { RESULT_POINTER, "s64", NULL } },
		{ "nothing", { RESULT_NEVER, NULL, "it returns nothing" } },
	};
	size_t i;

	(void)ctx;
	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (!strcmp(all[i].name, function))
			return all[i].is;
	return (struct recipe_result){ RESULT_UNKNOWN, "s32", NULL };
}

/* An enumeration of a byte, and one in a bit field. */
static const char *number(void *ctx, const char *function, const char *expr)
{
	(void)ctx;
	(void)function;
	return strstr(expr, "bits") ? NULL : "s8";
}

/* A question, its words separated by blanks; the definition and the trigger, or what is wrong. */
static void check(const char *question, const char *wanted)
{
	char *copy = strdup(question), *rest = copy, *argv[64];
	const struct recipe_types types = { spell, result, number, NULL };
	struct recipe recipe = {};
	struct request r;
	const char *wrong;
	int argc = 0;

	while ((argv[argc] = strsep(&rest, " ")))
		argc++;
	wrong = request_parse(&r, argc, argv);
	r.parameters = strcmp(argv[argc - 1], "untyped");
	if (r.cgroup)
		r.in = (struct cgroup){ .id = 4711, .level = *r.cgroup == '/' ? 0 : 2,
				       .by_ids = !strcmp(r.cgroup, "old") };
	if (!r.parameters)
		r.nr_filter = 0;
	if (!wrong)
		wrong = make_said(&recipe, &r, *argv[0], &types);
	failed |= differs(question, &recipe, wrong, wanted);
	recipe_free(&recipe);
	free(copy);
}

static void check_time(const char *text, unsigned long long wanted)
{
	unsigned long long ns = 0;

	if (parse_time(text, &ns) != !!wanted || ns != wanted) {
		printf("%s: %llu, wanted %llu\n", text, ns, wanted);
		failed = 1;
	}
}

static void test_good(void)
{
	check("lat do_fsync by comm -d 30", "r:lat do_fsync ns=$elapsed\n"
	      "hist:keys=common_comm:vals=ns.dist:size=65536");
	check("lat -d30 do_fsync -p 977", "r:lat do_fsync ns=$elapsed pid=$current->tgid\n"
	      "hist:keys=common_cpu:vals=ns.dist:size=65536 if (pid == 977)");
	check("lat ext4_* by func -L 5ms", "f:lat ext4_*%return ns=$elapsed\n"
	      "hist:keys=__probe_func.sym:vals=ns.dist:size=65536 if ns > 5000000");
	check("count vfs_*", "f:count vfs_*\nhist:keys=common_cpu:size=65536");
	check("count ext4:f+4 by cpu,pid,tid", "p:count ext4:f+4\n"
	      "hist:keys=common_cpu,common_tgid,common_pid:size=65536");
	check("count vfs_read by ret if count ge 4096 --fail",
	      "r:count vfs_read ret=$retval:s64 count=count\n"
	      "hist:keys=ret:size=65536 if (count >= 4096) && ret < 0");
	check("count kfree_skb by skb.len.log2,caller,skb.len",
	      "p:count kfree_skb skb_len=skb->len\n"
	      "hist:keys=skb_len.log2,common_caller.sym,skb_len:size=65536");
	check("count f by arg1.hex,arg if x.y has ab and not ( comm eq 12 or a lt -3 ) by stack",
	      "'by' stands there twice");
	check("count f if x.y has ab and not ( comm eq bash or a lt -3 ) by arg1.hex,arg",
	      "p:count f arg1=$arg1 arg=arg x_y=x.y a=a\n"
	      "hist:keys=arg1.hex,arg:size=65536 if (x_y ~ \"*ab*\" && !(comm == \"bash\" || a < -3))");
	check("count t:sched_switch by comm -n foo -p 1,22",
	      "t:count sched_switch pid=$current->tgid\nhist:keys=common_comm:size=65536 "
	      "if (pid == 1 || pid == 22) && comm == \"foo\"");
	check("count t:x -t 5,6 -C 0-3,8 -n 7 -r -s comm -i 1 -o f", "t:count x\n"
	      "hist:keys=common_cpu:size=65536 if (common_pid == 5 || common_pid == 6) && "
	      "cpu & CPUS{0-3,8}");
	check("trace kfree_skb by skb.len.hex,caller,cpu,pid -M 5 if skb.len gt 3",
	      "p:trace kfree_skb comm=$comm skb_len=skb->len pid=$current->tgid\n if (skb_len > 3)");
	check("count do_f --fail if untyped", "r:count do_f ret=$retval:s32\n"
	      "hist:keys=common_cpu:size=65536 if ret < 0");
	check("count do_f -x ENOENT,-eacces,11 -L 1us", "r:count do_f ret=$retval:s32 ns=$elapsed\n"
	      "hist:keys=common_cpu:size=65536 if (ret == -2 || ret == -13 || ret == -11) && "
	      "ns > 1000");
	check("trace do_f --fail", "r:trace do_f comm=$comm $arg* ret=$retval:s32\n if ret < 0");
	check("trace do_f by name:ustring,ns,arg1:x8", "r:trace do_f comm=$comm name=name:ustring "
	      "ns=$elapsed arg1=$arg1:x8\n");
	check("lat x -G a/b -n y", "r:lat x ns=$elapsed "
	      "in_cgroup=$current->cgroups->dfl_cgrp->ancestors[2]->kn->id "
	      "in_level=$current->cgroups->dfl_cgrp->level\n"
	      "hist:keys=common_cpu:vals=ns.dist:size=65536 "
	      "if in_level >= 2 && in_cgroup == 4711 && comm == \"y\"");
	check("count x -G /", "p:count x "
	      "in_cgroup=$current->cgroups->dfl_cgrp->ancestors[0]->kn->id\n"
	      "hist:keys=common_cpu:size=65536 if in_cgroup == 4711");
	check("count x -G old", "p:count x in_cgroup=$current->cgroups->dfl_cgrp->ancestor_ids[2] "
	      "in_level=$current->cgroups->dfl_cgrp->level\n"
	      "hist:keys=common_cpu:size=65536 if in_level >= 2 && in_cgroup == 4711");
	check("count x by stack -q -r 7 -u us -a -- ls -l by",
	      "p:count x\nhist:keys=common_stacktrace:size=65536");
}

static void test_errors(void)
{
	check("count filp_open --fail", "r:count filp_open ret=$retval:s64\n"
	      "hist:keys=common_cpu:size=65536 if (ret >= -4095 && ret < 0)");
	check("count filp_open by ret", "r:count filp_open ret=$retval\nhist:keys=ret:size=65536");
	check("count filp_open -x ENOTSUPP,EWOULDBLOCK", "r:count filp_open ret=$retval:s64\n"
	      "hist:keys=common_cpu:size=65536 if (ret == -524 || ret == -11)");
	check("count unknown --fail", "r:count unknown ret=$retval:s32\n"
	      "hist:keys=common_cpu:size=65536 if ret < 0");
	check("count tiny by errno --fail", "r:count tiny ret=$retval:s8\n"
	      "hist:keys=ret:size=65536 if ret < 0");
	check("count do_* --fail", "f:count do_*%return ret=$retval:s32\n"
	      "hist:keys=common_cpu:size=65536 if (ret >= -4095 && ret < 0)");
	check("count do_f by comm,errno", "r:count do_f ret=$retval:s32\n"
	      "hist:keys=common_comm,ret/18446744073709547521*ret:size=65536");
	check("lat do_f by errno --fail", "r:lat do_f ns=$elapsed ret=$retval:s32\n"
	      "hist:keys=ret:vals=ns.dist:size=65536 if (ret >= -4095 && ret < 0)");
	check("trace filp_open by errno,ret", "r:trace filp_open comm=$comm ret=$retval:s64\n");
	check("count f by errno.hex", "p:count f errno=errno\nhist:keys=errno.hex:size=65536");
	check("count nothing --fail", "it returns nothing");
	check("count nothing by errno", "it returns nothing");
	check("count t:x by errno", "a tracepoint does not return");
	check("count do_f if errno eq 2", "'errno' is one by name: if errno eq ENOENT, or ne");
	check("count do_f if errno lt ENOENT", "'errno' is one by name: if errno eq ENOENT, or ne");
}

/* Names in a filter are the numbers that the modules know. */
static void test_names(void)
{
	check("count do_f if ret eq -ENOENT or ret eq eacces by comm", "r:count do_f ret=$retval:s32\n"
	      "hist:keys=common_comm:size=65536 if (ret == -2 || ret == -13)");
	check("count filp_open if errno ne ENOENT", "r:count filp_open ret=$retval:s64\n"
	      "hist:keys=common_cpu:size=65536 if (ret != -2)");
	check("count f if sig ne CHLD and info.si_signo eq SIGKILL",
	      "p:count f sig=sig info_si_signo=info.si_signo\n"
	      "hist:keys=common_cpu:size=65536 if (sig != 17 && info_si_signo == 9)");
	check("count nothing if ret eq ENOENT", "it returns nothing");
	/* Of other fields, and of others' names, they are texts. */
	check("count f if comm eq CHLD or a eq ENOENT or sig eq x or sig has CHLD",
	      "p:count f a=a sig=sig\nhist:keys=common_cpu:size=65536 if (comm == \"CHLD\" || "
	      "a == \"ENOENT\" || sig == \"x\" || sig ~ \"*CHLD*\")");
	check("count f if comm eq errno and a eq 1", "p:count f a=a\n"
	      "hist:keys=common_cpu:size=65536 if (comm == \"errno\" && a == 1)");
	check("count f if ret eq good", "r:count f ret=$retval\n"
	      "hist:keys=common_cpu:size=65536 if (ret == \"good\")");
}

static void test_enums(void)
{
	check("count f by a.enum,b.bits.enum,c:u32.enum", "p:count f a=a:s8 b_bits=b.bits c=c:u32\n"
	      "hist:keys=a,b_bits,c:size=65536");
	check("count f by arg2.enum,ret.enum", "r:count f arg2=$arg2:s8 ret=$retval\n"
	      "hist:keys=arg2,ret:size=65536");
	check("trace f by a.enum", "p:trace f comm=$comm a=a:s8\n");
	check("count f by comm.enum", "a modifier can follow only a number's key");
	check("count f by pid.enum", "a modifier can follow only a number's key");
}

static void test_lists(void)
{
	check("lat vfs_read,vfs_write by comm", "r:lat vfs_read ns=$elapsed\n"
	      "r:lat vfs_write ns=$elapsed\nhist:keys=common_comm:vals=ns.dist:size=65536");
	check("count a,m:b+4,c,2 by func", "p:count a\np:count m:b+4\np:count c,2\n"
	      "hist:keys=__probe_ip.sym:size=65536");
	check("count c,12 by cpu", "p:count c,12\nhist:keys=common_cpu:size=65536");
	check("count c,1,d,2,e", "p:count c,1\np:count d,2\np:count e\n"
	      "hist:keys=common_cpu:size=65536");
	check("count kfree_skb,other by skb.len if skb.len gt 3",
	      "p:count kfree_skb skb_len=skb->len\np:count other skb_len=skb.len\n"
	      "hist:keys=skb_len:size=65536 if (skb_len > 3)");
	check("trace tcp_*,udp_sendmsg by ret", "f:trace tcp_*%return comm=$comm ret=$retval:s32\n"
	      "f:trace udp_sendmsg%return comm=$comm ret=$retval:s32\n");
	check("trace a,b", "p:trace a comm=$comm\np:trace b comm=$comm\n");
	check("count do_f,do_f --fail", "r:count do_f ret=$retval:s32\nr:count do_f ret=$retval:s32\n"
	      "hist:keys=common_cpu:size=65536 if ret < 0");
	/* One type for all; where results differ, what is an error for all of them. */
	check("count vfs_read,do_f by ret", "r:count vfs_read ret=$retval:s32\n"
	      "r:count do_f ret=$retval:s32\nhist:keys=ret:size=65536");
	check("count vfs_read,filp_open --fail", "r:count vfs_read ret=$retval:s64\n"
	      "r:count filp_open ret=$retval:s64\n"
	      "hist:keys=common_cpu:size=65536 if (ret >= -4095 && ret < 0)");
	check("count tiny,do_f --fail", "r:count tiny ret=$retval:s32\nr:count do_f ret=$retval:s32\n"
	      "hist:keys=common_cpu:size=65536 if (ret >= -4095 && ret < 0)");
	check("count do_f,nothing --fail", "it returns nothing");
	check("count a,,b", "a function is missing in the list: a,b,c");
	check("count a,", "a function is missing in the list: a,b,c");
	check("count a,t:b", "a list is of functions; events and presets: one at a time");
	check("count a*,b+4", "a pattern and a place in a function are no list: one at a time");
}

/* -M can be the engine's limit, which counts hits before a filter sees them. */
static void check_all(const char *option, const char *value, bool wanted)
{
	char words[3][16] = { "count", "f" }, *argv[] = { words[0], words[1], NULL, NULL, NULL };
	struct request r = {};
	int argc = 2;

	if (option) {
		argv[argc++] = (char *)option;
		snprintf(words[2], sizeof(words[2]), "%s", value);
		argv[argc++] = words[2];
	}
	if (request_parse(&r, argc, argv) || request_wants_all(&r) != wanted) {
		printf("%s: not all hits are wanted: %d\n", option ?: "no option", !wanted);
		failed = 1;
	}
}

static void test_all(void)
{
	check_all(NULL, NULL, true);
	check_all("-d", "5", true);
	check_all("-x", "ENOENT", false);
	check_all("-n", "bash", false);
	check_all("-p", "1", false);
	check_all("-C", "0", false);
	check_all("-L", "1ms", false);
}

static void test_bad(void)
{
	check("lat", "which function?");
	check("lat a b", "one WHAT at a time, then by, if or options; several functions: a,b,c");
	check("lat a by b c", "several keys are one word: by comm,cpu");
	check("lat a -d 5 seconds", "a time is one word, of a number and ns, us, ms, s, m or h");
	check("lat -L10 ms a", "a time is one word, of a number and ns, us, ms, s, m or h");
	check("lat a -n 5 s", "one WHAT at a time, then by, if or options; several functions: a,b,c");
	check("lat kretprobe:a", "a function stands alone: vfs_read; lat is of returns");
	check("count tracepoint:sched:x", "a tracepoint is t:NAME, without a group: t:sched_switch");
	check("count t:sched:x", "a tracepoint is t:NAME, without a group: t:sched_switch");
	check("lat x by a,b,c,d", "three keys after 'by' at most");
	check("lat x by a,,c", "a key is missing in the list after 'by'");
	check("lat x by", "'by' what? comm pid tid cpu func caller stack ret errno or an argument");
	check("lat x -x ENOENT,ENOTHING", "-x wants names of errors: ENOENT,EACCES");
	check("lat x if", "'if' what? for one: if ret lt 0");
	check("lat x if a b c", FILTER_IS);
	check("lat x if a lt", FILTER_IS);
	check("lat x if a = 3", FILTER_IS);
	check("lat x if a eq 3 and", FILTER_IS);
	check("lat x if a eq 3 b eq 4", "conditions of a filter are joined by and, or: if ret lt 0 and comm eq bash");
	check("lat x if ( a eq 3", "a ) is missing in the filter");
	check("count x if comm eq 5 and a eq 5", "p:count x a=a\n"
	      "hist:keys=common_cpu:size=65536 if (comm == \"5\" && a == 5)");
	check("lat x if sig=17", FILTER_IS);
	check("lat x --fail ENOENT", "--fail takes all errors; only some: -x ENOENT,EACCES");
	check("lat x if stack eq 1", "'caller' and 'stack' are keys, not fields of a filter");
	check("lat x by comm.log2", "a modifier can follow only a number's key");
	check("lat x by skb-", "the shell has taken > and a word for a file: write skb.len, with a dot");
	check("lat x by 12", "a key or a field is a name, or begins with one");
	check("lat x -d", "the option's value is missing");
	check("lat x -d never", "a time is wanted: 500ms, 10s, 5m, 24h");
	check("lat x -z 1", "no such option");
	check("lat x -", "no such option");
	check("lat x --wrong", "no such option");
	check("lat x -o a -w a", "-o and -w are two files");
	check("trace x by stack", "trace shows stacks by -g; to count them: count WHAT by stack");
	check("trace x by a.log2", "trace: only .hex, .sym and .enum can follow a key");
	check("lat x -r 0", "a number is wanted");
	check("lat x -n 0", "a number is wanted");
	check("lat x -t 1;2", "-t wants numbers: TID,...");
	check("lat x -C all", "-C wants a list of CPUs: 0-3,8");
	check("lat x -i 10ms", "an interval is 50ms at least");
	check("lat x -o", "the option's value is missing");
	check("lat x -p 1;2", "-p wants numbers: PID,...");
	check("lat x --color sometimes", "--color never, auto or always");
	check("lat x --color", "--color never, auto or always");
	check("lat x -u h", "a unit is ns, us, ms or s");
	check("lat x --", "the command after -- is missing");
	check("lat x -n a\"b", "a name of option -n has no quotes in it");
	check("count t:x --fail", "a tracepoint does not return");
}

int main(void)
{
	check_time("1", 1000000000);
	check_time("1.5s", 1500000000);
	check_time("500ms", 500000000);
	check_time("24h", 86400000000000);
	check_time("0", 0);
	check_time("5x", 0);
	check_time("-1", 0);
	check_time("1e30", 0);
	test_good();
	test_errors();
	test_names();
	test_enums();
	test_lists();
	test_all();
	test_bad();
	return failed;
}
