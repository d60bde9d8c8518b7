// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* hist_parse.c, hist_field.c, hist_show.c: a trigger as it is shown, or the error and column of a refusal. */
#include <linux/errno.h>
#include <linux/seq_file.h>
#include "harness.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/hist.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/table/base.h"
#include "kernel/trace/table/view.h"

static struct pe_arg args[8];
static struct pe_layout layout = { .name = "e", .args = args };

static void add(const char *name, const char *type, unsigned int offset, unsigned int size)
{
	struct pe_arg *arg = &args[layout.nargs++];

	strscpy(arg->name, name, sizeof(arg->name));
	arg->type = pe_type_find(type, strlen(type));
	arg->offset = offset;
	arg->size = size;
}

static void make_layout(void)
{
	add("ctx", "u32", 16, 4);
	add("n", "s64", 20, 8);
	add("b", "u8", 28, 1);
	add("s", "string", 29, 4);
	add("t", "string", 33, 4);
	add("odd", "u8", 37, 3);
	add("arr", "u16", 40, 8);
	add("ns", "u64", 48, 8);
}

/* Event g:o has variables: one a number, one a time, and one that event g:p has, too. */
static struct pe_hist other;

static int find(const struct pe_hist_scope *scope, struct pe_str group, struct pe_str event,
		struct pe_str name, struct pe_hist_found *found)
{
	int var = pe_hist_find_var(&other, name);

	if (var < 0 || (group.p && !(pe_str_eq(group, "g") && pe_str_eq(event, "o"))))
		return -ENOENT;
	if (!group.p && pe_str_eq(name, "both"))
		return -EEXIST;
	*found = (struct pe_hist_found){ .table = (void *)&other, .hist = &other, .var = var };
	return 0;
}

static bool defined(const struct pe_hist_scope *scope, struct pe_str name)
{
	return pe_str_eq(name, "taken");
}

static const struct pe_hist_scope scope = {
	.group = "g", .event = "e", .find = find, .defined = defined,
};

static int parse(struct pe_hist *hist, const char *command, struct pe_parse_err *err)
{
	static char work[600];
	int ret;

	*err = (struct pe_parse_err){ 0 };
	strscpy(work, command, sizeof(work));
	ret = pe_hist_parse(hist, command, work, &layout, &scope, err);
	return ret ? ret : pe_hist_finish(hist, command, &layout, &scope, err);
}

/* @shown: what follows "hist:keys=". */
static void says(const char *command, const char *shown)
{
	struct seq_file m = { .size = 600 };
	struct pe_parse_err err;
	struct pe_hist hist;
	char text[600] = "";
	int ret = parse(&hist, command, &err);

	m.buf = text;
	if (!ret && err.code == PE_ERR_NONE)
		pe_hist_show_trigger(&m, &hist, hist.filter, hist.pause);
	if (ret || strncmp(text, "hist:keys=", 10) || strncmp(text + 10, shown, strlen(shown)) ||
	    text[10 + strlen(shown)] != '\n') {
		printf("%s: %d \"%s\": %s", command, ret, pe_parse_err_text(err.code), text);
		pe_test_failures++;
	}
}

