import { HOUR_MS } from "../../src/base/time.ts";
import { checkCatalogue } from "../../src/catalogue/check_catalogue.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { queueEnded } from "../../src/rules/evaluation/rule_state_store.ts";
import { column, refuses } from "../api/answers.ts";
import { type TestApp, withApp } from "../harness.ts";
import {
  addProduct,
  addRule,
  priceOf,
  proposals,
  push,
  statuses,
  untilJudged,
} from "../rules/evaluation/market.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";

const inHours = ({ clock }: TestApp, hours: number) =>
  new Date(clock.now().getTime() + hours * HOUR_MS).toISOString();

async function hold(app: TestApp, id: string, heldUntil: string | null, more = {}) {
  return await app.manager.change(`/api/products/${id}`, { heldUntil, ...more });
}

async function listed({ viewer }: TestApp, query: string): Promise<string[]> {
  const { items } = await viewer.read(`/api/products?${query}`);
  return column(items, "sku");
}

async function endHolds({ store, app: { clock: appClock } }: TestApp): Promise<number> {
  return await queueEnded({ store, clock: appClock });
}

withApp.test("a held price gets no proposal, as its explanation says, and its open one is closed; the end of the hold evaluates the rules again", async (app) => {
  await addRule(app.owner);
  const id = await addProduct(app.owner, "A");
  await push(app, [["A", "acme", 90]]);
  await untilJudged(app);
  assertEquals(await statuses(app.owner), [["open", 9_000]]);
  const heldUntil = inHours(app, 3);
  assertEquals((await hold(app, id, heldUntil)).heldUntil, heldUntil);
  await untilJudged(app);
  assertEquals(await statuses(app.owner), [["superseded", 9_000]]);
  app.clock.advance(HOUR_MS);
  await push(app, [["A", "acme", 85]]);
  await untilJudged(app);
  assertEquals(await statuses(app.owner, "status=open"), []);
  const { items: [decision] } = await app.viewer.read(`/api/products/${id}/decisions`);
  assertEquals([decision.bindingGuard, decision.trace.inputs.heldUntil], ["price_held", heldUntil]);
  match(decision.reason, new RegExp(`the price is held until ${heldUntil}`));
  assertEquals(await endHolds(app), 0, "too early");
  app.clock.advance(2 * HOUR_MS + 60_000);
  assertEquals(await endHolds(app), 1);
  assertEquals(await endHolds(app), 0, "each hold once");
  await untilJudged(app);
  assertEquals(await statuses(app.owner, "status=open"), [["open", 8_500]]);
});

withApp.test("no automatic price replaces a held one, whatever the trigger", async (app) => {
  await app.owner.change("/api/settings", { autoApply: true, vatRatePct: 19 });
  await addRule(app.owner, {
    marginFloor: { pct: 5 },
    actions: [{ type: "auto_apply_if_safe", formula: "match_cheapest", maxChangePct: 50 }],
  });
  const id = await addProduct(app.owner, "A");
  await hold(app, id, inHours(app, 1));
  await push(app, [["A", "acme", 95]]);
  await untilJudged(app);
  assertEquals(await priceOf(app.owner, id), 10_000);
  assertEquals(await proposals(app.owner), []);
  await hold(app, id, null);
  await untilJudged(app);
  const now = await statuses(app.owner);
  assertEquals(now.length, 1, "the rule is asked again as soon as the hold is taken away");
});

withApp.test("a person can change a held price; an approval is refused until the hold ends", async (app) => {
  await addRule(app.owner);
  const a = await addProduct(app.owner, "A");
  await addProduct(app.owner, "B");
  await push(app, [["A", "acme", 90], ["B", "acme", 90]]);
  await untilJudged(app);
  const open = (await proposals(app.owner)).find(({ productId }) => productId === a);
  const heldUntil = inHours(app, 2);
  const changed = await hold(app, a, heldUntil, { ourPrice: 101, reason: "Campaign  of May\n" });
  assertEquals([changed.ourPriceCents, changed.heldUntil], [10_100, heldUntil]);
  await refuses(app.manager.post(`/api/proposals/${open?.id}/approve`, {}), "conflict");
  const { items } = await app.viewer.read("/api/audit-logs?order=desc&limit=1");
  assertEquals(items[0].reason, "Campaign of May");
  assertEquals([items[0].before.heldUntil, items[0].after.heldUntil], [null, heldUntil]);
});

withApp.test("lists, the CSV file and keys show which products are held now, and a hold expires by itself", async (app) => {
  const [a, b] = [await addProduct(app.owner, "A"), await addProduct(app.owner, "B")];
  await addProduct(app.owner, "C");
  await hold(app, a, inHours(app, 1));
  await hold(app, b, inHours(app, 2));
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
  assertEquals(column(data, "heldUntil"), [inHours(app, 1), inHours(app, 2)]);
  const csv = await (await app.viewer.get("/api/products.csv?dialect=rfc4180&isHeld=true")).text();
  assertEquals(csv.split("\r\n").filter((line) => line.includes(inHours(app, 1))).length, 1);
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

withApp.test("many products can be held at once, and deletion ends a hold", async (app) => {
  const ids = [];
  for (const sku of ["A", "B", "C"]) ids.push(await addProduct(app.owner, sku));
  const heldUntil = inHours(app, 4);
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
  assertEquals(await Array.fromAsync(checkCatalogue(app.store, app.workspaceId)), []);
});

withApp.test("check-store reports a hold that its product lacks, and one without a row", async (app) => {
  const id = await addProduct(app.owner, "A");
  await hold(app, id, inHours(app, 1));
  const [row] = await Array.fromAsync(app.store.kv.list({ prefix: ["hu"] }));
  ok(row);
  await transact({ store: app.store }, (write) => {
    write.delete(row.key);
    write.set([...row.key.slice(0, 2), 5, ...row.key.slice(3)], new Uint8Array());
    return Promise.resolve();
  });
  const found = await Array.fromAsync(checkCatalogue(app.store, app.workspaceId));
  assertEquals(found.length, 2);
  match(found.join("\n"), /has no row[^]*differs from the product/);
});
