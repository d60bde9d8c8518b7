// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* test_insn_check.c - instructions that are copied, emulated or refused, and why. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "arch/x86/include/pe_arch/site_insn.h"
#include "arch/x86/insn/insn.h"
#include "arch/x86/insn/insn_check.h"
#include "harness.h"

#define B(...) { __VA_ARGS__ }
#define COPY	PE_INSN_COPY, PE_REASON_NONE
#define EMU	PE_INSN_EMULATE, PE_REASON_NONE
#define NO(r)	PE_INSN_REFUSE, PE_REASON_##r

static const struct sample {
	const char *text;
	u8 bytes[PE_INSN_MAX];
	u8 kind, reason, flags;
} samples[] = {
	{ "nop", B(0x90), COPY },
	{ "push %rbp", B(0x55), COPY },
	{ "push %rsp", B(0x54), COPY },
	{ "pushf", B(0x9c), COPY },
	{ "popf", B(0x9d), COPY },
	{ "cli", B(0xfa), COPY },
	{ "mov (%rax),%eax", B(0x8b, 0x00), COPY, PE_CLASS_TAKES_MEM },
	{ "mov 0(%rip),%eax", B(0x8b, 0x05), COPY, PE_CLASS_TAKES_MEM | PE_CLASS_RIP_RELATIVE },
	{ "lea 0(%rip),%rax", B(0x48, 0x8d, 0x05), COPY, PE_CLASS_TAKES_MEM | PE_CLASS_RIP_RELATIVE },
	{ "mov %gs:0(%rip),%eax", B(0x65, 0x8b, 0x05), COPY,
	  PE_CLASS_TAKES_MEM | PE_CLASS_RIP_RELATIVE },
	{ "vmovaps 0(%rip),%zmm0", B(0x62, 0xf1, 0x7c, 0x48, 0x28, 0x05), COPY,
	  PE_CLASS_TAKES_MEM | PE_CLASS_RIP_RELATIVE },
	{ "mov 0(%eip),%eax", B(0x67, 0x8b, 0x05), NO(ADDRSIZE) },
	{ "mov (%eax),%eax", B(0x67, 0x8b, 0x00), COPY, PE_CLASS_TAKES_MEM },
	{ "ret", B(0xc3), COPY, PE_CLASS_NO_FALLTHROUGH },
	{ "repz ret", B(0xf3, 0xc3), COPY, PE_CLASS_NO_FALLTHROUGH },
	{ "ret $8", B(0xc2, 8, 0), COPY, PE_CLASS_NO_FALLTHROUGH },
	{ "retw", B(0x66, 0xc3), NO(OPSIZE) },
	{ "jmp *%rax", B(0xff, 0xe0), COPY, PE_CLASS_NO_FALLTHROUGH },
	{ "notrack jmp *%rax", B(0x3e, 0xff, 0xe0), COPY, PE_CLASS_NO_FALLTHROUGH },
	{ "jmp *0(%rip)", B(0xff, 0x25), COPY,
	  PE_CLASS_NO_FALLTHROUGH | PE_CLASS_TAKES_MEM | PE_CLASS_RIP_RELATIVE | PE_CLASS_MEM_RIP },
	{ "jmp *%gs:(%rax)", B(0x65, 0xff, 0x20), COPY,
	  PE_CLASS_NO_FALLTHROUGH | PE_CLASS_TAKES_MEM },
	{ "jmpw *%ax", B(0x66, 0xff, 0xe0), NO(OPSIZE) },
	{ "rdmsr", B(0x0f, 0x32), COPY },
	{ "wbinvd", B(0x0f, 0x09), COPY },
	{ "invlpg (%rax)", B(0x0f, 0x01, 0x38), COPY, PE_CLASS_TAKES_MEM },
	{ "mov %rax,%cr3", B(0x0f, 0x22, 0xd8), COPY },
	{ "mov %rax,%cr1", B(0x0f, 0x22, 0xc8), NO(UNDEFINED) },
	{ "mov %rax,%cr8", B(0x44, 0x0f, 0x22, 0xc0), COPY },
	{ "clac", B(0x0f, 0x01, 0xca), COPY },
	{ "stac", B(0x0f, 0x01, 0xcb), COPY },
	{ "cpuid", B(0x0f, 0xa2), COPY },
	{ "vmcall", B(0x0f, 0x01, 0xc1), COPY },
	{ "rdsspq %rax", B(0xf3, 0x48, 0x0f, 0x1e, 0xc8), COPY },
	{ "nopw 0(%rax)", B(0x66, 0x0f, 0x1f, 0x00), COPY, PE_CLASS_TAKES_MEM },
	{ "lock incl (%rax)", B(0xf0, 0xff, 0x00), COPY, PE_CLASS_TAKES_MEM },
	{ "lock cmpxchg %ecx,(%rdx)", B(0xf0, 0x0f, 0xb1, 0x0a), COPY, PE_CLASS_TAKES_MEM },
	{ "lock cmpxchg16b (%rdx)", B(0xf0, 0x48, 0x0f, 0xc7, 0x0a), COPY, PE_CLASS_TAKES_MEM },
	{ "lock bts $1,(%rax)", B(0xf0, 0x0f, 0xba, 0x28, 1), COPY, PE_CLASS_TAKES_MEM },
	{ "lock bt $1,(%rax)", B(0xf0, 0x0f, 0xba, 0x20, 1), NO(LOCK) },
	{ "lock inc %eax", B(0xf0, 0xff, 0xc0), NO(LOCK) },
	{ "lock mov", B(0xf0, 0x89, 0x00), NO(LOCK) },
	{ "lock cmp", B(0xf0, 0x39, 0x00), NO(LOCK) },
	{ "lock cmp $1,(%rax)", B(0xf0, 0x83, 0x38, 1), NO(LOCK) },
	{ "lock add to register", B(0xf0, 0x03, 0x00), NO(LOCK) },
	{ "lock nop", B(0xf0, 0x90), NO(LOCK) },
	{ "lock jmp", B(0xf0, 0xeb, 0x00), NO(LOCK) },

	{ "jmp rel8", B(0xeb, 0x10), EMU },
	{ "jmp rel32", B(0xe9, 1, 2, 3, 4), EMU },
	{ "jne rel8", B(0x75, 0x10), EMU },
	{ "jne,pt rel8", B(0x3e, 0x75, 0x10), EMU },
	{ "jne rel32", B(0x0f, 0x85, 1, 2, 3, 4), EMU },
	{ "call rel32", B(0xe8, 1, 2, 3, 4), EMU },
	{ "data16 rex.W call", B(0x66, 0x48, 0xe8, 1, 2, 3, 4), EMU },
	{ "callw", B(0x66, 0xe8, 1, 2, 3, 4), NO(OPSIZE) },
	{ "data16 jne", B(0x66, 0x75, 0x10), NO(OPSIZE) },
	{ "call *%rax", B(0xff, 0xd0), EMU },
	{ "notrack call *%rax", B(0x3e, 0xff, 0xd0), EMU },
	{ "call *0(%rip)", B(0xff, 0x15), EMU, PE_CLASS_MEM_RIP },
	{ "call *%gs:0(%rip)", B(0x65, 0xff, 0x15), NO(SEGMENT) },
	{ "call *%fs:(%rax)", B(0x64, 0xff, 0x10), NO(SEGMENT) },
	{ "loop", B(0xe2, 0xfe), EMU },
	{ "loope", B(0xe1, 0xfe), EMU },
	{ "loopne", B(0xe0, 0xfe), EMU },
	{ "jrcxz", B(0xe3, 0xfe), EMU },
	{ "jecxz", B(0x67, 0xe3, 0xfe), EMU, PE_CLASS_ADDR32 },

	{ "int3", B(0xcc), NO(TRAP) },
	{ "int $0x80", B(0xcd, 0x80), NO(TRAP) },
	{ "int1", B(0xf1), NO(TRAP) },
	{ "ud2", B(0x0f, 0x0b), NO(TRAP) },
	{ "ud1 (%eax),%eax", B(0x67, 0x0f, 0xb9, 0x40, 0x10), NO(TRAP) },
	{ "ud0", B(0x0f, 0xff, 0xc0), NO(TRAP) },
	{ "hlt", B(0xf4), NO(IDLE) },
	{ "mwait", B(0x0f, 0x01, 0xc9), NO(IDLE) },
	{ "mwaitx", B(0x0f, 0x01, 0xfb), NO(IDLE) },
	{ "monitor", B(0x0f, 0x01, 0xc8), COPY },
	{ "iretq", B(0x48, 0xcf), NO(ENTRY) },
	{ "syscall", B(0x0f, 0x05), NO(ENTRY) },
	{ "sysretq", B(0x48, 0x0f, 0x07), NO(ENTRY) },
	{ "sysenter", B(0x0f, 0x34), NO(ENTRY) },
	{ "sysexit", B(0x0f, 0x35), NO(ENTRY) },
	{ "rsm", B(0x0f, 0xaa), NO(ENTRY) },
	{ "erets", B(0xf2, 0x0f, 0x01, 0xca), NO(ENTRY) },
	{ "eretu", B(0xf3, 0x0f, 0x01, 0xca), NO(ENTRY) },
	{ "uiret", B(0xf3, 0x0f, 0x01, 0xec), NO(ENTRY) },
	{ "swapgs", B(0x0f, 0x01, 0xf8), NO(GS_BASE) },
	{ "rdtscp", B(0x0f, 0x01, 0xf9), COPY },
	{ "wrgsbase %rax", B(0xf3, 0x48, 0x0f, 0xae, 0xd8), NO(GS_BASE) },
	{ "wrfsbase %rax", B(0xf3, 0x48, 0x0f, 0xae, 0xd0), COPY },
	{ "mov %eax,%gs", B(0x8e, 0xe8), NO(GS_BASE) },
	{ "mov %eax,%fs", B(0x8e, 0xe0), COPY },
	{ "mov %eax,%cs", B(0x8e, 0xc8), NO(UNDEFINED) },
	{ "lkgs %eax", B(0xf2, 0x0f, 0x00, 0xf0), NO(GS_BASE) },
	{ "0f 00 /6", B(0x0f, 0x00, 0xf0), NO(UNDEFINED) },
	{ "pop %gs", B(0x0f, 0xa9), NO(GS_BASE) },
	{ "lret", B(0xcb), NO(FAR) },
	{ "lcall *(%rax)", B(0xff, 0x18), NO(FAR) },
	{ "ljmp *(%rax)", B(0xff, 0x28), NO(FAR) },
	{ "ff /3 with a register", B(0xff, 0xd8), NO(UNDEFINED) },
	{ "ff /7", B(0xff, 0xf8), NO(UNDEFINED) },
	{ "mov %eax,%ss", B(0x8e, 0xd0), NO(SHADOW) },
	{ "xbegin", B(0xc7, 0xf8, 0, 0, 0, 0), NO(TSX) },
	{ "xabort $1", B(0xc6, 0xf8, 1), NO(TSX) },
	{ "xend", B(0x0f, 0x01, 0xd5), NO(TSX) },
	{ "xtest", B(0x0f, 0x01, 0xd6), COPY },
	{ "endbr64", B(0xf3, 0x0f, 0x1e, 0xfa), NO(ENDBR) },
	{ "endbr32", B(0xf3, 0x0f, 0x1e, 0xfb), NO(ENDBR) },
	{ "nop %edx", B(0x0f, 0x1e, 0xfa), COPY },
	{ "setssbsy", B(0xf3, 0x0f, 0x01, 0xe8), NO(SHSTK) },
	{ "serialize", B(0x0f, 0x01, 0xe8), COPY },
	{ "saveprevssp", B(0xf3, 0x0f, 0x01, 0xea), NO(SHSTK) },
	{ "rstorssp (%rax)", B(0xf3, 0x0f, 0x01, 0x28), NO(SHSTK) },
	{ "clrssbsy (%rax)", B(0xf3, 0x0f, 0xae, 0x30), NO(SHSTK) },
	{ "incsspq %rax", B(0xf3, 0x48, 0x0f, 0xae, 0xe8), NO(SHSTK) },
	{ "wrssd %eax,(%rcx)", B(0x0f, 0x38, 0xf6, 0x01), NO(SHSTK) },
	{ "wrussq %rax,(%rcx)", B(0x66, 0x48, 0x0f, 0x38, 0xf5, 0x01), NO(SHSTK) },
	{ "adcx (%rcx),%eax", B(0x66, 0x0f, 0x38, 0xf6, 0x01), COPY, PE_CLASS_TAKES_MEM },
	{ "vmlaunch", B(0x0f, 0x01, 0xc2), NO(VIRT) },
	{ "vmresume", B(0x0f, 0x01, 0xc3), NO(VIRT) },
	{ "vmrun", B(0x0f, 0x01, 0xd8), NO(VIRT) },
	{ "vmload", B(0x0f, 0x01, 0xda), NO(GS_BASE) },
	{ "seamcall", B(0x66, 0x0f, 0x01, 0xcf), NO(VIRT) },
	{ "encls", B(0x0f, 0x01, 0xcf), COPY },
	{ "enclu", B(0x0f, 0x01, 0xd7), NO(ENCLAVE) },
	{ "getsec", B(0x0f, 0x37), NO(ENCLAVE) },
	{ "skinit", B(0x0f, 0x01, 0xde), NO(ENCLAVE) },
};

