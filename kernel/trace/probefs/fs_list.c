// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_list.c - what is in a directory, for readdir and stat.
 */
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include "fs.h"
#include "fs_node.h"

/*
 * Positions: the dots, the directory's own files, and from OWNERS on what its owner names.  Earlier
 * files have the small numbers that pe_add_sibling() gives, or those of their rows.
 */
#define DOTS		2
#define OWNERS		(1 << 30)

static bool pe_list_rows(const struct pe_node *dir, loff_t pos, struct pe_fs_entry *entry)
{
	const struct pe_fs_file *row;

	for (row = dir->files; row->name; row++) {
		entry->pos = DOTS + (row - dir->files);
		if (entry->pos < pos)
			continue;
		entry->ino = pe_node_row_ino(dir, row);
		entry->is_dir = false;
		strscpy(entry->name, row->name, sizeof(entry->name));
		return true;
	}
	return false;
}

static bool pe_list_nodes(struct pe_node *dir, loff_t pos, struct pe_fs_entry *entry)
{
	struct pe_node *node;
	bool found = false;

	mutex_lock(&pe_fs_mutex);
	list_for_each_entry(node, &dir->children, sibling) {
		if (node->late)
			break;
		entry->pos = DOTS + (loff_t)node->place;
		if (entry->pos < pos)
			continue;
		entry->ino = node->ino;
		entry->is_dir = S_ISDIR(node->mode);
		strscpy(entry->name, node->name, sizeof(entry->name));
		found = true;
		break;
	}
	mutex_unlock(&pe_fs_mutex);
	return found;
}

bool pe_node_list(struct pe_node *dir, loff_t pos, struct pe_fs_entry *entry)
{
	const struct pe_dir_ops *ops = READ_ONCE(dir->dir_ops);
	unsigned long nr = pos > OWNERS ? pos - OWNERS : 0;
	bool found = false;
	void *data;

	if (pos < OWNERS &&
	    (dir->files ? pe_list_rows(dir, pos, entry) : pe_list_nodes(dir, pos, entry)))
		return true;
	if (!ops || !ops->next)
		return false;
	mutex_lock(ops->mutex);
	data = pe_fs_node_data(dir);
	found = data && ops->next(data, &nr, entry);
	mutex_unlock(ops->mutex);
	entry->pos = OWNERS + (loff_t)nr;
	entry->is_dir = true;
	return found;
}

unsigned int pe_node_nr_dirs(struct pe_node *dir)
{
	const struct pe_dir_ops *ops = READ_ONCE(dir->dir_ops);

	unsigned int nr = READ_ONCE(dir->nr_dirs);
	void *data;

	if (!ops || !ops->count)
		return nr;
	mutex_lock(ops->mutex);
	data = pe_fs_node_data(dir);
	nr += data ? ops->count(data) : 0;
	mutex_unlock(ops->mutex);
	return nr;
}
