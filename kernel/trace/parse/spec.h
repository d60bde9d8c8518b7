/* SPDX-License-Identifier: GPL-2.0 */
/*
 * spec.h - the hand-over from text to event: what one command says.
 *
 * The parser (lex.c, cmd_parse.c, fetch_parse.c) fills a struct pe_spec and
 * knows nothing of the running kernel: symbols stay names.  The event layer
 * resolves them, builds a struct pe_event_probe and keeps the arguments
 * (struct pe_arg) for the hit path (fetch_hit.c) and the printers.
 */
#ifndef PE_SPEC_H
#define PE_SPEC_H

#include <linux/types.h>

/* Limits of the interface, those of the kernel's kprobe events. */
#define PE_MAX_ARGS		128
#define PE_MAX_ARGSTR_LEN	63	/* of one argument's expression */
#define PE_MAX_ARG_NAME_LEN	33	/* including the NUL */
#define PE_MAX_EVENT_NAME_LEN	64	/* including the NUL; group and event */
#define PE_MAX_ARRAY_LEN	64
#define PE_MAX_DEREFS		14
#define PE_MAX_STRING_SIZE	4096	/* PATH_MAX */
#define PE_MAX_RECORD_FIXED	3072	/* bytes of all arguments' fields */
#define PE_MAX_MAXACTIVE	4096
#define PE_MAX_STACK_WORDS	2048	/* $stackN, $argN: a 16 KB stack */
#define PE_MAX_DENTRY_TEXT	256	/* of all %pd and %pD when written out */
#define PE_MAX_COMMAND_LEN	4095	/* of a command's text */
#define PE_MAX_SYMBOL_LEN	512
#define PE_MAX_SAVED		32	/* words a return probe keeps from the entry */
#define PE_SPEC_POOL		4096	/* bytes of strings one command may hold */

#define PE_DEFAULT_GROUP	"kprobes"

/*
 * Fields before the arguments: 8 common bytes, then __probe_ip; of a return
 * probe __probe_func and __probe_ret_ip.
 */
#define PE_RECORD_COMMON	8
#define PE_RECORD_ARGS		16
#define PE_RECORD_ARGS_RETURN	24

/*
 * How a value is obtained: one load, then nr_derefs memory reads.  Each but the
 * last reads a pointer at (value + off); the last reads the argument itself in
 * the size of its type, or a string, or the first element of an array.
 *
 * Strings: without a dereference the value is the string's address.  An array of
 * strings is an array of pointers to them: the last dereference reads the first
 * pointer, the others follow it.  The memory of a string is the user's when the
 * type is ustring or, for a single string, when the last dereference is; what an
 * array of "string" points to is the kernel's even then.  A symstr is a value,
 * so its last dereference reads a pointer too.
 */
enum pe_load {
	PE_LOAD_REG,		/* .reg: byte offset in struct pt_regs */
	PE_LOAD_STACK,		/* .index: word number from the top of the stack */
	PE_LOAD_STACKP,		/* the stack pointer */
	PE_LOAD_ARG,		/* .index: function argument, from 0; at entry */
	PE_LOAD_RETVAL,
	PE_LOAD_IMM,		/* .imm */
	PE_LOAD_SYM,		/* address of symbol pool[.str] plus .imm; made
				 * PE_LOAD_IMM when resolved
				 */
	PE_LOAD_COMM,		/* the current task's name: a string in place */
	PE_LOAD_STR,		/* immediate string pool[.str]: in place */
	PE_LOAD_SAVED,		/* .index: word of what a return probe saved at
				 * the call's entry: pe_spec.saved says what it is
				 */
};

/* What a return probe saves at entry: a function argument, from 0, or the time. */
#define PE_SAVE_TIME		0xffff

