import fc from "fast-check";
import { AVAILABILITIES } from "../../../../src/base/codes.ts";
import { transact } from "../../../../src/platform/store/kv.ts";
import {
  comparePositions,
  type Observation,
  type PlacedObservation,
  positionOf,
} from "../../../../src/shops/observations/observation.ts";
import type { CompetitorEntry } from "../../../../src/shops/observations/observation_store.ts";
import {
  COMPETITOR_PACK,
  findBlockOf,
  insertRows,
  listPacked,
  PRODUCT_PACK,
  putBlock,
  walkBlocks,
} from "../../../../src/shops/observations/pack_store.ts";
import { openTestWorkspace } from "../../../catalogue/catalogue_workspace.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

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

Deno.test("a block is decoded to the same observations, as a whole and for any period", () => {
  fc.assert(fc.property(fc.array(placed), fc.nat(4e12), fc.nat(4e12), (all, from, to) => {
    const rows = all.toSorted(comparePositions);
    const bytes = PRODUCT_PACK.encode(rows);
    assertEquals(PRODUCT_PACK.decode(bytes, PRODUCT_ID, -Infinity, Infinity), rows);
    assertEquals(
      PRODUCT_PACK.decode(bytes, PRODUCT_ID, from, to),
      rows.filter(({ atMs }) => atMs >= from && atMs <= to),
    );
  }));
});

/** Entries with few different times, so that many entries have the same time. */
const entry = fc.record({ atMs: fc.nat(40), hash: hex(16), productId: hex(24) })
  .map(({ hash, ...more }): CompetitorEntry => ({ ...more, id: `00000000${hash}` }));

Deno.test("the largest blocks fit into one value of the store", () => {
  const [one] = fc.sample(entry, { numRuns: 1, seed: 7 });
  const entries = Array.from({ length: COMPETITOR_PACK.rowsMax }, () => one!);
  ok(COMPETITOR_PACK.encode(entries).length < 65_536);
  const rows = fc.sample(placed, { numRuns: PRODUCT_PACK.rowsMax, seed: 7 });
  ok(PRODUCT_PACK.encode(rows.toSorted(comparePositions)).length < 65_536);
});

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
