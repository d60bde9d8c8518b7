// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* Arguments by name, with the types of btf_world.h. */
#include <linux/errno.h>
#include "btf_world.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/limits.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/parse/spec.h"

static struct btf_world world;
static struct btf btf;
static struct pe_spec spec;
static struct pe_placed placed;
static struct pe_parse_err err;

static int parse(const char *text)
{
	struct pe_parse_env env = { .dentry_name_off = 0x28, .file_dentry_off = 0x48 };
	int ret;

	memset(&err, 0, sizeof(err));
	memset(&spec, 0xa5, sizeof(spec));
	ret = pe_cmd_parse(&spec, text, &placed, &err);
	if (ret)
		return ret;
	env.on_entry = !spec.place.offset;
	return pe_args_parse(&placed, &env, &err);
}

/* An argument as "NAME=LOAD[+OFF[u]...]:TYPE[@SHIFT/WIDTH]". */
static void show(const struct pe_arg *a, char *to, size_t size)
{
	const struct pe_fetch *f = &a->fetch;
	size_t n = scnprintf(to, size, "%s=", a->name);
	unsigned int i;

	if (f->load == PE_LOAD_ARG)
		n += scnprintf(to + n, size - n, "arg%u", f->index);
	else if (f->load == PE_LOAD_SAVED)
		n += scnprintf(to + n, size - n, "saved%u", placed.saved[f->index]);
	else if (f->load == PE_LOAD_CURRENT)
		n += scnprintf(to + n, size - n, "current");
	else
		n += scnprintf(to + n, size - n, "%s", f->load == PE_LOAD_RETVAL ? "ret" : "?");
	for (i = 0; i < f->nr_derefs; i++)
		n += f->deref[i].cpu ? scnprintf(to + n, size - n, "+cpu") :
		     scnprintf(to + n, size - n, "+%d%s", f->deref[i].off,
			       f->deref[i].user ? "u" : "");
	n += scnprintf(to + n, size - n, ":%s", a->type->name);
	if (a->bf_width)
		n += scnprintf(to + n, size - n, "@%u/%u", a->bf_shift, a->bf_width);
	if (a->count)
		scnprintf(to + n, size - n, "[%u]", a->count);
}

/* All arguments, or the error as "ERRNO@COLUMN TEXT". */
static const char *answer(const char *text)
{
	static char to[4096];
	size_t n = 0;
	unsigned int i;
	int ret = parse(text);

	to[0] = 0;
	if (ret) {
		scnprintf(to, sizeof(to), "%d@%u %s", -ret, err.pos, pe_parse_err_text(err.code));
		return to;
	}
	for (i = 0; i < placed.nargs; i++) {
		if (i)
			to[n++] = ' ';
		show(&placed.args[i], to + n, sizeof(to) - n);
		n += strlen(to + n);
	}
	return to;
}

static void types(void)
{
	EXPECT_STR(answer("p fn $arg*"),
		   "o=arg0:x64 n=arg1:u64 s=arg2:x64 c=arg3:s32 b=arg4:u8 i=arg5:s32 bytes=arg6:x64 by_value=arg7:x64");
	EXPECT_STR(answer("p fn i n x=i:u8 arg9=%di"), "i=arg5:s32 n=arg1:u64 x=arg5:u8 arg9=?:x64");
	EXPECT_STR(answer("p fn $arg3 x=$arg3 $arg2:u8"), "s=arg2:x64 x=arg2:x64 n=arg1:u8");
	EXPECT_STR(answer("p fn s:string s2=s:ustring"), "s=arg2+0:string s2=arg2+0u:ustring");
	EXPECT_STR(answer("r fn $retval n $arg1"), "arg1=ret:x64 n=saved1:u64 o=saved0:x64");
	EXPECT_STR(answer("r none $retval"), "arg1=ret:s64");
	EXPECT_STR(answer("r unknown $retval $arg1"), "arg1=ret:x64 arg2=saved0:x64");
	EXPECT_STR(answer("p unknown $arg1"), "arg1=arg0:x64");
}

