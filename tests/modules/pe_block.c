// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_block.c - hits tracepoints of the block layer with requests that are none, where there is no disk.
 *
 *   echo N > run	N hits of block_rq_insert, block_bio_complete, block_split, block_bio_remap and
 *			block_unplug, with random operations, flags, places and sizes
 *
 * Nothing but the tracepoints looks at the requests.
 */
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/prandom.h>
#include <linux/slab.h>
#include <trace/events/block.h>

static struct things {
	struct request rq;
	struct request_queue q;
	struct gendisk disk;
	struct block_device part0;
	struct bio bio;
} *things;

static struct rnd_state seed;

static u64 pick(void)
{
	return (u64)prandom_u32_state(&seed) << 32 | prandom_u32_state(&seed);
}

/* Operations that have a letter, and others. */
static u32 flags(void)
{
	return ((u32)pick() & ~0xffU) | (u32)(pick() & 0xff) >> (pick() % 8);
}

static void hit(unsigned int i)
{
	struct things *t = things;

	t->disk.major = pick() & 0xfff;
	t->disk.first_minor = pick() & 0xfffff;
	t->part0.bd_dev = MKDEV(t->disk.major, t->disk.first_minor);
	t->rq.cmd_flags = (__force blk_opf_t)flags();
	/* One of a request that has no sectors would be shown without its sector: kprobe-events.md. */
	if (blk_rq_is_passthrough(&t->rq))
		t->rq.cmd_flags = REQ_OP_READ;
	t->rq.__sector = pick() >> 1;
	t->rq.__data_len = pick();
	t->bio.bi_ioprio = pick();
	trace_block_rq_insert(&t->rq);
	t->bio.bi_opf = (__force blk_opf_t)flags();
	t->bio.bi_iter.bi_sector = pick();
	t->bio.bi_iter.bi_size = pick();
	t->bio.bi_status = (__force blk_status_t)(i % 14);
	trace_block_bio_complete(&t->q, &t->bio);
	trace_block_split(&t->bio, pick());
	trace_block_bio_remap(&t->bio, (u32)pick(), pick());
	trace_block_unplug(&t->q, i, i & 1);
}

static int run_set(const char *val, const struct kernel_param *param)
{
	unsigned int i, n;
	int err = kstrtouint(val, 0, &n);

	for (i = 0; !err && i < n; i++)
		hit(i);
	return err;
}

static const struct kernel_param_ops run_ops = { .set = run_set };
module_param_cb(run, &run_ops, NULL, 0200);

static int __init block_init(void)
{
	things = kzalloc(sizeof(*things), GFP_KERNEL);
	if (!things)
		return -ENOMEM;
	prandom_seed_state(&seed, 17);
	things->rq.q = &things->q;
	things->rq.bio = &things->bio;
	things->q.disk = &things->disk;
	things->disk.part0 = &things->part0;
	things->part0.bd_disk = &things->disk;
	things->bio.bi_bdev = &things->part0;
	return 0;
}

static void __exit block_exit(void)
{
	kfree(things);
}

module_init(block_init);
module_exit(block_exit);
MODULE_DESCRIPTION("Hits tracepoints of the block layer");
MODULE_LICENSE("GPL");