static int classify(const u8 *bytes, size_t avail, struct pe_insn_class *cls)
{
	struct pe_insn insn;

	memset(cls, 0xa5, sizeof(*cls));
	EXPECT_EQ(pe_insn_decode(&insn, bytes, PE_INSN_MAX), 0);
	return pe_insn_classify(&insn, bytes, avail, cls);
}

static void test_samples(void)
{
	struct pe_insn_class cls;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(samples); i++) {
		const struct sample *s = &samples[i];
		unsigned int before = pe_test_failures;
		int err = classify(s->bytes, PE_INSN_MAX, &cls);

		EXPECT_EQ(cls.kind, s->kind);
		EXPECT_EQ(cls.reason, s->reason);
		EXPECT_EQ(cls.flags, s->flags);
		EXPECT_EQ(err, s->kind == PE_INSN_REFUSE ? -EINVAL : 0);
		if (s->kind == PE_INSN_EMULATE)
			EXPECT(cls.op != PE_EMU_NONE);
		else if (!(s->flags & PE_CLASS_NO_FALLTHROUGH))
			EXPECT_EQ(cls.op, PE_EMU_NONE);
		if (pe_test_failures != before)
			printf("\tfor %s\n", s->text);
	}
}

/* STI is accepted if the instruction after it is known not to need its shadow. */
static void test_sti(void)
{
	static const struct {
		u8 bytes[PE_INSN_MAX];
		size_t avail;
		u8 kind;
	} after[] = {
		{ B(0xfb, 0x90), 2, PE_INSN_COPY },
		{ B(0xfb, 0x48, 0x8b, 0x45, 0xf8), 5, PE_INSN_COPY },
		{ B(0xfb, 0xeb, 0x10), 3, PE_INSN_COPY },
		{ B(0xfb, 0xc3), 2, PE_INSN_COPY },
		{ B(0xfb, 0xf4), 2, PE_INSN_REFUSE },			/* hlt */
		{ B(0xfb, 0x0f, 0x01, 0xc9), 4, PE_INSN_REFUSE },	/* mwait */
		{ B(0xfb, 0x48, 0x0f, 0x35), 4, PE_INSN_REFUSE },	/* sysexit */
		{ B(0xfb, 0x06), 2, PE_INSN_REFUSE },			/* nothing */
		{ B(0xfb, 0x48, 0x8b, 0x45, 0xf8), 4, PE_INSN_REFUSE },	/* cut off */
		{ B(0xfb), 1, PE_INSN_REFUSE },
	};
	struct pe_insn_class cls;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(after); i++) {
		classify(after[i].bytes, after[i].avail, &cls);
		EXPECT_EQ(cls.kind, after[i].kind);
		EXPECT_EQ(cls.reason, after[i].kind == PE_INSN_COPY ? PE_REASON_NONE :
								      PE_REASON_SHADOW);
	}
}

