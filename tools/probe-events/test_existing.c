// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_existing.c - e:GRP/EVENT: the preset with an event's probes, and a question with it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "existing.h"
#include "expect.h"
#include "preset.h"
#include "recipe.h"
#include "test_said.h"

static const char list[] =
	"p:kprobes/open do_sys_openat2 dfd=%di:s32 file=+0(%si):ustring\n"
	"r8:g/done vfs_read comm=$comm n=$arg3:u64 ret=$retval:s64\n"
	"r8:g/done vfs_readv comm=$comm n=$arg3:u64 ret=$retval:s64\n"
	"f:net/in tcp_*%return sk=$arg1:x64\n"
	"p:g/bare read_zero\n"
	"p:g/text read_zero n=$arg3:u32 s=\\\"it$1\":string q=\\\"$2=\"\n";

static const char file[] =
	"# A remark.\n"
	"t:sched/wake sched_waking comm=p->comm:string pid=p->pid print \"comm={comm} pid={pid}\"\n"
	">=6.5 t:block/rq block_rq_issue a=rq->a:u32 line \"{a}\"\n"
	"<6.5 t:block/rq block_rq_issue a=rq->b:u32 line \"{a}\"\n"
	"t:block/rq block_rq_issue a=rq->c:u32 line \"{a}\"\n";

static void check(const char *question, const char *of, const char *release, const char *wanted)
{
	char *copy = strdup(question), *rest = copy, *argv[16], *text = NULL;
	const struct recipe_types types = {};
	struct recipe recipe = {};
	struct preset p = {};
	const char *wrong;
	struct request r;
	size_t size, nr;
	FILE *out;
	int argc = 0;

	while ((argv[argc] = strsep(&rest, " ")))
		argc++;
	wrong = request_parse(&r, argc, argv);
	EXPECT(!wrong && existing_is(r.what));
	r.parameters = true;
	out = open_memstream(&text, &size);
	nr = existing_preset(&r, of, release, *argv[0] == 't', out);
	fclose(out);
	if (nr)
		wrong = preset_parse_plain(&p, text);
	r.preset = &p;
	if (nr && !wrong)
		wrong = make_said(&recipe, &r, *argv[0], &types);
	failed |= differs(question, &recipe, nr ? wrong : "none", wanted);
	recipe_free(&recipe);
	preset_free(&p);
	free(text);
	free(copy);
}

int main(void)
{
	EXPECT(!existing_is("t:x") && !existing_is("e"));
	check("count e:kprobes/open by comm", list, NULL, "p:count do_sys_openat2\n"
	      "hist:keys=common_comm:size=65536");
	check("count e:kprobes/open by dfd if file has etc", list, NULL,
	      "p:count do_sys_openat2 dfd=%di:s32 file=+0(%si):ustring\n"
	      "hist:keys=dfd:size=65536 if (file ~ \"*etc*\")");
	check("trace e:kprobes/open", list, NULL,
	      "p:trace do_sys_openat2 dfd=%di:s32 file=+0(%si):ustring comm=$comm\n");
	check("count e:kprobes/op by comm", list, NULL, "none");
	/* Every probe of the event; results are its own. */
	check("count e:g/done --fail", list, NULL, "r:count vfs_read ret=$retval:s64\n"
	      "r:count vfs_readv ret=$retval:s64\nhist:keys=common_cpu:size=65536 if ret < 0");
	check("lat e:g/done by n.log2 -L 1us", list, NULL,
	      "r:lat vfs_read n=$arg3:u64 ret=$retval:s64 ns=$elapsed\n"
	      "r:lat vfs_readv n=$arg3:u64 ret=$retval:s64 ns=$elapsed\n"
	      "hist:keys=n.log2:vals=ns.dist:size=65536 if ns > 1000");
	check("lat e:net/in by func", list, NULL, "f:lat tcp_*%return ns=$elapsed\n"
	      "hist:keys=__probe_func.sym:vals=ns.dist:size=65536");
	check("lat e:g/bare", list, NULL,
	      "this event is none of returns: it has no results and no times");
	check("count e:g/bare --fail", list, NULL,
	      "this event is none of returns: it has no results and no times");
	/* The task's name and number, and the event's own fields of these names. */
	check("trace e:sched/wake -p 5", file, "6.12", "t:trace sched_waking its_comm=p->comm:string "
	      "its_pid=p->pid comm=$comm pid=$current->tgid\n if (pid == 5)");
	check("count e:sched/wake by comm,its_comm if its_pid gt 2", file, "6.12",
	      "t:count sched_waking its_comm=p->comm:string its_pid=p->pid\n"
	      "hist:keys=common_comm,its_comm:size=65536 if (its_pid > 2)");
	/* Texts that are what they look like. */
	check("trace e:g/text", list, NULL,
	      "p:trace read_zero n=$arg3:u32 s=\\\"it$1\":string q=\\\"$2=\" comm=$comm\n");
	check("count e:g/text by s if q eq $2=", list, NULL,
	      "p:count read_zero s=\\\"it$1\":string q=\\\"$2=\"\n"
	      "hist:keys=s:size=65536 if (q == \"$2=\")");
	/* Alternatives: the first for this kernel, until it is refused. */
	check("count e:block/rq by a", file, "6.12", "t:count block_rq_issue a=rq->a:u32\n"
	      "hist:keys=a:size=65536");
	check("count e:block/rq by a", file, "6.1.0-50", "t:count block_rq_issue a=rq->b:u32\n"
	      "hist:keys=a:size=65536");
	return failed;
}
