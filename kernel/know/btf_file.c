// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * btf_file.c - type data from a file, for a kernel that has none.
 *
 * The file is an ELF file with the kernel's type data and build id: the build id tells that the
 * types are those of the kernel that runs.  All that the file says is checked before anything
 * of it is used.  Then the type data is kept as it is, with a table of where each type is: 4
 * bytes for each.  It stays until the module is unloaded, so users need no reference.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <pe/btf.h>
#include <pe/btf_file.h>
#include "kernel/arch.h"
#include "kernel/know/btf_check.h"
#include "kernel/know/btf_elf.h"
#include "kernel/know/btf_source.h"
#include "kernel/know/ksyms.h"

static DEFINE_MUTEX(pe_load_mutex);	/* one load at a time; inside are only the kernel's locks */

/* Written once, before types are asked for here. */
static struct {
	void *bytes;
	u32 *at;
	size_t size;		/* of both */
	struct pe_btf_blob blob;
} pe_the_file;
static bool pe_btf_file_loaded;		/* pe_load_mutex */

/* To others, a struct btf is nothing but a pointer: here it is that to the only blob. */
static const struct btf *pe_file_get(void)
{
	return (const struct btf *)&pe_the_file.blob;
}

static const struct btf_type *pe_file_type(const struct btf *btf, u32 id)
{
	return pe_btf_blob_type((const struct pe_btf_blob *)btf, id);
}

static const char *pe_file_text(const struct btf *btf, u32 offset)
{
	return pe_btf_blob_name((const struct pe_btf_blob *)btf, offset);
}

static const struct pe_btf_source pe_file_source = { pe_file_get, pe_file_type, pe_file_text };

/* The build id of this kernel, which stays. */
static bool pe_running_id(struct pe_bytes *id)
{
	const u8 *start = pe_ks_data.__start_notes, *stop = pe_ks_data.__stop_notes;

	return start && stop > start &&
	       pe_build_id_find((struct pe_bytes){ start, stop - start }, id);
}

static struct pe_refusal pe_btf_file_wrong(const char *reason)
{
	return reason ? PE_REFUSE(EINVAL, reason) : PE_ACCEPT;
}

static struct pe_refusal pe_check_id(struct pe_bytes id)
{
	struct pe_bytes own;

	if (!pe_running_id(&own))
		return PE_REFUSE(EOPNOTSUPP, "this kernel does not tell its build id");
	if (id.len != own.len || memcmp(id.data, own.data, id.len))
		return PE_REFUSE(EINVAL, "its build id is not that of this kernel");
	return PE_ACCEPT;
}

/* @blob is of @bytes, which are ours. */
static struct pe_refusal pe_btf_file_keep(struct pe_btf_blob *blob, void *bytes, size_t len)
{
	u32 *at = kvmalloc_array(blob->nr, sizeof(*at), GFP_KERNEL_ACCOUNT);
	const char *reason;

	if (!at)
		return PE_REFUSE(ENOMEM, NULL);
	reason = pe_btf_blob_index(blob, at) ?: pe_btf_blob_check(blob);
	if (reason) {
		kvfree(at);
		return pe_btf_file_wrong(reason);
	}
	pe_the_file.bytes = bytes;
	pe_the_file.at = at;
	pe_the_file.size = len + array_size(blob->nr, sizeof(*at));
	pe_the_file.blob = *blob;
	pe_btf_file_loaded = true;
	pe_btf_set_source(&pe_file_source);
	return PE_ACCEPT;
}

/* Only the type data is kept, in a place where it is aligned. */
static struct pe_refusal pe_btf_file_load(const void *file, size_t len)
{
	struct pe_btf_blob blob;
	struct pe_btf_elf elf;
	struct pe_refusal r;
	void *bytes;

	r = pe_btf_file_wrong(pe_btf_elf_open(&elf, file, len));
	if (!r.err)
		r = pe_check_id(elf.build_id);
	if (r.err)
		return r;
	bytes = kvmalloc(elf.btf.len, GFP_KERNEL_ACCOUNT);
	if (!bytes)
		return PE_REFUSE(ENOMEM, NULL);
	memcpy(bytes, elf.btf.data, elf.btf.len);
	r = pe_btf_file_wrong(pe_btf_blob_open(&blob, bytes, elf.btf.len));
	if (!r.err)
		r = pe_btf_file_keep(&blob, bytes, elf.btf.len);
	if (r.err)
		kvfree(bytes);
	return r;
}

static struct pe_refusal pe_may_load(void)
{
	if (pe_btf_file_loaded)
		return PE_REFUSE(EEXIST, "a file is loaded already");
	if (pe_btf_known())
		return PE_REFUSE(EEXIST, "the kernel has type data of its own");
	return PE_ACCEPT;
}

int pe_btf_may_load(const char **reason)
{
	struct pe_refusal r;

	mutex_lock(&pe_load_mutex);
	r = pe_may_load();
	mutex_unlock(&pe_load_mutex);
	*reason = r.reason;
	return r.err;
}
EXPORT_SYMBOL_GPL(pe_btf_may_load);

int pe_btf_load(const void *file, size_t len, const char **reason)
{
	struct pe_refusal r;

	mutex_lock(&pe_load_mutex);
	r = pe_may_load();
	if (!r.err)
		r = pe_btf_file_load(file, len);
	mutex_unlock(&pe_load_mutex);
	*reason = r.reason;
	return r.err;
}
EXPORT_SYMBOL_GPL(pe_btf_load);

void pe_btf_show(struct seq_file *m)
{
	struct pe_bytes id;

	mutex_lock(&pe_load_mutex);
	if (pe_btf_file_loaded && pe_running_id(&id))
		seq_printf(m, "file, %u types, %zu bytes, build id %*phN\n",
			   pe_the_file.blob.nr - 1, pe_the_file.size, (int)id.len, id.data);
	else
		seq_puts(m, pe_btf_known() ? "kernel\n" : "none\n");
	mutex_unlock(&pe_load_mutex);
}
EXPORT_SYMBOL_GPL(pe_btf_show);

void pe_btf_file_exit(void)
{
	kvfree(pe_the_file.bytes);
	kvfree(pe_the_file.at);
}