static void fields(void)
{
	EXPECT_STR(answer("p fn o->in.a"), "arg1=arg0+8:s32");
	EXPECT_STR(answer("p fn o->next->in.a x=o->next->next->text"),
		   "arg1=arg0+40+8:s32 x=arg0+40+40+48:x64");
	EXPECT_STR(answer("p fn o->in.u o->in.deep o->in.deeper"),
		   "arg1=arg0+12:s32 arg2=arg0+12:u8 arg3=arg0+14:s16");
	EXPECT_STR(answer("p fn o->in.name:string o->in.name o->text:string o->text:ustring"),
		   "arg1=arg0+16:string arg2=arg0+16:x64 arg3=arg0+48+0:string arg4=arg0+48+0u:ustring");
	EXPECT_STR(answer("p fn o->in.numbers:s32[4] o->in.name:char[8]"),
		   "arg1=arg0+24:s32[4] arg2=arg0+16:char[8]");
	EXPECT_STR(answer("p fn o->one o->five o->byte o->rest o->color"),
		   "arg1=arg0+0:u32@0/1 arg2=arg0+0:u32@1/5 arg3=arg0+1:u32@0/8 arg4=arg0+1:u32@6/18 arg5=arg0+4:s32@3/3");
	EXPECT_STR(answer("p fn o->five:u8 o->in o->huge o->any"),
		   "arg1=arg0+0:u8 arg2=arg0+8:x64 arg3=arg0+80:u64 arg4=arg0+64:x64");
	EXPECT_STR(answer("p fn +4(o->next) +0(+8(s))"), "arg1=arg0+40+4:x64 arg2=arg2+8+0:x64");
	EXPECT_STR(answer("r fn $retval->in.a"), "arg1=ret+8:s32");
	EXPECT_STR(answer("r fn $retval->text:string o->text:string"),
		   "arg1=ret+48+0:string arg2=saved0+48+0:string");
	EXPECT_STR(answer("p fn o->next:%pd"), "arg1=arg0+40+40+0:string");
	EXPECT_STR(placed.args[0].expr, "+0x0(+0x28(o->next)):string");
}

/* What is beside a small one is not a part of it. */
static void enums(void)
{
	EXPECT_STR(answer("p fn (hints)n->u1 (hints)n->s1 (hints)n->u2 (hints)n->s2"),
		   "arg1=arg1+0:u8 arg2=arg1+1:s8 arg3=arg1+2:u16 arg4=arg1+4:s16");
	EXPECT_STR(answer("p fn c (hints)n->e8 (hints)n->v8"), "c=arg3:s32 arg2=arg1+8:s64 arg3=arg1+16:s64");
	EXPECT_STR(answer("p fn (hints)n->bits (hints)n->u1:x32"), "arg1=arg1+24:u8@2/3 arg2=arg1+0:x32");
}

static void elements(void)
{
	EXPECT_STR(answer("p fn o->in.numbers[3] o->in.numbers[0x2]:x32 o->in.name[7]"),
		   "arg1=arg0+36:s32 arg2=arg0+32:x32 arg3=arg0+23:u8");
	EXPECT_STR(answer("p fn s[2] o[1].five o[0]->in x=o[2].in.numbers[1]"),
		   "22@26 This is not a pointer to union/structure.");
	EXPECT_STR(answer("p fn s[2] o[1].five x=o[2].in.numbers[1]"),
		   "arg1=arg2+2:u8 arg2=arg0+96:u32@1/5 x=arg0+220:s32");
	EXPECT_STR(answer("p fn (table)n->rows[2].name:string (table)n->links[1]->in.a"),
		   "arg1=arg1+72:string arg2=arg1+104+8:s32");
	EXPECT_STR(answer("p fn (table)n->grid[5] (table)n->grid[3]:s32[3]"),
		   "arg1=arg1+132:s32 arg2=arg1+124:s32[3]");
	EXPECT_STR(answer("p fn (table)n->nested[1][2] (table)n->nested[1]:s32[3]"),
		   "arg1=arg1+156:s32 arg2=arg1+148:s32[3]");
	EXPECT_STR(answer("p fn (table)n->many[3][1]->names[5]:string (table)n->names[0]"),
		   "arg1=arg1+160+56+208+0:string arg2=arg1+168:x64");
	EXPECT_STR(answer("p fn o->next[1].next[1].in.a"), "arg1=arg0+40+136+104:s32");
	EXPECT_STR(answer("r fn $retval[1].text $retval[2].in.a:u8 o[1].five"),
		   "arg1=ret+144:x64 arg2=ret+200:u8 arg3=saved0+96:u32@1/5");
	EXPECT_STR(answer("p fn (inner)(o->next[1].any)->a (outer)s[0]->five"),
		   "arg1=arg0+40+160+0:s32 arg2=arg2+0+0:u32@1/5");
	EXPECT_STR(answer("p fn (table,rows[1].u)o->rows[2].u (table,grid[4])o->rows[0].a"),
		   "arg1=arg0+32:s32 arg2=arg0+-128:s32");
	EXPECT_STR(answer("p fn $current->comm[3] s[9]:string"),
		   "22@23 This type does not fit for string.");
	EXPECT_STR(placed.args[0].name, "arg1");
}

