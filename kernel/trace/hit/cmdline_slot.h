/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * cmdline_slot.h - a task's name as hits save it (cmdlines.c), and read it (emit_hit.c).
 */
#ifndef PE_CMDLINE_SLOT_H
#define PE_CMDLINE_SLOT_H

#include <linux/build_bug.h>
#include <linux/types.h>

/**
 * struct pe_cmdline_slot - a name, and whose it is
 * @len: bytes of the name with its NUL; 0: compiled hits cannot use it
 * @seq: odd while it is being written
 * @version: both: while it is the same and even, so is all else here
 * @pid: side by side with @tgid, as in struct task_struct
 * @tgid: of the same task
 * @words: the name
 */
struct pe_cmdline_slot {
	union {
		struct {
			u32 len;
			u32 seq;
		};
		u64 version;
	};
	s32 pid;
	s32 tgid;
	u64 words[2];
};

#define PE_CMDLINE_ODD		(1ULL << 32)	/* in @version */
#define PE_CMDLINE_NEVER	(~0ULL)		/* no slot that is not being written has it */

/**
 * struct pe_cmdline_last - of a CPU: where compiled hits look for their task's name
 * @slot: never NULL
 * @version: that it had, and that was even; or PE_CMDLINE_NEVER, if hits cannot use its length
 *
 * The two are not written together, so they may be those of different slots.  A slot that has a
 * version which was even is not being written, so its length is right, whichever slot that was.
 */
struct pe_cmdline_last {
	struct pe_cmdline_slot *slot;
	u64 version;
};

#endif
