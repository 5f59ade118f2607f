import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { sha256Hex } from "../../src/base/bytes.ts";
import { shard } from "../../src/catalogue/products/product.ts";
import { type TestApp, withApp } from "../harness.ts";
import {
  IMPORT,
  importFile,
  itemsXml,
  sendItems as send,
  sendXml,
  withBench,
  XLSX,
} from "../imports/import_calls.ts";
import { createImportRunner } from "../imports/import_runner.ts";
import { until } from "../patience.ts";
import { sheetsOf } from "../read_table.ts";
import { extent } from "../proof.ts";
import { watchedStore } from "../watched_store.ts";
import { bodyOf, column, everyItem, refusalOf, refuses, valuesOf } from "./answers.ts";
import { idBytes } from "../../src/base/id.ts";
import { PROFILES, TABLE_TEMPLATES } from "../../src/imports/profiles/built_in_profiles.ts";

const A = { sku: "A", title: "Apfel", price: "1,00" };
const B = { sku: "B", title: "Birne", price: "2,00" };
const ASYNC = { Prefer: "respond-async" };

/** Every `step`th record is empty; the others have an unreadable price. */
const faulty = (count: number, step: number) =>
  Array.from({ length: count }, (_, n) => n % step ? { ...A, sku: `S-${n}`, price: "x" } : {});

async function catalogueOf(app: TestApp): Promise<string> {
  const { asOf: _, ...page } = await app.owner.read("/api/products?includeDeleted=true");
  const list = JSON.stringify(page);
  const matches = await (await app.owner.get("/api/competitor-products")).text();
  return list + matches + await (await app.owner.get("/api/competitors")).text();
}

withBench.test("GET import shows the whole job, on both interfaces", async ({ app, key }) => {
  const file = itemsXml([A, { title: "ohne" }]);
  const sent = await bodyOf(sendXml(key, file, "?tier=X"), 200);
  const read = await key.read(`${IMPORT}/${sent.data.jobId}`);
  assertEquals(read, sent);
  const inApp = await app.viewer.read(`/api/imports/${sent.data.jobId}`);
  assertEquals(inApp, read.data);
  const { mode, dryRun, tier, hasErrors, progress, files, errors, errorCount } = inApp;
  assertEquals([mode, dryRun, tier, hasErrors], ["upsert", false, "X", true]);
  assertEquals(progress, { processed: 2, total: 2 });
  const { bytes, sha256, items } = files[0];
  assertEquals([bytes, sha256, items], [file.length, sha256Hex(file), 2]);
  assertEquals([files.length, errors.length, errorCount], [1, 1, 1]);
  for (const name of ["createdAt", "startedAt", "finishedAt"]) match(inApp[name], /Z$/);
  assertEquals(inApp.createdBy.type, "api_key");
});

withBench.test("GET import/errors pages through all findings, errors first, and by severity", async ({ app, key }) => {
  const { jobId, errors, warnings, errorCount, warningCount } = await send(app, faulty(120, 2));
  assertEquals([errorCount, warningCount, errors.length, warnings.length], [60, 60, 60, 60]);
  const found = await everyItem(key, `${IMPORT}/${jobId}/errors?limit=50`);
  assertEquals(found, [...errors, ...warnings]);
  const only = await key.read(`${IMPORT}/${jobId}/errors?severity=warning&limit=1000`);
  assertEquals(only.data, warnings);
  await refuses(key.get(`${IMPORT}/${jobId}/errors?cursor=abc`), "invalid_cursor");
});

