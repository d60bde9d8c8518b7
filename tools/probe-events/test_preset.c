// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_preset.c - presets: their texts, arguments, and ways that are refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "expect.h"
#include "preset.h"

static const char lock[] =
	"# lock - waits for locks\n"
	"# A remark.\n"
	"verbs lat trace\n"
	"r down lock=$arg1:x64 file=f->name:string\n"
	"| r down_old lock=$arg1:x64 file=f->old:string\n"
	"\n"
	"? r maybe lock=$arg2:x64 file=\\\"none\":string\n"
	"skip down_* __mutex_*\n"
	"beside lock mm\n"
	"filter file ~ \"*$1\"\n"
	"shows lock.hex file\n";

static const char owner[] =
	"# lock - waits for locks\n"
	"verbs trace lat\n"
	"? r down lock=$arg1:x64 kind=\\1:u8 ns=$elapsed\n"
	"entry owner=$arg1->owner:task reader=$arg1->owner:u8\n"
	"r mutex lock=$arg1:x64 kind=\\2:u8 ns=$elapsed\n"
	"| r mutex.old lock=$arg1:x64 kind=\\2:u8 ns=$elapsed\n"
	"entry owner=$arg2->owner:task reader=\\0:u8\n"
	"r third lock=$arg1:x64 kind=\\2:u8 ns=$elapsed\n"
	"beside lock mm\n"
	"kinds kind rwsem mutex\n"
	"shows lock.lock owner.owner\n";

static void expect_entries(const struct preset *p, const char *wanted)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	preset_define_entries(p, "e", out);
	fclose(out);
	if (strcmp(text, wanted)) {
		fprintf(stderr, "got\n%s\nwanted\n%s\n", text, wanted);
		failed = 1;
	}
	free(text);
}

/* What is read when calls begin: of the probe above, whatever way it takes; it may be refused. */
static void test_entries(void)
{
	struct preset p;

	EXPECT(!preset_parse(&p, owner, NULL, 0));
	EXPECT(p.kinds.nr == 3 && !strcmp(p.kinds.of[2], "mutex"));
	EXPECT(preset_entry_field(&p, "owner.owner") && preset_entry_field(&p, "reader"));
	EXPECT(!preset_entry_field(&p, "lock") && !preset_entry_field(&p, "own"));
	EXPECT(!preset_field(&p, "owner"));
	expect_entries(&p, "p:e down owner=$arg1->owner:task reader=$arg1->owner:u8\n"
		       "p:e mutex owner=$arg2->owner:task reader=\\0:u8");
	EXPECT(preset_refused(&p, "r:ev mutex lock=$arg1:x64 kind=\\2:u8 ns=$elapsed"));
	expect_entries(&p, "p:e down owner=$arg1->owner:task reader=$arg1->owner:u8\n"
		       "p:e mutex.old owner=$arg2->owner:task reader=\\0:u8");
	EXPECT(preset_refused(&p, "p:e down owner=$arg1->owner:task rea"));
	expect_entries(&p, "p:e mutex.old owner=$arg2->owner:task reader=\\0:u8");
	EXPECT(preset_command(&p, 0) && preset_entry_field(&p, "owner"));
	EXPECT(preset_refused(&p, "r:ev down lock=$arg1:x64 kind=\\1:u8 ns=$elapsed"));
	EXPECT(!preset_refused(&p, "p:e third owner=$arg1->owner:task"));
	preset_free(&p);
}

static void expect_commands(const struct preset *p, const char *wanted)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	preset_define(p, "ev", " more=1", out);
	fclose(out);
	if (strcmp(text, wanted)) {
		fprintf(stderr, "got\n%s\nwanted\n%s\n", text, wanted);
		failed = 1;
	}
	free(text);
}

static void test_ways(void)
{
	struct preset p;

	EXPECT(!preset_parse(&p, lock, NULL, 0));
	EXPECT(!strcmp(p.name, "lock") && !strcmp(p.summary, "waits for locks"));
	EXPECT(!p.filter && preset_returns(&p));
	expect_commands(&p, "r:ev down lock=$arg1:x64 file=f->name:string more=1\n"
			"r:ev maybe lock=$arg2:x64 file=\\\"none\":string more=1");
	EXPECT(!preset_refused(&p, "r:ev other lock=$arg1:x64"));
	EXPECT(!preset_refused(&p, "comment"));
	EXPECT(preset_refused(&p, "r:ev down lock=$arg1:x64 file=f->name:string more=1"));
	EXPECT(preset_refused(&p, "r:ev maybe lock=$ar"));	/* error_log has cut it off */
	expect_commands(&p, "r:ev down_old lock=$arg1:x64 file=f->old:string more=1");
	EXPECT(preset_command(&p, 0) && !preset_command(&p, 1));
	EXPECT(!preset_refused(&p, "r:ev maybe lock=$arg2:x64 file=\\\"none\":string"));
	EXPECT(!preset_refused(&p, "r:ev down_old lock=$arg1:x64 file=f->old:string"));
	preset_free(&p);
}

static void test_words(void)
{
	char word[] = "passwd", odd[] = "a\"b", *args[] = { word, odd };
	struct preset p;

	EXPECT(!preset_parse(&p, lock, args, 1));
	EXPECT(p.filter && !strcmp(p.filter, "file ~ \"*passwd\""));
	EXPECT(preset_for(&p, "lat") && !preset_for(&p, "count"));
	EXPECT(preset_field(&p, "lock") && preset_field(&p, "file.x") && !preset_field(&p, "loc"));
	EXPECT(!preset_field(&p, "arg1") && !preset_field(&p, "down"));
	EXPECT(!strcmp(preset_form(&p, "lock"), "hex") && !*preset_form(&p, "file"));
	EXPECT(!*preset_form(&p, "lo") && !*preset_form(NULL, "lock"));
	EXPECT(preset_skips(&p, "down_read") && preset_skips(&p, "__mutex_lock"));
	EXPECT(!preset_skips(&p, "cut_down_read"));
	EXPECT(!strcmp(p.beside[0], "lock") && !strcmp(p.beside[1], "mm"));
	preset_free(&p);
	EXPECT(preset_parse(&p, lock, args, 2));
}

static void test_wrong(void)
{
	static const char * const texts[] = {
		"", "lock\np f\n", "# lock\np f\n", "# a - b\n", "# a - b\nq f\n", "# a - b\n| p f\n",
		"# a - b\np f\nr g\n", "# a - b\np f\nbeside a\n", "# a - b\np f\nbeside a b c\n",
		"# a - b\np f\nweigh\n", "# a - b\np f\nfrees a b\n", "# a - b\np f\nspent a b\n", "# a - b\np f\n? verbs\n",
		"# a - b\np f\nentry a=$arg1\n", "# a - b\nentry a=$arg1\nr f\n",
		"# a - b\np f\n| p g\n| p h\n| p i\n| p j\n",
	};
	struct preset p;
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (!preset_parse(&p, texts[i], NULL, 0)) {
			fprintf(stderr, "taken: %s\n", texts[i]);
			failed = 1;
			preset_free(&p);
		}
	EXPECT(!preset_parse(&p, "# a - b\nt x\ncounts WAITS\nweigh order\nfrees f\nspent x\ninode", NULL, 0));
	EXPECT(!strcmp(p.counts, "WAITS") && !strcmp(p.weigh, "order") && p.inode);
	EXPECT(!strcmp(p.frees, "f") && !strcmp(p.spent, "x") && !preset_returns(&p));
	preset_free(&p);
}

int main(void)
{
	test_ways();
	test_words();
	test_entries();
	test_wrong();
	return failed;
}
