import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { bodyOf, column, refuses, statusOf } from "../../api/answers.ts";
import { startTestApp, withApp } from "../../harness.ts";
import { startReceiver } from "./receiver.ts";

const env = { SCRAPE_ALLOW_PRIVATE: "127.0.0.1" };
const EVENTS = ["price.changed"];
const PUBLIC = { url: "https://erp.example/hook", events: EVENTS };

withApp.test("POST /api/webhooks shows the secret only once", async (app) => {
  const answer = await app.manager.post("/api/webhooks", PUBLIC);
  const location = answer.headers.get("Location")!;
  const { secret, ...made } = await bodyOf(answer, 201);
  match(secret, /^whsec_[0-9A-Za-z+/]{43}=$/);
  assertEquals([made.url, made.events, made.enabled], [PUBLIC.url, EVENTS, true]);
  assertEquals(await app.viewer.read(location), made);
  const { items } = await app.viewer.read("/api/webhooks");
  assertEquals(items, [made]);
  const changed = { ...made, events: ["price.changed", "import.finished"] };
  const after = await app.manager.change(location, changed);
  assertEquals(after.events, changed.events);
  const audit = await (await app.owner.get("/api/audit-logs?resource=webhook")).text();
  ok(!audit.includes(secret.slice(6)));
  assertEquals(column(JSON.parse(audit).items, "action"), ["webhook.create", "webhook.update"]);
});

withApp.test("PATCH /api/webhooks/{id} resets null to the default, and refuses null for a field without one", async (app) => {
  const { id } = await app.manager.create("/api/webhooks", { ...PUBLIC, enabled: false });
  const path = `/api/webhooks/${id}`;
  assertEquals((await app.manager.change(path, { enabled: null })).enabled, true);
  for (const patch of [{ url: null }, { events: null }]) {
    await refuses(app.manager.patch(path, patch), "validation_failed");
  }
});

withApp.test("POST /api/webhooks refuses addresses that are not public, unknown events and typos", async (app) => {
  const refusals = [
    { ...PUBLIC, url: "http://127.0.0.1/hook" },
    { ...PUBLIC, url: "http://[::1]/hook" },
    { ...PUBLIC, url: "http://localhost/hook" },
    { ...PUBLIC, url: "https://user:secret@erp.example/hook" },
    { ...PUBLIC, url: "https://erp.example:8443/hook" },
    { ...PUBLIC, url: "ftp://erp.example/hook" },
    { ...PUBLIC, events: [] },
    { ...PUBLIC, events: ["products.touched"] },
    { ...PUBLIC, events: ["price.changed", "price.changed"] },
    { ...PUBLIC, secret: "mine" },
  ];
  for (const refused of refusals) {
    await refuses(
      app.manager.post("/api/webhooks", refused),
      "validation_failed",
      JSON.stringify(refused),
    );
  }
  const { id } = await app.manager.create("/api/webhooks", PUBLIC);
  const patch = { url: "http://10.0.0.1/" };
  await refuses(app.manager.patch(`/api/webhooks/${id}`, patch), "validation_failed");
});

withApp.test("POST /api/webhooks accepts 20 and no more, also at once", async (app) => {
  for (let n = 0; n < 16; n++) await app.manager.create("/api/webhooks", PUBLIC);
  // Eight requests are few enough: one request wins each race, and a commit is tried up to 30
  // times.
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => statusOf(app.manager.post("/api/webhooks", PUBLIC))),
  );
  assertEquals(answers.filter((status) => status === 201).length, 4);
  assertEquals(answers.filter((status) => status === 409).length, 4);
});

Deno.test("the log of deliveries pages newest first, and a delivery is sent again", async () => {
  await using app = await startTestApp({ env });
  await using receiver = startReceiver();
  const webhook = { url: receiver.url, events: EVENTS };
  const { id } = await app.manager.create("/api/webhooks", webhook);
  for (let n = 0; n < 3; n++) {
    const { status, type } = await app.manager.begin(`/api/webhooks/${id}/test`);
    assertEquals([status, type], ["pending", "webhook.test"]);
    await receiver.received(n + 1);
  }
  const path = `/api/webhooks/${id}/deliveries`;
  const first = await app.viewer.read(`${path}?limit=2`);
  const second = await app.viewer.read(`${path}?limit=2&cursor=${first.nextCursor}`);
  const ids = [...first.items, ...second.items].map((delivery) => delivery.id);
  assertEquals([first.count, second.count, second.nextCursor], [2, 1, null]);
  assertEquals(ids, ids.toSorted().reverse());
  ok(!JSON.stringify(first).includes("body"));

  await app.manager.begin(`${path}/${ids[0]}/resend`);
  await receiver.received(4);
  assertEquals(new Set(receiver.receipts.map((receipt) => receipt.id)).size, 3);

  await app.manager.change(`/api/webhooks/${id}`, { enabled: false });
  await refuses(app.manager.post(`/api/webhooks/${id}/test`), "conflict");
  assertEquals(await statusOf(app.manager.delete(`/api/webhooks/${id}`)), 200);
  assertEquals(await statusOf(app.manager.delete(`/api/webhooks/${id}`)), 404);
});