struct pe_deref {
	s32 off;
	bool user;
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

/* What is stored. */
enum pe_class {
	PE_CLASS_UINT,		/* u8-u64 */
	PE_CLASS_SINT,		/* s8-s64 */
	PE_CLASS_HEX,		/* x8-x64 */
	PE_CLASS_CHAR,
	PE_CLASS_SYMBOL,	/* an address, printed as symbol+offset */
	PE_CLASS_STRING,	/* kernel or user memory, by the last dereference */
	PE_CLASS_USTRING,
	PE_CLASS_SYMSTR,	/* an address, recorded as the symbol's name */
};

/**
 * struct pe_type - an argument type
 * @name: as the user writes it
 * @c_name: in the format file's field line
 * @fmt: in the format file's print fmt
 * @size: bytes of one element in the record; 4 (a data_loc word) for strings
 * @class: how it is fetched and printed
 * @is_signed: as the format file says
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

/**
 * struct pe_arg - one fetch argument
 * @name: field name in records
 * @expr: the text after "name=", type included, as kprobe_events shows it
 * @type: type of an element
 * @fetch: where it comes from
 * @count: array elements; 0 when it is not an array
 * @bf_width: bits of a bitfield, 0 when it is none
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

/* What filters and printers need of an event. */
struct pe_layout {
	const char *name;
	u16 id;
	bool is_return;
	unsigned int nargs;
	const struct pe_arg *args;
};

enum pe_cmd {
	PE_CMD_PROBE,		/* p */
	PE_CMD_RETURN,		/* r, or p ...%return */
	PE_CMD_DELETE,		/* -: or ! */
};

/**
 * struct pe_spec - one parsed command
 * @cmd: what to do
 * @group: "" when not given
 * @event: "" when not given
 * @maxactive: of a return probe, 0 when not given
 * @symbol: "[MOD:]SYM" or "" when the place is an address
 * @offset: bytes from @symbol, at most UINT_MAX
 * @addr: the address when there is no symbol
 * @nargs: arguments parsed so far
 * @args: the arguments
 * @record_fixed: bytes of the record before any string data
 * @nr_saved: words that a return probe saves at entry
 * @saved: what they are: the number of a function argument, or PE_SAVE_TIME,
 *	for which the handlers put nanoseconds since entry; each only once
 * @pool: NUL-terminated strings that args and fetches refer to
 * @place_off: column of the place, for errors found later
 * @bang: a delete command in the form "!p:...", which the kernel takes in
 *	  dynamic_events only
 *
 * About 50 KB: allocate it.  Pure data, no pointers into the kernel except the
 * static type table; @expr pointers go into @pool.
 *
 * Columns count in the command's words joined by single blanks, pe_spec_join(),
 * because that is what error_log shows above the caret.
 */
struct pe_spec {
	enum pe_cmd cmd;
	char group[PE_MAX_EVENT_NAME_LEN];
	char event[PE_MAX_EVENT_NAME_LEN];
	unsigned int maxactive;
	char symbol[PE_MAX_SYMBOL_LEN];
	unsigned long offset;
	unsigned long addr;
	unsigned int nargs;
	struct pe_arg args[PE_MAX_ARGS];
	u16 record_fixed;
	u8 nr_saved;
	u16 saved[PE_MAX_SAVED];
	u16 pool_used;
	char pool[PE_SPEC_POOL * 4];
	u16 place_off;
	bool bang;

	/*
	 * Parser only: the words of the command, all counted, the first ones
	 * kept.  A word's bytes are in the text, or in the pool after %pd or %pD
	 * have been written out in it.
	 */
	unsigned int nwords;
	struct pe_word {
		u16 off;
		u16 len;
		u16 col;
		bool in_pool;
	} words[PE_MAX_ARGS + 2];
	const char *text;
	u8 name_err;		/* error in the names, told by pe_args_parse() */
	u16 name_err_off;
};

struct pe_parse_err;
struct pe_str;

/* What the argument parser must be told about the place. */
struct pe_parse_env {
	bool on_entry;		/* the place is a function's entry: $argN works */
	u32 dentry_name_off;	/* of d_name.name in struct dentry, for %pd */
	u32 file_dentry_off;	/* of f_path.dentry in struct file, for %pD */
};

/**
 * pe_cmd_parse() - parse a command's head: kind, names, place; split the rest
 * @spec: filled; fully initialised here
 * @text: one command without its newline, not blank; must outlive the args'
 *	  parsing, pe_spec_join() and pe_spec_matches()
 * @err: zeroed by the caller; code and column on failure
 *
 * A delete command has no arguments to parse: pe_args_parse() is not for it.
 * Its group and event may be "": then any will do.
 *
 * Return: 0 or -errno as the kernel's kprobe_events answers.
 */
int pe_cmd_parse(struct pe_spec *spec, const char *text, struct pe_parse_err *err);

/**
 * pe_args_parse() - parse the fetch arguments of a parsed head
 *
 * Separate from pe_cmd_parse() because what is allowed depends on where the
 * place lies, which only the event layer can tell.  Lays out the record:
 * offsets and @record_fixed.
 *
 * A bad group or event name is told here and not by pe_cmd_parse(): the kernel
 * looks at the names after it has looked up the symbol, and the first error is
 * the one that is shown.
 */
int pe_args_parse(struct pe_spec *spec, const struct pe_parse_env *env,
		  struct pe_parse_err *err);

/* Parsers only: the @i-th word of the command, as it is by now. */
struct pe_str pe_spec_word(const struct pe_spec *spec, unsigned int i);

/**
 * pe_spec_default_name() - the event name of a command that gives none
 * @name: PE_MAX_EVENT_NAME_LEN bytes; cut to that as the kernel does
 *
 * Names are seen by more than those who may see kernel addresses: that of a place given
 * by its address has the hash of it, as the kernel's has.
 */
void pe_spec_default_name(const struct pe_spec *spec, char *name);

/**
 * pe_spec_join() - the command as error_log shows it
 * @buf: PE_MAX_COMMAND_LEN + PE_MAX_DENTRY_TEXT + 1 bytes are always enough
 *
 * Return: characters written, without the NUL.
 */
size_t pe_spec_join(const struct pe_spec *spec, char *buf, size_t size);

/**
 * pe_spec_matches() - does what follows the name in a delete command fit a probe?
 * @place: of the probe, as kprobe_events shows it
 * @args: of the probe, @nargs of them
 *
 * Compares text, as the kernel does: the place, then name=expr of as many
 * arguments as the command has.  A command without a place fits any probe.
 */
bool pe_spec_matches(const struct pe_spec *spec, const char *place,
		     const struct pe_arg *args, unsigned int nargs);

/**
 * pe_type_find() - a type by its name, without an array's brackets
 *
 * A bitfield "bW@O/C" has its container's type.  The table is static: equal
 * types are the same pointer.
 *
 * Return: NULL when there is none.
 */
const struct pe_type *pe_type_find(const char *name, size_t len);

#endif
