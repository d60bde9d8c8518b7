# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# Made-up commands for syntax_stock.sh, a line "FILE COMMAND" for each: six in ten are drawn
# from the grammar and nothing else, the others are damaged then in one place.
#   awk -v seed=N -v count=N -v entry=ADDRESS -v data=ADDRESS -v site=N -f syntax_gen.awk
# entry is the address of vfs_read, data of pe_cmp_values, site the parameter of pe_compare.ko.

function draw(n) { return int(rand() * n) }
function one(words, list) { return list[1 + draw(split(words, list, " "))] }
function chance(percent) { return rand() * 100 < percent }
function maybe(percent, text) { return chance(percent) ? text : "" }

function number() {
	return one("0 1 2 4 8 16 63 64 65 0x10 0x 010 08 -1 -8 +4 128 2047 2048 4096 65536 2147483647 " \
		   "2147483648 4294967296 9223372036854775808 18446744073709551615 18446744073709551616 1x")
}

function name() {
	if (chance(85))
		return one("a b n buf _x x1 value", list) maybe(70, draw(100))
	return one("a-b 1a a.b common_pid __probe_ip arg1 arg2 a_name_that_is_longer_than_32_characters")
}

function group() {
	if (chance(80))
		return one("g g2 my-group kprobes fprobes _g")
	return one("9g g.h ftrace a_group_that_has_far_more_than_sixty_four_characters_in_its_name_which_is_too_many")
}

# The first word. back: at returns; it may be said by the letter or after the place.
function kind(   s) {
	letter = inside == "" || chance(5) ? one("p p p p f f") : "p"
	suffix = ""
	if (back) {
		if (letter == "f" || chance(25))
			suffix = "%return"
		else
			letter = "r"
	}
	s = letter
	if (back && letter != "p" && chance(25))
		s = s (chance(80) ? 1 + draw(64) : number())
	if (chance(60))
		s = s ":" maybe(40, group() (chance(85) ? "/" : ".")) maybe(95, name())
	return s
}

# Where: what can be asked for there depends on that. Sets here and back.
function place() {
	back = chance(30)
	here = one("pe_cmp_target pe_cmp_target pe_cmp_target pe_cmp_leaf pe_cmp_body vfs_read vfs_read vfs_write " \
		   "do_sys_openat2 ksys_read vfs_open")
	inside = ""
	if (chance(15) && !back) {
		here = "pe_cmp_body"
		inside = "+" site + one("0 3 6 10 14 16 17 18 23 24 28 0 3 2 11")
	} else if (chance(4)) {
		inside = chance(70) ? "+0" : one("+ -") number()
	}
}

function spelled(   s) {
	if (chance(4))
		return one("0 1 4096 0x1000 " entry " " entry " nosuchmod:f ext4:vfs_read /bin/sh:4 vfs_read:1 " \
			   "0xffffffffffffffff nosuch memcpy _text jiffies")
	s = here inside
	if (here ~ /^pe_/ && letter != "f" && chance(25))
		s = "pe_compare:" s
	return s suffix
}

function parameters() {
	if (here == "vfs_read" || here == "vfs_write")
		return "file buf count pos"
	if (here == "do_sys_openat2")
		return "dfd filename how"
	if (here == "ksys_read")
		return "fd buf count"
	return here == "vfs_open" ? "path file" : ""
}

function fields() {
	if (here == "vfs_read" || here == "vfs_write")
		return "file->f_mode file->f_flags file->f_path.dentry->d_name.name:string file->f_inode->i_sb->s_id:string " \
		       "file->f_inode->i_mode:x16 file->f_op->read_iter:symbol file->f_path.dentry->d_iname:char[4] " \
		       "file->f_path.dentry->d_iname:string file->f_inode->i_sb file->f_inode->i_ino:x32 file->nosuch"
	if (here == "do_sys_openat2")
		return "how->flags how->mode how->resolve:u8 filename:ustring how->flags:b4@2/64 how.mode"
	if (here == "ksys_read")
		return "buf:ustring count:s8 fd:x8 fd->x"
	return here == "vfs_open" ? "path->dentry path->dentry->d_name.name:string path->mnt->mnt_flags path.dentry" : ""
}

