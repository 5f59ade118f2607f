import fc from "fast-check";
import { valuesOf } from "../../api/answers.ts";
import { DAY_MS, HOUR_MS } from "../../../src/base/time.ts";
import { Failure } from "../../../src/base/failure.ts";
import { hasEnded, type JobKind } from "../../../src/platform/jobs/job.ts";
import { listJobs } from "../../../src/platform/jobs/job_store.ts";
import { checkObservations } from "../../../src/shops/check_shops.ts";
import {
  createThinningKind,
  RETENTION_KIND,
  type RetentionJob,
} from "../../../src/shops/observations/retention_job.ts";
import { startTestApp, type TestApp } from "../../harness.ts";
import { openMemoryStore } from "../../memory_store.ts";
import { watchedStore } from "../../watched_store.ts";
import { until } from "../../patience.ts";
import { extent } from "../../proof.ts";
import { addProduct, withProduct } from "../shop.ts";
import { listed, priceRow, pushed, thinningRunner } from "./made_observations.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { AVAILABILITIES } from "../../../src/base/codes.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import {
  comparePositions,
  type Observation,
  type PlacedObservation,
  positionOf,
} from "../../../src/shops/observations/observation.ts";
import {
  type CompetitorEntry,
  markHeld,
  productRows,
} from "../../../src/shops/observations/observation_store.ts";
import {
  COMPETITOR_PACK,
  findBlockOf,
  insertRows,
  listPacked,
  PRODUCT_PACK,
  putBlock,
  walkBlocks,
} from "../../../src/shops/observations/pack_store.ts";
import { openTestWorkspace } from "../../catalogue/catalogue_workspace.ts";

async function passNight(app: TestApp): Promise<void> {
  const runner = await thinningRunner(app);
  // `drain` does nothing if the app's own runner has already taken the nightly job.
  await until("the nightly job has ended", async () => {
    await runner.drain();
    return !await isNightOpen(app);
  });
  await runner.stop();
  app.clock.advance(1);
}

async function isNightOpen(app: TestApp): Promise<boolean> {
  const page = { kind: RETENTION_KIND, limit: 50, afterId: null, order: "newest" } as const;
  const { jobs } = await listJobs(app, page);
  return jobs.some((job) => !hasEnded(job));
}

const observation = fc.record({
  product: fc.nat(2),
  shop: fc.nat(2),
  price: fc.integer({ min: 1, max: 5 }),
  /** Ages of up to 60 days in steps of six hours, so that many observations have the same time. */
  hoursAgo: fc.nat(240).map((steps) => steps * 6),
});

Deno.test("retention: every list is the same before and after packing, page by page and both ways", async () => {
  const night = fc.array(observation, { minLength: 1, maxLength: 40 });
  const severalNights = fc.array(night, { minLength: 1, maxLength: 3 });
  const property = fc.asyncProperty(severalNights, async (nights) => {
    await using app = await startTestApp();
    const key = await app.key(["observations:write"]);
    const ids = [];
    for (const n of [0, 1, 2]) ids.push(await addProduct(app.owner, `SKU-${n}`));
    for (const observations of nights) {
      const dayMs = Math.floor(app.clock.now().getTime() / DAY_MS) * DAY_MS;
      const rows = observations.map(({ product, shop, price, hoursAgo }) => {
        const url = `https://shop-${shop}.example/${product}.html`;
        return priceRow(`SKU-${product}`, url, price, dayMs - hoursAgo * HOUR_MS);
      });
      assertEquals((await pushed(key, rows)).errors, []);
      const [some] = await listed(key, "", 7);
      const queries: readonly string[] = [
        "",
        "order=asc",
        `productId=${ids[0]}`,
        `order=asc&productId=${ids[1]}`,
        `competitorId=${some!.competitorId}`,
        `order=asc&competitorProductId=${some!.competitorProductId}`,
        "from=2026-01-20&to=2026-02-10",
      ];
      const read = () => Array.fromAsync(queries, (query) => listed(key, query, 7));
      const before = await read();
      assertEquals(before[0], before[1]!.toReversed());
      await passNight(app);
      assertEquals(await read(), before);
      const wrong = await Array.fromAsync(checkObservations(app.store, app.workspaceId));
      assertEquals(wrong, []);
    }
  });
  await fc.assert(property, { numRuns: extent(12, 2) });
});

const at = (time: string, price: number, shop = 1) =>
  priceRow("A-1", `https://shop-${shop}.example/1.html`, price, Date.parse(`${time}Z`));

