// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_disk.c - a disk of 1 MB that reads zeros and forgets what is written: /dev/pe_disk.
 *
 * Its requests are those of the block layer, which a machine without a disk does not have.
 */
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/highmem.h>
#include <linux/module.h>

#define SECTORS 2048

static struct blk_mq_tag_set tags;
static struct gendisk *disk;
static int major;

static blk_status_t disk_queue(struct blk_mq_hw_ctx *ctx, const struct blk_mq_queue_data *data)
{
	struct request *rq = data->rq;
	struct req_iterator iter;
	struct bio_vec vec;

	blk_mq_start_request(rq);
	if (req_op(rq) == REQ_OP_READ)
		rq_for_each_segment(vec, rq, iter)
			memzero_bvec(&vec);
	blk_mq_end_request(rq, BLK_STS_OK);
	return BLK_STS_OK;
}

static const struct blk_mq_ops disk_mq_ops = { .queue_rq = disk_queue };
static const struct block_device_operations disk_ops = { .owner = THIS_MODULE };

/* Since 6.9 limits are told when a disk is made. */
#ifdef BLK_FEAT_WRITE_CACHE
#define disk_alloc(set) blk_mq_alloc_disk(set, NULL, NULL)
#else
#define disk_alloc(set) blk_mq_alloc_disk(set, NULL)
#endif

static int __init disk_init(void)
{
	int err;

	major = register_blkdev(0, "pe_disk");
	if (major < 0)
		return major;
	tags = (struct blk_mq_tag_set){
		.ops = &disk_mq_ops, .nr_hw_queues = 1, .queue_depth = 16,
		.numa_node = NUMA_NO_NODE,
	};
	err = blk_mq_alloc_tag_set(&tags);
	if (err)
		goto no_tags;
	disk = disk_alloc(&tags);
	if (IS_ERR(disk)) {
		err = PTR_ERR(disk);
		goto no_disk;
	}
	disk->major = major;
	disk->minors = 1;
	disk->fops = &disk_ops;
	snprintf(disk->disk_name, sizeof(disk->disk_name), "pe_disk");
	set_capacity(disk, SECTORS);
	err = add_disk(disk);
	if (!err)
		return 0;
	put_disk(disk);
no_disk:
	blk_mq_free_tag_set(&tags);
no_tags:
	unregister_blkdev(major, "pe_disk");
	return err;
}

static void __exit disk_exit(void)
{
	del_gendisk(disk);
	put_disk(disk);
	blk_mq_free_tag_set(&tags);
	unregister_blkdev(major, "pe_disk");
}

module_init(disk_init);
module_exit(disk_exit);
MODULE_DESCRIPTION("A disk whose requests are there to be traced");
MODULE_LICENSE("GPL");