/* The column is that of the bracket, or of the number. */
static void bad_elements(void)
{
	EXPECT_STR(answer("p fn o->in.numbers[4]"), "22@19 Invalid array index");
	EXPECT_STR(answer("p fn o->in.numbers[-1]"), "22@19 Invalid array index");
	EXPECT_STR(answer("p fn o[1->2]"), "22@7 Invalid array index");
	EXPECT_STR(answer("p fn (outer)s[1.5]->five"), "22@14 Invalid array index");
	EXPECT_STR(answer("p fn (outer)s[-1]->five"), "22@14 Invalid array index");
	EXPECT_STR(answer("p fn (table)n->grid[1][2]"),
		   "22@22 This is neither an array nor a pointer.");
	EXPECT_STR(answer("p fn (table)n->links[1][2]"),
		   "22@23 This is neither an array nor a pointer.");
	EXPECT_STR(answer("p fn o->in.numbers[]"), "22@19 Invalid array index");
	EXPECT_STR(answer("p fn o->in.numbers[x]"), "22@19 Invalid array index");
	EXPECT_STR(answer("p fn o->in.numbers[1"), "22@20 Array is not closed");
	EXPECT_STR(answer("p fn o->in.numbers[1]x"), "22@21 Array has wrong suffix");
	EXPECT_STR(answer("p fn o->in.numbers[1][0]"),
		   "22@21 This is neither an array nor a pointer.");
	EXPECT_STR(answer("p fn n[0]"), "22@6 This is neither an array nor a pointer.");
	EXPECT_STR(answer("p fn x=by_value[0]"), "22@15 This is neither an array nor a pointer.");
	EXPECT_STR(answer("p fn o->any[0]"), "22@11 Failed to get BTF type info.");
	EXPECT_STR(answer("p fn o[0x5555555].in.a"), "22@7 Invalid array index");
	EXPECT_STR(answer("p fn s[536870911]"), "arg1=arg2+536870911:u8");
	EXPECT_STR(answer("p fn s[536870912]"), "22@7 Invalid array index");
	EXPECT_STR(answer("p fn o[5592405].next"), "22@16 Failed to get BTF type info.");
	EXPECT_STR(answer("p fn o->in.numbers[18446744073709551615]"), "22@19 Invalid array index");
	EXPECT_STR(answer("p fn o->in.numbers[99999999999999999999]"), "22@19 Invalid array index");
	EXPECT_STR(answer("p fn (outer,next[1].text)o->any"),
		   "22@20 Typecast field option does not support -> operator");
	EXPECT_STR(answer("p fn (outer)+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(@s))))))))))))->in->"),
		   "22@68 Dereference is too much nested");
	EXPECT_STR(answer("p fn $current[1]"), "22@5 Invalid $-variable specified");
	EXPECT_STR(answer("p fn $current[1]->pid"), "22@5 Invalid $-variable specified");
	EXPECT_STR(answer("r none $retval[0]"), "22@14 This is neither an array nor a pointer.");
	EXPECT_STR(answer("r unknown $retval[0]"), "2@20 No BTF entry for this probe point");
	EXPECT_STR(answer("p fn %di[1]"), "22@5 Invalid register name");
}

