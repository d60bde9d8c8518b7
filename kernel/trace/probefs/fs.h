/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * fs.h - the file system: a tree of nodes that exists even if it is not
 * mounted.
 *
 * A node is a directory or a file.  The file system makes inodes and dentries
 * from nodes when a user looks at them, and drops them after the last use.  So
 * an unmounted tree holds no reference to the module.  A mount or an open file
 * does (rmmod answers EBUSY).
 *
 * Some nodes are there all the time: those that pe_fs_mkdir() and
 * pe_fs_create_files() make.  Directories of which there are many are nodes only while
 * they are in use (fs_dir.h).  Their owner knows their names, and
 * pe_fs_look() makes the node of one that is looked up.  The files in it are the
 * rows of a table, and nodes only while in use as well.  Such a node goes with
 * its last inode, unless chmod or chown has changed it: then it stays until it
 * is removed.
 *
 * Life of a file's data: pe_fs_remove() marks nodes dead but knows nothing of
 * the object at @data.  So an ->open() takes the lock under which the data's
 * owner calls pe_fs_remove(), and calls pe_fs_data().  If the node is dead it
 * gets NULL, and answers -ENODEV.  Otherwise it takes its own reference to the
 * object:
 *
 *	mutex_lock(&pe_event_mutex);
 *	event = pe_fs_data(inode);
 *	if (event)
 *		pe_event_get(event);
 *	mutex_unlock(&pe_event_mutex);
 *	if (!event)
 *		return -ENODEV;
 *
 * Files that stay open over the removal check their object themselves
 * (event->dead).  Files whose data lives as long as the module need none of
 * this.
 *
 * Locks, outermost first:
 *
 *   1. the VFS's lock of a directory: shared in lookup and readdir, exclusive in
 *	mkdir; rmdir releases it
 *   2. the owner's locks: mkdir and rmdir take pe_event_mutex, and within it
 *	pe_name_mutex; lookup, readdir and stat take only the latter, so that who
 *	looks does not wait while probes are armed
 *   3. the tree's own mutex, a leaf: nothing is taken, called or allocated
 *	inside it, so memory reclaim may take it to drop an inode
 *
 * No code uses a path, and so the first, while holding the second.  All functions
 * here may sleep, and may be called with 1 and 2 held.  The owner finds the
 * object and calls pe_fs_look() without releasing pe_name_mutex in between, and
 * holds it while removing.  So no node is made for what is removed already, and
 * one that was made before is found and becomes dead.
 *
 * Every fops passed in has .owner = THIS_MODULE and lives as long as the
 * module.  A fops may rely on two facts of the VFS: ->open() sees O_TRUNC as
 * file->f_flags & O_TRUNC, and writes come with any *ppos, which is to be
 * ignored.
 */
#ifndef PE_FS_H
#define PE_FS_H

#include <linux/types.h>

struct file;
struct file_operations;
struct inode;
struct seq_file;
struct pe_node;

/* Modes as tracefs has them. */
#define PE_FS_RW	0640
#define PE_FS_RO	0440
#define PE_FS_DIR	0750
#define PE_FS_EVENTS	0755	/* events/ and the directories in it */

/**
 * pe_fs_root() - the top directory
 */
struct pe_node *pe_fs_root(void);

/**
 * pe_fs_mkdir() - make a directory
 * @parent: parent directory; NULL for the root
 * @name: copied
 * @mode: PE_FS_DIR or PE_FS_EVENTS
 *
 * Return: the node, or ERR_PTR(-EEXIST), (-ENOENT) if @parent is dead,
 * (-ENOMEM), (-ENOSPC) if there is no inode number left, (-EINVAL) for an empty
 * name or one with '/', (-ENAMETOOLONG).  The caller gets no reference: the node
 * is valid until it is removed.
 */
struct pe_node *pe_fs_mkdir(struct pe_node *parent, const char *name, umode_t mode);

/**
 * struct pe_fs_file - one row of a table of files, ended by an empty row
 * @name: the file's
 * @mode: its permission bits
 * @fops: its operations
 * @how: for fops that serve several files: this file's part, for pe_fs_how()
 * @files: it is a directory, with the files of this table; only for pe_fs_create_files()
 */
struct pe_fs_file {
	const char *name;
	umode_t mode;
	const struct file_operations *fops;
	const void *how;
	const struct pe_fs_file *files;
};

/**
 * pe_fs_create_files() - make a directory's files from a table
 * @parent: parent directory; NULL for the root
 * @table: its rows live as long as the module
 * @data: of each file, for pe_fs_data()
 *
 * Return: 0 or -errno, as of pe_fs_mkdir(); on failure some exist, to be removed with @parent.
 */
int pe_fs_create_files(struct pe_node *parent, const struct pe_fs_file *table,
		       void *data);

/* pe_fs_mkdir(), and pe_fs_create_files() in it. */
struct pe_node *pe_fs_create_dir(struct pe_node *parent, const char *name, umode_t mode,
				 const struct pe_fs_file *table, void *data);

/**
 * pe_fs_remove() - remove a node and everything below it
 * @node: NULL and error pointers are ignored
 *
 * After it returns no new ->open() sees the data (pe_fs_data() gives NULL).
 * Files already open stay usable until closed.  The pointer is invalid
 * afterwards.
 */
void pe_fs_remove(struct pe_node *node);

/* A node's name, which stays as long as the node. */
const char *pe_fs_name(const struct pe_node *node);

/**
 * pe_fs_data() - a file's data, from its inode, in file operations
 * @inode: the file's
 *
 * Return: the data, NULL if the node was removed.
 */
void *pe_fs_data(const struct inode *inode);

/* The @how of the row from which a table made this file. */
const void *pe_fs_how(const struct inode *inode);

/**
 * pe_fs_copy_word() - copy a short write, cut blanks and newline at both ends
 * @dst: gets a NUL-terminated string
 * @size: of @dst; longer writes give -EINVAL
 * @src: what was written
 * @count: bytes of @src
 *
 * Return: length of the string, or -EFAULT, -EINVAL.
 */
ssize_t pe_fs_copy_word(char *dst, size_t size, const char __user *src, size_t count);

/* single_open() of a file that may be written at any place. */
int pe_fs_single_open(struct file *file, int (*show)(struct seq_file *m, void *v), void *data);

/*
 * seq_lseek() of a file that can be written.  Its end is its start: writes ignore their position,
 * and a user who appends may ask for the end first.
 */
loff_t pe_fs_llseek(struct file *file, loff_t offset, int whence);

/**
 * pe_fs_init() - make the root; nodes can be created from now on
 */
int pe_fs_init(void);

/**
 * pe_fs_publish() - make the type mountable, make the mount point
 *
 * The last step of module init: from now on users may have files open.
 */
int pe_fs_publish(void);

/**
 * pe_fs_unpublish() - undo pe_fs_publish(); module exit: nothing is mounted
 */
void pe_fs_unpublish(void);

/**
 * pe_fs_exit() - free the whole tree
 */
void pe_fs_exit(void);

#endif
