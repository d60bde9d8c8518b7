/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * fs_dir.h - directories whose owner knows what is in them.
 *
 * fs.h explains nodes, their life, and the locks.
 */
#ifndef PE_FS_DIR_H
#define PE_FS_DIR_H

#include <linux/limits.h>
#include <linux/types.h>

struct mutex;
struct pe_fs_file;
struct pe_node;

/**
 * struct pe_fs_entry - one name in a listing
 * @pos: its position; the VFS gives programs that of the next as d_off
 * @ino: its inode number
 * @is_dir: or a file
 * @name: its name
 */
struct pe_fs_entry {
	loff_t pos;
	u32 ino;
	bool is_dir;
	char name[NAME_MAX + 1];
};

/**
 * struct pe_dir_ops - what the owner of a directory does in it
 * @mkdir: make the node and all that belongs to it (with pe_fs_mkdir())
 * @rmdir: remove it (with pe_fs_remove()); -EBUSY if in use, -ENOENT if it is gone
 * @mutex: under which the directory is removed.  Held in @lookup, @next and @count, which get its
 *	data, and are called only while it is there
 * @lookup: what pe_fs_look() returns for the directory of that name; NULL if
 *	there is none
 * @next: sets @ino and @name of the first of these directories whose number is
 *	at least *@nr, and *@nr to its number; false if there is none.  Numbers
 *	fit 30 bits, and keep their directory as long as it is there
 * @count: how many there are
 * @release: gives back the reference that pe_fs_look() took; any process context
 *
 * Each may be NULL; without @mkdir and @rmdir the answer is -EPERM.  They are
 * called with the VFS's lock on the directory (@rmdir, @count, @release: without), and
 * no lock of the tree.
 */
struct pe_dir_ops {
	int (*mkdir)(struct pe_node *dir, const char *name);
	int (*rmdir)(struct pe_node *dir, struct pe_node *node);
	struct mutex *mutex;
	struct pe_node *(*lookup)(struct pe_node *dir, void *data, const char *name);
	bool (*next)(void *data, unsigned long *nr, struct pe_fs_entry *entry);
	unsigned int (*count)(void *data);
	void (*release)(void *data);
};

/* A directory's data, for its directory ops: as stored; NULL if it was removed. */
void *pe_fs_node_data(const struct pe_node *node);

/* Gives a directory of pe_fs_mkdir() its ops and data. */
void pe_fs_set_dir(struct pe_node *dir, const struct pe_dir_ops *ops, void *data);

/* A table of pe_fs_look() has at most so many rows. */
#define PE_FS_MAX_ROWS	15

/* Does a table have a file of that name? */
bool pe_fs_has_row(const struct pe_fs_file *table, const char *name);

/**
 * struct pe_fs_late - a directory that is a node only while in use
 * @name: copied
 * @mode: as for pe_fs_mkdir()
 * @ino: from pe_fs_ino_get(); the owner keeps it until @ops->release()
 * @files: its files
 * @ops: for it; @ops->release() must be there
 * @data: of the directory, and of each file in it
 */
struct pe_fs_late {
	const char *name;
	umode_t mode;
	u32 ino;
	const struct pe_fs_file *files;
	const struct pe_dir_ops *ops;
	void *data;
};

/**
 * pe_fs_look() - the node of a directory that is looked up
 * @parent: where
 * @late: what; @late->data is a reference, which the node takes over.
 *	@late->ops->release() gives it back, at once if no node is made
 *
 * Return: the node, with a reference for the VFS, or ERR_PTR(-ENOMEM), (-ENOENT)
 * if @parent is dead.
 */
struct pe_node *pe_fs_look(struct pe_node *parent, const struct pe_fs_late *late);

/**
 * pe_fs_forget() - remove what pe_fs_look() has made, if it is there now
 * @dir: where
 * @name: a directory in it
 * @below: NULL, or remove only this directory in @name
 *
 * Otherwise as pe_fs_remove().
 */
void pe_fs_forget(struct pe_node *dir, const char *name, const char *below);

/* Does a directory have a node of that name now? */
bool pe_fs_has(struct pe_node *dir, const char *name);

/**
 * pe_fs_ino_get() - take inode numbers for a directory of pe_fs_look()
 * @ino: the directory's own; its files have those that follow
 *
 * All numbers fit 32 bits.  Return: 0, -ENOSPC if none is left, -ENOMEM.
 */
int pe_fs_ino_get(u32 *ino);
void pe_fs_ino_put(u32 ino);

#endif