/* The current task is everywhere, and known without the function. */
static void current_task(void)
{
	EXPECT_STR(answer("p fn $current c=$current:x32"), "arg1=current:x64 c=current:x32");
	EXPECT_STR(answer("p unknown+3 $current->pid"), "arg1=current+0:s32");
	EXPECT_STR(answer("p fn $current->comm:string o $current->mm->text:string"),
		   "arg1=current+16:string o=arg0:x64 arg3=current+8+48+0:string");
	EXPECT_STR(answer("r none $current->mm->in.a +4($current)"),
		   "arg1=current+8+8:s32 arg2=current+4:x64");
	EXPECT_STR(answer("p fn $current:string"), "22@14 String accepts only memory argument");
	EXPECT_STR(answer("p fn $current:symstr"),
		   "22@14 Symbol String doesn't accept data/userdata");
	EXPECT_STR(answer("p fn $currentpid"), "22@5 Invalid $-variable specified");
	EXPECT_STR(answer("p fn $current.pid"), "22@5 Invalid $-variable specified");
	EXPECT_STR(answer("p fn $current-pid"),
		   "22@13 Failed to parse single hyphen. Forgot '>'?");
	EXPECT_STR(answer("p fn t=$current->nosuch"), "2@17 This field is not found.");
	EXPECT_STR(answer("p fn $current->pid->x"),
		   "22@20 This is not a pointer to union/structure.");
	EXPECT_STR(answer("p fn $current->comm:string[2] x=$current->"),
		   "2@42 This field is not found.");
}

static void casts(void)
{
	EXPECT_STR(answer("p fn (outer)any->in.a x=(outer)%di->next->in.u"),
		   "2@12 This variable is not found at this probe point");
	EXPECT_STR(answer("p fn (inner)o->a x=(outer)n->next->in.u"),
		   "arg1=arg0+0:s32 x=arg1+40+12:s32");
	EXPECT_STR(answer("p unknown+1 (outer)%di->text:string (task_struct)$stack2->pid"),
		   "arg1=?+48+0:string arg2=?+0:s32");
	EXPECT_STR(answer("p fn (outer)(o->any)->in.name:string (inner)+8(o)->u:u8"),
		   "arg1=arg0+64+16:string arg2=arg0+8+4:u8");
	EXPECT_STR(answer("p fn (outer)(@sym-8)->five (outer)@sym->five"),
		   "arg1=?+0+0:u32@1/5 arg2=?+0+0:u32@1/5");
	EXPECT_STR(answer("p fn (inner)((outer)((task_struct)n->mm)->any)->a"),
		   "arg1=arg1+8+64+0:s32");
	EXPECT_STR(answer("p fn +8((outer)o->any) (inner)$current->a"),
		   "arg1=arg0+64+8:x64 arg2=current+0:s32");
	EXPECT_STR(answer("r fn (inner)$retval->a (inner)$arg3->u (outer)o->next->in.a"),
		   "arg1=ret+0:s32 arg2=saved2+4:s32 arg3=saved0+40+8:s32");
	EXPECT_STR(placed.args[0].expr, "(inner)$retval->a");
	EXPECT_STR(answer("p fn (outer)o->next:%pd"), "arg1=arg0+40+40+0:string");
}

/* From a member to its structure: offsets are from there. */
static void containers(void)
{
	EXPECT_STR(answer("p fn (outer,in)o->five (outer,in)o->text:string"),
		   "arg1=arg0+-8:u32@1/5 arg2=arg0+40+0:string");
	EXPECT_STR(answer("p fn (outer,in.deep)(o)->in.a (outer,next)%si->next->in.a"),
		   "arg1=arg0+-4:s32 arg2=?+0+8:s32");
	EXPECT_STR(answer("p fn (outer,one)o->any (inner,numbers)((outer,in)o->any)->u"),
		   "arg1=arg0+64:x64 arg2=arg0+56+-12:s32");
	EXPECT_STR(answer("p fn (outer,five)o->any"),
		   "22@12 Typecast field option is not byte-aligned");
	EXPECT_STR(answer("p fn x=(outer,next->in)o->any"),
		   "22@18 Typecast field option does not support -> operator");
	EXPECT_STR(answer("p fn (outer,in.nosuch)o->any"), "2@15 This field is not found.");
	/* What may have been meant: fields of anonymous structures count. */
	answer("p fn o->in.deepr");
	EXPECT_STR(err.detail ?: "", "did you mean deep?");
	answer("p fn (outer)%di->hueg");
	EXPECT_STR(err.detail ?: "", "did you mean huge?");
	answer("p fn o->nothing_like_it");
	EXPECT(!err.detail);
	answer("p fn byte");
	EXPECT_STR(err.detail ?: "", "did you mean bytes?");
	answer("p fn zzz");
	EXPECT_STR(err.detail ?: "", "its parameters are o, n, s, c, b, i, bytes, by_value");
	answer("p fn di");
	EXPECT_STR(err.detail ?: "", "did you mean %di?");
	answer("p fn+4 o");
	EXPECT_STR(err.detail ?: "", "parameters are only available at a function's entry and return");
	EXPECT_STR(answer("p fn (outer,)o->any"), "2@12 This field is not found.");
	EXPECT_STR(answer("p fn (outer,in.a.b)o->any"), "22@17 Failed to get BTF type info.");
}

