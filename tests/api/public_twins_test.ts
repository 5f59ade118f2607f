import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { withApp } from "../harness.ts";
import { bodyOf } from "./answers.ts";

const WEBHOOKS = "/api/public/v1/webhooks";
const PROFILES = "/api/public/v1/import-profiles";

withApp.test("webhooks by key are created, listed, changed by version and removed, and need webhooks:write", async (app) => {
  const key = await app.key(["webhooks:write"]);
  const input = { url: "https://erp.example/hook", events: ["price.changed"] };
  const made = await key.post(WEBHOOKS, input);
  const { data } = await bodyOf(Promise.resolve(made), 201);
  assertEquals(made.headers.get("Location"), `${WEBHOOKS}/${data.id}`);
  const { secret: _, ...shown } = data;
  const path = `${WEBHOOKS}/${data.id}`;
  const read = await key.get(path);
  const etag = read.headers.get("ETag") ?? "";
  assertEquals(await read.json(), { data: shown });
  assertEquals((await bodyOf(key.get(WEBHOOKS), 200)).data, [shown]);
  const inApp = await bodyOf(app.owner.get(`/api/webhooks/${data.id}`), 200);
  assertEquals(inApp, shown);
  const change = { events: ["proposal.created"] };
  const changed = await bodyOf(key.patch(path, change, { "If-Match": etag }), 200);
  assertEquals(changed.data.events, change.events);
  await bodyOf(key.patch(path, { events: ["rule.fired"] }, { "If-Match": etag }), 412);
  assertEquals((await bodyOf(key.get(`${path}/deliveries`), 200)).data, []);
  const tried = (await bodyOf(key.post(`${path}/test`), 202)).data;
  assertEquals([tried.type, tried.status], ["webhook.test", "pending"]);
  const deliveries = (await bodyOf(key.get(`${path}/deliveries`), 200)).data;
  assertEquals(deliveries.map(({ id }: { id: string }) => id), [tried.id]);
  const again = (await bodyOf(key.post(`${path}/deliveries/${tried.id}/resend`), 202)).data;
  assertEquals([again.id, again.eventId], [tried.id, tried.eventId]);
  await bodyOf(key.post(`${path}/deliveries/nothing/resend`), 404);
  const other = await app.key(["products:write"]);
  await bodyOf(other.get(WEBHOOKS), 403);
  await bodyOf(other.post(`${path}/test`), 403);
  await bodyOf(other.post(`${path}/deliveries/${tried.id}/resend`), 403);
  await bodyOf(other.delete(path), 403);
  assertEquals(await bodyOf(key.delete(path), 200), { data: { id: data.id } });
  await bodyOf(key.get(path), 404);
});

withApp.test("import profiles by key are created, listed, tried, changed and removed, and need products:write", async (app) => {
  const key = await app.key(["products:write"]);
  const profile = {
    id: "nightly",
    name: "Nightly",
    format: "table",
    detect: {},
    fields: {
      sku: { columns: ["Nr"] },
      title: { columns: ["Name"] },
      stock: { columns: ["Lager"] },
    },
  };
  const { data } = await bodyOf(key.post(PROFILES, profile), 201);
  assertEquals(data.id, "nightly");
  const csv = { "Content-Type": "text/csv" };
  const file = "Nr;Name;Lager\nA;Kanne;12\n";
  const tried = await bodyOf(key.post(`${PROFILES}/preview?profile=nightly`, file, csv), 200);
  assertEquals(tried.data.records.length, 1);
  const ids = (await bodyOf(key.get(PROFILES), 200)).data.map(({ id }: { id: string }) => id);
  assertEquals(ids.includes("nightly") && ids.includes("jtl-ameise"), true);
  const path = `${PROFILES}/nightly`;
  assertEquals(
    (await bodyOf(key.patch(path, { name: "Every night" }), 200)).data.name,
    "Every night",
  );
  assertEquals((await bodyOf(key.get(path), 200)).data.name, "Every night");
  const reading = await app.key(["webhooks:write"]);
  await bodyOf(reading.get(PROFILES), 403);
  await bodyOf(reading.post(`${PROFILES}/preview`, file, csv), 403);
  assertEquals(await bodyOf(key.delete(path), 200), { data: { id: "nightly" } });
  await bodyOf(key.get(path), 404);
});