# A word of its own: with its type, or for more than one argument.
function special() {
	if (inside !~ /[1-9]/ && parameters() != "" && chance(70))
		return chance(75) ? one(fields()) : one(parameters())
	if (chance(30))
		return one("$arg* $arg1 $arg2 $arg3 $comm $COMM $stack $retval $stack1")
	if (chance(50))
		return one("file:%pD $arg1:%pD +8($arg1):%pd d=+8($arg1):%pd file->f_path.dentry:%pd a=$arg1:%pD")
	return "\\" one("\"text\" \"a.b,c\" \"x\":string \"no \"s\":u8")
}

function register() { return "%" one("di di si dx cx r8 r9 ax bx bp r10 r15 sp ip flags cs ss orig_ax") }

# A value that is no memory.
function word() {
	if (letter != "f" && chance(40))
		return register()
	if (inside !~ /[1-9]/ && chance(60))
		return "$arg" 1 + draw(chance(85) ? 8 : 12)
	if (back && chance(60))
		return "$retval"
	return chance(60) ? "$stack" maybe(80, draw(24)) : "\\" (chance(70) ? draw(1000) : number())
}

# Where there is memory with something in it.
function memory(depth) {
	if (depth > 5)
		return word()
	if (chance(20))
		return one("@pe_cmp_values @pe_cmp_values+4 @pe_cmp_values+12 @pe_cmp_text @linux_banner @linux_banner+20 " \
			   "@linux_banner-0 @" data " @nosuch @+4 @0x10")
	if (chance(30))
		return one("+ + + -") maybe(15, "u") draw(200) "(" (chance(35) ? memory(depth + 1) : word()) ")"
	if (here == "pe_cmp_target") {
		if (chance(15))
			return "+u" draw(12) "(" (letter == "f" ? "$arg6" : "%r9") ")"
		if (chance(25))
			return "+" one("0 8 88 112 144") "(+144(" (letter == "f" ? "$arg1" : "%di") "))"
		return "+" one("0 1 8 16 32 64 72 80 88 88 112 120 144 160 168 176") "(" (back || letter == "f" ? "$arg1" : "%di") ")"
	}
	return "+" maybe(20, "u") 8 * draw(24) "(" word() ")"
}

function bits(   size, width) {
	size = one("8 16 32 64")
	width = 1 + draw(size)
	return "b" width "@" draw(size - width + 1) "/" size
}

function scalar() { return chance(15) ? bits() : one("u8 u16 u32 u64 s8 s16 s32 s64 x8 x16 x32 x64 char symbol") }

# With a type that is not for this one, now and then.
function typed(   s) {
	if (chance(5))
		return chance(50) ? "$comm" maybe(40, ":string") : "\\\"text\"" maybe(30, ":" one("string u8 ustring"))
	if (chance(45)) {
		s = word()
		return s maybe(70, ":" (chance(90) ? scalar() : one("string ustring symstr u8[4] u128 %pd")))
	}
	s = memory(0)
	if (chance(25))
		return s maybe(60, ":" scalar())
	if (chance(45))
		return s ":" one("string string ustring symstr string[2] ustring[3]")
	return s ":" scalar() maybe(60, "[" (chance(90) ? 1 + draw(8) : number()) "]")
}

function argument() { return chance(25) ? special() : maybe(60, name() "=") typed() }

# bad_type(): any type, and what is none
function bad_type() {
	return one("u8 s64 x16 char string ustring symbol symstr u128 b4@2/8 b1@7/8 b9@0/8 b@/ b4@5/8 b64@0/64 u8[4] u32[64] " \
		   "u32[65] string[2] symstr[2] u8[0] u8[x] u8[4 char[8] %pd %pD s " number())
}

