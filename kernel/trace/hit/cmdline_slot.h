/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cmdline_slot.h - a task's name as hits save it (cmdlines.c), and read it (emit_hit.c).
 */
#ifndef PE_CMDLINE_SLOT_H
#define PE_CMDLINE_SLOT_H

#include <linux/types.h>

/**
 * struct pe_cmdline_slot - a name, and whose it is
 * @seq: odd while it is being written
 * @pid: side by side with @tgid, as in struct task_struct
 * @words: the name
 */
struct pe_cmdline_slot {
	u32 seq;
	s32 pid;
	s32 tgid;
	u64 words[2];
};

#endif