static void test_good(void)
{
	says("hist:keys=ctx", "ctx:vals=hitcount:sort=hitcount:size=2048 [active]");
	says("hist:key=ctx:val=b", "ctx:vals=hitcount,b:sort=hitcount:size=2048 [active]");
	says("hist:keys=ctx:values=hitcount,b,n", "ctx:vals=hitcount,b,n:sort=hitcount:size=2048 [active]");
	says("hist:keys=ctx:vals=b,n,ns,hitcount", "ctx:vals=hitcount,b,n,ns:sort=hitcount:size=2048 [active]");
	says("hist:keys=ctx.hex,n.hex:vals=b.hex:sort=b.descending,ctx",
	     "ctx.hex,n.hex:vals=hitcount,b.hex:sort=b.hex.descending,ctx.hex:size=2048 [active]");
	says("hist:keys=__probe_ip.sym-offset", "__probe_ip.sym-offset:vals=hitcount:sort=hitcount:size=2048 [active]");
	says("hist:keys=ctx.log2,ctx.bucket=0x10,n.buckets=3",
	     "ctx.log2,ctx.buckets=16,n.buckets=3:vals=hitcount:sort=hitcount:size=2048 [active]");
	says("hist:keys=common_pid.execname:sort=common_pid",
	     "common_pid.execname:vals=hitcount:sort=common_pid.execname:size=2048 [active]");
	says("hist:keys=cpu", "common_cpu:vals=hitcount:sort=hitcount:size=2048 [active]");
	says("hist:keys=cpu:sort=cpu", "common_cpu:vals=hitcount:sort=common_cpu:size=2048 [active]");
	says("hist:keys=stacktrace", "common_stacktrace:vals=hitcount:sort=hitcount:size=2048 [active]");
	says("hist:keys=common_stacktrace.depth=6",
	     "common_stacktrace.depth=6:vals=hitcount:sort=hitcount:size=2048 [active]");
	says("hist:keys=common_timestamp.usecs",
	     "common_timestamp.usecs:vals=hitcount:sort=hitcount:size=2048:clock=global [active]");
	says("hist:keys=common_timestamp:clock=mono",
	     "common_timestamp:vals=hitcount:sort=hitcount:size=2048:clock=mono [active]");
	says("hist:keys=common_comm,common_tgid,common_caller.sym",
	     "common_comm,common_tgid,common_caller.sym:vals=hitcount:sort=hitcount:size=2048 [active]");
	says("hist:keys=ctx:vals=b:NOHC", "ctx:vals=b:sort=hitcount:size=2048:nohitcount [active]");
	says("hist:keys=ctx:vals=hitcount.percent,b.graph:nohitcount",
	     "ctx:vals=hitcount.percent,b.graph:sort=hitcount:size=2048:nohitcount [active]");
	says("hist:keys=ctx:vals=ns.dist,ns.max,n.min",
	     "ctx:vals=hitcount,ns.dist,ns.max,n.min:sort=hitcount:size=65536 [active]");
	says("hist:keys=ctx:vals=ns.dist:size=65", "ctx:vals=hitcount,ns.dist:sort=hitcount:size=128 [active]");
	says("hist:keys=ctx:size=131072:pause", "ctx:vals=hitcount:sort=hitcount:size=131072 [paused]");
	says("hist:keys=ctx:keys=n:vals=b:vals=ns", "n:vals=hitcount,ns:sort=hitcount:size=2048 [active]");
	says("hist:keys=a.b.ctx.hex", "ctx.hex:vals=hitcount:sort=hitcount:size=2048 [active]");
	says("hist:keys=arr,s", "arr,s:vals=hitcount:sort=hitcount:size=2048 [active]");
	says("hist:  keys=ctx if ctx > 2",
	     "ctx:vals=hitcount:sort=hitcount:size=2048 if ctx > 2 [active]");
	says("hist:keys=ctx \tif ctx > 2", "ctx:vals=hitcount:sort=hitcount:size=2048 if ctx > 2 [active]");
	says("hist:sort=ctx:keys=ctx:size=128:sort=hitcount.descending if ctx > 2",
	     "ctx:vals=hitcount:sort=hitcount.descending:size=128 if ctx > 2 [active]");
}

