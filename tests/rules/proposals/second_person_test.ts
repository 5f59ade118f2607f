import { withCheckedApp } from "../../shops/shop.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import fc from "fast-check";
import { bodyOf, refusalOf } from "../../api/answers.ts";
import { isLargeMove } from "../../../src/base/money.ts";
import { type Caller, createCaller } from "../../caller.ts";
import {
  addProduct,
  addRule,
  automatic,
  priceOf,
  proposals,
  propose,
  pushJudged,
} from "../evaluation/market.ts";
import { type TestApp, withApp } from "../../harness.ts";

const HOUR_MS = 3_600_000;
const APPROVAL = { beyondPct: 5, people: 2 };

async function setTerms(app: TestApp, approval: unknown) {
  return await app.owner.change("/api/settings", { approval });
}

const approve = (caller: Caller, id: string, body?: unknown) =>
  caller.post(`/api/proposals/${id}/approve`, body);

withCheckedApp.test("a change beyond the limit waits for a second person, names the first, and is set by the second", async (app) => {
  await setTerms(app, APPROVAL);
  const { id, productId } = await propose(app, { cooldownMinutes: 0 });
  const first = await bodyOf(approve(app.manager, id, { reason: "Rival is out" }), 200);
  assertEquals([first.status, first.decidedBy, first.approval.people], ["open", null, 2]);
  assertEquals(first.approval.by.length, 1);
  assertEquals([first.approval.cents, await priceOf(app.owner, productId)], [9_000, 10_000]);
  const twice = await refusalOf(approve(app.manager, id));
  assertEquals([twice.code, twice.details.guard], ["conflict", "approval_needed"]);
  assertEquals((await app.viewer.read(`/api/proposals/${id}`)).approval, first.approval);
  const second = await bodyOf(approve(app.owner, id), 200);
  assertEquals([second.status, second.appliedCents, second.approval.by.length], [
    "applied",
    9_000,
    2,
  ]);
  assertEquals(second.approval.by[0], first.approval.by[0]);
  assertEquals(await priceOf(app.owner, productId), 9_000);
  const { items } = await app.owner.read(`/api/audit-logs?resource=proposal:${id}`);
  const rows = items.map((row: { action: string; after: { status: string }; reason?: string }) => [
    row.action,
    row.after.status,
    row.reason ?? null,
  ]);
  assertEquals(rows, [
    ["proposal.approve", "open", "Rival is out"],
    ["proposal.approve", "applied", null],
  ]);
});

withApp.test("no key approves a large change, not even as the second", async (app) => {
  await setTerms(app, APPROVAL);
  const { id, productId } = await propose(app, { cooldownMinutes: 0 });
  const key = await app.key(["proposals:write"]);
  const path = `/api/public/v1/proposals/${id}/approve`;
  for (let asked = 0; asked < 2; asked++) {
    assertEquals((await refusalOf(key.post(path))).details.guard, "approval_needed");
    if (asked === 0) await bodyOf(approve(app.manager, id), 200);
  }
  assertEquals(await priceOf(app.owner, productId), 10_000);
});

withApp.test("another price restarts the count, a small one needs no second person, and bounds are always checked", async (app) => {
  await setTerms(app, APPROVAL);
  const { id, productId } = await propose(app, { cooldownMinutes: 0 });
  await bodyOf(approve(app.manager, id), 200);
  const other = await bodyOf(approve(app.owner, id, { priceCents: 8_700 }), 200);
  assertEquals([other.status, other.approval.cents, other.approval.by.length], ["open", 8_700, 1]);
  // The rule's price is above the new minimum price, so the proposal stays open.
  await app.owner.change(`/api/products/${productId}`, { minPrice: 88 });
  const bound = await refusalOf(approve(app.manager, id, { priceCents: 8_700 }));
  assertEquals(bound.details.guard, "min_price");
  const small = await bodyOf(approve(app.manager, id, { priceCents: 9_500 }), 200);
  assertEquals([small.status, small.appliedCents], ["applied", 9_500]);
});

withApp.test("in bulk, a proposal that needs more approvals says so, and counts the person's approval", async (app) => {
  await setTerms(app, { beyondPct: 5, people: 3 });
  const { id } = await propose(app, { cooldownMinutes: 0 });
  const bulk = async (caller: Caller) => {
    const { results } = await caller.act("/api/proposals/bulk", { action: "approve", ids: [id] });
    return [results[0].ok, results[0].isWaiting ?? false];
  };
  assertEquals(await bulk(app.manager), [true, true]);
  assertEquals(await bulk(app.manager), [false, false]);
  assertEquals(await bulk(app.owner), [true, true]);
  const third = createCaller(app.base, { Cookie: await app.newSession("manager") });
  assertEquals(await bulk(third), [true, false]);
});

withApp.test("a rule sets no large change of 24 hours automatically: it proposes with the reason", async (app) => {
  await setTerms(app, APPROVAL);
  await app.owner.change("/api/settings", {
    autoApply: true,
    pricesIncludeVat: true,
    vatRatePct: 19,
  });
  await addRule(app.owner, automatic(20));
  const productId = await addProduct(app.owner, "A", { ourPrice: 100, costPrice: 20 });
  // The last price is 3.6 % below the second one, but 7.5 % below the price of the day before.
  for (const [price, expected] of [[90, 10_000], [96, 9_600], [92.5, 9_600]] as const) {
    app.clock.advance(HOUR_MS);
    await pushJudged(app, [["A", "acme", price]]);
    assertEquals(await priceOf(app.owner, productId), expected, String(price));
    if (expected !== price * 100) {
      const [proposal] = await proposals(app.owner, "status=open");
      const { trace } = await app.owner.read(`/api/proposals/${proposal?.id}`);
      match(JSON.stringify(trace), /approval_needed/, String(price));
    }
  }
});

Deno.test("a change is large when it exceeds the percentage, exactly", () => {
  const percents = fc.integer({ min: 0, max: 2_000_000 });
  fc.assert(
    fc.property(percents, fc.integer({ min: 1, max: 1e10 }), fc.nat(1e10), (pct, from, to) => {
      const moved = BigInt(to > from ? to - from : from - to) * 1_000_000n;
      assertEquals(
        isLargeMove({ beyondPct: pct / 10_000 }, from, to),
        moved > BigInt(pct) * BigInt(from),
      );
    }),
  );
  assertEquals([9_500, 9_499, 10_500, 10_501].map((to) => isLargeMove(APPROVAL, 10_000, to)), [
    false,
    true,
    false,
    true,
  ]);
});
