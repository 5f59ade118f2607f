import { DAY_MS } from "../../src/base/time.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import fc from "fast-check";
import { column, valuesOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { shard } from "../../src/catalogue/products/product.ts";
import type { TestApp } from "../harness.ts";
import { extent } from "../proof.ts";
import { checkedAfter } from "../shops/shop.ts";
import { IMPORT, itemsXml, withBench, XLSX } from "./import_calls.ts";
import { workbookOf } from "./workbook.ts";

const ago = ({ clock }: TestApp, days: number) =>
  new Date(clock.now().getTime() - days * DAY_MS).toISOString().slice(0, 10);

const german = (date: string) => date.split("-").reverse().join(".");

const daysOf = async (key: Caller, sku: string) =>
  (await key.read(`/api/public/v1/sales?sku=${encodeURIComponent(sku)}`)).data.days;

const day = (date: string, units: number) => ({ date, units, revenueCents: null, currency: null });

const withCheckedBench = checkedAfter(withBench, ({ app }) => app);

const csv = (rows: readonly string[], head = "Artikelnummer;Bezeichnung;Absatz;Absatzdatum") =>
  `${[head, ...rows].join("\n")}\n`;

withCheckedBench.test("every format brings the units of a day, replacing earlier ones", async ({ app, key, send }) => {
  const on = ago(app, 1);
  const names = ["Artikelnummer", "Bezeichnung", "Verkaufte Menge", "Verkaufsdatum"];
  const record = (units: number) => ({ sku: "A", title: "Apfel", units, unitsDate: on });
  const lines = [record(5), { sku: "B", title: "Birne" }].map((one) => `${JSON.stringify(one)}\n`);
  const more = `<UNITS>6,5</UNITS><UNITSDATE>${german(on)}</UNITSDATE>`;
  const files: [string, string | Uint8Array, number][] = [
    ["text/csv", csv([`A;Apfel;1.002,5;${german(on)}`]), 1_002.5],
    [XLSX, workbookOf([names, ["A", "Apfel", -3, on]]), -3],
    ["application/json", JSON.stringify([record(4)]), 4],
    ["application/x-ndjson", lines.join(""), 5],
    ["application/xml", itemsXml([{ sku: "A", title: "Apfel", more }]), 6.5],
  ];
  for (const [type, body, units] of files) {
    const job = await send(body, "", type);
    const codes = column(job.warnings, "code");
    assertEquals([job.status, job.soldDays, codes], ["succeeded", 1, ["no_price_column"]], type);
    assertEquals(await daysOf(key, "A"), [day(on, units)], type);
    const again = await send(body, "", type);
    assertEquals([again.soldDays, again.stats.updated], [0, 0], type);
  }
});

withCheckedBench.test("a file restores its units of a day that were replaced by a push, even if the file is unchanged", async ({ app, key, send }) => {
  const on = ago(app, 2);
  const file = csv([`A;Apfel;3;${on}`, `B;Birne;0;${on}`]);
  assertEquals((await send(file)).soldDays, 2);
  const rows = [{ sku: "A", date: on, units: 9, revenue: 90 }];
  await key.act("/api/public/v1/sales", { rows });
  const job = await send(file);
  assertEquals([job.soldDays, job.stats.skipped], [1, 2]);
  assertEquals(await daysOf(key, "A"), [day(on, 3)]);
  assertEquals(await daysOf(key, "B"), [day(on, 0)]);
});

withCheckedBench.test("units with no valid day or number are warnings, and the rest of the record counts", async ({ app, key, send }) => {
  const on = ago(app, 1);
  const cases = [
    ["A;Apfel;3;", "missing_date", "Absatz"],
    [`B;Birne;3;${ago(app, -5)}`, "future_date", "Absatzdatum"],
    [`C;Clementine;3;${ago(app, 500)}`, "too_old", "Absatzdatum"],
    ["D;Dattel;3;31.02.2026", "invalid_date", "Absatzdatum"],
    [`E;Erdbeere;drei;${on}`, "invalid_number", "Absatz"],
    ["F;Granatapfel;3;31.12.9999", "missing_date", "Absatzdatum"],
  ];
  const job = await send(csv([...cases.map(([line = ""]) => line), `G;Feige;;${on}`]));
  assertEquals([job.stats.inserted, job.soldDays, job.errorCount], [7, 0, 0]);
  const warned = cases.map(([line, code, field], n) => [line?.[0], code, field, n + 2]);
  const warnings = valuesOf(job.warnings, "sku", "code", "field", "line");
  assertEquals(warnings, [[null, "no_price_column", null, 1], ...warned]);
  assertEquals(await daysOf(key, "A"), []);
});

withCheckedBench.test("a table without a date column for its units gets a suggestion without units", async (bench) => {
  const preview = (head: string) => bench.preview(csv(["A;Apfel;3;2026-11-20"], head), "a.csv");
  const whole = await preview("Artikelnummer;Bezeichnung;Absatz;Verkaufstag");
  const { units, unitsDate } = whole.suggestion.fields;
  assertEquals([units.columns, unitsDate.columns], [["Absatz"], ["Verkaufstag"]]);
  assertEquals(column(whole.columns, "field"), ["sku", "title", "units", "unitsDate"]);
  const lone = await preview("Artikelnummer;Bezeichnung;Absatz;Notiz");
  assertEquals(lone.suggestion.fields.units, null);
});

withCheckedBench.test("records that the mode excludes and refused records bring no units", async ({ app, key, send }) => {
  const on = ago(app, 1);
  await send(csv(["A;Apfel;;"]));
  const insert = await send(csv([`A;Apfel;3;${on}`, `B;Birne;4;${on}`]), "?mode=insert");
  assertEquals([insert.stats.inserted, insert.soldDays], [1, 1]);
  const update = await send(csv([`A;Apfel;3;${on}`, `C;C;4;${on}`]), "?mode=update");
  assertEquals([update.stats.skipped, update.soldDays], [2, 1]);
  const refused = await send(csv([`D;;4;${on}`, `D;;5;${ago(app, 2)}`]));
  assertEquals([refused.stats.errors, refused.soldDays], [1, 0]);
  const xml = await (await key.get(`${IMPORT}/${refused.jobId}/errors?format=xml`)).text();
  const mended = xml.replaceAll("</SKU><UNITS>", "</SKU><TITLE>Dattel</TITLE><UNITS>");
  assertEquals((await send(mended, "", "application/xml")).soldDays, 2, xml);
  assertEquals(await daysOf(key, "D"), [day(ago(app, 2), 5), day(on, 4)]);
});

withCheckedBench.test("a dry run names the days that would change and writes none", async ({ app, key, send }) => {
  const [old, on] = [ago(app, 2), ago(app, 1)];
  await send(csv([`A;Apfel;1;${old}`]));
  const body = csv([`A;Apfel, rot;2;${old}`, `A;Apfel, rot;3;${on}`, `B;Birne;4;${on}`]);
  const job = await send(body, "?dryRun=true");
  assertEquals(job.soldDays, 3);
  assertEquals(job.changes.filter(({ field }: { field: string }) => field === "units"), [
    { sku: "A", field: "units", date: old, from: 1, to: 2 },
    { sku: "A", field: "units", date: on, from: null, to: 3 },
  ]);
  assertEquals(await daysOf(key, "A"), [day(old, 1)]);
  const applied = await key.act(`${IMPORT}/${job.jobId}/apply`);
  assertEquals(applied.data.soldDays, 3);
  assertEquals(await daysOf(key, "A"), [day(old, 2), day(on, 3)]);
});

withCheckedBench.test("after an undo a day has its previous value, unless it was reported again since", async ({ app, key, send }) => {
  const [old, on] = [ago(app, 40), ago(app, 1)];
  const rows = [{ sku: "A", date: old, units: 9, revenue: 90 }];
  await send(csv(["A;Apfel;;", "B;Birne;;"]));
  await key.act("/api/public/v1/sales", { rows });
  const before = await daysOf(key, "A");
  const job = await send(
    csv([`A;Apfel;1;${old}`, `A;Apfel;2;${on}`, `B;Birne;3;${on}`, `C;Kirsche;4;${on}`]),
  );
  assertEquals(job.soldDays, 4);
  await key.act("/api/public/v1/sales", { rows: [{ sku: "B", date: on, units: 5 }] });
  const path = `/api/imports/${job.jobId}/undo?pause=false`;
  const { undone: rehearsed } = await app.manager.act(`${path}&dryRun=true`);
  assertEquals([rehearsed.soldDays, rehearsed.kept, rehearsed.deleted], [3, 1, 1]);
  assertEquals((await daysOf(key, "A")).length, 2);
  const undone = await app.manager.act(path);
  assertEquals([undone.undone.soldDays, undone.undone.kept], [3, 1]);
  const kept = valuesOf(undone.warnings, "sku", "code", "field", "value");
  assertEquals(kept, [["B", "kept_field", "units", `${on}: 5`]]);
  assertEquals(await daysOf(key, "A"), before);
  assertEquals(await daysOf(key, "B"), [day(on, 5)]);
  assertEquals(await daysOf(key, "C"), []);
});

withCheckedBench.test("an undo leaves a year of days that were reported again, with a warning for each", async ({ app, send }) => {
  // The three SKUs have the same `shard()`, so that one commit undoes all three products.
  const skus = Array.from({ length: 50_000 }, (_, n) => `S-${n}`)
    .filter((sku) => shard(sku) === shard("S-0")).slice(0, 3);
  const days = Array.from({ length: 366 }, (_, n) => ago(app, n + 1));
  const report = (units: number) =>
    send(csv(skus.flatMap((sku) => days.map((date) => `${sku};Apfel;${units};${date}`))));
  await send(csv(skus.map((sku) => `${sku};Apfel;;`)));
  const { jobId } = await report(1);
  await report(2);
  const path = `/api/imports/${jobId}/undo?pause=false`;
  for (const way of ["&dryRun=true", ""]) {
    const { status, undone, warningCount } = await app.manager.act(path + way);
    assertEquals([status, undone.kept, warningCount], ["succeeded", 3, 3 * 366]);
  }
});

withCheckedBench.test("after random files, pushes and undos, each day has its last value, or the one that an undo restored", async ({ app, key, send }) => {
  const skus = ["A", "B", "C"];
  await send(csv(skus.map((sku) => `${sku};${sku};;`)));
  const row = fc.record({
    sku: fc.constantFrom(...skus),
    date: fc.integer({ min: 0, max: 60 }).map((days) => ago(app, days)),
    // With three decimals, the separator could also be a thousands separator.
    units: fc.integer({ min: -500, max: 500_000 }).map((n) => n / 100),
  });
  const input = fc.array(row, { maxLength: 12 });
  const known = new Map<string, number>();
  const requireKnown = async () => {
    const stored = new Map<string, number>();
    for (const sku of skus) {
      for (const { date, units } of await daysOf(key, sku)) stored.set(`${sku} ${date}`, units);
    }
    assertEquals(new Map([...stored].sort()), new Map([...known].sort()));
  };
  const check = fc.asyncProperty(input, input, fc.boolean(), async (ofFile, pushed, isUndone) => {
    const before = new Map(known);
    const lines = ofFile.map(({ sku, date, units }) =>
      `${sku};${sku};${String(units).replace(".", ",")};${date}`
    );
    const job = await send(csv([...lines, "A;A;;"]));
    for (const { sku, date, units } of ofFile) known.set(`${sku} ${date}`, units);
    if (pushed.length > 0) await key.act("/api/public/v1/sales", { rows: pushed });
    const imported = new Map(known);
    for (const { sku, date, units } of pushed) known.set(`${sku} ${date}`, units);
    await requireKnown();
    if (!isUndone || job.undoableUntil === null) return;
    await app.manager.act(`/api/imports/${job.jobId}/undo?pause=false`);
    for (const [place, units] of imported) {
      if (known.get(place) !== units) continue;
      const was = before.get(place);
      if (was === undefined) known.delete(place);
      else known.set(place, was);
    }
    await requireKnown();
  });
  await fc.assert(check, { numRuns: extent(200, 15) });
});