/* What the kernel takes, although it hardly means to. */
static void test_lax(void)
{
	says("hist:keys=hitcount", "hitcount:vals=hitcount:sort=hitcount:size=2048 [active]");
	says("hist:keys=ctx:vals=hitcount,hitcount,b",
	     "ctx:vals=hitcount,hitcount,b:sort=hitcount:size=2048 [active]");
	says("hist:keys=ctx:vals=b.percentage,n.graphs",
	     "ctx:vals=hitcount,b.percent,n.graph:sort=hitcount:size=2048 [active]");
	says("hist:keys=ctx:clock=a clock that there is not",
	     "ctx:vals=hitcount:sort=hitcount:size=2048 [active]");
	says("hist:keys=common_timestamp:clock= mono\t:size=128",
	     "common_timestamp:vals=hitcount:sort=hitcount:size=128:clock=mono [active]");
	says("hist:keys=a..ctx.hex", "ctx.hex:vals=hitcount:sort=hitcount:size=2048 [active]");
	says("hist:keys=a.sym-offset.ctx.sym-offset",
	     "ctx.sym-offset:vals=hitcount:sort=hitcount:size=2048 [active]");
}

/* Expressions, as the kernel shows them again. */
static void test_expr(void)
{
	says("hist:keys=ctx:vals=b+n", "ctx:vals=hitcount,b+n:sort=hitcount:size=2048 [active]");
	says("hist:keys=ctx.sym-offset:vals=b-n-2",
	     "ctx.sym-offset:vals=hitcount,b-n-2:sort=hitcount:size=2048 [active]");
	says("hist:keys=ctx:vals=7,2*3", "ctx:vals=hitcount,7,6:sort=hitcount:size=2048 [active]");
	says("hist:keys=ctx/10,n-b*2:vals=-(b+n)",
	     "ctx/10,n-b*2:vals=hitcount,-(b+n):sort=hitcount:size=2048 [active]");
	says("hist:keys=ctx:vals=b+n:sort=b+n", "ctx:vals=hitcount,b+n:sort=b+n:size=2048 [active]");
	says("hist:keys=ctx:vals=n.hex+b.log2", "ctx:vals=hitcount,n.hex+b.log2:sort=hitcount:size=2048 [active]");
	says("hist:keys=g.e.ctx+x.y.n", "ctx+n:vals=hitcount:sort=hitcount:size=2048 [active]");
}

static void test_vars(void)
{
	says("hist:keys=ctx:x=b", "ctx:vals=hitcount:x=b:sort=hitcount:size=2048 [active]");
	says("hist:keys=ctx:x=b,y=n+1:z=5:vals=n",
	     "ctx:vals=hitcount,n:x=b,y=n+1,z=5:sort=hitcount:size=2048 [active]");
	says("hist:keys=ctx:vals=$x:x=n.hex", "ctx:vals=hitcount,n.hex:x=n.hex:sort=hitcount:size=2048 [active]");
	says("hist:keys=ctx:vals=$lat", "ctx:vals=hitcount,$lat:sort=hitcount:size=2048 [active]");
	says("hist:keys=ctx:vals=g.o.$both+1", "ctx:vals=hitcount,g.o.$both+1:sort=hitcount:size=2048 [active]");
	says("hist:keys=ctx:w=$lat", "ctx:vals=hitcount:w=$lat:sort=hitcount:size=2048 [active]");
	says("hist:keys=ctx:d=common_timestamp.usecs-$ts0",
	     "ctx:vals=hitcount:d=common_timestamp.usecs-$ts0:sort=hitcount:size=2048:clock=global [active]");
	says("hist:keys=ctx:v=$five*2", "ctx:vals=hitcount:v=10:sort=hitcount:size=2048 [active]");
	says("hist:keys=ctx:x=n:onmax($x).save(ctx,ns)",
	     "ctx:vals=hitcount:x=n:sort=hitcount:size=2048:onmax($x).save(ctx,ns) [active]");
	says("hist:keys=ctx:x=n:onchange($x).saved( ctx , ns.hex ):onmax($x).snapshot()",
	     "ctx:vals=hitcount:x=n:sort=hitcount:size=2048:onchange($x).saved(ctx,ns.hex):onmax($x).snapshot() [active]");
}

