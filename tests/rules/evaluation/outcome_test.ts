/** Checks the results of a rule since it was enabled with separate sums. */
import { DAY_MS } from "../../../src/base/time.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { bodyOf } from "../../api/answers.ts";
import { createCaller } from "../../caller.ts";
import { withApp } from "../../harness.ts";
import { learntRule } from "./learnt_rule.ts";
import { addProduct, addRule, proposals, pushJudged, untilJudged } from "./market.ts";

withApp.test("GET /api/rules/{id}/outcome sums what followed all prices of a rule, over as many days before as after", async (app) => {
  const { ruleId, owner } = await learntRule(app);
  const found = await bodyOf(owner.get(`/api/rules/${ruleId}/outcome`), 200);
  const { onSince, moves, leftOut, before, after, ...rest } = found;
  const rule = await bodyOf(owner.get(`/api/rules/${ruleId}`), 200);
  assertEquals(onSince, rule.createdAt);
  assertEquals(moves, {
    ...{ total: 21, applied: 0, accepted: 21, takenBack: 0, up: 0, down: 21 },
    cents: 21 * -1_000,
  });
  // Sales are known up to the second day after the change, so two days count on each side.
  assertEquals(rest, {
    ...{ offSince: null, daysLeft: 0, currency: "EUR", isCut: false },
    ...{ counted: 21, days: 42 },
  });
  assertEquals(before, { units: 21 * 14, marginCents: 21 * 14 * 5_000 });
  assertEquals(after, { units: 21 * 28, marginCents: 21 * 28 * 4_000 });
  assertEquals(Object.values(leftOut), [0, 0, 0, 0, 0]);
  const key = await app.key(["rules:read"]);
  const { data } = await bodyOf(key.get(`/api/public/v1/rules/${ruleId}/outcome`), 200);
  assertEquals(data, found);
});

interface Sold {
  readonly sku: string;
  readonly date: string;
  readonly units: number;
}

/** Units and margin of `days` days on one side of a change, summed product by product. */
function sumPlainly(
  rows: readonly Sold[],
  moves: readonly { readonly sku: string; readonly marginCents: number }[],
  dates: readonly string[],
) {
  const sum = { units: 0, marginCents: 0 };
  for (const { sku, date, units } of rows) {
    const move = moves.find((one) => one.sku === sku);
    if (!move || !dates.includes(date)) continue;
    sum.units += units;
    sum.marginCents += units * move.marginCents;
  }
  return sum;
}

withApp.test("the outcome of a rule starts on its first day, grows daily, and shows what is unknown", async (app) => {
  await bodyOf(app.owner.patch("/api/settings", { autoApply: true }), 200);
  const skus = ["A", "B", "UNSOLD", "TAKEN"];
  for (const sku of skus) {
    await addProduct(app.owner, sku, { brand: sku === "A" ? "Auto" : "Hand" });
  }
  const selling = await app.key(["products:write"]);
  const begin = app.clock.now().getTime();
  const day = (n: number) => new Date(begin + n * DAY_MS).toISOString().slice(0, 10);
  app.clock.advance(15 * DAY_MS);
  const people = async () => createCaller(app.base, { Cookie: await app.newSession("owner") });
  let owner = await people();
  const action = { actions: [{ type: "auto_apply_if_safe", formula: "match_cheapest" }] };
  const rule = {
    ...{ marginFloor: { pct: 10 }, enabled: false },
    actions: [{ type: "propose_price", formula: "match_cheapest" }],
  };
  const ruleId = await addRule(owner, { ...rule, ...action });
  const outcome = async () => await bodyOf(owner.get(`/api/rules/${ruleId}/outcome`), 200);
  const never = await outcome();
  assertEquals([never.onSince, never.moves.total, never.before], [null, 0, null]);
  await bodyOf(owner.post(`/api/rules/${ruleId}/toggle`), 200);
  // Beyond 10 %, the price is only proposed.
  await pushJudged(app, [["A", "acme", 95], ["B", "acme", 80], ["UNSOLD", "acme", 80], [
    "TAKEN",
    "acme",
    80,
  ]]);
  const open = await proposals(owner, "status=open");
  for (const { id } of open) await bodyOf(owner.post(`/api/proposals/${id}/approve`), 200);
  const taken = open.find(({ sku }) => sku === "TAKEN");
  await bodyOf(owner.post(`/api/proposals/${taken?.id}/rollback`), 200);
  await untilJudged(app);
  const first = await outcome();
  assertEquals([first.daysLeft, first.counted, first.leftOut.tooYoung], [14, 0, 3]);
  assertEquals(first.moves, {
    ...{ total: 3, applied: 1, accepted: 2, takenBack: 1, up: 0, down: 3 },
    cents: -500 - 2_000 - 2_000,
  });
  const rows: Sold[] = [];
  for (let n = 1; n <= 20; n++) {
    rows.push({ sku: "A", date: day(n), units: n % 5 + 1 }, {
      sku: "B",
      date: day(n),
      units: n % 3,
    });
  }
  // The rule was enabled on day 15. Today is day 21, and sales are known up to day 20.
  app.clock.advance(6 * DAY_MS);
  await bodyOf(selling.post("/api/public/v1/sales", { rows }), 200);
  owner = await people();
  const known = await outcome();
  const numbers = [1, 2, 3, 4, 5];
  assertEquals([known.daysLeft, known.counted, known.days], [9, 2, 10]);
  const margins = (a: number, b: number) => [
    { sku: "A", marginCents: a },
    { sku: "B", marginCents: b },
  ];
  const sides = [
    sumPlainly(rows, margins(5_000, 5_000), numbers.map((n) => day(15 - n))),
    sumPlainly(rows, margins(4_500, 3_000), numbers.map((n) => day(15 + n))),
  ];
  assertEquals([known.before, known.after], sides);
  assertEquals([known.leftOut.noSales, known.leftOut.tooYoung], [1, 0]);
  await bodyOf(owner.post(`/api/rules/${ruleId}/toggle`), 200);
  const off = await outcome();
  assertEquals([off.onSince, off.moves], [known.onSince, known.moves]);
  assertEquals(off.offSince, app.clock.now().toISOString());
});
