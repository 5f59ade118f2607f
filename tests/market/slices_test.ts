import { whole } from "../../src/base/fraction.ts";
import { createIdSource } from "../../src/base/id.ts";
import type { MarketQuery } from "../../src/catalogue/prices/product_market.ts";
import { marketFacts } from "../../src/engine/pricing/market_facts.ts";
import type { PricedOffer } from "../../src/engine/pricing/situation.ts";
import { type MarketRow, MarketTable } from "../../src/market/table/market_table.ts";
import { coverageOf } from "../../src/market/read_coverage.ts";
import { sumOf } from "../../src/base/collections.ts";
import { TimeSlice } from "../../src/platform/event_loop.ts";
import { summarise } from "../../src/market/table/summary.ts";
import { frozenList, pageOf } from "../../src/market/table/table_page.ts";
import { GROUPINGS, measure, measureNow } from "../../src/market/trends/trend_days.ts";
import { anOffer, aProduct, aSituation } from "../engine/pricing/market.ts";
import { threadMs } from "../processor_time.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const PRODUCTS = 100_000;
const SLICE_MS_MAX = 50;

const newId = createIdSource(() => Date.parse("2026-03-02"), (count) => new Uint8Array(count));

const SHOPS = Array.from({ length: 5 }, newId);
const STALE_AT_MS = 1_000;

const ONE_OFFER = anOffer(9_000);
const FACTS = marketFacts(aSituation([ONE_OFFER], { product: { ourPriceCents: 10_000 } }));

const offerOf = (competitorId: string) => ({ ...ONE_OFFER, matchId: newId(), competitorId });

/** A product with an offer at each shop; every tenth also has a link with a stale price. */
function rowOf(n: number): MarketRow {
  const sku = `SKU-${n * 7_919 % PRODUCTS}`;
  const [brand, category] = [`Brand ${n % 400}`, `Category ${n % 60}`];
  const ourPriceCents = n % 17 === 0 ? null : n * 7_919 % 30_000;
  const cents = 9_000 + n % 100;
  const offers = SHOPS.map((competitorId, at): PricedOffer => ({
    offer: offerOf(competitorId),
    observedAtMs: 0,
    unit: whole(cents + at),
  }));
  const old = n % 10 === 0 ? [{ matchId: newId(), competitorId: SHOPS[0]! }] : [];
  return {
    product: aProduct({ id: newId(), sku, ourPriceCents, brand, category }),
    title: `Article ${n % 999}`,
    facts: {
      ...FACTS,
      links: SHOPS.length + old.length,
      offers,
      cheapest: { ...FACTS.cheapest!, cents, competitorId: SHOPS[0]! },
      comparedCents: ourPriceCents,
      own: ourPriceCents === null ? null : {
        ...FACTS.own!,
        gapCents: ourPriceCents - cents,
        gapPct: { pct: n % 70, rest: 0 },
        roomPct: { pct: -(n % 70), rest: 0 },
        rank: 1 + n % 6,
        indexPct: 80 + n % 50,
      },
      marginPct: n % 40,
      changesAtMs: STALE_AT_MS,
    },
    links: [...offers.map(({ offer }) => offer), ...old],
    proposal: null,
    ruleId: null,
  };
}

const table = new MarketTable(PRODUCTS, true);
for (let n = 0; n < PRODUCTS; n++) table.put(rowOf(n), 0);

const query = (more: Partial<MarketQuery>): MarketQuery => ({
  sort: null,
  order: "asc",
  filter: {},
  among: null,
  changedSinceMs: null,
  ...more,
});

/** Measures the longest work between two yields to the event loop. */
class Stretches {
  #begunMs = threadMs();
  longestMs = 0;

  yield(): Promise<void> {
    this.note();
    return Promise.resolve();
  }