static void refused(const char *command, int ret, enum pe_parse_errno code, unsigned int pos)
{
	struct pe_parse_err err;
	struct pe_hist hist;
	int got = parse(&hist, command, &err);

	if (got != ret || err.code != code || err.pos != pos) {
		printf("%s: %d \"%s\" at %u\n", command, got, pe_parse_err_text(err.code), err.pos);
		pe_test_failures++;
	}
}

/* Columns are those of the kernel: the first place where the text occurs. */
/* Expressions, variables and actions. */
static void test_bad_parts(void)
{
	refused("hist:keys=ctx:vals=b+", -EINVAL, PE_ERR_HIST_EXPR, 14 + 5);
	refused("hist:keys=ctx:vals=-b", -EINVAL, PE_ERR_HIST_EXPR, 19);
	refused("hist:keys=ctx:vals=-(b)+n", -EINVAL, PE_ERR_HIST_MINUS, 21);
	refused("hist:keys=ctx:vals=b+n+b+n+b", -EINVAL, PE_ERR_HIST_MANY_OPERATORS, 19);
	refused("hist:keys=ctx:vals=b/0", -EDOM, PE_ERR_HIST_BY_ZERO, 21);
	refused("hist:keys=ctx:vals=b+nope", -EINVAL, PE_ERR_HIST_NO_FIELD, 21);
	refused("hist:keys=ctx:vals=b+s", -EINVAL, PE_ERR_HIST_STRING, 2);
	refused("hist:keys=ctx:vals=5b", -EINVAL, PE_ERR_HIST_NUMBER, 19);
	refused("hist:keys=ctx:vals=common_timestamp.usecs-1", -EINVAL, PE_ERR_HIST_UNITS, 0);
	refused("hist:keys=ctx:vals=$nope", -EINVAL, PE_ERR_HIST_NO_VAR, 20);
	refused("hist:keys=ctx:vals=$both", -EINVAL, PE_ERR_HIST_VAR_SEVERAL, 20);
	refused("hist:keys=ctx:x=b+1:vals=$x", -EINVAL, PE_ERR_HIST_NO_VAR, 12);
	refused("hist:keys=n+$lat", -EINVAL, PE_ERR_HIST_REF_KEY, 10);
	refused("hist:keys=ctx:x=b,y", -EINVAL, PE_ERR_HIST_ASSIGNMENT, 7);
	refused("hist:keys=ctx:x=b:x=n", -EINVAL, PE_ERR_HIST_VAR_EXIST, 12);
	refused("hist:keys=ctx:taken=n", -EINVAL, PE_ERR_HIST_VAR_EXIST, 14);
	refused("hist:keys=ctx:x=b.log2", -EINVAL, PE_ERR_HIST_BAD_MODIFIER, 16);
	refused("hist:keys=ctx:x=b.percent", -EINVAL, PE_ERR_HIST_BAD_MODIFIER, 18);
	refused("hist:keys=ctx:x=s", -EINVAL, PE_ERR_HIST_VAR_TEXT, 2);
	refused("hist:keys=ctx:x=n:onmax(x).save(ns)", -EINVAL, PE_ERR_HIST_NO_TRACK, 12);
	refused("hist:keys=ctx:x=n:onmax($q).save(ns)", -EINVAL, PE_ERR_HIST_TRACK_VAR, 25);
	refused("hist:keys=ctx:x=n:onmax($x)", -EINVAL, PE_ERR_HIST_NO_ACTION, 0);
	refused("hist:keys=ctx:x=n:onmax($x", -EINVAL, PE_ERR_HIST_PART, 18);
	refused("hist:keys=ctx:x=n:onmax($x).save()", -EINVAL, PE_ERR_HIST_BAD_PARAM, 0);
	refused("hist:keys=ctx:x=n:onmax($x).save(b", -EINVAL, PE_ERR_HIST_BAD_PARAM, 33);
	refused("hist:keys=ctx:x=n:onmax($x).save(nope)", -EINVAL, PE_ERR_HIST_NO_FIELD, 33);
	refused("hist:keys=ctx:ns=n:onmax($ns).save(ns)", -EINVAL, PE_ERR_HIST_NEW_VAR, 14);
	refused("hist:keys=ctx:x=n:onmax($x).save(ns):onmax($x).save(ns)", -EEXIST, PE_ERR_HIST_MANY_SAVES, 0);
	refused("hist:keys=ctx:x=n:onmax($x).snapshot(", -EINVAL, PE_ERR_HIST_NO_PAREN, 0);
	refused("hist:keys=ctx:x=n:onmax($x).trace(e,$x)", -EOPNOTSUPP, PE_ERR_TRIG_LATER, 28);
	refused("hist:keys=ctx:onmatch(a.b).e(ctx)", -EOPNOTSUPP, PE_ERR_TRIG_LATER, 14);
}

