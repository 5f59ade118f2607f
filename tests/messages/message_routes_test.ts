import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { assertFields, bodyOf, column, everyItem, refuses, statusOf } from "../api/answers.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { type PastEvent, readEvents, startReceiver } from "./receiver.ts";
import type { Caller } from "../caller.ts";
import { readUntil, until } from "../patience.ts";
import { eventLog } from "../../src/platform/events/outbox_store.ts";
import { addProduct } from "../rules/evaluation/market.ts";
import { DAY_MS } from "../../src/base/time.ts";

const EVENTS = ["price.changed"];
const PUBLIC = { url: "https://erp.example/hook", events: EVENTS };

withApp.test("POST /api/webhooks shows the secret only once; PATCH resets null to the default", async (app) => {
  const answer = await app.manager.post("/api/webhooks", PUBLIC);
  const location = answer.headers.get("Location")!;
  const { secret, ...made } = await bodyOf(answer, 201);
  match(secret, /^whsec_[0-9A-Za-z+/]{43}=$/);
  assertFields(made, { ...PUBLIC, enabled: true });
  assertEquals(await app.viewer.read(location), made);
  const audit = await (await app.owner.get("/api/audit-logs?resource=webhook")).text();
  ok(!audit.includes(secret.slice(6)));
  await app.manager.change(location, { enabled: false });
  assertEquals((await app.manager.change(location, { enabled: null })).enabled, true);
});

withApp.test("POST /api/webhooks refuses addresses that are not public, an empty list of events, and repeated events", async (app) => {
  const refusals = [
    { ...PUBLIC, url: "http://127.0.0.1/hook" },
    { ...PUBLIC, url: "http://[::1]/hook" },
    { ...PUBLIC, url: "http://localhost/hook" },
    { ...PUBLIC, url: "https://user:secret@erp.example/hook" },
    { ...PUBLIC, url: "https://erp.example:8443/hook" },
    { ...PUBLIC, url: "ftp://erp.example/hook" },
    { ...PUBLIC, events: [] },
    { ...PUBLIC, events: ["price.changed", "price.changed"] },
  ];
  for (const body of refusals) {
    const refused = app.manager.post("/api/webhooks", body);
    await refuses(refused, "validation_failed", JSON.stringify(body));
  }
  const { id } = await app.manager.create("/api/webhooks", PUBLIC);
  const patch = { url: "http://10.0.0.1/" };
  await refuses(app.manager.patch(`/api/webhooks/${id}`, patch), "validation_failed");
});

withApp.test("POST /api/webhooks accepts 20 and no more, also at once", async (app) => {
  for (let n = 0; n < 16; n++) await app.manager.create("/api/webhooks", PUBLIC);
  // Eight conflicting commits stay far below the limit of 30 attempts per commit.
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => statusOf(app.manager.post("/api/webhooks", PUBLIC))),
  );
  assertEquals(answers.filter((status) => status === 201).length, 4);
  assertEquals(answers.filter((status) => status === 409).length, 4);
});

Deno.test("the log of deliveries pages newest first, and a delivery is sent again", async () => {
  await using app = await startTestApp({ env: { SCRAPE_ALLOW_PRIVATE: "127.0.0.1" } });
  await using receiver = startReceiver();
  const webhook = { url: receiver.url, events: EVENTS };
  const { id } = await app.manager.create("/api/webhooks", webhook);
  for (let n = 0; n < 3; n++) {
    const { status, type } = await app.manager.begin(`/api/webhooks/${id}/test`);
    assertEquals([status, type], ["pending", "webhook.test"]);
    await receiver.received(n + 1);
  }
  const path = `/api/webhooks/${id}/deliveries`;
  const log = await everyItem(app.viewer, `${path}?limit=2`);
  const ids = column(log, "id");
  assertEquals(ids, ids.toSorted().reverse());
  assertEquals(ids.length, 3);
  ok(!JSON.stringify(log).includes("body"));

  await app.manager.begin(`${path}/${ids[0]}/resend`);
  await receiver.received(4);
  assertEquals(new Set(column(receiver.receipts, "id")).size, 3);

  await app.manager.change(`/api/webhooks/${id}`, { enabled: false });
  await refuses(app.manager.post(`/api/webhooks/${id}/test`), "conflict");
  await app.manager.remove(`/api/webhooks/${id}`);
  await refuses(app.viewer.get(`/api/webhooks/${id}`), "not_found");
});

const PATH = "/api/public/v1/events";

const changed = (events: readonly PastEvent[]) =>
  events.flatMap(({ type, data }) => type === "price.changed" ? [[data.sku, data.toCents]] : []);

async function setPrice(app: TestApp, id: string, cents: number): Promise<void> {
  const body = { ourPriceCents: cents, reason: "As drawn" };
  await app.owner.change(`/api/products/${id}`, body);
}

async function untilLogged(key: Caller, count: number): Promise<PastEvent[]> {
  const read = async () => (await readEvents(key)).events;
  const isLogged = (events: readonly PastEvent[]) => changed(events).length >= count;
  return await readUntil("the events are logged", read, isLogged);
}

Deno.test("GET events has the webhooks' bodies and ids, in each product's order, whatever the page size", async () => {
  const secrets = new Map<string, string>();
  await using receiver = startReceiver((path) => secrets.get(path) ?? null);
  const env = { SCRAPE_ALLOW_PRIVATE: "127.0.0.1" };
  await using app = await startTestApp({ env, now: () => new Date() });
  const webhook = { url: `${receiver.url}/hook`, events: EVENTS };
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
