import { checkTables } from "../../../src/app/composition/tables.ts";
import fc from "fast-check";
import { idMark } from "../../../src/base/id.ts";
import {
  commitMoves,
  decodeMoves,
  encodeMoves,
  type Move,
  MOVE_KINDS,
  packedMove,
  walkMoves,
} from "../../../src/shops/observations/move_store.ts";
import { type TestApp, withApp } from "../../harness.ts";
import { linksOf, withCheckedApp } from "../shop.ts";
import { addProduct, push } from "../../rules/evaluation/market.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const ALL = { fromMs: 0, beforeMs: Infinity };

/** The moves of each stored row, oldest row first. */
async function written(app: TestApp) {
  const rows = await Array.fromAsync(walkMoves(app, ALL));
  return rows.reverse().map(({ moves }) =>
    moves.map(({ kind, fromCents, toCents }) => [kind, fromCents, toCents] as const)
      .sort((a, b) => b[2] - a[2])
  );
}

const moveArbitrary = fc.record({
  kind: fc.constantFrom(...MOVE_KINDS),
  productId: fc.stringMatching(/^[0-9a-f]{24}$/),
  matchId: fc.stringMatching(/^[0-9a-f]{24}$/),
  competitorId: fc.stringMatching(/^[0-9a-f]{24}$/),
  fromCents: fc.option(fc.nat(10 ** 12)),
  toCents: fc.nat(10 ** 12),
  currency: fc.constantFrom("EUR", "CHF", "JPY"),
  packFactor: fc.constantFrom(1, 6, 0.5),
  atMs: fc.nat(2 ** 40),
  isObserved: fc.boolean(),
});

Deno.test("packed moves are unpacked unchanged, take about 70 bytes each, and a full row is below 60,000", () => {
  fc.assert(fc.property(fc.array(moveArbitrary), fc.nat(2 ** 40), (moves, atMs) => {
    const expected = moves.map(({ matchId, ...move }) => ({ ...move, linkMark: idMark(matchId) }));
    assertEquals(decodeMoves(encodeMoves(moves.map(packedMove), atMs), atMs), expected);
    // Earlier versions wrote moves without `linkMark`.
    const unmarked = expected.map((move) => ({ ...move, linkMark: undefined! }));
    const former = expected.map((move) => ({ ...move, linkMark: null }));
    assertEquals(decodeMoves(encodeMoves(unmarked, atMs), atMs), former);
  }));
  const id = (at: number) => at.toString(16).padStart(24, "0");
  const most = Array.from({ length: 400 }, (_, at): Move => ({
    kind: "back_in_stock",
    productId: id(at),
    matchId: id(at),
    competitorId: id(at),
    fromCents: 10 ** 12,
    toCents: 10 ** 12,
    currency: "EUR",
    packFactor: 99_999.9999,
    atMs: 0,
    isObserved: true,
  }));
  assertEquals(encodeMoves(most.map(packedMove), 2 ** 41).length < 60_000, true);
  const usual = most.map(packedMove).map((move) => ({
    ...move,
    competitorId: id(0),
    fromCents: 19_999,
    toCents: 18_999,
    packFactor: 1,
    atMs: 2 ** 41,
  }));
  assertEquals(encodeMoves(usual, 2 ** 41).length < 400 * 73, true);
});

withCheckedApp.test("a push writes its moves in one row, and none when it is repeated or the link is disabled", async (app) => {
  for (const sku of ["A", "B"]) await addProduct(app.owner, sku);
  await push(app, [["A", "acme", 90], ["B", "acme", 80], ["B", "bolt", 70]]);
  app.clock.advance(60_000);
  const again = [["A", "acme", 85], ["B", "acme", 80], ["B", "bolt", 71]] as const;
  await push(app, again);
  await push(app, again);
  app.clock.advance(60_000);
  // An observation that is older than the newest one makes no move.
  await push(app, [["A", "acme", 1]], { observedAt: "2026-03-02T09:00:30Z" });
  await push(app, [["A", "acme", 85]], { inStock: false });
  app.clock.advance(60_000);
  await push(app, [["A", "acme", 85]], { currency: "USD" });
  assertEquals(await written(app), [
    [["new_offer", null, 9_000], ["new_offer", null, 8_000], ["new_offer", null, 7_000]],
    [["down", 9_000, 8_500], ["up", 7_000, 7_100]],
    [["sold_out", 8_500, 8_500]],
    [["new_offer", null, 8_500]],
  ]);
  const sweep = new Date(app.clock.now().getTime() - 60_000);
  assertEquals(await commitMoves.sweep(app, sweep), 2);
  assertEquals((await written(app)).length, 2);
  // A disabled link makes no moves.
  const link = (await linksOf(app.owner)).find(({ url }) => url.includes("bolt"));
  await app.owner.change(`/api/competitor-products/${link?.id}`, { enabled: false });
  app.clock.advance(1_000);
  await push(app, [["B", "bolt", 60]]);
  assertEquals((await written(app)).length, 2);
});

withApp.test("check-store reports a move under a wrong key, and a row without moves", async (app) => {
  const id = "0".repeat(24);
  const bytes = Uint8Array.fromHex(id);
  const workspace = Uint8Array.fromHex(app.workspaceId);
  const row = { kind: "sold_out", matchId: id, competitorId: id, fromCents: 1, toCents: 1 };
  const atMs = Date.now();
  const stored = { ...row, currency: "EUR", packFactor: 1 };
  await app.store.kv.set(["mvp", workspace, bytes, atMs, bytes], stored);
  await app.store.kv.set(["mv", workspace, atMs, bytes], encodeMoves([], atMs));
  assertEquals(await Array.fromAsync(checkTables(app)), [
    `The row of moves ${id} is empty`,
    `The move ${id} of product ${id} is stored under another id`,
  ]);
});
