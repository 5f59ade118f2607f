import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { assertFields, bodyOf, column, everyItem, refuses, statusOf } from "../../api/answers.ts";
import { startTestApp, withApp } from "../../harness.ts";
import { startReceiver } from "./receiver.ts";

const EVENTS = ["price.changed"];
const PUBLIC = { url: "https://erp.example/hook", events: EVENTS };

withApp.test("POST /api/webhooks shows the secret only once", async (app) => {
  const answer = await app.manager.post("/api/webhooks", PUBLIC);
  const location = answer.headers.get("Location")!;
  const { secret, ...made } = await bodyOf(answer, 201);
  match(secret, /^whsec_[0-9A-Za-z+/]{43}=$/);
  assertFields(made, { ...PUBLIC, enabled: true });
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

withApp.test("PATCH /api/webhooks/{id} resets null to the default", async (app) => {
  const { id } = await app.manager.create("/api/webhooks", { ...PUBLIC, enabled: false });
  assertEquals((await app.manager.change(`/api/webhooks/${id}`, { enabled: null })).enabled, true);
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
  // None of eight requests runs out of attempts, because one request wins each race, and a commit
  // is tried up to 30 times.
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
