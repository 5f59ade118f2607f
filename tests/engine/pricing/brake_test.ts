/** Tests the price-war brake against a simple count of price cuts in every window of days. */

import { DAY_MS } from "../../../src/base/time.ts";
import fc from "fast-check";
import {
  Brake,
  brakeOf,
  DEFAULT_BRAKE,
  isBraked,
  rivalOf,
  withCut,
} from "../../../src/engine/pricing/bounds.ts";
import { NewRule } from "../../../src/engine/pricing/rule.ts";
import { extent } from "../../proof.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type { BrakeState, Cut } from "../../../src/engine/pricing/situation.ts";

const LOWER = { fromCents: 1_000, toCents: 900 };
const cut = (atMs: number, competitorId: string | null, referenceCents: number | null): Cut => (
  { ...LOWER, atMs, competitorId, referenceCents }
);

function mostIn(times: readonly number[], windowMs: number): number {
  return Math.max(
    0,
    ...times.map((from) => times.filter((at) => at >= from && at < from + windowMs).length),
  );
}

Deno.test("no window has more cuts than the brake allows, and the brake refuses no other cut", () => {
  const upTo = (min: number, max: number) => fc.integer({ min, max });
  const brakes = fc.tuple(upTo(1, 20), upTo(1, 90), upTo(0, 60))
    .map(([cuts, days, more]) => Brake.parse({ cuts, days, restDays: days + more }));
  const gaps = fc.array(fc.integer({ min: 0, max: 5 * DAY_MS }), { maxLength: 120 });
  const property = fc.property(brakes, gaps, (brake, waits) => {
    let state: BrakeState | undefined;
    let atMs = Date.UTC(2026, 0, 1);
    const made: number[] = [];
    let closedAtMs = -Infinity;
    for (const wait of waits) {
      atMs += wait;
      // After the last allowed cut, the brake must block cuts for `restDays`.
      const isClosed = atMs < closedAtMs + brake.restDays * DAY_MS;
      assertEquals(isBraked(state, atMs), isClosed);
      if (isClosed) continue;
      made.push(atMs);
      state = withCut(state, cut(atMs, null, null), brake);
      const recent = made.filter((one) => one > atMs - brake.days * DAY_MS);
      if (recent.length >= brake.cuts) closedAtMs = atMs;
      assertEquals(state.cuts.map((one) => one.atMs), recent);
    }
    ok(mostIn(made, brake.days * DAY_MS) <= brake.cuts);
  });
  fc.assert(property, { numRuns: extent(2_000, 100) });
});

Deno.test("a price war is with the shop that was the cheapest each time and cut its price in between", () => {
  const rows: readonly [string | null, ...Cut[]][] = [
    ["a", cut(1, "a", 100), cut(2, "a", 99), cut(3, "a", 98)],
    [null, cut(1, "a", 100), cut(2, "b", 99), cut(3, "a", 98)],
    [null, cut(1, "a", 100), cut(2, "a", 100), cut(3, "a", 98)],
    [null, cut(1, "a", 100), cut(2, "a", 101)],
    [null, cut(1, null, null), cut(2, null, null)],
    [null, cut(1, "a", null), cut(2, "a", null)],
    [null, cut(1, "a", 100)],
    [null],
  ];
  for (const [rival, ...cuts] of rows) assertEquals(rivalOf(cuts), rival);
});

const rule = (more: Record<string, unknown>) =>
  NewRule.parse({
    name: "A rule",
    scope: { mode: "all" },
    when: { trigger: "market_index", always: true },
    marginFloor: { pct: 5 },
    ...more,
  });

Deno.test("only rules that apply an aimed price automatically have a brake", () => {
  const applied = rule({ actions: [{ type: "auto_apply_if_safe", price: {} }] });
  assertEquals(brakeOf(applied, true), DEFAULT_BRAKE);
  const brake = { cuts: 1, days: 2, restDays: 3 };
  assertEquals(brakeOf({ ...applied, brake }, true), brake);
  assertEquals(brakeOf(applied, false), null);
  assertEquals(brakeOf(rule({ actions: [{ type: "propose_price", price: {} }] }), true), null);
});
