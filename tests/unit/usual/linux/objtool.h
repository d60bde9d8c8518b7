/* SPDX-License-Identifier: GPL-2.0 */
/* Hints of the unwinder are in asm/unwind_hints.h. */
