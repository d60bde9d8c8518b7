/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * insn_table.h - the opcode maps; only insn.c uses them.
 *
 * A table has one character per opcode, sixteen in a string.  So a row reads like a row of
 * the manuals' opcode maps.  The character says what follows the opcode:
 *
 *	-	not an instruction in 64-bit mode
 *	.	nothing follows
 *	m	ModRM
 *	b	8-bit immediate			B	ModRM and 8-bit immediate
 *	z	32-bit immediate, 16 with 66	Z	ModRM and the same
 *	v	as z, but 64-bit with REX.W	w	16-bit immediate
 *	a	absolute address, 64 bits, 32 with 67
 *	e	16-bit and 8-bit immediates (ENTER)
 *	r	8-bit branch distance		R	32-bit branch distance
 *	t	ModRM, and 8-bit immediate if its reg field is 0 or 1 (TEST)
 *	T	the same with z
 *	c	ModRM that always names registers, whatever its mod field says
 *
 * Only the one-byte map and the 0f map need such a table.  In the other maps every opcode
 * has a ModRM byte, and the map alone decides about an immediate.  A bit set per encoding
 * says which of their opcodes exist.  Legacy, VEX and EVEX encodings of one map have their
 * own sets: an opcode of one encoding often does not exist in another.
 */
#ifndef PE_ARCH_INSN_TABLE_H
#define PE_ARCH_INSN_TABLE_H

#include <linux/types.h>

#include "arch/x86/insn/insn.h"

static const char pe_insn_one_byte[16][17] = {
	/*	 0123456789abcdef */
	[0x0] = "mmmmbz--mmmmbz--",
	[0x1] = "mmmmbz--mmmmbz--",
	[0x2] = "mmmmbz--mmmmbz--",
	[0x3] = "mmmmbz--mmmmbz--",
	[0x4] = "----------------",	/* REX */
	[0x5] = "................",
	[0x6] = "---m----zZbB....",
	[0x7] = "rrrrrrrrrrrrrrrr",
	[0x8] = "BZ-Bmmmmmmmmmmmm",
	[0x9] = "..........-.....",
	[0xa] = "aaaa....bz......",
	[0xb] = "bbbbbbbbvvvvvvvv",
	[0xc] = "BBw.--BZe.w..b-.",
	[0xd] = "mmmm---.mmmmmmmm",
	[0xe] = "rrrrbbbbRR-r....",
	[0xf] = "-.--..tT......mm",
};

static const char pe_insn_map_0f[16][17] = {
	/*	 0123456789abcdef */
	[0x0] = "mmmm-.....-.-m.B",	/* 0f: 3DNow!, opcode in the immediate */
	[0x1] = "mmmmmmmmmmmmmmmm",
	[0x2] = "cccc----mmmmmmmm",
	[0x3] = "......-.--------",	/* 38, 3a: escapes */
	[0x4] = "mmmmmmmmmmmmmmmm",
	[0x5] = "mmmmmmmmmmmmmmmm",
	[0x6] = "mmmmmmmmmmmmmmmm",
	[0x7] = "BBBBmmm.mm--mmmm",
	[0x8] = "RRRRRRRRRRRRRRRR",
	[0x9] = "mmmmmmmmmmmmmmmm",
	[0xa] = "...mBmmm...mBmmm",	/* a6, a7: VIA PadLock */
	[0xb] = "mmmmmmmmmmBmmmmm",
	[0xc] = "mmBmBBBm........",
	[0xd] = "mmmmmmmmmmmmmmmm",
	[0xe] = "mmmmmmmmmmmmmmmm",
	[0xf] = "mmmmmmmmmmmmmmmm",
};

/*
 * The opcodes that exist: one word per row of sixteen, bit 0 for the leftmost.  For legacy
 * encodings the two maps above say it themselves.
 */
static const u16 pe_insn_known[][PE_MAP_XOPA + 1][16] = {
	[PE_ENC_LEGACY] = {
		[PE_MAP_0F38] = {
			0x0fff, 0x70b1, 0x0f3f, 0xffbf, 0x0003, 0x0000, 0x0000, 0x0000,
			0x0007, 0x0000, 0x0000, 0x0000, 0xbf00, 0xf900, 0x0000, 0x1f63,
		},
		[PE_MAP_0F3A] = {
			0xff00, 0x00f0, 0x0007, 0x0000, 0x0017, 0x0000, 0x000f, 0x0000,
			0x0000, 0x0000, 0x0000, 0x0000, 0xd000, 0x8000, 0x0000, 0x0001,
		},
	},
	[PE_ENC_VEX] = {
		[PE_MAP_0F] = {
			0x0000, 0x00ff, 0xff00, 0x0000, 0x0cf6, 0xffff, 0xffff, 0xf0ff,
			0x0000, 0x030f, 0x4000, 0x0000, 0x0074, 0xffff, 0xffff, 0x7fff,
		},
		[PE_MAP_0F38] = {
			0xffff, 0x77c8, 0xff3f, 0xffff, 0x0ae3, 0x570f, 0x1000, 0x0304,
			0x5000, 0xffcf, 0xffc0, 0xfff3, 0xb800, 0xfc0c, 0xffff, 0x00ec,
		},
		[PE_MAP_0F3A] = {
			0xff77, 0x23f0, 0x0007, 0x030f, 0x1f57, 0xf000, 0xff0f, 0xff00,
			0x0000, 0x0000, 0x0000, 0x0000, 0xc000, 0xc000, 0x0000, 0x0001,
		},
	},
	[PE_ENC_EVEX] = {
		[PE_MAP_0F] = {
			0x0000, 0x00ff, 0xff00, 0x0000, 0x0000, 0xfff2, 0xffff, 0xcf7f,
			0x0000, 0x0000, 0x0000, 0x0000, 0x0074, 0xff7e, 0xffff, 0x7f7e,
		},
		[PE_MAP_0F38] = {
			0x3811, 0xff7f, 0x3fff, 0xffff, 0xf0fd, 0x0f3f, 0x017c, 0xffef,
			0xaf08, 0xffcf, 0xffcf, 0xfff0, 0xbdd0, 0xf000, 0x0000, 0x0000,
		},
		[PE_MAP_0F3A] = {
			0x8f3b, 0xeff0, 0x00ef, 0xcf00, 0x001c, 0x00f3, 0x00c0, 0x000f,
			0x0000, 0x0000, 0x0000, 0x0000, 0xc004, 0x0000, 0x0000, 0x0000,
		},
		[PE_MAP_5] = {
			0x0000, 0x2003, 0xf400, 0x0000, 0x0000, 0xff02, 0x4000, 0x7f00,
			0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000,
		},
		[PE_MAP_6] = {
			0x0000, 0x0008, 0x3000, 0x0000, 0xf00c, 0x00c0, 0x0000, 0x0000,
			0x0000, 0xffc0, 0xffc0, 0xffc0, 0x0000, 0x00c0, 0x0000, 0x0000,
		},
	},
	[PE_ENC_XOP] = {
		[PE_MAP_XOP8] = {
			0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000,
			0xc0e0, 0xc0e0, 0x004c, 0x0040, 0xf00f, 0x0000, 0xf000, 0x0000,
		},
		[PE_MAP_XOP9] = {
			0x0006, 0x0004, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000,
			0x000f, 0x0fff, 0x0000, 0x0000, 0x08ce, 0x08ce, 0x000e, 0x0000,
		},
		[PE_MAP_XOPA] = {
			0x0000, 0x0005, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000,
			0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000,
		},
	},
};

#endif