/*
 * What a hit needs of an instruction.  Those that run in a slot have it for when their end must be
 * seen.  Fields that an operation does not use are left out.
 */
static const struct compiled {
	const char *text;
	u8 bytes[PE_INSN_MAX];
	u8 kind, op, length;
	s32 disp;
	u8 cond, base, index, scale;
} compiled[] = {
	{ "jne .-126", B(0x75, 0x80), PE_INSN_EMULATE, PE_EMU_JCC, 2, -128, .cond = 5 },
	{ "jbe", B(0x0f, 0x86, 0, 0, 0, 0x80), PE_INSN_EMULATE, PE_EMU_JCC, 6, -0x7fffffff - 1,
	  .cond = 6 },
	{ "call *%r12", B(0x41, 0xff, 0xd4), PE_INSN_EMULATE, PE_EMU_CALL_REG, 3, .base = 12 },
	{ "call *-8(%r13,%r12,4)", B(0x43, 0xff, 0x54, 0xa5, 0xf8), PE_INSN_EMULATE,
	  PE_EMU_CALL_MEM, 5, -8, .base = 13, .index = 12, .scale = 2 },
	{ "call *8(%rsp)", B(0xff, 0x54, 0x24, 0x08), PE_INSN_EMULATE, PE_EMU_CALL_MEM, 4, 8,
	  .base = 4, .index = PE_REG_NONE },
	{ "call *16(,%rcx,8)", B(0xff, 0x14, 0xcd, 0x10, 0, 0, 0), PE_INSN_EMULATE,
	  PE_EMU_CALL_MEM, 7, 16, .base = PE_REG_NONE, .index = 1, .scale = 3 },
	{ "ret", B(0xc3), PE_INSN_COPY, PE_EMU_RET, 1, 0 },
	{ "ret $0xfff8", B(0xc2, 0xf8, 0xff), PE_INSN_COPY, PE_EMU_RET, 3, 0xfff8 },
	{ "jmp *%r12", B(0x41, 0xff, 0xe4), PE_INSN_COPY, PE_EMU_JMP_REG, 3, .base = 12 },
	{ "jmp *-8(%r13,%r12,4)", B(0x43, 0xff, 0x64, 0xa5, 0xf8), PE_INSN_COPY,
	  PE_EMU_JMP_MEM, 5, -8, .base = 13, .index = 12, .scale = 2 },
	{ "jmp *%gs:(%rax)", B(0x65, 0xff, 0x20), PE_INSN_COPY, PE_EMU_NONE, 3 },
};

