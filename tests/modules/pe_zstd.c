// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_zstd.c - calls the kernel's compressor.  It contains a function with eleven words of
 * arguments: ten parameters, and the address for the structure that it returns.
 *
 * Writing anything to the parameter `run` compresses a text that is always the same;
 * `result` is the size of the output, and a sum of it.
 */
#include <linux/crc32.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/zstd.h>

#define SIZE	600u	/* some dozens of sequences */
#define LEVEL	3

static char result[64];
module_param_string(result, result, sizeof(result), 0444);
MODULE_PARM_DESC(result, "bytes and CRC of the last run");

/* Words that recur in an order that does not. */
static void make_text(char *text)
{
	static const char *const words[] = { "probe ", "kernel ", "return ", "argument\n" };
	u32 state = 1;
	size_t n = 0;

	while (n < SIZE) {
		const char *word = words[state >> 30];

		while (*word && n < SIZE)
			text[n++] = *word++;
		state = state * 1664525u + 1013904223u;
	}
}

static int compress(char *to, const char *text)
{
	zstd_parameters params = zstd_get_params(LEVEL, SIZE);
	size_t room = zstd_cctx_workspace_bound(&params.cParams), size;
	void *workspace = kvmalloc(room, GFP_KERNEL);
	zstd_cctx *cctx;
	int ret = 0;

	if (!workspace)
		return -ENOMEM;
	cctx = zstd_init_cctx(workspace, room);
	size = cctx ? zstd_compress_cctx(cctx, to, SIZE, text, SIZE, &params) : 0;
	if (!size || zstd_is_error(size))
		ret = -EIO;
	else
		scnprintf(result, sizeof(result), "%zu %08x", size, crc32(0, to, size));
	kvfree(workspace);
	return ret;
}

static int run_set(const char *val, const struct kernel_param *kp)
{
	char *text = kvmalloc(2 * SIZE, GFP_KERNEL);
	int ret;

	if (!text)
		return -ENOMEM;
	make_text(text);
	ret = compress(text + SIZE, text);
	kvfree(text);
	return ret;
}

static const struct kernel_param_ops run_ops = { .set = run_set };
module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "write: compress");

MODULE_DESCRIPTION("Calls a function with many arguments that returns a structure");
MODULE_LICENSE("GPL");
