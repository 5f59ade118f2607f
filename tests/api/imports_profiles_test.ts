import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { withApp } from "../harness.ts";
import { IMPORT, itemsXml, sendXml, withBench } from "../imports/import_bench.ts";
import { idBytes } from "../../src/base/id.ts";
import { PROFILES, TABLE_TEMPLATES } from "../../src/imports/profiles/built_in_profiles.ts";
import { createImportRunner } from "../imports/import_runner.ts";
import { bodyOf, column, refusalOf, refuses, valuesOf } from "./answers.ts";

const BASE = "/api/import-profiles";
const SHOP = {
  id: "shop",
  name: "Shop system",
  detect: { root: "catalog" },
  itemPath: "catalog/article",
  fields: { sku: { path: "@number" }, title: { path: "name" } },
  prices: { path: "cost", amount: "." },
  numberFormat: "en",
};
const FILE =
  '<catalog><article number="X-1"><name>Regal</name><cost>1.50</cost></article></catalog>';
/** Profiles and table templates. A profile for both XML and tables is in both, with one name. */
const BUILT_IN = [...PROFILES, ...TABLE_TEMPLATES].map(({ id }) => id);
const XML = { "Content-Type": "application/xml" };

withApp.test("import profiles are created, read, changed, listed and deleted", async (app) => {
  const made = await app.manager.post(BASE, SHOP);
  assertEquals(made.headers.get("Location"), `${BASE}/shop`);
  const profile = await bodyOf(made, 201);
  assertEquals([profile.builtIn, profile.groupItems], [false, false]);
  assertEquals(await app.viewer.read(`${BASE}/shop`), profile);

  const changed = { ...profile, name: "Neu" };
  for (const change of [{ name: "Neu" }, changed]) {
    assertEquals(await app.manager.change(`${BASE}/shop`, change), changed);
  }

  const { items, count } = await app.viewer.read(BASE);
  assertEquals(
    valuesOf(items, "id", "builtIn"),
    [...BUILT_IN.map((id) => [id, true] as const), ["shop", false] as const].sort(),
  );
  assertEquals(count, BUILT_IN.length + 1);
  assertEquals(await app.manager.remove(`${BASE}/shop`), { ok: true });
  await refuses(app.manager.delete(`${BASE}/shop`), "not_found");
  const { items: rows } = await app.owner.read("/api/audit-logs");
  assertEquals(
    column(rows, "action"),
    ["import_profile.create", "import_profile.update", "import_profile.delete"],
  );
});

withApp.test("an id that no import profile can have is refused as unknown, however long", async (app) => {
  for (const id of ["x".repeat(3_000), "%F0%9F%98%80".repeat(700), "A", "%20"]) {
    const path = `${BASE}/${id}`;
    await refuses(app.manager.get(path), "not_found");
    await refuses(app.manager.patch(path, { name: "Neu" }), "not_found");
    await refuses(app.manager.delete(path), "not_found");
    const preview = app.viewer.post(`${BASE}/preview?profile=${id}`, FILE, XML);
    await refuses(preview, "validation_failed");
  }
});

withApp.test("PATCH of an import profile resets null to the default, and refuses null for a field without one", async (app) => {
  const { numberFormat, prices } = await app.manager.create(BASE, SHOP);
  assertEquals([numberFormat, prices.path], ["en", "cost"]);
  const nulls = { numberFormat: null, dateFormats: null, openEnd: null, prices: null };
  const after = await app.manager.change(`${BASE}/shop`, nulls);
  assertEquals([after.numberFormat, after.openEnd, after.prices], ["de", [], null]);
  const { details } = await refusalOf(app.manager.patch(`${BASE}/shop`, { name: null }));
  assertEquals(column(details.fields, "path"), ["name"]);
});

withApp.test("import profiles refuse invalid profiles, used ids and changes of built-in ones", async (app) => {
  await app.manager.create(BASE, SHOP);
  for (const id of ["shop", "erp-default"]) {
    await refuses(app.manager.post(BASE, { ...SHOP, id }), "conflict");
  }
  const bad = { ...SHOP, id: "other", itemPath: "[[", titel: "x" };
  const { details } = await refusalOf(app.manager.post(BASE, bad));
  assertEquals(column(details.fields, "path").sort(), ["itemPath", "titel"]);
  await refuses(app.manager.patch(`${BASE}/shop`, { id: "x" }), "validation_failed");
  await refuses(app.manager.patch(`${BASE}/bmecat`, {}), "forbidden");
  await refuses(app.manager.delete(`${BASE}/bmecat`), "forbidden");
  const stranger = await app.strangerOwner();
  await refuses(stranger.get(`${BASE}/shop`), "not_found");
});

withBench.test("a workspace's profile reads its files, by their root or by name", async ({ app, key }) => {
  await app.manager.create(BASE, SHOP);
  for (const query of ["", "?profile=shop"]) {
    const { data } = await bodyOf(sendXml(key, FILE, query), 200);
    assertEquals([data.status, data.files[0].profile], ["succeeded", "shop"]);
  }
  const { data } = await key.read("/api/public/v1/products/X-1");
  assertEquals([data.title, data.ourPrice], ["Regal", 150]);
  const wrong = await bodyOf(sendXml(key, itemsXml([{ sku: "A" }]), "?profile=shop"), 200);
  assertEquals([wrong.data.status, wrong.data.error.code], ["failed", "unexpected_root"]);
});

