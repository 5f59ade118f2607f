import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { column, refuses } from "../../api/answers.ts";
import type { Caller } from "../../caller.ts";
import { startTestApp, type TestApp, withApp } from "../../harness.ts";
import { until } from "../../patience.ts";
import { eventLog } from "../../../src/platform/events/outbox_store.ts";
import { addProduct } from "../../rules/evaluation/market.ts";
import { startReceiver } from "./receiver.ts";
import { type PastEvent, readEvents } from "./past_events.ts";

const PATH = "/api/public/v1/events";
const DAY_MS = 24 * 3_600_000;

const changed = (events: readonly PastEvent[]) =>
  events.flatMap(({ type, data }) => type === "price.changed" ? [[data.sku, data.toCents]] : []);

async function setPrice(app: TestApp, id: string, cents: number): Promise<void> {
  const body = { ourPriceCents: cents, reason: "As drawn" };
  await app.owner.change(`/api/products/${id}`, body);
}

async function untilLogged(key: Caller, count: number): Promise<PastEvent[]> {
  await until("the events are logged", async () => {
    return changed((await readEvents(key)).events).length >= count;
  });
  return (await readEvents(key)).events;
}

Deno.test("GET events has the webhooks' bodies and ids, in each product's order, whatever the page size", async () => {
  const secrets = new Map<string, string>();
  await using receiver = startReceiver((path) => secrets.get(path) ?? null);
  const env = { SCRAPE_ALLOW_PRIVATE: "127.0.0.1" };
  await using app = await startTestApp({ env, now: () => new Date() });
  const webhook = { url: `${receiver.url}/hook`, events: ["price.changed"] };
  secrets.set("/hook", (await app.owner.create("/api/webhooks", webhook)).secret);
  const key = await app.key(["events:read", "proposals:read"]);
  const [a, b] = [await addProduct(app.owner, "A"), await addProduct(app.owner, "B")];
  for (let cents = 9_000; cents > 8_980; cents--) {
    await Promise.all([setPrice(app, a, cents), setPrice(app, b, cents)]);
  }
  const events = await untilLogged(key, 42);
  for (const sku of ["A", "B"]) {
    const told = changed(events).filter(([of]) => of === sku).map(([, cents]) => cents);
    assertEquals(told, [10_000, ...Array.from({ length: 20 }, (_, n) => 9_000 - n)]);
  }
  for (const limit of [1, 2, 7, 40, 500]) {
    assertEquals((await readEvents(key, "", limit)).events, events, `${limit} a page`);
  }
  await receiver.received(42);
  const sent = new Map(receiver.receipts.map(({ id, body }) => [id, body]));
  const prices = events.filter(({ type }) => type === "price.changed");
  assertEquals(prices.map(({ id }) => sent.get(id)), prices.map(({ id: _, ...body }) => body));
  const { data } = await key.read("/api/public/v1/price-changes?limit=200");
  assertEquals(new Set(prices.map(({ data }) => data.changeId)), new Set(column(data, "id")));
});

withApp.test("GET events: nextSince skips and repeats no event, a time is inclusive, and 30 days are kept", async (app) => {
  const key = await app.key(["events:read"]);
  const { nextSince: empty, events: none } = await readEvents(key);
  assertEquals(none, []);
  const a = await addProduct(app.owner, "A");
  await untilLogged(key, 1);
  const first = await readEvents(key, empty);
  assertEquals(changed(first.events), [["A", 10_000]]);
  assertEquals((await readEvents(key, first.nextSince)).events, []);
  app.clock.advance(DAY_MS);
  const day = app.clock.now().toISOString();
  await setPrice(app, a, 9_000);
  await untilLogged(key, 2);
  for (const since of [first.nextSince, day, day.slice(0, 10)]) {
    const { events, isComplete } = await readEvents(key, since);
    assertEquals([changed(events), isComplete], [[["A", 9_000]], true], since);
  }
  const stranger = await app.strangerKey(["events:read"]);
  assertEquals((await readEvents(stranger)).events, []);
  for (const since of ["yesterday", first.nextSince.slice(1)]) {
    await refuses(key.get(`${PATH}?since=${since}`), "validation_failed");
  }
  const foreign = `${PATH}?since=${encodeURIComponent(first.nextSince)}`;
  await refuses(stranger.get(foreign), "validation_failed");
  app.clock.advance(29.5 * DAY_MS);
  const before = new Date(app.clock.now().getTime() - 30 * DAY_MS);
  assertEquals(await eventLog.sweep(app, before), 1);
  const late = await readEvents(key, first.nextSince);
  assertEquals([changed(late.events), late.isComplete], [[["A", 9_000]], false]);
});

withApp.test("GET events has an event for each alert, with the alert's facts", async (app) => {
  const key = await app.key(["events:read", "alerts:read"]);
  const erp = await app.key(["products:write"]);
  const xml = { "Content-Type": "application/xml" };
  await erp.act("/api/public/v1/products/import", "<ITEMS>", xml);
  const alerts = async () =>
    (await readEvents(key)).events.filter(({ type }) => type === "alert.raised");
  await until("the alert is told", async () => (await alerts()).length > 0);
  const [{ data } = { data: {} }] = await alerts();
  const { data: [{ id: alertId, title }] } = await key.read("/api/public/v1/alerts");
  const subject = { ruleId: null, productId: null, title };
  assertEquals(data, { alertId, severity: "high", code: "import_failed", ...subject });
  ok(title.length > 0);
});