withProduct.test("retention: after the retention period the lowest observation per match and day is left, and newer ones stay", async ({ app, key }) => {
  await pushed(key, [
    at("2025-01-05T00:00:00", 9),
    at("2025-01-05T12:00:00", 7),
    at("2025-01-05T13:00:00", 7),
    at("2025-01-05T23:59:59", 8),
    at("2025-01-05T23:59:59", 12, 2),
    at("2025-01-06T00:00:00", 10),
    at("2025-02-10T00:00:00", 6),
    at("2025-02-10T01:00:00", 5),
  ]);
  const left = async () => valuesOf(await listed(key, "order=asc"), "observedAt", "price");
  await passNight(app);
  const thinned = [
    ["2025-01-05T12:00:00.000Z", 700],
    ["2025-01-05T23:59:59.000Z", 1200],
    ["2025-01-06T00:00:00.000Z", 1000],
    ["2025-02-10T00:00:00.000Z", 600],
    ["2025-02-10T01:00:00.000Z", 500],
  ];
  assertEquals(await left(), thinned);

  await pushed(key, [at("2025-01-05T06:00:00", 6.5), at("2025-01-06T06:00:00", 11)]);
  await passNight(app);
  thinned[0] = ["2025-01-05T06:00:00.000Z", 650];
  assertEquals(await left(), thinned);

  app.clock.advance(30 * DAY_MS);
  await passNight(app);
  assertEquals((await left()).slice(3), [["2025-02-10T01:00:00.000Z", 500]]);
});

withProduct.test("retention: a price from quarantine is left only for a day without another price of the link", async ({ app, key }) => {
  await pushed(key, [
    at("2025-01-05T00:00:00", 9),
    at("2025-01-05T12:00:00", 7),
    at("2025-01-06T12:00:00", 6),
  ]);
  await transact(app, async (write) => {
    for await (const { row: { observation } } of productRows.walk(app)) {
      if (observation.priceCents < 900) markHeld(write, app, observation, true);
    }
  });
  await passNight(app);
  const left = valuesOf(await listed(key, "order=asc"), "observedAt", "price");
  assertEquals(left, [["2025-01-05T00:00:00.000Z", 900], ["2025-01-06T12:00:00.000Z", 600]]);
});

withProduct.test("retention: a night interrupted anywhere is completed by the next, and no list changes", async ({ app, key }) => {
  await addProduct(app.owner, "A-2");
  const startMs = app.clock.now().getTime() - 90 * DAY_MS;
  const rows = Array.from({ length: 1_000 }, (_, n) => {
    const product = n % 5 === 0 ? 1 : 2;
    const url = `https://shop-${n % 2}.example/${product}`;
    return priceRow(`A-${product}`, url, n + 1, startMs + n * 60_000);
  });
  assertEquals((await pushed(key, rows)).rejected, 0);
  const before = await listed(key, "", 500);
  assertEquals(before.length, 1_000);
  const kind = createThinningKind({ retentionDays: 400 });
  let hasEnded = false;
  for (let steps = 1; !hasEnded; steps++) {
    let taken = 0;
    const breaking: JobKind<RetentionJob> = {
      ...kind,
      async step(job, tools) {
        const result = await kind.step(job, tools);
        if (taken++ < steps) return result;
        // The exception discards only the final commit of the step.
        throw new Failure("not_found", "Broken off");
      },
    };
    const runner = await thinningRunner(app, breaking);
    await runner.drain();
    await runner.stop();
    app.clock.advance(1);
    hasEnded = taken <= steps;
    assertEquals(await listed(key, "", 500), before);
  }
  await passNight(app);
});

Deno.test("retention: lists that are read while observations are moved are complete", async () => {
  let hasMoved = false;
  let readLists = async () => {};
  const memory = await openMemoryStore();
  using _kv = memory.kv;
  const store = watchedStore(memory, {
    committing: (changes) => {
      if (changes.some(({ name, key }) => name === "delete" && key[0] === "ob")) hasMoved = true;
    },
    committed: async () => {
      if (!hasMoved) return;
      hasMoved = false;
      await readLists();
    },
  });
  await using app = await startTestApp({ store, env: { RATE_LIMIT_PER_MINUTE: "100000" } });
  const key = await app.key(["observations:write"]);
  const productId = await addProduct(app.owner, "A-1");
  const startMs = app.clock.now().getTime() - 90 * DAY_MS;
  // More observations than one step of the job packs.
  const rows = Array.from(
    { length: extent(1_800, 1_400) },
    (_, n) => priceRow("A-1", `https://shop-${n % 2}.example/1`, n + 1, startMs + n * 60_000),
  );
  for (let at = 0; at < rows.length; at += 900) await pushed(key, rows.slice(at, at + 900));
  const before = await listed(key, "", 500);
  const open: Promise<unknown[]>[] = [];
  readLists = async () => {
    // These lists are not awaited, so that the job continues while they are read.
    for (const limit of [extent(50, 150), 100, 200]) open.push(listed(key, "", limit));
    assertEquals(await listed(key, `productId=${productId}`, 500), before);
  };
  await passNight(app);
  ok(open.length > 1);
  for (const list of await Promise.all(open)) assertEquals(list, before);
  assertEquals(await listed(key, "order=asc", 500), before.toReversed());
});

const hex = (characters: number) =>
  fc.array(fc.nat(15), { minLength: characters, maxLength: characters })
    .map((digits) => digits.map((digit) => digit.toString(16)).join(""));
const PRODUCT_ID = "a".repeat(24);