/* Variables of each CPU have no type but by a cast.  Columns as below. */
static void this_cpu(void)
{
	EXPECT_STR(answer("p unknown+1 (outer)this_cpu_ptr(@var)->five"),
		   "arg1=?+cpu+0:u32@1/5");
	EXPECT_STR(answer("p fn (outer)this_cpu_read(@var)->next->text:string"),
		   "arg1=?+cpu+0+40+48+0:string");
	EXPECT_STR(answer("p fn x=this_cpu_read(o->any):s16 this_cpu_ptr((outer)n->any)"),
		   "x=arg0+64+cpu+0:s16 arg2=arg1+64+cpu:x64");
	EXPECT_STR(answer("p fn (inner,a)(this_cpu_ptr(o))->u +4(this_cpu_ptr(n)):x32"),
		   "arg1=arg0+cpu+4:s32 arg2=arg1+cpu+4:x32");
	EXPECT_STR(answer("p fn this_cpu_ptr(o"), "22@19 Dereference brace is not closed");
	EXPECT_STR(answer("p fn x=this_cpu_read(o)->in"), "22@23 Invalid fetch argument");
	EXPECT_STR(answer("p fn this_cpu_ptr($comm)"), "22@18 $comm can not be dereferenced");
	EXPECT_STR(answer("p fn this_cpu_ptr(@v):string"),
		   "22@28 String accepts only memory argument");
	EXPECT_STR(answer("p fn this_cpu_ptr(%di):symstr"),
		   "22@29 Symbol String doesn't accept data/userdata");
	EXPECT_STR(answer("p fn this_cpu_ptr(%di):u8[2]"),
		   "22@28 String accepts only memory argument");
	EXPECT_STR(answer("p fn (outer)this_cpu_ptr(@v)"),
		   "22@28 Typecast requires a field access");
	EXPECT_STR(answer("p fn (outer)this_cpu_ptr(@v->in"),
		   "22@31 Dereference brace is not closed");
	EXPECT_STR(answer("r fn this_cpu_ptr($elapsed)"), "22@18 Invalid $-variable specified");
	EXPECT_STR(answer("p fn this_cpu_ptr($since)"), "22@18 Invalid $-variable specified");
}

