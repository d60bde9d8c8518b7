// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* Sub-buffer format: bytes made by hand, and bytes that are no page at all. */
#include "harness.h"
#include "kernel/trace/ring/rb_page.h"

static u32 page_words[64] __aligned(8);
static unsigned int used;

static struct pe_rb_data_page *begin(u64 ts)
{
	struct pe_rb_data_page *page = (void *)page_words;

	memset(page_words, 0, sizeof(page_words));
	page->ts = ts;
	used = 4;
	return page;
}

static void add(u32 type, u32 delta)
{
	page_words[used++] = delta << 5 | type;
}

static void cursor(struct pe_rb_cursor *c)
{
	pe_rb_cursor_init(c, (void *)page_words, used * 4);
}

#define NEXT(c, want_ts, want_len, want_first) do {			\
	struct pe_rb_record r_;						\
	bool got_ = pe_rb_cursor_next(c, &r_);				\
	EXPECT(got_);							\
	if (!got_)							\
		break;							\
	EXPECT_EQ(r_.ts, want_ts);					\
	EXPECT_EQ(r_.len, want_len);					\
	EXPECT_EQ(*(const u32 *)r_.data, want_first);			\
	pe_rb_cursor_skip(c);						\
} while (0)

#define END(c) do {							\
	struct pe_rb_record r_;						\
	EXPECT(!pe_rb_cursor_next(c, &r_));				\
	EXPECT_EQ((c)->off, (c)->end);					\
} while (0)

static void test_every_type(void)
{
	struct pe_rb_cursor c;
	unsigned int i;

	begin(1000);
	add(2, 0);				/* short, 8 bytes */
	page_words[used++] = 0x11;
	page_words[used++] = 0;
	add(PE_RB_TYPE_EXTEND, 5);		/* 3 << 27 | 5 */
	page_words[used++] = 3;
	add(1, 7);
	page_words[used++] = 0x22;
	add(PE_RB_TYPE_PADDING, 9);		/* 12 bytes of nothing */
	page_words[used++] = 8;
	page_words[used++] = 0xffffffff;
	add(0, 1);				/* long, 116 bytes */
	page_words[used++] = 116 + 4;
	for (i = 0; i < 116 / 4; i++)
		page_words[used++] = 0x33;
	add(PE_RB_TYPE_STAMP, 77);
	page_words[used++] = 1000;		/* 1000 << 27 | 77 */
	add(1, 3);
	page_words[used++] = 0x44;
	add(28, 1);				/* the longest short: does not fit */
	cursor(&c);
	EXPECT_EQ(pe_rb_cursor_count(&c), 4);
	NEXT(&c, 1000, 8, 0x11);
	NEXT(&c, 1000 + (3ULL << 27) + 5 + 7, 4, 0x22);
	NEXT(&c, 1000 + (3ULL << 27) + 5 + 7 + 9 + 1, 116, 0x33);
	NEXT(&c, (1000ULL << 27) + 77 + 3, 4, 0x44);
	END(&c);
}

static void test_longest_short(void)
{
	struct pe_rb_cursor c;

	begin(1);
	add(28, 2);
	used += 28;
	add(1, 1);
	page_words[used++] = 5;
	cursor(&c);
	NEXT(&c, 3, 112, 0);
	NEXT(&c, 4, 4, 5);
	END(&c);
}

/* An absolute time has 59 bits; the upper five are those of the time before. */
static void test_stamp_keeps_top_bits(void)
{
	struct pe_rb_cursor c;
	u64 base = 3ULL << 59 | 5;

	begin(base);
	add(PE_RB_TYPE_STAMP, 9);
	page_words[used++] = 0;
	add(1, 0);
	page_words[used++] = 1;
	cursor(&c);
	NEXT(&c, (3ULL << 59) + 9, 4, 1);
	END(&c);
}

static void test_unused_rest(void)
{
	struct pe_rb_cursor c;

	begin(1);
	add(1, 0);
	page_words[used++] = 5;
	add(PE_RB_TYPE_PADDING, 0);
	add(1, 0);
	page_words[used++] = 6;
	cursor(&c);
	NEXT(&c, 1, 4, 5);
	END(&c);
}

static void test_malformed(void)
{
	static const u32 bad[][2] = {
		{ 5, 0 },				/* past the end */
		{ 0, 3 },				/* shorter than itself */
		{ 0, 0xffffffff },
		{ 0, 9 },
		{ PE_RB_TYPE_PADDING | 1 << 5, 0 },
		{ PE_RB_TYPE_PADDING | 1 << 5, 3 },
		{ PE_RB_TYPE_PADDING | 1 << 5, 6 },
		{ PE_RB_TYPE_PADDING | 1 << 5, 0xfffffffc },
	};
	struct pe_rb_cursor c;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		begin(1);
		page_words[used++] = bad[i][0];
		page_words[used++] = bad[i][1];
		cursor(&c);
		END(&c);
	}
	for (i = PE_RB_TYPE_PADDING; i <= PE_RB_TYPE_STAMP; i++) {
		begin(1);
		add(i, 1);			/* its second word is missing */
		cursor(&c);
		END(&c);
	}
	begin(1);
	cursor(&c);
	END(&c);
}