withBench.test("an import whose profile is deleted while it waits fails with a finding about it", async ({ app, key }) => {
  // The app is closed, so that the profile can be deleted before the job starts.
  await app.app.close();
  await app.manager.create(BASE, SHOP);
  const later = { Prefer: "respond-async" };
  const { data: { jobId } } = await bodyOf(sendXml(key, FILE, "?profile=shop", later), 202);
  await app.manager.remove(`${BASE}/shop`);
  const runner = createImportRunner(app.store, app.app.clock);
  await runner.drain();
  await runner.stop();
  const { data } = await key.read(`${IMPORT}/${jobId}`);
  assertEquals([data.status, data.errorCount, data.count], ["failed", 1, 0]);
  const [{ severity, index, code, message }] = data.errors;
  assertEquals([severity, index, code], ["error", null, "unexpected_root"]);
  assertEquals(message, 'The import profile "shop" was deleted: choose another one');
  assertEquals(data.error, { code, message });
});

withBench.test("a dry run whose profile is deleted cannot be applied, until the profile exists again", async ({ app, key }) => {
  await app.manager.create(BASE, SHOP);
  const { data: { jobId } } = await bodyOf(sendXml(key, FILE, "?profile=shop&dryRun=true"), 200);
  await app.manager.remove(`${BASE}/shop`);
  await refuses(key.post(`${IMPORT}/${jobId}/apply`), "conflict");
  await app.manager.create(BASE, SHOP);
  const { data } = await key.act(`${IMPORT}/${jobId}/apply`);
  assertEquals([data.status, data.stats.inserted], ["succeeded", 1]);
});

withApp.test("POST import-profiles/preview shows the first records and stores nothing", async (app) => {
  const many = Array.from({ length: 50 }, (_, n) => ({ sku: `S-${n}`, title: "T", price: "x" }));
  const preview = await app.viewer.act(`${BASE}/preview`, itemsXml(many), XML);
  assertEquals([preview.records.length, preview.warnings.length, preview.error], [20, 50, null]);
  assertEquals([preview.records[3].sku, preview.records[3].fields.title], ["S-3", "T"]);
  assertEquals((await app.owner.read("/api/products")).count, 0);
  assertEquals((await app.owner.read("/api/imports")).count, 0);
  const broken = await app.viewer.act(`${BASE}/preview`, "<ITEMS><ITEM>", XML);
  assertEquals(broken.error.code, "malformed_xml");
});

withApp.test("POST import-profiles/preview accepts an unsaved profile with the file", async (app) => {
  const formOf = (profile: string) => {
    const form = new FormData();
    form.append("profile", new Blob([profile], { type: "application/json" }));
    form.append("file", new File([FILE], "shop.xml"));
    return form;
  };
  const preview = await app.viewer.act(`${BASE}/preview`, formOf(JSON.stringify(SHOP)));
  assertEquals([preview.profile, preview.records[0].fields.ourPriceCents], ["shop", 150]);
  const read = await app.viewer.read(`${BASE}/erp-default`);
  const copy = formOf(JSON.stringify({ ...read, id: "copy" }));
  assertEquals((await app.viewer.act(`${BASE}/preview`, copy)).profile, "copy");
  await refuses(app.viewer.post(`${BASE}/preview`, formOf("{")), "invalid_json");
  await refuses(app.viewer.post(`${BASE}/preview`, formOf('{"id":"x"}')), "validation_failed");
  await refuses(app.viewer.post(`${BASE}/preview?profile=nobody`, FILE, XML), "validation_failed");
});

withApp.test("a workspace's profile with the id of a newer built-in profile keeps precedence", async (app) => {
  const { builtIn: _, ...profile } = await app.manager.create(BASE, SHOP);
  const { id, name } = PROFILES[0]!;
  const key = (own: string) => ["ipf", idBytes(app.workspaceId), own];
  await app.store.kv.delete(key("shop"));
  await app.store.kv.set(key(id), { ...profile, id });

  const read = await app.viewer.read(`${BASE}/${id}`);
  assertEquals([read.name, read.builtIn], [SHOP.name, false]);
  const { items } = await app.viewer.read(BASE);
  assertEquals(items.filter((item: { id: string }) => item.id === id), [read]);
  for (const query of ["", `?profile=${id}`]) {
    const preview = await app.viewer.act(`${BASE}/preview${query}`, FILE, XML);
    assertEquals([preview.profile, preview.records.length], [id, 1]);
  }
  await app.manager.change(`${BASE}/${id}`, { name: "Neu" });
  await app.manager.remove(`${BASE}/${id}`);
  const after = await app.viewer.read(`${BASE}/${id}`);
  assertEquals([after.name, after.builtIn], [name, true]);
});

withApp.test("a stored profile without newer fields returns them as null", async (app) => {
  const { builtIn: _, ...profile } = await app.manager.create(BASE, SHOP);
  const { sku, title } = profile.fields;
  const row = { ...profile, fields: { sku, title } };
  await app.store.kv.set(["ipf", idBytes(app.workspaceId), "shop"], row);
  const { fields } = await app.viewer.read(`${BASE}/shop`);
  assertEquals(fields, profile.fields);
});