const seen: fc.Arbitrary<Observation> = fc.record({
  productId: fc.constant(PRODUCT_ID),
  matchId: hex(24),
  competitorId: hex(24),
  priceCents: fc.integer({ min: 1, max: 10 ** 12 }),
  currency: fc.constantFrom("EUR", "JPY"),
  availability: fc.constantFrom(...AVAILABILITIES),
  listPriceCents: fc.option(fc.nat()),
  shippingCents: fc.option(fc.nat()),
  method: fc.option(fc.constantFrom("json_ld", "opengraph")),
  confidence: fc.constantFrom(0.5, 0.7, 1),
  source: fc.constantFrom("push", "scrape"),
  runId: fc.option(hex(24)),
  observedAtMs: fc.nat(4_000_000_000_000),
}, { noNullPrototype: true });
const lowest30Cents = fc.option(fc.nat(), { nil: undefined });
const placed = fc.tuple(seen, lowest30Cents).map(([one, lowest30Cents]): PlacedObservation => {
  const observation = lowest30Cents === undefined ? one : { ...one, lowest30Cents };
  return { ...positionOf(observation), observation };
});

Deno.test("a block is decoded to the same observations, as a whole and for any period, and the largest fit into one value of the store", () => {
  fc.assert(fc.property(fc.array(placed), fc.nat(4e12), fc.nat(4e12), (all, from, to) => {
    const rows = all.toSorted(comparePositions);
    const bytes = PRODUCT_PACK.encode(rows);
    assertEquals(PRODUCT_PACK.decode(bytes, PRODUCT_ID, -Infinity, Infinity), rows);
    const inPeriod = rows.filter(({ atMs }) => atMs >= from && atMs <= to);
    assertEquals(PRODUCT_PACK.decode(bytes, PRODUCT_ID, from, to), inPeriod);
  }));
  fc.assert(fc.property(fc.array(entry), fc.nat(40), fc.nat(40), (all, from, to) => {
    const rows = all.toSorted(comparePositions);
    const inPeriod = rows.filter(({ atMs }) => atMs >= from && atMs <= to);
    assertEquals(COMPETITOR_PACK.decode(COMPETITOR_PACK.encode(rows), "", from, to), inPeriod);
  }));
  const [one] = fc.sample(entry, { numRuns: 1, seed: 7 });
  const entries = Array.from({ length: COMPETITOR_PACK.rowsMax }, () => one!);
  ok(COMPETITOR_PACK.encode(entries).length < 65_536);
  const rows = fc.sample(placed, { numRuns: PRODUCT_PACK.rowsMax, seed: 7 });
  ok(PRODUCT_PACK.encode(rows.toSorted(comparePositions)).length < 65_536);
});

/** Generates entries with few different times and ids, so that many are equal. */
const entry = fc.record({ atMs: fc.nat(40), digit: fc.nat(4).map(String) })
  .map(({ atMs, digit }): CompetitorEntry => (
    { atMs, id: `00000000${digit.repeat(16)}`, productId: digit.repeat(24) }
  ));

Deno.test("rows inserted in any order are stored sorted, once each, and are found", async () => {
  const owner = { pack: { ...COMPETITOR_PACK, rowsMax: 3 }, ownerId: "c".repeat(24) };
  const severalBatches = fc.array(fc.array(entry, { maxLength: 30 }), { maxLength: 4 });
  const property = fc.asyncProperty(severalBatches, async (batches) => {
    using ctx = await openTestWorkspace();
    for (const batch of batches) {
      for (let rows = batch.toSorted(comparePositions); rows.length > 0;) {
        const used = await transact(ctx, async (write) => {
          const { changes, used } = await insertRows(ctx, owner, rows);
          for (const change of changes) putBlock(write, ctx.workspaceId, owner, change);
          return used;
        });
        ok(used > 0);
        rows = rows.slice(used);
      }
    }
    const unique = new Map(batches.flat().map((row) => [`${row.atMs} ${row.id}`, row]));
    const expected = [...unique.values()].sort(comparePositions);
    const whole = { fromMs: 0, toMs: 40, after: null };
    assertEquals(await listPacked(ctx, owner, { ...whole, order: "asc" }, 1_000), expected);
    const reversed = await listPacked(ctx, owner, { ...whole, order: "desc" }, 1_000);
    assertEquals(reversed, expected.toReversed());
    const part = { fromMs: 10, toMs: 20 };
    const inPart = expected.filter(({ atMs }) => atMs >= 10 && atMs <= 20);
    for (let at = 0; at < inPart.length; at++) {
      const after = inPart[at]!;
      const next = await listPacked(ctx, owner, { ...part, order: "asc", after }, 2);
      assertEquals(next, inPart.slice(at + 1, at + 3));
      const before = await listPacked(ctx, owner, { ...part, order: "desc", after }, 2);
      assertEquals(before, inPart.slice(Math.max(0, at - 2), at).reverse());
      const block = await findBlockOf(ctx, owner, after);
      ok(block?.rows.some((row) => comparePositions(row, after) === 0));
    }
    for await (const { block } of walkBlocks(ctx, owner.pack)) {
      ok(block.rows.length > 0 && block.rows.length <= 3);
    }
  });
  await fc.assert(property, { numRuns: 60 });
});
