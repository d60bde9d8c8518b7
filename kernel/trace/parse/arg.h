/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * arg.h - one fetch argument: its source, and the type it is stored as.
 */
#ifndef PE_ARG_H
#define PE_ARG_H

#include <linux/types.h>
#include "limits.h"

/*
 * The way to a value: one load, then nr_derefs memory reads.  The last read
 * fetches the argument itself: a value in the size of its type, a string, or an
 * array's first element.  Each read before it fetches a pointer at (value +
 * off).  A step with @cpu reads nothing: it makes of the address of a variable of
 * each CPU that of this CPU's.  If it is the last one, the address is the value.
 *
 * Strings: without a dereference the value is the string's address.  An array
 * of strings is an array of pointers to them: the last dereference reads the
 * first pointer, and the other pointers are after it.  A ustring is in user
 * memory.  A single string is, too, if its last dereference is a user one.  The
 * strings of an array of "string" are always in kernel memory.  A symstr and
 * a task are values, so their last dereference reads a pointer, too.
 */
enum pe_load {
	PE_LOAD_REG,		/* .reg: byte offset into struct pt_regs */
	PE_LOAD_STACK,		/* .index: word number from the top of the stack */
	PE_LOAD_STACKP,		/* the stack pointer */
	PE_LOAD_ARG,		/* .index: function argument, from 0; at entry */
	PE_LOAD_RETVAL,
	PE_LOAD_IMM,		/* .imm */
	PE_LOAD_SYM,		/* address of symbol pool[.str] plus .imm; made
				 * PE_LOAD_IMM when resolved
				 */
	PE_LOAD_COMM,		/* the current task's name: a string in place */
	PE_LOAD_CURRENT,	/* address of the current task's struct task_struct */
	PE_LOAD_STR,		/* immediate string pool[.str]: in place */
	PE_LOAD_SAVED,		/* .index: a word that a return probe saved at
				 * the call's entry, or PE_SAVE_SINCE: see
				 * pe_spec.saved
				 */
};

/*
 * Return probes save at entry: a function argument, from 0, or the time.  The time since the
 * event's last hit is not saved: each hit, of any probe, finds it, and keeps it in such a word.
 */
#define PE_SAVE_TIME		0xffff
#define PE_SAVE_SINCE		0xfffe

struct pe_deref {
	s32 off;
	bool user;
	bool cpu;
};

struct pe_fetch {
	u8 load;			/* enum pe_load */
	u8 nr_derefs;
	u16 str;			/* offset in the pool */
	union {
		u32 reg;
		u32 index;
	};
	u64 imm;
	struct pe_deref deref[PE_MAX_DEREFS];
};

/* Is the argument itself read from memory? */
static inline bool pe_fetch_in_memory(const struct pe_fetch *fetch)
{
	return fetch->nr_derefs && !fetch->deref[fetch->nr_derefs - 1].cpu;
}

/* How a value is stored and printed. */
enum pe_class {
	PE_CLASS_UINT,		/* u8-u64 */
	PE_CLASS_SINT,		/* s8-s64 */
	PE_CLASS_HEX,		/* x8-x64 */
	PE_CLASS_CHAR,
	PE_CLASS_SYMBOL,	/* an address, printed as symbol+offset */
	PE_CLASS_STRING,	/* kernel or user memory, by the last dereference */
	PE_CLASS_USTRING,
	PE_CLASS_SYMSTR,	/* an address, recorded as the symbol's name */
	PE_CLASS_TASK,		/* a task's address, recorded as its name and pid */
	PE_CLASS_RWBS,		/* flags of a block request, recorded as letters */
};

/**
 * struct pe_type - an argument type
 * @name: as the user writes it
 * @c_name: in the format file's field line
 * @fmt: in the format file's print fmt
 * @size: bytes of one element in the record; 4 (a data_loc word) for strings
 * @class: how it is fetched and printed
 * @is_signed: in the format file's field line
 */
struct pe_type {
	const char *name;
	const char *c_name;
	const char *fmt;
	u8 size;
	u8 class;
	bool is_signed;
};

static inline bool pe_type_is_string(const struct pe_type *type)
{
	return type->class >= PE_CLASS_STRING;
}

/* Is the text made of a value, not of what that leads to? */
static inline bool pe_type_names_value(const struct pe_type *type)
{
	return type->class == PE_CLASS_SYMSTR || type->class == PE_CLASS_TASK ||
	       type->class == PE_CLASS_RWBS;
}

/**
 * struct pe_arg - one fetch argument
 * @name: field name in records
 * @expr: the text after "name=", type included, as kprobe_events shows it
 * @type: type of an element
 * @fetch: where it comes from
 * @count: array elements; 0 if it is not an array
 * @bf_width: bits of a bitfield, 0 if it is none
 * @bf_shift: offset of its lowest bit in the container
 * @offset: of the field in the record
 * @size: bytes in the record's fixed part
 * @text_off: column of the argument in the command, for errors
 */
struct pe_arg {
	char name[PE_MAX_ARG_NAME_LEN];
	const char *expr;
	const struct pe_type *type;
	struct pe_fetch fetch;
	u8 count;
	u8 bf_width;
	u8 bf_shift;
	u16 offset;
	u16 size;
	u16 text_off;
};

/* The part of an event that filters and printers need. */
struct pe_layout {
	const char *name;
	u16 id;
	bool is_return;
	bool is_marker;		/* trace_marker's; it has no arguments */
	unsigned int nargs;
	const struct pe_arg *args;
	const char *text;	/* how a record is shown, see event_text.h; or NULL */
	bool text_is_line;
};

/* fetch_type.c */

/**
 * pe_type_find() - a type by its name, without an array's brackets
 * @name: need not end with NUL
 * @len: its length
 *
 * A bitfield "bW@O/C" has its container's type.  The table is static: equal
 * types are the same pointer.
 *
 * Return: NULL if there is none.
 */
const struct pe_type *pe_type_find(const char *name, size_t len);

#endif
