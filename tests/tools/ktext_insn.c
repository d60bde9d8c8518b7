// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* ktext_insn.c - the engine's decoder for ktext, compiled against the shim. */
#include "arch/x86/insn/insn.h"

int ktext_insn_length(const unsigned char *bytes, unsigned int len);

int ktext_insn_length(const unsigned char *bytes, unsigned int len)
{
	struct pe_insn insn;

	if (pe_insn_decode(&insn, bytes, len < 15 ? len : 15))
		return -1;
	return insn.length;
}
