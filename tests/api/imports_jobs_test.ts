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
} from "../imports/import_bench.ts";
import { createImportRunner } from "../imports/import_runner.ts";
import { until } from "../patience.ts";
import { extent } from "../proof.ts";
import { watchedStore } from "../watched_store.ts";
import { bodyOf, column, everyItem, refusalOf, refuses, valuesOf } from "./answers.ts";

const A = { sku: "A", title: "Apfel", price: "1,00" };
const B = { sku: "B", title: "Birne", price: "2,00" };
const SCOPES = ["products:write"];
const ASYNC = { Prefer: "respond-async" };

/** Records with an unreadable price, except that each `step`th record is empty. */
const faulty = (count: number, step: number) =>
  Array.from({ length: count }, (_, n) => n % step ? { ...A, sku: `S-${n}`, price: "x" } : {});

/** The products, links and competitors, as the service shows them. */
async function catalogueOf(app: TestApp): Promise<string> {
  // The time of the answer differs even if the catalogue has not changed.
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

withBench.test("GET import/errors?format=csv has every finding, and no cell with a formula", async ({ app, key }) => {
  const formula = { ...A, sku: "=cmd|' /C calc'!A0", price: "+1+1" };
  const { jobId } = await send(app, [formula, {}]);
  const answer = await key.get(`${IMPORT}/${jobId}/errors?format=csv`);
  match(answer.headers.get("Content-Type") ?? "", /^text\/csv/);
  const text = await answer.text();
  const [head, ...rows] = text.trim().split("\r\n");
  assertEquals(head?.split(";").length, 9);
  assertEquals(rows.length, 2);
  ok(!/(^|;)"?[=+@-]/.test(rows.join("\n")), text);
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
  // The cost of C is 0.90, and its net price falls from 1.00 to 0.80. The cost of A is unknown.
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
  // A real import keeps no text of the file.
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

withBench.test("a dry run of products with many prices shows their first differences", async ({ app, key }) => {
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
  const sent = sendXml(key, itemsXml(items("11,00")), "?dryRun=true", ASYNC);
  let { data } = await bodyOf(sent, 202);
  await until("the dry run has ended", async () => {
    app.clock.advance(60_000);
    data = (await key.read(`${IMPORT}/${data.jobId}`)).data;
    return data.finishedAt !== null;
  });
  assertEquals([data.status, data.stats.updated, data.changes.length], ["succeeded", 100, 200]);
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

withApp.test("POST import/apply stores the reason in job and audit log, one line of 500 characters", async (app) => {
  const { jobId, reason } = await send(app, [A], "?dryRun=true");
  assertEquals(reason, null);
  const path = `/api/imports/${jobId}/apply`;
  await refuses(app.manager.post(path, { reason: "x".repeat(501) }), "validation_failed");
  const applied = await app.manager.act(path, { reason: " Ware\nist da " });
  assertEquals(applied.reason, "Ware ist da");
  const { items } = await app.owner.read("/api/audit-logs?action=import.finish");
  assertEquals(column(items, "reason"), ["Ware ist da"]);
});

const CANCELLED = extent(6_000, 3_000);

withBench.test("POST import/cancel keeps and counts committed work, and stops", async ({ app, key }) => {
  // The app is closed, so that only this test runs jobs and knows when to cancel.
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
  // The app is closed, so that only this test runs jobs and knows when to cancel.
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

withApp.test("an import leaves one audit row, a dry run none", async (app) => {
  const { jobId, stats } = await send(app, [A, B]);
  await send(app, [A, B], "?dryRun=true");
  const { items } = await app.owner.read("/api/audit-logs");
  assertEquals(items.length, 1);
  const [{ action, actor, after, resource }] = items;
  assertEquals([action, actor.type], ["import.finish", "api_key"]);
  assertEquals([resource.type, resource.id], ["import", jobId]);
  assertEquals([after.status, after.inserted], ["succeeded", stats.inserted]);
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
  await bodyOf(sendXml(await app.key(SCOPES), "<ITEMS><ITEM>"), 200);
  await untilLeft("[0,0,0,0]");
  await send(app, [A], "?dryRun=true");
  await untilLeft("[1,1,1,0]");
});
