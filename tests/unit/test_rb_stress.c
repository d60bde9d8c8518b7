// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * The ring under load, all at once: one thread writes, timers interrupt it and write in its
 * place, another thread reads.  Every record has its context, a number per context and
 * bytes that can be checked.
 *
 *	committed per context = received + gaps in its numbers
 *	committed             = received + marked as lost - drops among these
 *	drops                 = refused
 */
#include "rb_world.h"
#include "sim.h"

#define CONTEXTS	3		/* task, irq, nmi */

struct message {
	u32 context;
	u32 len;
	u64 number;
	u8 bytes[];
} __packed;		/* payload is aligned to 4 */

static struct pe_rb ring;
static bool writing;

static struct {
	u64 committed, refused, interrupts;
	u64 rnd;
} ctx[CONTEXTS];

static struct {
	u64 received, gaps, next[CONTEXTS], from[CONTEXTS], lost, last_ts, pages, bad;
} rd;

u64 pe_clock_now(unsigned int clock, void *data)
{
	return pe_sim_ns();
}

static u8 byte_of(const struct message *msg, unsigned int i)
{
	return msg->number * 31 + msg->context + i;
}

static void write_message(unsigned int c)
{
	u64 r = pe_test_random(&ctx[c].rnd);
	unsigned int bytes = r & 7 ? (r >> 8) % 40 : (r >> 8) % 300, i;
	unsigned int len = sizeof(struct message) + bytes;
	struct pe_rb_handle h;
	struct message *msg;

	if (len > pe_rb_max_len(&ring))
		len = sizeof(struct message);
	msg = pe_rb_reserve(&ring, len, &h);
	if (!msg) {
		ctx[c].refused++;
		return;
	}
	msg->context = c;
	msg->len = len;
	msg->number = ctx[c].committed;
	for (i = 0; i < len - sizeof(*msg); i++)
		msg->bytes[i] = byte_of(msg, i);
	ctx[c].committed++;
	pe_rb_commit(&h);
}

static void on_irq(void)
{
	unsigned int n = 1 + ctx[1].interrupts++ % 3;

	while (n--)
		write_message(1);
}

static void on_nmi(void)
{
	ctx[2].interrupts++;
	write_message(2);
}

static void bad(const char *what, u64 a, u64 b)
{
	if (rd.bad++ < 5)
		printf("# %s: %llu %llu\n", what, a, b);
}

static void got(const struct pe_rb_record *rec, u64 lost)
{
	const struct message *msg = rec->data;
	unsigned int i;

	rd.received++;
	rd.lost += lost;
	if (rec->ts < rd.last_ts)
		bad("time goes back", rec->ts, rd.last_ts);
	rd.last_ts = rec->ts;
	if (msg->context >= CONTEXTS || msg->len > rec->len || msg->len < sizeof(*msg)) {
		bad("no message", msg->context, msg->len);
		return;
	}
	for (i = 0; i < msg->len - sizeof(*msg); i++) {
		if (msg->bytes[i] != byte_of(msg, i)) {
			bad("wrong byte", msg->number, i);
			break;
		}
	}
	if (msg->number < rd.next[msg->context])
		bad("order", msg->number, rd.next[msg->context]);
	rd.gaps += msg->number - rd.next[msg->context];
	rd.next[msg->context] = msg->number + 1;
	rd.from[msg->context]++;
}

static void read_records(unsigned int n)
{
	struct pe_rb_record rec;

	while (n-- && pe_rb_peek(&ring, &rec)) {
		got(&rec, rec.lost);
		pe_rb_consume(&ring);
	}
}

static void read_a_page(bool partial)
{
	struct pe_rb_data_page *page = must(malloc(ring.page_size));
	unsigned int bytes = pe_rb_take_page(&ring, &page, partial);
	struct pe_rb_cursor c;
	struct pe_rb_record rec;
	u64 lost = 0;

	if (!bytes)
		goto out;
	rd.pages++;
	if (page->commit & PE_RB_COMMIT_LOST)
		memcpy(&lost, page->data + bytes, sizeof(lost));
	pe_rb_cursor_init(&c, page, PE_RB_PAGE_HEAD + bytes);
	while (pe_rb_cursor_next(&c, &rec)) {
		/* If padding has no record to take its time from, it adds 1. */
		if (rec.ts < rd.last_ts && rd.last_ts - rec.ts < 16)
			rec.ts = rd.last_ts;
		got(&rec, lost);
		lost = 0;
		pe_rb_cursor_skip(&c);
	}
out:
	free(page);
}