static void test_bad(void)
{
	refused("hist:", -EINVAL, PE_ERR_HIST_NO_KEYS, 0);
	refused("hist:vals=b", -EINVAL, PE_ERR_HIST_NO_KEYS, 0);
	refused("hist:keys=", -EINVAL, PE_ERR_HIST_EMPTY, 5);
	refused("hist:keys=ctx:name=", -EINVAL, PE_ERR_HIST_EMPTY, 14);
	refused("hist:keys", -EINVAL, PE_ERR_HIST_PART, 5);
	refused("hist:keys=ctx::vals=b", -EINVAL, PE_ERR_HIST_PART, 0);
	refused("hist:keys=nope", -EINVAL, PE_ERR_HIST_NO_FIELD, 10);
	refused("hist:keys=st", -EINVAL, PE_ERR_HIST_NO_FIELD, 2);
	refused("hist:keys=,ctx", -EINVAL, PE_ERR_HIST_NO_FIELD, 0);
	refused("hist:keys=ctx,", -EINVAL, PE_ERR_HIST_NO_FIELD, 0);
	refused("hist:keys=ctx xx", -EINVAL, PE_ERR_HIST_NO_FIELD, 10);
	refused("hist:keys=comm", -EINVAL, PE_ERR_HIST_NO_FIELD, 10);
	refused("hist:keys=ctx.hex.log2", -EINVAL, PE_ERR_HIST_NO_FIELD, 18);
	refused("hist:keys=ctx.nope", -EINVAL, PE_ERR_HIST_BAD_MODIFIER, 14);
	refused("hist:keys=ctx.execname", -EINVAL, PE_ERR_HIST_BAD_MODIFIER, 14);
	refused("hist:keys=ctx.stacktrace", -EINVAL, PE_ERR_HIST_BAD_MODIFIER, 10);
	refused("hist:keys=n.graph", -EINVAL, PE_ERR_HIST_BAD_MODIFIER, 12);
	refused("hist:keys=n.dist", -EINVAL, PE_ERR_HIST_BAD_MODIFIER, 12);
	refused("hist:keys=ctx.buckets", -EINVAL, PE_ERR_HIST_BAD_MODIFIER, 0);
	refused("hist:keys=ctx.buckets=0", -EINVAL, PE_ERR_HIST_BAD_MODIFIER, 22);
	refused("hist:keys=ctx.sym-offsets", -EINVAL, PE_ERR_HIST_BAD_MODIFIER, 0);
	refused("hist:keys=n:vals=ctx.sym-offset", -EINVAL, PE_ERR_HIST_BAD_MODIFIER, 0);
	refused("hist:keys=x.y.ctx.stacktrace", -EINVAL, PE_ERR_HIST_BAD_MODIFIER, 14);
	refused("hist:keys=x.y.ctx:vals=x.y.b.log2", -EINVAL, PE_ERR_HIST_BAD_MODIFIER, 10);
	refused("hist:keys=ctx:size=99999999999999999999", -ERANGE, PE_ERR_HIST_SIZE, 14);
	refused("hist:keys=ctx.depth=3", -EINVAL, PE_ERR_HIST_BAD_MODIFIER, 14);
	refused("hist:keys=stacktrace.depth=128", -EINVAL, PE_ERR_HIST_BAD_MODIFIER, 21);
	refused("hist:keys=stacktrace.hex", -EINVAL, PE_ERR_HIST_BAD_MODIFIER, 21);
	refused("hist:keys=s.log2", -EINVAL, PE_ERR_HIST_BAD_MODIFIER, 12);
	refused("hist:keys=odd", -EINVAL, PE_ERR_HIST_BAD_SIZE, 10);
	refused("hist:keys=s,t", -EINVAL, PE_ERR_HIST_LONG_KEY, 3);
	refused("hist:keys=ctx,n,b,ns", -EINVAL, PE_ERR_HIST_MANY_KEYS, 18);
	refused("hist:keys=ctx:vals=nope", -EINVAL, PE_ERR_HIST_NO_FIELD, 19);
	refused("hist:keys=nope:vals=mope", -EINVAL, PE_ERR_HIST_NO_FIELD, 20);
	refused("hist:keys=ctx:vals=s", -EINVAL, PE_ERR_HIST_STRING, 2);
	refused("hist:keys=ctx:vals=b.log2", -EINVAL, PE_ERR_HIST_BAD_MODIFIER, 19);
	refused("hist:keys=ctx:vals=b.sym-offset", -EINVAL, PE_ERR_HIST_BAD_MODIFIER, 0);
	refused("hist:keys=ctx:vals=stacktrace", -EINVAL, PE_ERR_HIST_BAD_MODIFIER, 19);
	refused("hist:keys=ctx:vals=ns.dist,n.dist", -EINVAL, PE_ERR_HIST_BAD_MODIFIER, 27);
	refused("hist:keys=ctx:vals=hitcount.dist", -EINVAL, PE_ERR_HIST_BAD_MODIFIER, 28);
	refused("hist:keys=ctx:vals=b,n,ns,arr", -EINVAL, PE_ERR_HIST_MANY_VALS, 26);
	refused("hist:keys=ctx:nohitcount", -ENOENT, PE_ERR_HIST_NO_VALUE, 0);
	refused("hist:keys=nope:nohitcount", -ENOENT, PE_ERR_HIST_NO_VALUE, 0);
	refused("hist:keys=ctx:sort=b", -EINVAL, PE_ERR_HIST_BAD_SORT, 19);
	refused("hist:keys=ctx:sort=ctx.up", -EINVAL, PE_ERR_HIST_BAD_ORDER, 23);
	refused("hist:keys=ctx:sort=ctx,", -EINVAL, PE_ERR_HIST_EMPTY_SORT, 14);
	refused("hist:keys=ctx:sort=.descending", -EINVAL, PE_ERR_HIST_EMPTY_SORT, 14);
	refused("hist:keys=ctx,n,b:sort=ctx,n,b", -EINVAL, PE_ERR_HIST_MANY_SORTS, 18);
	refused("hist:keys=ctx:size=64", -EINVAL, PE_ERR_HIST_SIZE, 14);
	refused("hist:keys=ctx:size=131073", -EINVAL, PE_ERR_HIST_SIZE, 14);
	refused("hist:keys=ctx:size=x", -EINVAL, PE_ERR_HIST_SIZE, 14);
	refused("hist:keys=ctx if", -EINVAL, PE_ERR_TRIG_NO_IF, 14);
	refused("hist:if ctx == 1", -EINVAL, PE_ERR_HIST_PART, 5);
}

