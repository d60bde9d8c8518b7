/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * flow.h - ways that control may take in a function (flow.c).  [P]
 */
#ifndef PE_ARCH_FLOW_H
#define PE_ARCH_FLOW_H

#include <linux/types.h>

/**
 * struct pe_flow - a function's code, and what a scan finds in it
 * @code: its bytes, without breakpoints of any prober
 * @mark: @size bytes of scratch memory of pe_flow_scan()
 * @size: the number of bytes in @code
 * @addr: the kernel address that @code was copied from
 * @until_handlers: a way ends at an instruction that gives the CPU its handlers of exceptions
 * @goes: set by the caller; called for each call and jump that leaves the function.
 *	Return: may the code at @to come back?
 * @returns: result; may the function come back to its caller?
 * @unknown: result; a way leads to bytes that are no instruction
 */
struct pe_flow {
	const u8 *code;
	u8 *mark;
	size_t size;
	unsigned long addr;
	bool until_handlers;
	bool (*goes)(struct pe_flow *flow, unsigned long from, unsigned long to);
	bool returns, unknown;
};

void pe_flow_scan(struct pe_flow *flow, size_t start);

#endif