static void test_random_bytes(void)
{
	u64 rnd = pe_test_seed();
	unsigned int i, j;

	for (i = 0; i < 200000; i++) {
		struct pe_rb_cursor c;
		struct pe_rb_record rec;
		unsigned int steps = 0;

		for (j = 0; j < ARRAY_SIZE(page_words); j++) {
			u64 r = pe_test_random(&rnd);

			/* Small lengths often, otherwise no page goes far. */
			page_words[j] = r & 1 ? r >> 32 : (r >> 32) % 37;
		}
		used = 4 + pe_test_random(&rnd) % (ARRAY_SIZE(page_words) - 3);
		cursor(&c);
		while (pe_rb_cursor_next(&c, &rec)) {
			const u8 *d = rec.data;

			EXPECT(d >= (u8 *)page_words + 20);
			EXPECT(d + rec.len <= (u8 *)page_words + used * 4);
			EXPECT(c.next_off > c.off && c.next_off <= used * 4);
			pe_rb_cursor_skip(&c);
			steps++;
		}
		EXPECT(steps <= used);
		if (pe_test_failures)
			return;
	}
}

static void test_cut(void)
{
	static u8 out[256] __aligned(8);
	struct pe_rb_data_page *dst = (void *)out;
	struct pe_rb_cursor c;
	struct pe_rb_record rec;

	begin(1000);
	add(1, 0);
	page_words[used++] = 1;
	add(PE_RB_TYPE_EXTEND, 0);
	page_words[used++] = 1;
	add(1, 6);
	page_words[used++] = 2;
	add(1, 4);
	page_words[used++] = 3;
	cursor(&c);
	NEXT(&c, 1000, 4, 1);
	EXPECT(pe_rb_cursor_next(&c, &rec));
	memset(out, 0xee, sizeof(out));
	EXPECT_EQ(pe_rb_page_cut(dst, 128, &c, rec.ts, 42), 16);
	EXPECT_EQ(dst->ts, 1000 + (1 << 27) + 6);
	EXPECT_EQ(dst->commit, 16 | PE_RB_COMMIT_LOST | PE_RB_COMMIT_LOST_N);
	EXPECT_EQ(*(u64 *)(dst->data + 16), 42);
	EXPECT_EQ(out[127], 0);
	EXPECT_EQ(out[128], 0xee);
	pe_rb_cursor_init(&c, dst, 32);
	NEXT(&c, dst->ts, 4, 2);
	NEXT(&c, dst->ts + 4, 4, 3);
	END(&c);

	/* No room for the number: only the mark. */
	pe_rb_cursor_init(&c, dst, 32);
	EXPECT(pe_rb_cursor_next(&c, &rec));
	EXPECT_EQ(pe_rb_page_cut((void *)page_words, 36, &c, 7, 42), 16);
	EXPECT_EQ(((struct pe_rb_data_page *)page_words)->commit, 16 | PE_RB_COMMIT_LOST);
}

static void test_header_texts(void)
{
	char buf[512], want[512];

	snprintf(want, sizeof(want),
		 "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		 "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		 "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		 "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:%d;\n",
		 (char)-1 < 0);
	EXPECT_EQ(pe_rb_header_page_text(buf, sizeof(buf), 4096), 205);
	EXPECT_STR(buf, want);
	pe_rb_header_event_text(buf, sizeof(buf));
	EXPECT_STR(buf,
		   "# compressed entry header\n\ttype_len    :    5 bits\n"
		   "\ttime_delta  :   27 bits\n\tarray       :   32 bits\n\n"
		   "\tpadding     : type == 29\n\ttime_extend : type == 30\n"
		   "\ttime_stamp : type == 31\n\tdata max type_len  == 28\n");
}

static const struct pe_test tests[] = {
	{ "every type of record", test_every_type },
	{ "longest short record", test_longest_short },
	{ "absolute time keeps the top bits", test_stamp_keeps_top_bits },
	{ "unused rest of a page", test_unused_rest },
	{ "malformed records", test_malformed },
	{ "random bytes", test_random_bytes },
	{ "cut", test_cut },
	{ "header texts", test_header_texts },
};

int main(void)
{
	return PE_RUN(tests);
}
