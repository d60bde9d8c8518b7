// SPDX-License-Identifier: GPL-2.0
/*
 * btf_file.c - type data from a file, for a kernel that has none.
 *
 * The file is an ELF file with the kernel's type data and build id: the build id tells that the
 * types are those of the kernel that runs.  All that the file says is checked before anything
 * of it is used.  Then the type data is kept as it is, with a table of where each type is: 4
 * bytes for each.  It stays until the module is unloaded, so nobody needs a reference.
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
#include "kernel/btf_check.h"
#include "kernel/btf_elf.h"
#include "kernel/btf_source.h"
#include "kernel/ksyms.h"

static DEFINE_MUTEX(load_mutex);	/* inside it are only the kernel's */

/* Written once, before types are asked for here. */
static struct {
	void *bytes;
	u32 *at;
	size_t size;		/* of both */
	struct pe_btf_blob blob;
} the_file;
static bool loaded;		/* load_mutex */

/* To others, a struct btf is nothing but a pointer: here it is that to the only blob. */
static const struct btf *file_get(void)
{
	return (const struct btf *)&the_file.blob;
}

static const struct btf_type *file_type(const struct btf *btf, u32 id)
{
	return pe_btf_blob_type((const struct pe_btf_blob *)btf, id);
}

static const char *file_text(const struct btf *btf, u32 offset)
{
	return pe_btf_blob_name((const struct pe_btf_blob *)btf, offset);
}

static const struct pe_btf_source file_source = { file_get, file_type, file_text };

/* The build id of this kernel, which stays. */
static bool running_id(struct pe_bytes *id)
{
	const u8 *start = pe_ks_data.__start_notes, *stop = pe_ks_data.__stop_notes;

	return start && stop > start &&
	       pe_build_id_find((struct pe_bytes){ start, stop - start }, id);
}

static struct pe_refusal wrong(const char *reason)
{
	return reason ? PE_REFUSE(EINVAL, reason) : PE_ACCEPT;
}

static struct pe_refusal check_id(struct pe_bytes id)
{
	struct pe_bytes own;

	if (!running_id(&own))
		return PE_REFUSE(EOPNOTSUPP, "this kernel does not tell its build id");
	if (id.len != own.len || memcmp(id.data, own.data, id.len))
		return PE_REFUSE(EINVAL, "its build id is not that of this kernel");
	return PE_ACCEPT;
}

/* @blob is of @bytes, which are ours. */
static struct pe_refusal keep(struct pe_btf_blob *blob, void *bytes, size_t len)
{
	u32 *at = kvmalloc_array(blob->nr, sizeof(*at), GFP_KERNEL_ACCOUNT);
	const char *reason;

	if (!at)
		return PE_REFUSE(ENOMEM, NULL);
	reason = pe_btf_blob_index(blob, at) ?: pe_btf_blob_check(blob);
	if (reason) {
		kvfree(at);
		return wrong(reason);
	}
	the_file.bytes = bytes;
	the_file.at = at;
	the_file.size = len + array_size(blob->nr, sizeof(*at));
	the_file.blob = *blob;
	loaded = true;
	pe_btf_set_source(&file_source);
	return PE_ACCEPT;
}

/* Only the type data is kept, in a place where it is aligned. */
static struct pe_refusal load(const void *file, size_t len)
{
	struct pe_btf_blob blob;
	struct pe_btf_elf elf;
	struct pe_refusal r;
	void *bytes;

	r = wrong(pe_btf_elf_open(&elf, file, len));
	if (!r.err)
		r = check_id(elf.build_id);
	if (r.err)
		return r;
	bytes = kvmalloc(elf.btf.len, GFP_KERNEL_ACCOUNT);
	if (!bytes)
		return PE_REFUSE(ENOMEM, NULL);
	memcpy(bytes, elf.btf.data, elf.btf.len);
	r = wrong(pe_btf_blob_open(&blob, bytes, elf.btf.len));
	if (!r.err)
		r = keep(&blob, bytes, elf.btf.len);
	if (r.err)
		kvfree(bytes);
	return r;
}

static struct pe_refusal may_load(void)
{
	if (loaded)
		return PE_REFUSE(EEXIST, "a file is loaded already");
	if (pe_btf_known())
		return PE_REFUSE(EEXIST, "the kernel has type data of its own");
	return PE_ACCEPT;
}

int pe_btf_may_load(const char **reason)
{
	struct pe_refusal r;

	mutex_lock(&load_mutex);
	r = may_load();
	mutex_unlock(&load_mutex);
	*reason = r.reason;
	return r.err;
}
EXPORT_SYMBOL_GPL(pe_btf_may_load);

int pe_btf_load(const void *file, size_t len, const char **reason)
{
	struct pe_refusal r;

	mutex_lock(&load_mutex);
	r = may_load();
	if (!r.err)
		r = load(file, len);
	mutex_unlock(&load_mutex);
	*reason = r.reason;
	return r.err;
}
EXPORT_SYMBOL_GPL(pe_btf_load);

void pe_btf_show(struct seq_file *m)
{
	struct pe_bytes id;

	mutex_lock(&load_mutex);
	if (loaded && running_id(&id))
		seq_printf(m, "file, %u types, %zu bytes, build id %*phN\n", the_file.blob.nr - 1,
			   the_file.size, (int)id.len, id.data);
	else
		seq_puts(m, pe_btf_known() ? "kernel\n" : "none\n");
	mutex_unlock(&load_mutex);
}
EXPORT_SYMBOL_GPL(pe_btf_show);

void pe_btf_file_exit(void)
{
	kvfree(the_file.bytes);
	kvfree(the_file.at);
}
