// SPDX-License-Identifier: GPL-2.0
/*
 * bpfcount FUNCTION entry|exit - count a kernel function's calls by a BPF program.
 *
 * The program is attached to the function's entry (fentry) or return (fexit).  Then
 * bpfcount answers each line of stdin with the count; at the end of stdin the program is
 * detached.  The first line of output is "attached", or "refused: " and the error.
 *
 * It uses system calls alone: not every guest has a library.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static long sys_bpf(enum bpf_cmd cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

/* ---- the function's number in the kernel's type data ---- */

static char *type_data(void)
{
	size_t room = 32 << 20, len = 0;
	char *data = malloc(room);
	int fd = open("/sys/kernel/btf/vmlinux", O_RDONLY);
	ssize_t n;

	if (fd < 0)
		err(1, "/sys/kernel/btf/vmlinux");
	while (data && (n = read(fd, data + len, room - len)) > 0)
		len += n;
	close(fd);
	if (!data || len < sizeof(struct btf_header) || len == room)
		errx(1, "type data of %zu bytes", len);
	return data;
}

/* The size of the data that follows the type itself. */
static size_t extra(const struct btf_type *t)
{
	size_t n = BTF_INFO_VLEN(t->info);

	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_INT: case BTF_KIND_VAR: case BTF_KIND_DECL_TAG:
		return 4;
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT: case BTF_KIND_UNION: case BTF_KIND_DATASEC: case BTF_KIND_ENUM64:
		return 12 * n;
	case BTF_KIND_ENUM: case BTF_KIND_FUNC_PROTO:
		return 8 * n;
	default:
		return 0;
	}
}

static unsigned int function_id(const char *name)
{
	const char *data = type_data();
	const struct btf_header *h = (const void *)data;
	const char *types = data + h->hdr_len + h->type_off;
	const char *strings = data + h->hdr_len + h->str_off;
	const struct btf_type *t;
	unsigned int id = 1;
	size_t off;

	for (off = 0; off < h->type_len; off += sizeof(*t) + extra(t), id++) {
		t = (const void *)(types + off);
		if (BTF_INFO_KIND(t->info) == BTF_KIND_FUNC && !strcmp(strings + t->name_off, name))
			return id;
	}
	errx(1, "%s: not in the type data", name);
}

/* ---- the program ---- */

static int make_map(void)
{
	union bpf_attr attr = { .map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 8,
				.max_entries = 1 };
	int fd = sys_bpf(BPF_MAP_CREATE, &attr);

	if (fd < 0)
		err(1, "map");
	return fd;
}

#define INSN(c, d, s, o, i) { .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) }

static int load(const char *function, enum bpf_attach_type where, int map)
{
	struct bpf_insn code[] = {
		INSN(BPF_ST | BPF_MEM | BPF_W, 10, 0, -4, 0),		/* key = 0 */
		INSN(BPF_ALU64 | BPF_MOV | BPF_X, 2, 10, 0, 0),
		INSN(BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -4),
		INSN(BPF_LD | BPF_DW | BPF_IMM, 1, BPF_PSEUDO_MAP_FD, 0, map),
		INSN(0, 0, 0, 0, 0),
		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_map_lookup_elem),
		INSN(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2, 0),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, 1, 0, 0, 1),
		INSN(BPF_STX | BPF_ATOMIC | BPF_DW, 0, 1, 0, BPF_ADD),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	static char log[65536];
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_TRACING, .expected_attach_type = where,
		.attach_btf_id = function_id(function), .license = (uintptr_t)"GPL",
		.insns = (uintptr_t)code, .insn_cnt = sizeof(code) / sizeof(code[0]),
		.log_buf = (uintptr_t)log, .log_size = sizeof(log), .log_level = 1,
	};
	int fd = sys_bpf(BPF_PROG_LOAD, &attr);

	if (fd < 0)
		err(1, "program: %s", log);
	return fd;
}

static unsigned long long count(int map)
{
	unsigned int key = 0;
	unsigned long long value = 0;
	union bpf_attr attr = { .map_fd = map, .key = (uintptr_t)&key, .value = (uintptr_t)&value };

	if (sys_bpf(BPF_MAP_LOOKUP_ELEM, &attr))
		err(1, "map");
	return value;
}

int main(int argc, char **argv)
{
	union bpf_attr attr = {};
	int map, link;
	char line[16];

	if (argc != 3)
		errx(2, "usage: bpfcount FUNCTION entry|exit");
	map = make_map();
	attr.raw_tracepoint.prog_fd = load(argv[1], strcmp(argv[2], "exit") ? BPF_TRACE_FENTRY :
					   BPF_TRACE_FEXIT, map);
	link = sys_bpf(BPF_RAW_TRACEPOINT_OPEN, &attr);
	if (link < 0)
		printf("refused: %s\n", strerror(errno));
	else
		puts("attached");
	fflush(stdout);
	while (link >= 0 && fgets(line, sizeof(line), stdin)) {
		printf("%llu\n", count(map));
		fflush(stdout);
	}
	return link < 0;
}