static bool is_operand(u8 op)
{
	return op == PE_EMU_CALL_MEM || op == PE_EMU_JMP_MEM;
}

static void test_compiled(void)
{
	struct pe_insn_class cls;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(compiled); i++) {
		const struct compiled *c = &compiled[i];
		unsigned int before = pe_test_failures;

		classify(c->bytes, PE_INSN_MAX, &cls);
		EXPECT_EQ(cls.kind, c->kind);
		EXPECT_EQ(cls.op, c->op);
		EXPECT_EQ(cls.length, c->length);
		if (c->op == PE_EMU_JCC || c->op == PE_EMU_RET || is_operand(c->op))
			EXPECT_EQ(cls.disp, c->disp);
		if (c->op == PE_EMU_JCC)
			EXPECT_EQ(cls.cond, c->cond);
		if (c->op == PE_EMU_CALL_REG || c->op == PE_EMU_JMP_REG || is_operand(c->op))
			EXPECT_EQ(cls.base, c->base);
		if (is_operand(c->op)) {
			EXPECT_EQ(cls.index, c->index);
			if (c->index != PE_REG_NONE)
				EXPECT_EQ(cls.scale, c->scale);
		}
		if (pe_test_failures != before)
			printf("\tfor %s\n", c->text);
	}
}

