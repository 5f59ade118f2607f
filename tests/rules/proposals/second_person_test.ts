import { automatic, type RulesApp, withRules } from "../evaluation/market.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import fc from "fast-check";
import { bodyOf, column, refusalOf, valuesOf } from "../../api/answers.ts";
import { HOUR_MS } from "../../../src/base/time.ts";
import { isLargeMove } from "../../../src/base/money.ts";
import { type Caller } from "../../caller.ts";

const APPROVAL = { beyondPct: 5, people: 2 };

async function proposeLarge(app: RulesApp, approval = APPROVAL) {
  await app.owner.change("/api/settings", { approval });
  return await app.propose({ cooldownMinutes: 0 });
}

const approve = (caller: Caller, id: string, body?: unknown) =>
  caller.post(`/api/proposals/${id}/approve`, body);

withRules.test("a change beyond the limit waits for a second person, names the first, and is set by the second", async (app) => {
  const { id, productId } = await proposeLarge(app);
  const first = await bodyOf(approve(app.manager, id, { reason: "Rival is out" }), 200);
  assertEquals([first.status, first.decidedBy, first.approval.people], ["open", null, 2]);
  assertEquals(first.approval.by.length, 1);
  assertEquals([first.approval.cents, await app.priceOf(productId)], [9_000, 10_000]);
  const twice = await refusalOf(approve(app.manager, id));
  assertEquals([twice.code, twice.details.guard], ["conflict", "approval_needed"]);
  assertEquals((await app.viewer.read(`/api/proposals/${id}`)).approval, first.approval);
  const second = await bodyOf(approve(app.owner, id), 200);
  assertEquals([second.status, second.appliedCents], ["applied", 9_000]);
  assertEquals([second.approval.by.length, second.approval.by[0]], [2, first.approval.by[0]]);
  assertEquals(await app.priceOf(productId), 9_000);
  const { items } = await app.owner.read(`/api/audit-logs?resource=proposal:${id}`);
  assertEquals(
    valuesOf(items, "action", "reason"),
    [["proposal.approve", "Rival is out"], ["proposal.approve", undefined]],
  );
  assertEquals(column(column(items, "after"), "status"), ["open", "applied"]);
});

withRules.test("a person makes no large change alone, not even by a change of currency or on its day", async (app) => {
  await app.owner.change("/api/settings", { approval: APPROVAL });
  const id = await app.addProduct("A", { ourPrice: 100 });
  const key = await app.key(["products:write"]);
  const guardOf = async (change: Record<string, unknown>) =>
    (await refusalOf(app.owner.patch(`/api/products/${id}`, change))).details.guard;
  const franc = { currency: "CHF", ourPrice: 95, costPrice: 50 };
  assertEquals(await guardOf(franc), "approval_needed");
  app.clock.advance(48 * HOUR_MS);
  await app.owner.change(`/api/products/${id}`, { ourPrice: null });
  assertEquals(await guardOf(franc), "approval_needed");
  await key.change("/api/public/v1/products/A", franc);
  app.clock.advance(HOUR_MS);
  assertEquals(await guardOf({ ourPrice: 70 }), "approval_needed");
  await app.owner.change(`/api/products/${id}`, { ourPrice: 93 });
});

withRules.test("no key approves a large change, not even as the second", async (app) => {
  const { id, productId } = await proposeLarge(app);
  const key = await app.key(["proposals:write"]);
  const path = `/api/public/v1/proposals/${id}/approve`;
  const requireRefusal = async () =>
    assertEquals((await refusalOf(key.post(path))).details.guard, "approval_needed");
  await requireRefusal();
  await bodyOf(approve(app.manager, id), 200);
  await requireRefusal();
  assertEquals(await app.priceOf(productId), 10_000);
});

withRules.test("another price restarts the count, a small one needs no second person, and bounds are always checked", async (app) => {
  const { id, productId } = await proposeLarge(app);
  await bodyOf(approve(app.manager, id), 200);
  const other = await bodyOf(approve(app.owner, id, { priceCents: 8_700 }), 200);
  assertEquals([other.status, other.approval.cents, other.approval.by.length], ["open", 8_700, 1]);
  // The new minimum price allows the rule's price, so the proposal stays open.
  await app.owner.change(`/api/products/${productId}`, { minPrice: 88 });
  const bound = await refusalOf(approve(app.manager, id, { priceCents: 8_700 }));
  assertEquals(bound.details.guard, "min_price");
  const small = await bodyOf(approve(app.manager, id, { priceCents: 9_500 }), 200);
  assertEquals([small.status, small.appliedCents], ["applied", 9_500]);
});

withRules.test("in bulk, a proposal that needs more approvals says so, and counts the person's approval", async (app) => {
  const { id } = await proposeLarge(app, { beyondPct: 5, people: 3 });
  const bulk = async (caller: Caller) => {
    const { results } = await caller.act("/api/proposals/bulk", { action: "approve", ids: [id] });
    return [results[0].ok, results[0].isWaiting ?? false];
  };
  assertEquals(await bulk(app.manager), [true, true]);
  assertEquals(await bulk(app.manager), [false, false]);
  assertEquals(await bulk(app.owner), [true, true]);
  const third = await app.newCaller("manager");
  assertEquals(await bulk(third), [true, false]);
});

withRules.test("a rule sets no large change of 24 hours automatically: it proposes with the reason", async (app) => {
  const vat = { pricesIncludeVat: true, vatRatePct: 19 };
  await app.owner.change("/api/settings", { approval: APPROVAL, autoApply: true, ...vat });
  await app.addRule(automatic(20));
  const productId = await app.addProduct("A", { ourPrice: 100, costPrice: 20 });
  // 92.50 is only 3.6 % below 96.00, but 7.5 % below our price 24 hours ago.
  for (const [price, expected] of [[90, 10_000], [96, 9_600], [92.5, 9_600]] as const) {
    await app.pushAfter(HOUR_MS, [["A", "acme", price]]);
    assertEquals(await app.priceOf(productId), expected, String(price));
    if (expected !== price * 100) {
      const [{ trace } = { trace: null }] = await app.proposals("status=open");
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
  const large = [9_499, 9_500, 10_500, 10_501].filter((to) => isLargeMove(APPROVAL, 10_000, to));
  assertEquals(large, [9_499, 10_501]);
});