/* Columns are those of a 7.3 kernel, by its source. */
static void bad_casts(void)
{
	EXPECT_STR(answer("p fn (outer)o"), "22@13 Typecast requires a field access");
	EXPECT_STR(answer("p fn (outer)o.next"), "22@18 Typecast requires a field access");
	EXPECT_STR(answer("p fn (outer)(o)"), "22@15 Typecast requires a field access");
	EXPECT_STR(answer("p fn (outer)(o).in"), "22@15 Typecast requires a field access");
	EXPECT_STR(answer("p fn (outer)+8(o)"), "22@17 Typecast requires a field access");
	EXPECT_STR(answer("p fn (outer)"), "22@12 Typecast requires a field access");
	EXPECT_STR(answer("p fn (outer"), "22@11 Dereference brace is not closed");
	EXPECT_STR(answer("p fn (outer)(o->next"), "22@12 Dereference brace is not closed");
	EXPECT_STR(answer("p fn (outer)+8(o->next"), "22@22 Dereference brace is not closed");
	EXPECT_STR(answer("p fn (outer)+8->next"), "22@12 Dereference needs a brace");
	EXPECT_STR(answer("p fn (outer)@sym-8->next"),
		   "22@12 @SYM+/-OFFSET with typecast needs parentheses");
	EXPECT_STR(answer("p fn x=(nosuch)o->next"),
		   "22@8 This is not a pointer to union/structure.");
	EXPECT_STR(answer("p fn ()o->next"), "22@6 This is not a pointer to union/structure.");
	EXPECT_STR(answer("p fn (size_t)o->next"),
		   "22@6 This is not a pointer to union/structure.");
	EXPECT_STR(answer("p fn (outer)nosuch->in"),
		   "2@12 This variable is not found at this probe point");
	EXPECT_STR(answer("p fn (outer)o->nosuch"), "2@15 This field is not found.");
	EXPECT_STR(answer("p fn (outer)(o)->"), "2@17 This field is not found.");
	EXPECT_STR(answer("p fn (outer)o->in->a"),
		   "22@19 This is not a pointer to union/structure.");
	EXPECT_STR(answer("p fn (outer)$comm->in"), "22@12 $comm can not be dereferenced");
	EXPECT_STR(answer("r fn (outer)$elapsed->in"), "22@12 Invalid $-variable specified");
	EXPECT_STR(answer("p fn+1 (outer)o->in"), "22@14 BTF is not available or not supported");
	EXPECT_STR(answer("p fn (outer)o->in:string"), "22@15 This type does not fit for string.");
	EXPECT_STR(answer("p fn (inner)((inner)((inner)((inner)o->a)->a)->a)->a"),
		   "7@29 Too many nested typecasts/dereferences");
}

/* The function has a parameter more than the tracepoint. */
static void tracepoints(void)
{
	EXPECT_STR(answer("t fn $arg*"),
		   "n=arg1:u64 s=arg2:x64 c=arg3:s32 b=arg4:u8 i=arg5:s32 bytes=arg6:x64 by_value=arg7:x64");
	EXPECT_STR(answer("t fn $arg1 $arg2:string $arg7"), "n=arg1:u64 s=arg2+0:string by_value=arg7:x64");
	EXPECT_STR(answer("t fn s:string c=i"), "s=arg2+0:string c=arg5:s32");
	EXPECT_STR(answer("t unknown $arg1 $arg9"), "arg1=arg1:x64 arg2=arg9:x64");
	EXPECT_STR(answer("t fn $arg8"), "2@5 This variable is not found at this probe point");
	EXPECT_STR(answer("t fn o"), "2@5 This variable is not found at this probe point");
	EXPECT_STR(answer("t fn $arg0"), "22@5 Invalid argument number");
	EXPECT_STR(answer("t nothing $arg*"), "95@10 BTF is not available or not supported");
	EXPECT_STR(answer("t nothing o"), "2@10 No BTF entry for this probe point");
}

static void errors(void)
{
	EXPECT_STR(answer("p fn nosuch"), "2@5 This variable is not found at this probe point");
	EXPECT_STR(answer("p fn o->nosuch"), "2@8 This field is not found.");
	EXPECT_STR(answer("p fn x=o->in.nosuch"), "2@13 This field is not found.");
	EXPECT_STR(answer("p fn o->in->a"), "22@12 This is not a pointer to union/structure.");
	EXPECT_STR(answer("p fn o->next.a"), "22@13 Failed to get BTF type info.");
	EXPECT_STR(answer("p fn n->a"), "22@8 This is not a pointer to union/structure.");
	EXPECT_STR(answer("p fn s->a"), "22@8 Failed to get BTF type info.");
	EXPECT_STR(answer("p fn o.in"), "95@7 Non pointer structure/union argument is not supported.");
	EXPECT_STR(answer("p fn o-in"), "22@6 Failed to parse single hyphen. Forgot '>'?");
	EXPECT_STR(answer("p fn o->in-a"), "22@10 Failed to parse single hyphen. Forgot '>'?");
	EXPECT_STR(answer("p fn n:string"), "22@5 This type does not fit for string.");
	EXPECT_STR(answer("p fn o->bytes:string"), "22@8 This type does not fit for string.");
	EXPECT_STR(answer("p fn o->in.numbers:string"), "22@11 This type does not fit for string.");
	EXPECT_STR(answer("p fn s:string[2]"), "s=arg2+0:string[2]");
	EXPECT_STR(answer("p fn $arg9"), "2@5 This variable is not found at this probe point");
	EXPECT_STR(answer("p fn $arg0"), "22@5 Invalid argument number");
	EXPECT_STR(answer("p fn $arg1->in"), "2@5 Invalid $-variable specified");
	EXPECT_STR(answer("p nothing $arg*"), "95@10 BTF is not available or not supported");
	EXPECT_STR(answer("p nothing o"), "2@10 No BTF entry for this probe point");
	EXPECT_STR(answer("p unknown o"), "2@10 No BTF entry for this probe point");
	EXPECT_STR(answer("r unknown $retval->a"), "2@19 No BTF entry for this probe point");
	EXPECT_STR(answer("r none $retval o"), "2@15 This variable is not found at this probe point");
	EXPECT_STR(answer("r nothing $retval"), "2@10 This function returns 'void' type");
	EXPECT_STR(answer("r fn $retvalx"), "2@5 This variable is not found at this probe point");
	EXPECT_STR(answer("p fn $retval"), "22@5 $retval is not available on probe");
	EXPECT_STR(answer("p fn+4 o"), "22@7 BTF is not available or not supported");
	EXPECT_STR(answer("p many $arg*"), "7@7 $arg* failed because the argument list is too long");
	EXPECT_STR(answer("p dots $arg*"), "22@13 No argument expression");
}