  note(): void {
    this.longestMs = Math.max(this.longestMs, threadMs() - this.#begunMs);
    this.#begunMs = threadMs();
  }
}

/** Other processes can slow a measurement, so one of three must be short enough. */
async function requireShort(what: string, work: (slice: Stretches) => unknown): Promise<void> {
  const allMs: number[] = [];
  while (allMs.length < 3) {
    const slice = new Stretches();
    await work(slice);
    slice.note();
    if (slice.longestMs < SLICE_MS_MAX) return;
    allMs.push(slice.longestMs);
  }
  throw new Error(`${what}: ${allMs.join(", ")} ms`);
}

Deno.test("a frozen list of 100,000 products has the order of pages, and is built within 50 ms", async () => {
  for (const sort of ["ourPrice", "sku", "title", null] as const) {
    for (const order of ["asc", "desc"] as const) {
      const among = Array.from({ length: PRODUCTS / 10 }, (_, n) => table.idOf(10 * n));
      const asked = query({ sort, order, among });
      const list = frozenList(table, asked, () => "");
      const { rows, total } = pageOf(table, asked, () => "", null, PRODUCTS);
      assertEquals(list.total, total);
      const expected = rows.map(({ row }) => table.idOf(row)).join("");
      ok(list.take(PRODUCTS).join("") === expected, `${sort} ${order}`);
    }
    await requireShort(`by ${sort}`, (slice) => {
      const list = frozenList(table, query({ sort }), () => "");
      slice.note();
      list.take(1_000);
    });
  }
});

Deno.test("groups are summed in slices, the largest first", async () => {
  for (const by of GROUPINGS) {
    const testOf = () => (row: number) => row % 3 !== 0;
    const { size, groups } = await summarise(table, by, { testOf, slice: new Stretches() });
    const all = groups();
    const sizes = all.map(({ products }) => products);
    assertEquals(sizes, sizes.toSorted((a, b) => b - a));
    assertEquals([size, groups(7)], [all.length, all.slice(0, 7)]);
    // `measure` calculates the trends, and must yield, too.
    const { signal } = new AbortController();
    await requireShort(`groups by ${by}`, (slice) => measure(table, by, slice, signal));
  }
});

Deno.test("a sum counts each product once while the table grows and changes", async () => {
  const growing = new MarketTable(0);
  const rows = Array.from({ length: 20_000 }, (_, n) => rowOf(n));
  for (const row of rows.slice(0, 10_000)) growing.put(row, 0);
  let more = 10_000;
  const slice = {
    yield() {
      for (const row of rows.slice(more, more += 1_000)) growing.put(row, 0);
      const { product, ...row } = rows[more - 9_000]!;
      const { folded } = rows[0]!.product;
      growing.put({ ...row, product: { ...product, brand: "New", folded } }, 0);
      return Promise.resolve();
    },
  };
  let made = 0;
  const testOf = () => {
    made++;
    const { ourCents } = growing.columns.floats;
    // A growing table replaces its columns, so a filter with the old columns would match nothing.
    return () => ourCents === growing.columns.floats.ourCents;
  };
  const { groups } = await summarise(growing, ["brand", "competitor"], { testOf, slice });
  assertEquals(sumOf(groups(), ({ products }) => products), 10_000 * 5);
  ok(made > 1);
});

Deno.test("the trend of one shop equals that of its group, and yields", async () => {
  const slice = new Stretches();
  const all = (await summarise(table, ["competitor"], { slice })).groups();
  for (const competitorId of SHOPS) {
    const found = all.find((group) => group.competitorId === competitorId);
    assertEquals(await measureNow(table, { competitorId }, new Stretches()), found);
  }
  assertEquals(await measureNow(table, { competitorId: newId() }, new Stretches()), null);
  const [brand, category] = ["Brand 7", "category 7"];
  for (
    const series of [{}, { brand }, { brand, category }, { category, competitorId: SHOPS[1]! }]
  ) {
    const fits = (row: number) =>
      (!("brand" in series) || table.text("brand", row) === brand) &&
      (!("category" in series) || table.text("category", row) === "Category 7");
    const by = "competitorId" in series ? ["competitor"] as const : [];
    const group = (await summarise(table, by, { testOf: () => fits, slice })).groups()
      .find(({ competitorId }) => by.length === 0 || competitorId === SHOPS[1]);
    assertEquals(await measureNow(table, series, new Stretches()), group ?? null);
    await requireShort(JSON.stringify(series), (slice) => measureNow(table, series, slice));
  }
});

Deno.test("sorted pages and due rows of a table are fast without yielding", async () => {
  for (const sort of [null, "gapPct", "rank", "title", "newestAt", "rule"] as const) {
    for (const order of ["asc", "desc"] as const) {
      const filter = { dearerThanPct: 2, competitorId: SHOPS[3]! };
      const asked = query({ sort, order, filter });
      await requireShort(`${sort} ${order}`, () => pageOf(table, asked, () => "", null, 200));
    }
  }
  const due = table.dueAt(STALE_AT_MS, 5_000);
  assertEquals([due.ids.length, due.nextMs], [5_001, Infinity]);
  await requireShort("due rows", () => table.dueAt(STALE_AT_MS, 5_000));
});

Deno.test("coverage merges the groups beyond the largest into one, and counts every product once", async () => {
  const covered = new MarketTable(10_000);
  for (let n = 0; n < 10_000; n++) {
    const brand = n % 2 === 0 ? "Alle" : `Marke ${n % 1_001}`;
    const links = SHOPS.slice(0, n % 5).map(offerOf);
    const facts = { ...FACTS, links: links.length, offers: [] };
    covered.put({ ...rowOf(n), links, product: aProduct({ id: newId(), brand }), facts }, 0);
  }
  const found = await coverageOf(covered, "brand", SHOPS, new TimeSlice());
  assertEquals(found.all.products, 10_000);
  assertEquals(found.all.cells.map(({ linked }) => linked), [8_000, 6_000, 4_000, 2_000, 0]);
  assertEquals([found.anywhere, found.atThree], [8_000, 4_000]);
  const { groups, rest } = found;
  assertEquals([groups.length, groups[0]?.name, groups[0]?.products], [200, "Alle", 5_000]);
  assertEquals(sumOf([...groups, rest], (group) => group?.products ?? 0), 10_000);
  assertEquals(sumOf([...groups, rest], (group) => group?.cells[0]?.linked ?? 0), 8_000);
});