/* Does not consume: numbers of a context only go up, bytes are right. */
static void iterate(void)
{
	static u8 buf[4096] __aligned(8);
	struct pe_rb_iter it;
	struct pe_rb_record rec;
	u64 next[CONTEXTS] = { 0 }, last = 0;
	unsigned int n = 0;

	pe_rb_iter_start(&it, &ring, buf);
	for (; n < 500 && pe_rb_iter_peek(&it, &rec); n++) {
		const struct message *msg = rec.data;
		u32 c = msg->context;

		if (rec.ts < last)
			bad("iterator: time goes back", rec.ts, last);
		last = rec.ts;
		if (c >= CONTEXTS || msg->number < next[c])
			bad("iterator: order", c, msg->number);
		else
			next[c] = msg->number + 1;
		pe_rb_iter_next(&it);
	}
}

static void check_stats(void)
{
	static u8 buf[4096] __aligned(8);
	struct pe_rb_stats st;

	pe_rb_stats(&ring, &st, buf);
	if (st.written != st.entries + st.overrun + st.read_events)
		bad("stats", st.written, st.entries);
	if (st.read_events != rd.received)
		bad("stats: read", st.read_events, rd.received);
	if (st.entries > st.written)
		bad("stats: entries", st.entries, st.written);
}

static void *reader(void *arg)
{
	u64 rnd = *(u64 *)arg;

	while (__atomic_load_n(&writing, __ATOMIC_ACQUIRE)) {
		u64 r = pe_test_random(&rnd);

		switch (r % 16) {
		case 0:
			pe_sim_yield();
			break;
		case 1:
			iterate();
			break;
		case 2:
			check_stats();
			break;
		case 3 ... 6:
			read_a_page((r >> 8) & 1);
			break;
		default:
			read_records((r >> 8) % 60);
			break;
		}
	}
	return NULL;
}

static void run(unsigned int pages, unsigned int shift, bool overwrite, u64 *seed,
		unsigned int ms)
{
	static u8 buf[4096] __aligned(8);
	u64 end = pe_sim_ns() + ms * 1000000ULL, committed, refused, gaps;
	struct pe_rb_stats st;
	unsigned int i;
	void *thread;

	world_open(&ring, pages, shift, overwrite);
	memset(&rd, 0, sizeof(rd));
	memset(ctx, 0, sizeof(ctx));
	for (i = 0; i < CONTEXTS; i++)
		ctx[i].rnd = pe_test_random(seed) | 1;
	writing = true;
	thread = pe_sim_thread(reader, seed);
	pe_sim_interrupts(on_irq, 83, on_nmi, 131);
	for (i = 0; i & 255 || pe_sim_ns() < end; i++)
		write_message(0);
	pe_sim_interrupts_end();
	__atomic_store_n(&writing, false, __ATOMIC_RELEASE);
	pe_sim_join(thread);

	EXPECT_EQ(ring.nest, 0);
	EXPECT_EQ(ring.commit, local_read(&ring.write));
	pe_rb_stats(&ring, &st, buf);
	committed = ctx[0].committed + ctx[1].committed + ctx[2].committed;
	refused = ctx[0].refused + ctx[1].refused + ctx[2].refused;
	EXPECT_EQ(st.written, committed);
	EXPECT_EQ(st.read_events, rd.received);
	EXPECT_EQ(st.dropped_events + st.commit_overrun, refused);
	read_records(~0u);
	pe_rb_stats(&ring, &st, buf);
	EXPECT_EQ(st.entries, 0);
	EXPECT_EQ(st.overrun + rd.received, committed);
	for (i = 0, gaps = rd.gaps; i < CONTEXTS; i++)
		gaps += ctx[i].committed - rd.next[i];
	EXPECT_EQ(gaps, st.overrun);
	/* Drops after the last page was begun are not marked yet. */
	EXPECT(rd.lost >= st.overrun && rd.lost <= st.overrun + refused);
	EXPECT_EQ(rd.bad, 0);
	EXPECT(overwrite || !st.overrun);
	printf("# %u pages of %u, %s: %llu written in %llu+%llu interrupts (%llu+%llu records), "
	       "%llu read (%llu pages), %llu overrun, %llu refused\n",
	       pages, 1u << shift, overwrite ? "overwrite" : "no overwrite", committed,
	       ctx[1].interrupts, ctx[2].interrupts, ctx[1].committed, ctx[2].committed,
	       rd.received, rd.pages, st.overrun, refused);
	world_close(&ring);
}

static void test_stress(void)
{
	const char *env = getenv("PE_STRESS_MS");
	unsigned int ms = env ? strtoul(env, NULL, 0) : 700;
	u64 seed = pe_test_seed();

	run(2, 7, true, &seed, ms);
	run(5, 9, true, &seed, ms);
	run(16, 12, true, &seed, ms);
	run(2, 8, false, &seed, ms);
	run(16, 12, false, &seed, ms);
}

static const struct pe_test tests[] = {
	{ "stress", test_stress },
};

int main(void)
{
	return PE_RUN(tests);
}