static bool same(const char *a, const char *b)
{
	struct pe_parse_err err;
	struct pe_hist x, y;

	EXPECT_EQ(parse(&x, a, &err), 0);
	EXPECT_EQ(parse(&y, b, &err), 0);
	EXPECT_EQ(pe_hist_same(&x, &y), pe_hist_same(&y, &x));
	return pe_hist_same(&x, &y);
}

static void test_same(void)
{
	EXPECT(same("hist:keys=ctx", "hist:vals=hitcount:keys=ctx:size=4096:pause if b == 1"));
	EXPECT(same("hist:keys=ctx:sort=hitcount", "hist:keys=ctx"));
	EXPECT(!same("hist:keys=ctx", "hist:keys=b"));
	EXPECT(!same("hist:keys=ctx", "hist:keys=ctx.hex"));
	EXPECT(!same("hist:keys=ctx", "hist:keys=ctx,b"));
	EXPECT(!same("hist:keys=ctx", "hist:keys=ctx:vals=b"));
	EXPECT(!same("hist:keys=ctx:vals=n", "hist:keys=ctx:vals=b"));
	EXPECT(!same("hist:keys=ctx:sort=ctx", "hist:keys=ctx"));
	EXPECT(!same("hist:keys=ctx:sort=ctx", "hist:keys=ctx:sort=ctx.descending"));
	EXPECT(!same("hist:keys=ctx.buckets=3", "hist:keys=ctx.buckets=4"));
}