/* An instruction, what the kernel may use it for. */
static const struct patched {
	const char *text;
	u8 bytes[PE_INSN_MAX];
	bool jump_label, static_call;
} patched[] = {
	{ "jmp.d8", B(0xeb, 0x10), true, true },
	{ "jmp.d32", B(0xe9, 1, 2, 3, 4), true, true },
	{ "nop of 2 bytes", B(0x66, 0x90), true, true },
	{ "nop of 5 bytes", B(0x0f, 0x1f, 0x44, 0, 0), true, true },
	{ "call", B(0xe8, 1, 2, 3, 4), false, true },
	{ "ret", B(0xc3), false, true },
	{ "xor5rax", B(0x2e, 0x2e, 0x2e, 0x31, 0xc0), false, true },
	{ "jcc.d32", B(0x0f, 0x84, 1, 2, 3, 4), false, true },
	{ "jcc.d8", B(0x74, 0x10), false, false },
	{ "nop", B(0x90), false, true },
	{ "nop of 3 bytes", B(0x0f, 0x1f, 0), false, true },
	{ "another nop of 5 bytes", B(0x0f, 0x1f, 0x44, 0, 1), true, true },
	{ "nop of 5 bytes of older kernels and CPUs", B(0x66, 0x66, 0x66, 0x66, 0x90), true, true },
	{ "lea 0(%rsi), the same", B(0x3e, 0x8d, 0x74, 0x26, 0), true, true },
	{ "nop of 6 bytes", B(0x66, 0x0f, 0x1f, 0x44, 0, 0), false, true },
	{ "xchg %ax,%cx", B(0x66, 0x91), false, true },
	{ "push %rbp", B(0x55), false, false },
	{ "mov $imm,%eax", B(0xb8, 1, 2, 3, 4), false, false },
};

