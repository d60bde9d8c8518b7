// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * bpfcount FUNCTION entry|exit - count a kernel function's calls by a BPF program.
 * bpfcount ID event - count the hits of one of the kernel's events.
 *
 * The program is attached to the function's entry (fentry) or return (fexit), or through perf to
 * the event.  Then bpfcount answers each line of stdin with the count; at the end of stdin the program is
 * detached.  The first line of output is "attached", or "refused: " and the error.
 *
 * It uses system calls alone: not every guest has a library.
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/perf_event.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
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

static int load(union bpf_attr *attr, int map)
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
	int fd;

	attr->license = (uintptr_t)"GPL";
	attr->insns = (uintptr_t)code;
	attr->insn_cnt = sizeof(code) / sizeof(code[0]);
	attr->log_buf = (uintptr_t)log;
	attr->log_size = sizeof(log);
	attr->log_level = 1;
	fd = sys_bpf(BPF_PROG_LOAD, attr);
	if (fd < 0)
		err(1, "program: %s", log);
	return fd;
}

/* Negative: errno says why it is refused. */
static int attach_function(const char *function, enum bpf_attach_type where, int map)
{
	union bpf_attr prog = { .prog_type = BPF_PROG_TYPE_TRACING, .expected_attach_type = where,
				.attach_btf_id = function_id(function) };
	union bpf_attr link = { .raw_tracepoint.prog_fd = load(&prog, map) };

	return sys_bpf(BPF_RAW_TRACEPOINT_OPEN, &link);
}

/* The program runs at hits on all CPUs, whatever perf counts. */
static int attach_event(const char *id, int map)
{
	union bpf_attr prog = { .prog_type = BPF_PROG_TYPE_TRACEPOINT };
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr),
					.config = strtoul(id, NULL, 10) };
	int fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);

	if (fd >= 0 && ioctl(fd, PERF_EVENT_IOC_SET_BPF, load(&prog, map)))
		return -1;
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
	int map, link;
	char line[16];

	if (argc != 3)
		errx(2, "usage: bpfcount FUNCTION entry|exit, bpfcount ID event");
	map = make_map();
	if (!strcmp(argv[2], "event"))
		link = attach_event(argv[1], map);
	else
		link = attach_function(argv[1], strcmp(argv[2], "exit") ? BPF_TRACE_FENTRY :
				       BPF_TRACE_FEXIT, map);
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