static bool fits(const char *a, const char *b)
{
	struct pe_parse_err err;
	struct pe_hist x, y;

	EXPECT_EQ(parse(&x, a, &err), 0);
	EXPECT_EQ(parse(&y, b, &err), 0);
	EXPECT_EQ(pe_table_fits(&x, &y), pe_table_fits(&y, &x));
	return pe_table_fits(&x, &y);
}

/* Tables of one name: an event may have a field of the same name that is something else. */
static void test_fits(void)
{
	static const char *const saves = "hist:keys=ctx:x=n:onmax($x).save(ns,ctx)";
	struct pe_parse_err err;
	struct pe_hist x, y;

	EXPECT(fits(saves, saves));
	EXPECT(!fits(saves, "hist:keys=ctx:x=n:onmax($x).save(ns)"));
	EXPECT_EQ(parse(&x, saves, &err), 0);
	y = x;
	y.saves[0].value.source = PE_HIST_STRING;	/* as of an event whose "ns" is a text */
	y.saves[0].value.size = 4;
	EXPECT(pe_hist_same(&x, &y) && !pe_table_fits(&x, &y));
	/* Expressions are the same if they begin alike; what a hit needs may differ. */
	EXPECT(fits("hist:keys=ctx:vals=b+n", "hist:keys=ctx:vals=b+ns"));
	EXPECT(same("hist:keys=ctx:vals=b+n", "hist:keys=ctx:vals=b+common_tgid"));
	EXPECT(!fits("hist:keys=ctx:vals=b+n", "hist:keys=ctx:vals=b+common_tgid"));
}

/* More operators than there may be references: an operand's number is of one or the other. */
static void test_many_nodes(void)
{
	struct pe_parse_err err;
	struct pe_hist hist;

	EXPECT_EQ(parse(&hist, "hist:keys=ctx:c=n+b+n+b:d=n+b+n+b:e=n+b+n+b:f=n+b+n+b:g=n+b+n+b:h=n+b+n+b:"
			"i=n+b+n+b:j=n+b+n+b", &err), 0);
	EXPECT_EQ(hist.nr_nodes, 24);
}

int main(void)
{
	struct pe_parse_err err;
	static const struct pe_test tests[] = {
		{ "good", test_good },
		{ "lax", test_lax },
		{ "expr", test_expr },
		{ "vars", test_vars },
		{ "bad", test_bad },
		{ "bad_parts", test_bad_parts },
		{ "same", test_same },
		{ "fits", test_fits },
		{ "many_nodes", test_many_nodes },
	};

	make_layout();
	pe_test_failures += parse(&other, "hist:keys=ctx:lat=n,ts0=common_timestamp.usecs,both=b,five=5",
				  &err) != 0;
	return PE_RUN(tests);
}
