# SPDX-License-Identifier: GPL-2.0
#
# Made-up commands for kprobe_events: for syntax_stock.sh.
#   awk -v seed=N -v count=N -v entry=ADDRESS -f syntax_gen.awk

function draw(n) { return int(rand() * n) }
function one(words, list) { return list[1 + draw(split(words, list, " "))] }
function maybe(percent, text) { return rand() * 100 < percent ? text : "" }

function number() {
	return one("0 1 2 4 8 16 63 64 65 0x10 0x 010 08 -1 -8 +4 2047 2048 4096 65536 2147483647 " \
		   "2147483648 4294967296 9223372036854775808 18446744073709551615 18446744073709551616 1x")
}

function name() { return one("a b n buf _x x1 a-b 1a a.b common_pid arg1 a_name_that_is_longer_than_32_characters") }

function group() { return one("g g2 my-group kprobes 9g g.h ftrace a_group_that_has_far_more_than_sixty_four_characters_in_its_name_which_is_too_many") }

function kind(   s) {
	s = maybe(92, one("p p p r r r")) one("p r P q - ! x")
	s = substr(s, 1, 1)
	s = s maybe(8, number())
	if (rand() < 0.5)
		s = s ":" maybe(30, group() one("/ / .")) maybe(90, name())
	return s
}

function place() {
	return one("vfs_read vfs_write ksys_read do_sys_openat2 vfs_open vfs_read memcpy _text jiffies nosuch vfs_read") \
		maybe(12, one("+ - +") number()) maybe(8, one("%return %return %ret %"))
}

function anywhere() {
	if (rand() < 0.85)
		return place()
	return one("0 1 4096 0x1000 " entry " nosuchmod:f ext4:vfs_read /bin/sh:4 vfs_read:1 0xffffffffffffffff")
}

function fetch(depth) {
	if (depth < 4 && rand() < 0.3)
		return one("+ + -") maybe(20, "u") number() "(" fetch(depth + 1) ")"
	return one("%di %si %ax %sp %ip %nope %dil $stack $stack0 $stack" number() " $retval $comm $COMM " \
		   "$arg1 $arg2 $arg" number() " $arg* file buf count pos->x file->f_mode file->f_path.dentry " \
		   "file->f_inode->i_sb->s_id $retval->f_mode filename how->mode file.x file-f $nope @jiffies @nosuch @jiffies+" number() " @0x" number() \
		   " @" number() " @+1 \\1 \\" number() " \\\"text\" \\\"open %di %si %di %si name $")
}

function type() {
	return one("u8 u16 u32 u64 s8 s16 s32 s64 x8 x16 x32 x64 char string string ustring symbol symstr u128 b4@2/8 " \
		   "b1@7/8 b64@0/64 b9@0/8 b@/ b4@5/8 u8[4] u32[64] u32[65] string[2] ustring[2] symstr[2] u8[0] u8[x] " \
		   "u8[4 char[8] %pd %pD s " number())
}

function argument() { return maybe(50, name() "=") fetch(0) maybe(45, ":" type()) }

# One damage to a text.
function damage(s,   at, c, how) {
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

BEGIN {
	srand(seed)
	while (made < count) {
		s = kind() " " anywhere()
		for (i = draw(4); i > 0; i--)
			s = s " " argument()
		for (i = draw(3); i > 0; i--)
			s = damage(s)
		# These are no definitions: comments, nothing, and removals.
		if (s ~ /^ *$|#|^ *[-!]/)
			continue
		# The kernel (6.12) crashes: it looks for a parameter with a negative number.
		if (s ~ /[ \t]\$arg[0-9][0-9][0-9][0-9][0-9]/)
			continue
		print s
		made++
	}
}