static void test_patched(void)
{
	struct pe_arch_site as = {};
	struct pe_insn insn;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(patched); i++) {
		const struct patched *p = &patched[i];

		EXPECT_EQ(pe_insn_decode(&insn, p->bytes, PE_INSN_MAX), 0);
		memcpy(as.insn, p->bytes, PE_INSN_MAX);
		as.cls.length = insn.length;
		if (pe_arch_may_be_jump_label(&as) != p->jump_label ||
		    pe_arch_may_be_static_call(&as) != p->static_call)
			EXPECT_STR(p->text, "judged otherwise");
	}
}

static void test_texts(void)
{
	unsigned int i, j;

	for (i = 0; i < PE_REASON_NR; i++) {
		EXPECT(strlen(pe_insn_reason_text(i)) > 3);
		for (j = 0; j < i; j++)
			EXPECT(strcmp(pe_insn_reason_text(i), pe_insn_reason_text(j)));
	}
	EXPECT_STR(pe_insn_reason_text(PE_REASON_NR), "unknown reason");
	EXPECT_STR(pe_insn_reason_text(PE_REASON_ENDBR), "indirect branch target");
}

static const struct pe_test tests[] = {
	{ "kinds and reasons", test_samples },
	{ "sti", test_sti },
	{ "compiled form", test_compiled },
	{ "patched by the kernel", test_patched },
	{ "texts", test_texts },
};

int main(void)
{
	return PE_RUN(tests);
}