function bad_fetch() {
	return one("%nope %dil %eax $stack2049 $stack" number() " $nope $arg0 $arg" number() " $retval $elapsed $retvalx \\1x \\ @ " \
		   "@jiffies+" number() " @0x" number() " @+1 file pos->x $retval->f_mode file-f file. $ () +0 +0() +0(%di +" \
		   number() "(%di) -0x80000001(%di) +(%di) +0(+0($comm)) +0(\\1) +0x(%di) %di) \"x\" ")
}

# One damage to a text, by a character.
function typo(s,   at, c, how) {
	at = 1 + draw(length(s))
	c = substr("+-()[]:=@$%\\\"/.,*u0x9aZ! ^&", 1 + draw(26), 1)
	how = draw(5)
	if (how == 0)
		return substr(s, 1, at - 1) substr(s, at + 1)
	if (how == 1)
		return substr(s, 1, at) c substr(s, at + 1)
	if (how == 2)
		return substr(s, 1, at - 1) c substr(s, at + 1)
	if (how == 3)
		return substr(s, 1, at) substr(s, at)
	return substr(s, 1, at)
}

# replaced(S, RE, TEXT): one of what RE matches, drawn
function replaced(s, re, text,   rest, n, done) {
	rest = s
	while (match(rest, re)) {
		n++
		rest = substr(rest, RSTART + RLENGTH)
	}
	if (n == 0)
		return typo(s)
	for (n = draw(n); match(s, re); n--) {
		if (n == 0)
			return done substr(s, 1, RSTART - 1) text substr(s, RSTART + RLENGTH)
		done = done substr(s, 1, RSTART + RLENGTH - 1)
		s = substr(s, RSTART + RLENGTH)
	}
}

function repeated(text, n,   s) {
	while (n-- > 0)
		s = s text
	return s
}

function damage(s,   n, i, j, part, how) {
	n = split(s, part, " ")
	i = 1 + draw(n)
	j = 1 + draw(n)
	how = draw(12)
	if (how <= 2)
		return typo(s)
	if (how == 3)
		return replaced(s, "[][()]", "")
	if (how == 4)
		return replaced(s, "[0-9]+", number())
	if (how == 5)
		return replaced(s, "[A-Za-z_]+", repeated("long_", 4 + draw(14)))
	if (how == 6)
		return s " " part[i]
	if (how == 7)
		return s " " maybe(60, name() "=") bad_fetch() maybe(30, ":" bad_type())
	if (how == 8)
		return replaced(s, ":[a-z0-9]+$|:[a-z0-9]+ ", ":" bad_type() " ")
	if (how == 9)
		return replaced(s, "[(]", repeated("(+8", 1 + draw(16)) "(")
	if (how == 10 && n > 1) {
		how = part[i]
		part[i] = part[j]
		part[j] = how
	} else {
		part[i] = ""
	}
	s = part[1]
	for (i = 2; i <= n; i++)
		s = s " " part[i]
	return s
}

function command(   s, i) {
	place()
	s = kind()
	s = s " " spelled()
	for (i = chance(4) ? 10 : draw(4); i > 0; i--)
		s = s " " argument()
	return chance(40) ? damage(s) : s
}

BEGIN {
	srand(seed)
	while (made < count) {
		s = command()
		# These are no definitions of probes: comments, nothing, removals, other kinds of events.
		if (s !~ /^ *[pr]/ && (letter == "f" ? s !~ /^ *f/ : s ~ /^ *([-!]|$)/) || s ~ /#/)
			continue
		# The kernel (6.12) crashes: it looks for a parameter with a negative number.
		if (s ~ /[ \t]\$arg[0-9][0-9][0-9][0-9][0-9]/)
			continue
		print (letter == "f" || chance(20) && s ~ /^[pr]/ ? "dynamic_events " : "kprobe_events ") s
		made++
	}
}