/* Words that are written out have no column of their own. */
static void columns(void)
{
	EXPECT_STR(answer("p fn $arg* nosuch"), "2@18 This variable is not found at this probe point");
	EXPECT_STR(answer("p fn $arg* %di %di %di %di %di %di %di %nosuch"),
		   "22@47 Invalid register name");
	EXPECT_STR(answer("p fn o $arg*"), "22@7 This argument name is already used");
	EXPECT_STR(answer("p fn n $arg*"), "22@13 This argument name is already used");
}

/* Without type data all names are refused, and $argN is only a number. */
static void no_types(void)
{
	pe_fake_btf = NULL;
	EXPECT_STR(answer("p fn o"), "95@5 BTF is not available or not supported");
	EXPECT_STR(answer("p fn $arg*"), "95@5 BTF is not available or not supported");
	EXPECT_STR(answer("p fn o[1]"), "95@5 BTF is not available or not supported");
	EXPECT_STR(answer("r fn $retval[0]"), "95@5 BTF is not available or not supported");
	EXPECT_STR(answer("r fn $retval->a"), "95@5 BTF is not available or not supported");
	EXPECT_STR(answer("p fn x=(outer)%di->in"), "95@7 BTF is not available or not supported");
	EXPECT_STR(answer("p fn $current->pid"), "95@5 BTF is not available or not supported");
	EXPECT_STR(answer("p fn $arg1 $current"), "arg1=arg0:x64 arg2=current:x64");
	pe_fake_btf = &btf;
}

/* A command with many words: those that are written out are still counted. */
static void many_words(void)
{
	static char text[PE_MAX_COMMAND_LEN];
	size_t n = scnprintf(text, sizeof(text), "p fn $arg*");
	unsigned int i;

	for (i = 8; i < PE_MAX_ARGS; i++)
		n += scnprintf(text + n, sizeof(text) - n, " %%di");
	EXPECT_EQ(parse(text), 0);
	EXPECT_EQ(placed.nargs, PE_MAX_ARGS);
	scnprintf(text + n, sizeof(text) - n, " %%di");
	EXPECT_EQ(parse(text), -E2BIG);
	EXPECT_EQ(err.code, PE_ERR_NONE);
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "types", types },
		{ "fields", fields },
		{ "enums", enums },
		{ "elements", elements },
		{ "bad elements", bad_elements },
		{ "current task", current_task },
		{ "casts", casts },
		{ "containers", containers },
		{ "this CPU", this_cpu },
		{ "bad casts", bad_casts },
		{ "tracepoints", tracepoints },
		{ "errors", errors },
		{ "columns", columns },
		{ "no types", no_types },
		{ "many words", many_words },
	};
	int ret;

	world_make(&world);
	EXPECT_EQ(pe_blob_open(&btf, &world, sizeof(world)), 0);
	pe_fake_btf = &btf;
	ret = PE_RUN(tests);
	pe_blob_close(&btf);
	return ret;
}
