import { HOUR_MS } from "../../src/base/time.ts";
import { column, refuses } from "../api/answers.ts";
import { automatic, type RulesApp, withRules } from "../rules/evaluation/market.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";

async function hold(app: RulesApp, id: string, heldUntil: string | null, more = {}) {
  return await app.manager.change(`/api/products/${id}`, { heldUntil, ...more });
}

async function listed({ viewer }: RulesApp, query: string): Promise<string[]> {
  const { items } = await viewer.read(`/api/products?${query}`);
  return column(items, "sku");
}

withRules.test("a held price gets no proposal, as its explanation says, and its open one is closed; the end of the hold evaluates the rules again", async (app) => {
  await app.addRule();
  const id = await app.addProduct("A");
  await app.push([["A", "acme", 90]]);
  assertEquals(await app.statuses(), [["open", 9_000]]);
  const heldUntil = app.inTime(3 * HOUR_MS);
  assertEquals((await hold(app, id, heldUntil)).heldUntil, heldUntil);
  assertEquals(await app.statuses(), [["superseded", 9_000]]);
  app.clock.advance(HOUR_MS);
  await app.push([["A", "acme", 85]]);
  assertEquals(await app.statuses("status=open"), []);
  const [decision] = await app.decisions(id);
  assertEquals([decision.bindingGuard, decision.trace.inputs.heldUntil], ["price_held", heldUntil]);
  match(decision.reason, new RegExp(`the price is held until ${heldUntil}`));
  const ended = [await app.endedAfter(0), await app.endedAfter(2 * HOUR_MS + 60_000)];
  assertEquals([...ended, await app.endedAfter(0)], [0, 1, 0], "not too early, and once");
  assertEquals(await app.statuses("status=open"), [["open", 8_500]]);
});

withRules.test("no automatic price replaces a held one, whatever the trigger", async (app) => {
  await app.owner.change("/api/settings", { autoApply: true, vatRatePct: 19 });
  await app.addRule(automatic(50, 5));
  const id = await app.addProduct("A");
  await hold(app, id, app.inTime(HOUR_MS));
  await app.push([["A", "acme", 95]]);
  assertEquals(await app.priceOf(id), 10_000);
  assertEquals(await app.proposals(), []);
  await hold(app, id, null);
  assertEquals((await app.statuses()).length, 1, "the end of the hold evaluates the rule again");
});

withRules.test("a person can change a held price; an approval is refused until the hold ends", async (app) => {
  await app.addRule();
  const a = await app.addProduct("A");
  await app.addProduct("B");
  await app.push([["A", "acme", 90], ["B", "acme", 90]]);
  const [open] = await app.proposals(`productId=${a}`);
  const heldUntil = app.inTime(2 * HOUR_MS);
  const changed = await hold(app, a, heldUntil, { ourPrice: 101, reason: "Campaign  of May\n" });
  assertEquals([changed.ourPriceCents, changed.heldUntil], [10_100, heldUntil]);
  await refuses(app.manager.post(`/api/proposals/${open?.id}/approve`, {}), "conflict");
  const { items } = await app.viewer.read("/api/audit-logs?order=desc&limit=1");
  assertEquals(items[0].reason, "Campaign of May");
  assertEquals([items[0].before.heldUntil, items[0].after.heldUntil], [null, heldUntil]);
});

withRules.test("lists, the CSV file and keys show which products are held now, and a hold expires by itself", async (app) => {
  const [a, b] = [await app.addProduct("A"), await app.addProduct("B")];
  await app.addProduct("C");
  await hold(app, a, app.inTime(HOUR_MS));
  await hold(app, b, app.inTime(2 * HOUR_MS));
  const both = async (query: string) => {
    const held = await listed(app, `isHeld=true&${query}`);
    return [held, await listed(app, `isHeld=false&${query}`)];
  };
  for (const query of ["", "q=product", "sort=sku&order=desc", "sort=sku&q=product"]) {
    const [held, free] = await both(query);
    assertEquals(held?.toSorted(), ["A", "B"], query);
    assertEquals(free, ["C"], query);
  }
  const page = await app.viewer.read("/api/products?isHeld=true");
  assertEquals(page.total, 2);
  const key = await app.key([]);
  const { data } = await key.read("/api/public/v1/products?isHeld=true");
  assertEquals(column(data, "heldUntil"), [app.inTime(HOUR_MS), app.inTime(2 * HOUR_MS)]);
  const csv = await (await app.viewer.get("/api/products.csv?dialect=rfc4180&isHeld=true")).text();
  assertEquals(csv.split("\r\n").filter((line) => line.includes(app.inTime(HOUR_MS))).length, 1);
  app.clock.advance(HOUR_MS);
  assertEquals(await both(""), [["B"], ["A", "C"]]);

  // An invalid time is refused, and one with an offset is stored in UTC.
  const holding = (body: unknown) => app.manager.patch(`/api/products/${a}`, body);
  for (const heldUntil of ["tomorrow", "2026-13-01T00:00:00Z", 5, "2026-12-01"]) {
    await refuses(holding({ heldUntil }), "validation_failed", String(heldUntil));
  }
  await refuses(holding({ heldUntil: null, reason: "x".repeat(501) }), "validation_failed");
  const kept = await hold(app, a, "2036-12-01T01:00:00+01:00");
  assertEquals(kept.heldUntil, "2036-12-01T00:00:00.000Z");
});

withRules.test("many products can be held at once, and deletion ends a hold", async (app) => {
  const ids = [];
  for (const sku of ["A", "B", "C"]) ids.push(await app.addProduct(sku));
  const heldUntil = app.inTime(4 * HOUR_MS);
  const body = { filter: {}, set: { heldUntil } };
  const outcome = await app.manager.act("/api/products/bulk", body);
  assertEquals(outcome.changed, 3);
  await app.manager.remove(`/api/products/${ids[0]}`);
  assertEquals(await listed(app, "isHeld=true"), ["B", "C"]);
  await app.manager.act(`/api/products/${ids[0]}/restore`);
  assertEquals(await listed(app, "isHeld=true"), ["A", "B", "C"]);
  const noHold = { filter: { isHeld: "true" }, set: { heldUntil: null } };
  assertEquals((await app.manager.act("/api/products/bulk", noHold)).changed, 3);
  assertEquals(await listed(app, "isHeld=true"), []);
});