withBench.test("GET import/errors?format=csv and xlsx have every finding, and no cell with a formula", async ({ app, key }) => {
  const formula = { ...A, sku: "=cmd|' /C calc'!A0", price: "+1+1" };
  const { jobId } = await send(app, [formula, {}]);
  const answer = await key.get(`${IMPORT}/${jobId}/errors?format=csv`);
  match(answer.headers.get("Content-Type") ?? "", /^text\/csv/);
  const text = await answer.text();
  const [head, ...rows] = text.trim().split("\r\n");
  assertEquals([head?.split(";").length, rows.length], [9, 2]);
  ok(!/(^|;)"?[=+@-]/.test(rows.join("\n")), text);

  const book = await key.get(`${IMPORT}/${jobId}/errors?format=xlsx`);
  assertEquals(book.headers.get("Content-Type"), XLSX);
  const { "1": [names, row, ...more] = [] } = await sheetsOf(await book.bytes());
  assertEquals(names?.slice(0, 5), ["severity", "index", "file", "line", "sku"]);
  assertEquals([row?.[0], row?.[1], row?.[6], more.length], ["error", "1", "missing_sku", 1]);
});

withBench.test("GET import/errors?format=xml returns refused records that can be corrected and sent again", async ({ app, key }) => {
  const noTitle = { sku: "N", price: "3,50", more: "<BRAND>Bosch &amp; Co</BRAND>" };
  const sold = "<UNITS>3</UNITS><UNITSDATE>01.03.2026</UNITSDATE>";
  const noSku = { title: "Ohne &lt;Nummer>", price: "1.234,50", more: sold };
  const { jobId, stats } = await send(app, [A, noTitle, noSku]);
  assertEquals(stats.errors, 2);
  const answer = await key.get(`${IMPORT}/${jobId}/errors?format=xml`);
  match(answer.headers.get("Content-Type") ?? "", /^application\/xml/);
  const xml = await answer.text();
  const mended = xml.replace("<SKU>N</SKU>", "<SKU>N</SKU><TITLE>Neu</TITLE>")
    .replace("<ITEM><TITLE>Ohne", "<ITEM><SKU>O</SKU><TITLE>Ohne");
  const again = await bodyOf(sendXml(key, mended), 200);
  const { stats: after, soldDays } = again.data;
  assertEquals([after.inserted, after.errors, soldDays], [2, 0, 1]);
  const { data } = await key.read("/api/public/v1/products");
  assertEquals(valuesOf(data, "sku", "title", "brand", "ourPrice").sort(), [
    ["A", "Apfel", null, 100],
    ["N", "Neu", "Bosch & Co", 350],
    ["O", "Ohne <Nummer>", null, 123_450],
  ]);
});

const linkTo = (_: unknown, n: number) =>
  `<COMPETITOR><URL>https://shop.example/${n}</URL></COMPETITOR>`;

withApp.test("a dry run counts like a real import, shows changes and writes nothing", async (app) => {
  await send(app, [A, B, { ...A, sku: "C", more: "<COSTPRICE>0,90</COSTPRICE>" }]);
  const before = await catalogueOf(app);
  const next = [
    { ...A, price: "1,50", more: `<BRAND>Neu</BRAND>${linkTo(null, 1)}` },
    B,
    { sku: "C", title: "Apfel", price: "0,80" },
    { sku: "D", title: "Dattel" },
    { sku: "E" },
  ];
  const rehearsal = await send(app, next, "?dryRun=true");
  assertEquals(await catalogueOf(app), before);
  assertEquals([rehearsal.status, rehearsal.dryRun], ["succeeded", true]);
  const changes = rehearsal.changes.filter(({ field }: { field: string }) => field !== "prices");
  // `A` has no cost, so its margins are null. `C` costs 0.90, more than its new price of 0.80.
  assertEquals(
    valuesOf(changes, "sku", "field", "from", "to", "fromMarginPct", "toMarginPct").sort(),
    [
      ["A", "brand", null, "Neu", undefined, undefined],
      ["A", "ourPrice", 100, 150, null, null],
      ["C", "ourPrice", 100, 80, 10, -12.5],
    ],
  );
  const { largest, ...impact } = rehearsal.impact;
  const money = { raisedCents: 50, loweredCents: 20 };
  assertEquals(impact, { priceChanges: 2, up: 1, down: 1, over20pct: 1, belowCost: 1, ...money });
  assertEquals(valuesOf(largest, "sku", "marginPct"), [["A", null], ["C", -12.5]]);
  assertEquals(rehearsal.additions, [
    { sku: "D", title: "Dattel", priceCents: null, currency: "EUR" },
  ]);
  assertEquals(rehearsal.titles, { A: "Apfel", C: "Apfel" });

  const real = await send(app, next);
  assertEquals(rehearsal.stats, real.stats);
  assertEquals(column(rehearsal.errors, "code"), ["missing_title"]);
  assertEquals(real.changes, undefined);
});

withBench.test("a dry run shows the file's text next to a new value, if they differ", async ({ app, key }) => {
  await app.owner.change("/api/settings", { pricesIncludeVat: true, vatRatePct: 19 });
  const fileOf = (apple: string) =>
    `Artikelnummer;Bezeichnung;Hersteller;VK netto;EK netto;UVP;Bestand\nA;${apple}\n` +
    "B;Birne;Bosch;10,00;5,00;13,00;4\n";
  const first = fileOf("Apfel;Bosch;100,00;50,00;130,00;3");
  assertEquals((await importFile(key, first, "text/csv")).data.stats.inserted, 2);
  const next = fileOf("Apfel  rot;Miele;1.000,00 €;60,00;1.400,5;7");
  const { data } = await importFile(key, next, "text/csv", "?dryRun=true");
  const changes = valuesOf(data.changes, "field", "to", "written");
  const names = ["brand", "costPrice", "ourPrice", "stock", "targetPrice"];
  assertEquals(changes.filter(([name]) => names.includes(name)).sort(), [
    ["brand", "Miele", undefined],
    ["costPrice", 6_000, undefined],
    ["ourPrice", 119_000, "1.000,00 €"],
    ["stock", 7, undefined],
    ["targetPrice", 140_050, "1.400,5"],
  ]);
  const real = (await importFile(key, next, "text/csv", "?force=true")).data;
  assertEquals([real.stats.updated, real.stats.skipped, real.changes], [1, 1, undefined]);
});

withApp.test("a dry run counts all links of a record, and those that stay disabled", async (app) => {
  const linked = (
    count: number,
  ) => [{ ...A, more: Array.from({ length: count }, linkTo).join("") }];
  await send(app, linked(1));
  const { items: [off] } = await app.owner.read("/api/competitor-products");
  await app.owner.change(`/api/competitor-products/${off.id}`, { enabled: false });
  const rehearsal = await send(app, linked(100), "?dryRun=true");
  const real = await send(app, linked(100));
  assertEquals(real.stats.competitorsLinked, 99);
  assertEquals(rehearsal.stats, real.stats);
  assertEquals(rehearsal.warnings, real.warnings);
});

withApp.test("a dry run of products with many prices shows their first differences", async (app) => {
  const skus = Array.from({ length: 20_000 }, (_, n) => `S-${n}`).filter((sku) => shard(sku) === 0);
  const tiers = Array.from({ length: 40 }, (_, n) => `TIER-${n}`);
  const items = (price: string) =>
    skus.slice(0, 100).map((sku) => {
      const rows = tiers.map((tier) =>
        `<SALESPRICE><TIER>${tier}</TIER><PRICE>${price}</PRICE>` +
        "<VALIDFROM>01.01.2025</VALIDFROM></SALESPRICE>"
      );
      return { sku, title: sku, more: `<TIER>TIER-0</TIER>${rows.join("")}` };
    });
  await send(app, items("10,00"));
  const { status, stats, changes } = await send(app, items("11,00"), "?dryRun=true");
  assertEquals([status, stats.updated, changes.length], ["succeeded", 100, 200]);
});

withBench.test("POST import/apply executes the file of a dry run, once, within a day", async ({ app, key }) => {
  const rehearsal = await send(app, [A, B], "?dryRun=true");
  app.clock.advance(23 * 3_600_000);
  const { data } = await key.act(`${IMPORT}/${rehearsal.jobId}/apply`);
  assertEquals([data.status, data.dryRun, data.appliedFrom], ["succeeded", false, rehearsal.jobId]);
  assertEquals(data.stats.inserted, 2);
  const again = await refusalOf(key.post(`${IMPORT}/${rehearsal.jobId}/apply`));
  assertEquals([again.code, again.details.jobId], ["conflict", data.jobId]);
  await refuses(key.post(`${IMPORT}/${data.jobId}/apply`), "conflict");
  await refuses(app.manager.post(`/api/imports/${data.jobId}/cancel`), "conflict");
  const late = await send(app, [A, B], "?dryRun=true");
  app.clock.advance(24 * 3_600_000 + 1);
  await refuses(app.manager.post(`/api/imports/${late.jobId}/apply`), "conflict");
});

withApp.test("an import leaves one audit row with its reason, one line of 500 characters; a dry run leaves none", async (app) => {
  const { jobId: keyJob } = await send(app, [B]);
  const { jobId, reason } = await send(app, [A], "?dryRun=true");
  assertEquals(reason, null);
  const path = `/api/imports/${jobId}/apply`;
  await refuses(app.manager.post(path, { reason: "x".repeat(501) }), "validation_failed");
  const applied = await app.manager.act(path, { reason: " Ware\nist da " });
  assertEquals(applied.reason, "Ware ist da");
  const { items: [byKey, row, ...others] } = await app.owner.read("/api/audit-logs");
  const made = [byKey.actor.type, byKey.after.status, byKey.resource.id];
  assertEquals(made, ["api_key", "succeeded", keyJob]);
  assertEquals([row.action, row.actor.type, row.reason], ["import.finish", "user", "Ware ist da"]);
  assertEquals([row.resource.id, row.after.inserted, others], [applied.jobId, 1, []]);
});

const CANCELLED = extent(6_000, 3_000);

withBench.test("POST import/cancel keeps and counts committed work, and stops", async ({ app, key }) => {
  // Close the app, so that only `runner` runs the job.
  await app.app.close();
  const many = Array.from({ length: CANCELLED }, (_, n) => ({ ...A, sku: `S-${n}` }));
  const { data: { jobId } } = await bodyOf(sendXml(key, itemsXml(many), "", ASYNC), 202);
  const path = `/api/imports/${jobId}`;
  let isCancelled = false;
  const watched = watchedStore(app.store, {
    async committing() {
      if (isCancelled) return;
      const { phase, progress } = await app.owner.read(path);
      if (phase !== "apply" || progress.processed === 0) return;
      isCancelled = true;
      await app.owner.act(`${path}/cancel`);
    },
  });
  const runner = createImportRunner(watched, app.app.clock);
  await runner.drain();
  const job = await app.owner.read(path);
  assertEquals(job.status, "cancelled");
  ok(job.stats.inserted > 0 && job.stats.inserted < CANCELLED);
  assertEquals([job.count, job.stats.inserted], [job.stats.inserted, job.stats.inserted]);
  assertEquals((await app.owner.read("/api/products")).total, job.stats.inserted);
  app.clock.advance(60_000);
  const rest = await bodyOf(sendXml(key, itemsXml(many), "", ASYNC), 202);
  await runner.drain();
  const { stats } = await app.owner.read(`/api/imports/${rest.data.jobId}`);
  assertEquals(stats.inserted, CANCELLED - job.stats.inserted);
  await runner.stop();
});

withBench.test("POST import/cancel of an import in its check counts the findings so far", async ({ app, key }) => {
  // Close the app, so that only `runner` runs the job.
  await app.app.close();
  const sent = sendXml(key, itemsXml(faulty(2_000, 4)), "", ASYNC);
  const { data: { jobId } } = await bodyOf(sent, 202);
  const path = `/api/imports/${jobId}`;
  const storedOf = async (severity: string) => {
    const found = await key.read(`${IMPORT}/${jobId}/errors?severity=${severity}&limit=200`);
    return found.nextCursor === null ? found.count : Infinity;
  };
  let isCancelled = false;
  const watched = watchedStore(app.store, {
    async committed() {
      if (isCancelled || await storedOf("error") === 0) return;
      isCancelled = true;
      await app.owner.act(`${path}/cancel`);
    },
  });
  const runner = createImportRunner(watched, app.app.clock);
  await runner.drain();
  await runner.stop();
  const job = await app.owner.read(path);
  assertEquals([job.status, job.phase, job.count], ["cancelled", "check", 0]);
  const stored = [await storedOf("error"), await storedOf("warning")];
  assertEquals(stored, [job.errorCount, job.warningCount]);
  ok(job.errorCount > 0 && job.errorCount < 500, `${job.errorCount}`);
});

withApp.test("an ended import leaves neither its upload nor its partitions, a dry run keeps its upload", async (app) => {
  const left = async () => {
    const tables = new Map<string, number>();
    for await (const { key: [table] } of app.store.kv.list({ prefix: [] })) {
      tables.set(String(table), (tables.get(String(table)) ?? 0) + 1);
    }
    return ["b", "bh", "bx", "jp"].map((table) => tables.get(table) ?? 0);
  };
  const untilLeft = (wanted: string) =>
    until(`${wanted} rows are left`, async () => JSON.stringify(await left()) === wanted);
  await send(app, [A]);
  await bodyOf(sendXml(await app.key(["products:write"]), "<ITEMS><ITEM>"), 200);
  await untilLeft("[0,0,0,0]");
  await send(app, [A], "?dryRun=true");
  await untilLeft("[1,1,1,0]");
});

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
const XML = { "Content-Type": "application/xml" };

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
  for (const id of ["shop", "erp-default", "jtl-ameise"]) {
    await refuses(app.manager.post(BASE, { ...SHOP, id }), "conflict");
  }
  const bad = { ...SHOP, id: "other", itemPath: "[[", titel: "x" };
  const { details } = await refusalOf(app.manager.post(BASE, bad));
  assertEquals(column(details.fields, "path").sort(), ["itemPath", "titel"]);
  await refuses(app.manager.patch(`${BASE}/shop`, { id: "x" }), "validation_failed");
  for (const id of ["bmecat", "jtl-ameise"]) {
    await refuses(app.manager.patch(`${BASE}/${id}`, {}), "forbidden");
    await refuses(app.manager.delete(`${BASE}/${id}`), "forbidden");
  }
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
  // Close the app, so that the import does not start before the profile is deleted.
  await app.app.close();
  await app.manager.create(BASE, SHOP);
  const { data: { jobId } } = await bodyOf(sendXml(key, FILE, "?profile=shop", ASYNC), 202);
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

withApp.test("POST import-profiles/preview shows the first records of XML and stores nothing; it says why a file is unreadable", async (app) => {
  const many = Array.from({ length: 50 }, (_, n) => ({ sku: `S-${n}`, title: "T", price: "x" }));
  const seen = await app.viewer.act(`${BASE}/preview`, itemsXml(many), XML);
  assertEquals([seen.records.length, seen.warnings.length, seen.error], [20, 50, null]);
  assertEquals([seen.records[3].sku, seen.records[3].fields.title], ["S-3", "T"]);
  assertEquals([seen.columns, seen.profile, seen.confidence], [[], "erp-default", null]);
  assertEquals(
    valuesOf([seen.look], "kind", "root", "list", "encoding", "rows", "headerRow", "firstRows"),
    [["xml", "ITEMS", "//ITEM|//ARTICLE|//ARTIKEL|//PRODUCT", "utf-8", 50, null, []]],
  );
  assertEquals((await app.owner.read("/api/products")).count, 0);
  assertEquals((await app.owner.read("/api/imports")).count, 0);
  const broken = await app.viewer.act(`${BASE}/preview`, "<ITEMS><ITEM>", XML);
  assertEquals(broken.error.code, "malformed_xml");
  const none = await app.viewer.act(`${BASE}/preview`, "nichts als Text", CSV);
  assertEquals([none.look, none.error.code], [null, "no_header"]);
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

const CSV = { "Content-Type": "text/csv" };
const TABLE_FILE = "Kennwort;Was;Netto;Lieferant\nA-1;Apfel;1,50;Hof\nA-2;Birne;2,00;Gut\n";
const OWN = {
  id: "nachts",
  name: "Nachtlauf",
  format: "table",
  detect: { columns: ["Kennwort", "Netto"] },
  fields: { sku: { columns: ["Kennwort"] }, title: { columns: ["Was"] } },
  attributes: [{ name: "supplier", from: { columns: ["Lieferant"] } }],
  prices: [{ from: { columns: ["Netto"] }, role: "own", side: "net" }],
  numberFormat: "de",
};

withBench.test("a table profile reads files with its columns, or if it is named", async ({ app, key }) => {
  const before = await importFile(key, TABLE_FILE, "text/csv");
  assertEquals(before.data.error.code, "missing_sku_column");

  const made = await app.manager.create(BASE, OWN);
  assertEquals([made.builtIn, made.format, made.zeroIsEmpty], [false, "table", true]);
  const { data } = await importFile(key, TABLE_FILE, "text/csv");
  assertEquals([data.files[0].profile, data.stats.inserted], ["nachts", 2]);
  const { items } = await app.owner.read("/api/products?limit=10");
  assertEquals(valuesOf(items, "sku", "ourPrice", "attributes").sort(), [
    ["A-1", 150, { supplier: "Hof" }],
    ["A-2", 200, { supplier: "Gut" }],
  ]);

  const named = await importFile(
    key,
    TABLE_FILE.replace("1,50", "1,60"),
    "text/csv",
    "?profile=nachts",
  );
  assertEquals(named.data.stats.updated, 1);
});

withApp.test("a malformed table profile is refused, each field by its path", async (app) => {
  const wrong: readonly (readonly [string, Record<string, unknown>, readonly string[]])[] = [
    ["without a column of the SKU", { fields: {} }, ["fields.sku"]],
    ["of an unknown role", { prices: [{ from: {}, role: "best" }] }, ["prices.0.role"]],
    ["of an unknown delimiter", { read: { delimiter: "#" } }, ["read.delimiter"]],
    ["of a format that there is not", { format: "pdf" }, ["format"]],
    ["with a path of XML", { itemPath: "a/b" }, ["itemPath"]],
  ];
  for (const [what, part, paths] of wrong) {
    const { code, details } = await refusalOf(app.manager.post(BASE, { ...OWN, ...part }));
    assertEquals(code, "validation_failed", what);
    assertEquals(column(details.fields, "path"), paths, what);
  }
});

withApp.test("a preview shows a table's format, the use of its columns, and a profile to save", async (app) => {
  const file = "Stand: 20.11.2026\n\nArtikelnummer;Bezeichnung;VK netto (EUR);Farbe\n" +
    "A-1;Apfel;1.234,50;rot\nA-2;Birne;2,00;grün\n";
  const seen = await app.viewer.act(`${BASE}/preview`, file, CSV);
  const { look, columns } = seen;
  assertEquals(
    [look.kind, look.encoding, look.delimiter, look.headerRow, look.rows],
    ["delimited", "utf-8", ";", 3, 2],
  );
  assertEquals(look.firstRows[0], { line: 4, cells: ["A-1", "Apfel", "1.234,50", "rot"] });
  assertEquals(valuesOf(columns, "column", "field", "side", "currency"), [
    ["Artikelnummer", "sku", null, null],
    ["Bezeichnung", "title", null, null],
    ["VK netto (EUR)", "price", "net", "EUR"],
    ["Farbe", null, null, null],
  ]);
  assertEquals(columns[2].samples, ["1.234,50", "2,00"]);
  ok(seen.confidence > 0.8 && seen.confidence <= 1, String(seen.confidence));
  assertEquals([seen.profile, seen.records.length, seen.error], ["suggested", 2, null]);
  assertEquals((await app.owner.read("/api/products")).items, []);

  const saved = { ...seen.suggestion, id: "preise", name: "Preise" };
  await app.manager.create(BASE, saved);
  const again = await app.viewer.act(`${BASE}/preview?profile=preise`, file, CSV);
  assertEquals([again.profile, again.suggestion, again.confidence], ["preise", null, 1]);
  assertEquals(again.records, seen.records);
  assertEquals(column(again.columns, "field"), column(columns, "field"));
});

withApp.test("a preview counts all rows and their findings, by kind and column", async (app) => {
  const rows = Array.from(
    { length: 300 },
    (_, n) => `A-${n};Ding ${n};${n % 3 === 0 ? "viel" : "1,00"};${n % 100 === 0 ? "x" : ""}`,
  );
  const file = ["Artikelnummer;Bezeichnung;VK;EAN", ...rows, ";ohne;1,00;"].join("\n");
  const seen = await app.viewer.act(`${BASE}/preview`, file, CSV);
  assertEquals([seen.look.rows, seen.records.length, seen.warnings.length], [301, 20, 100]);
  const fields = ["severity", "code", "field", "count", "line", "value"];
  assertEquals(Object.keys(seen.tallies[0]).sort(), fields.toSorted());
  assertEquals(valuesOf(seen.tallies, ...fields), [
    ["error", "missing_sku", "Artikelnummer", 1, 302, ""],
    ["warning", "invalid_number", "VK", 100, 2, "viel"],
    ["warning", "invalid_ean", "EAN", 3, 2, "x"],
  ]);
  // The preview reads more than the 20 shown records, so it reports an error in line 303.
  const broken = `${file}\nB-1;"offen`;
  const told = await app.viewer.act(`${BASE}/preview`, broken, CSV);
  assertEquals([told.error.code, told.error.line, told.look.rows], ["unclosed_quote", 303, null]);
});

withApp.test("a preview of a long file counts only its first 16 MiB", async (app) => {
  const row = `A-1;${"x".repeat(60_000)};1,00\n`;
  const file = `Artikelnummer;Bezeichnung;VK\n${row.repeat(300)}`;
  const seen = await app.viewer.act(`${BASE}/preview`, file, CSV);
  assertEquals([seen.look.rows, seen.records.length, seen.error], [null, 20, null]);
});

withApp.test("a table without a known SKU column is shown with its columns, for a person to name it", async (app) => {
  const seen = await app.viewer.act(`${BASE}/preview`, TABLE_FILE, CSV);
  assertEquals(seen.error.code, "missing_sku_column");
  assertEquals([seen.look.kind, seen.records], ["delimited", []]);
  assertEquals(column(seen.columns, "column"), ["Kennwort", "Was", "Netto", "Lieferant"]);
  assertEquals([seen.suggestion.fields.sku, seen.look.firstRows.length], [null, 2]);
  const named = { ...seen.suggestion, id: "so", fields: OWN.fields };
  await app.manager.create(BASE, named);
  const { records, error } = await app.viewer.act(`${BASE}/preview?profile=so`, TABLE_FILE, CSV);
  assertEquals([records.length, error], [2, null]);
});

withApp.test("a profile finds products by SKU or EAN, and needs a column for it", async (app) => {
  const made = await app.manager.create(BASE, OWN);
  assertEquals(made.matchBy, "sku");
  const byEan = { ...OWN, id: "ean", matchBy: "ean" };
  const { details } = await refusalOf(app.manager.post(BASE, byEan));
  assertEquals(column(details.fields, "path"), ["fields.ean"]);
  const fields = { ean: { columns: ["Kennwort"] } };
  await app.manager.create(BASE, { ...byEan, fields, detect: {} });
  await app.owner.create("/api/products", { sku: "S-1", title: "Tasse", ean: "4000000001379" });
  const file = "Kennwort;Netto\n4000000001379;1,00\n4000000002741;2,00\n";
  const seen = await app.viewer.act(`${BASE}/preview?profile=ean`, file, CSV);
  assertEquals(column(seen.records, "sku"), ["S-1", null]);
  const codes = column(seen.records, "findings").map((findings) => column(findings, "code"));
  assertEquals(codes, [[], ["unknown_ean"]]);
});

withApp.test("a profile without an id gets one from its name", async (app) => {
  const { id: _id, ...nameless } = OWN;
  const names = ["Preise für Öl & Fett", "Preise für Öl & Fett", "JTL-Ameise", "–", "x".repeat(99)];
  const ids = [];
  for (const name of names) {
    const made = await app.manager.create(BASE, { ...nameless, name });
    ids.push(made.id);
    assertEquals(await app.viewer.read(`${BASE}/${made.id}`), made);
  }
  assertEquals(
    ids,
    ["preise-fuer-oel-fett", "preise-fuer-oel-fett-2", "jtl-ameise-2", "profile", "x".repeat(60)],
  );
  const xml = { detect: { root: "K" }, itemPath: "K/A", fields: { sku: { path: "N" } } };
  assertEquals((await app.manager.create(BASE, { ...xml, name: "Katalog" })).id, "katalog");
});

withApp.test("two profiles of one name are both listed and read, page by page", async (app) => {
  const { items } = await app.viewer.read(BASE);
  const builtIn = [...PROFILES, ...TABLE_TEMPLATES].map(({ id }) => [id, true]).sort();
  assertEquals(valuesOf(items, "id", "builtIn"), builtIn);
  assertEquals(await everyItem(app.viewer, `${BASE}?limit=1`), items);
  const feeds = items.filter(({ id }: { id: string }) => id === "google-merchant");
  assertEquals(column(feeds, "format"), ["table", undefined]);
  const read = (query: string) => app.viewer.read(`${BASE}/google-merchant${query}`);
  assertEquals(await read("?format=table"), feeds[0]);
  assertEquals(await read("?format=xml"), feeds[1]);
  assertEquals(await read(""), feeds[1]);
  await refuses(app.viewer.get(`${BASE}/idealo?format=xml`), "not_found");
});

withApp.test("the profile language is a JSON Schema with valid examples", async (app) => {
  const schema = await app.viewer.read("/api/import-profile-schema");
  assertEquals(schema.$schema, "https://json-schema.org/draft/2020-12/schema");
  for (const example of schema.examples) await app.manager.create(BASE, example);
});
