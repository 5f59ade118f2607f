import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { bodyOf, pagesOf, refuses, valuesOf } from "../../api/answers.ts";
import type { Caller } from "../../caller.ts";
import {
  addProduct,
  addRule,
  automatic,
  proposals,
  pushJudged,
} from "../../rules/evaluation/market.ts";
import { startTestApp, type TestApp, withApp } from "../../harness.ts";
import { importFile, importXml, sendXml } from "../../imports/import_calls.ts";
import { addPriceChange } from "../../../src/catalogue/prices/price_rows.ts";
import { addTestWorkspace } from "../../catalogue/catalogue_workspace.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { openStoreFile } from "../../../src/platform/store/open_store.ts";
import { flushFile } from "../../../src/platform/store/store_file.ts";
import { pageOfChanges, PriceExportQuery } from "../../../src/market/export/price_export_routes.ts";
import { contextOf, createTestClock } from "../../platform/jobs/counting.ts";
import { inFolder } from "../../temporary_folder.ts";
import { extent } from "../../proof.ts";
import { DAY_MS } from "../../../src/base/time.ts";
import { sheetsOf } from "../../read_table.ts";

const PATH = "/api/public/v1/price-changes";

async function setPrice(app: TestApp, id: string, cents: number): Promise<void> {
  await app.owner.change(`/api/products/${id}`, { ourPriceCents: cents, reason: "As drawn" });
}

/** Changes as `[sku, toCents]` from all pages, and `nextSince` of the last page. */
async function changes(key: Caller, since = "", limit = 200) {
  const found: [string, number][] = [];
  let next: string | null = null;
  const path = `${PATH}?since=${encodeURIComponent(since)}&limit=${limit}`;
  for await (const { data, count, nextCursor, nextSince } of pagesOf(key, path)) {
    assertEquals(data.length, count);
    for (const { sku, toCents } of data) found.push([sku, toCents]);
    if (nextCursor !== null) assertEquals([nextSince, count], [null, limit]);
    next = nextSince;
  }
  return { found, nextSince: String(next) };
}

withApp.test("GET price-changes lists changes in commit order, whatever the page size", async (app) => {
  const key = await app.key(["proposals:read"]);
  const ids: Record<string, string> = {};
  for (const sku of ["A", "B"]) ids[sku] = await addProduct(app.owner, sku);
  // All changes happen in the same millisecond, so their time does not give the order.
  const later: [string, number][] = [["B", 1], ["A", 2], ["B", 3], ["A", 4], ["A", 5]];
  for (const [sku, cents] of later) await setPrice(app, ids[sku]!, cents);
  for (const limit of [1, 2, 3, 7, 200]) {
    const { found } = await changes(key, "", limit);
    assertEquals(found, [["A", 10_000], ["B", 10_000], ...later], `${limit} a page`);
  }
  const { data } = await key.read(`${PATH}?limit=3`);
  const [third] = valuesOf(data.slice(2), "fromCents", "currency", "source", "ref");
  assertEquals(third, [10_000, "EUR", "api", null]);
});

withApp.test("nextSince skips and repeats no change, and is refused to another workspace; a time is inclusive", async (app) => {
  const key = await app.key(["proposals:read"]);
  const a = await addProduct(app.owner, "A");
  const first = await changes(key);
  assertEquals(first.found.length, 1);
  assertEquals((await changes(key, first.nextSince)).found, []);
  await setPrice(app, a, 9_000);
  const second = await changes(key, first.nextSince);
  assertEquals(second.found, [["A", 9_000]]);
  app.clock.advance(3_600_000);
  await setPrice(app, a, 8_000);
  assertEquals((await changes(key, second.nextSince)).found, [["A", 8_000]]);
  const now = app.clock.now().toISOString();
  assertEquals((await changes(key, now)).found, [["A", 8_000]]);
  app.clock.advance(1);
  assertEquals((await changes(key, app.clock.now().toISOString())).found, []);
  const stranger = await app.strangerKey(["proposals:read"]);
  for (const [caller, since] of [[key, "yesterday"], [stranger, first.nextSince]] as const) {
    await refuses(caller.get(`${PATH}?since=${encodeURIComponent(since)}`), "validation_failed");
  }
  assertEquals((await changes(stranger)).found, []);
});

withApp.test("nextSince misses nothing while others write", async (app) => {
  const key = await app.key(["proposals:read"]);
  const ids = await Promise.all(
    Array.from({ length: 8 }, (_, n) => addProduct(app.owner, `SKU-${n}`)),
  );
  const steps = extent(25, 8);
  let { nextSince } = await changes(key);
  const seen: [string, number][] = [];
  let isWriting = true;
  const reading = (async () => {
    while (isWriting) {
      const page = await changes(key, nextSince, 7);
      seen.push(...page.found);
      nextSince = page.nextSince;
    }
  })();
  await Promise.all(ids.map(async (id, n) => {
    for (let step = 1; step <= steps; step++) await setPrice(app, id, n * 100 + step);
  }));
  isWriting = false;
  await reading;
  seen.push(...(await changes(key, nextSince)).found);
  for (const n of ids.keys()) {
    const ofOne = seen.filter(([sku]) => sku === `SKU-${n}`).map(([, cents]) => cents);
    assertEquals(ofOne, Array.from({ length: steps }, (_, step) => n * 100 + step + 1));
  }
});

const ERP = `<?xml version="1.0" encoding="UTF-8"?><ITEMS>
  <ITEM><SKU>TIERED &amp; co</SKU><TITLE>Kühlschrank</TITLE><CURRENCY>EUR</CURRENCY>
    <TIER>STANDARD</TIER>
    <SALESPRICE><TIER>STANDARD</TIER><PRICE>1.234,56</PRICE><VALIDFROM>01.01.2026</VALIDFROM>
      <VALIDUNTIL/></SALESPRICE>
    <SALESPRICE><TIER>STANDARD</TIER><PRICE>1.100,00</PRICE><MINQTY>10</MINQTY><VALIDUNTIL/></SALESPRICE>
    <SALESPRICE><TIER>B2B</TIER><PRICE>1.150,00</PRICE><VALIDUNTIL/></SALESPRICE>
  </ITEM>
  <ITEM><SKU>PLAIN</SKU><TITLE>Toaster</TITLE>
    <SALESPRICE><PRICE>19,90</PRICE><VALIDUNTIL/></SALESPRICE></ITEM>
</ITEMS>`;

withApp.test("an import of the exported XML moves no price", async (app) => {
  const key = await app.key(["proposals:read", "products:write"]);
  await bodyOf(sendXml(key, ERP), 200);
  const { items } = await app.owner.read("/api/products");
  for (const { id } of items) await setPrice(app, id, 4_711);
  await addProduct(app.owner, "YEN", { ourPrice: 1_234, costPrice: 1, currency: "JPY" });
  await addProduct(app.owner, "DINAR", { ourPrice: "1.234", costPrice: 1, currency: "KWD" });
  const gone = await addProduct(app.owner, "GONE");
  await app.owner.remove(`/api/products/${gone}`);
  const before = (await app.owner.read("/api/products")).items;

  const answer = await key.get(`${PATH}?format=xml`);
  match(answer.headers.get("X-Next-Since") ?? "", /^[\w-]+$/);
  const xml = await answer.text();
  match(xml, /<PRICE>47,11<\/PRICE>/);
  const { data } = await bodyOf(sendXml(key, xml), 200);
  const { inserted, updated, skipped, errors } = data.stats;
  assertEquals([inserted, errors, updated + skipped, data.warnings], [0, 0, 4, []]);
  const after = (await app.owner.read("/api/products")).items;
  const names = ["sku", "ourPrice", "ourPriceUpdatedAt", "tier"];
  assertEquals(valuesOf(after, ...names), valuesOf(before, ...names));
  const pricesOf = (products: { sku: string; prices: unknown }[]) =>
    products.find(({ sku }) => sku.startsWith("TIERED"))?.prices;
  assertEquals(pricesOf(after), pricesOf(before));
});

withApp.test("a tier that XML cannot express keeps the price file readable, with its product", async (app) => {
  const key = await app.key(["proposals:read", "products:write"]);
  await addProduct(app.owner, "A", { tier: "B2B\uFFFE", ourPrice: 12 });
  await addProduct(app.owner, "B", { tier: "\uFFFF", ourPrice: 13 });
  const xml = await (await key.get(`${PATH}?format=xml`)).text();
  assertEquals([...xml.matchAll(/<SKU>(.)</g)].map(([, sku]) => sku), ["A", "B"]);
  const { data } = await bodyOf(sendXml(key, xml), 200);
  assertEquals([data.status, data.stats.errors], ["succeeded", 0]);
  const { items } = await app.owner.read("/api/products");
  assertEquals(valuesOf(items, "sku", "ourPrice"), [["A", 1_200], ["B", 1_300]]);
});

Deno.test("nextSince skips no change after a clock that was ahead, by hours or by days", async () => {
  for (const aheadMs of [2 * 3_600_000, 72 * 3_600_000]) {
    await using app = await startTestApp();
    const key = await app.key(["proposals:read"]);
    const [a, b, c] = await Promise.all(["A", "B", "C"].map((sku) => addProduct(app.owner, sku)));
    app.clock.advance(60_000);
    const { nextSince: start } = await changes(key);
    app.clock.advance(aheadMs);
    await setPrice(app, a!, 1);
    const ahead = await changes(key, start);
    assertEquals(ahead.found, [["A", 1]]);
    app.clock.advance(-aheadMs);
    await setPrice(app, b!, 2);
    const { found: whole } = await changes(key);
    assertEquals(whole.filter(([, cents]) => cents < 10_000), [["B", 2], ["A", 1]]);
    const right = await changes(key, ahead.nextSince);
    assertEquals(right.found, [["B", 2]]);
    app.clock.advance(1_800_000);
    await setPrice(app, c!, 3);
    app.clock.advance(aheadMs);
    const later = await changes(key, right.nextSince);
    assertEquals(later.found, [["C", 3]]);
    assertEquals((await changes(key, later.nextSince)).found, []);
    const first = await changes(key);
    const all = [...first.found, ...(await changes(key, first.nextSince)).found];
    assertEquals(all.map(([, cents]) => cents).filter((cents) => cents < 10_000).sort(), [1, 2, 3]);
  }
});

inFolder.test("nextSince skips no change after an older store was restored", async (folder) => {
  const [path, backup] = [`${folder.path}/kv`, `${folder.path}/backup`];
  const clock = createTestClock();
  const created = await openStoreFile(path, 5_000);
  const { workspaceId } = await addTestWorkspace(created, clock);
  created.kv.close();
  const productId = clock.newId();
  /** Records the price changes, and returns the prices exported since `since`. */
  const work = async (prices: readonly number[], since = "") => {
    const store = await openStoreFile(path, 5_000);
    const ctx = contextOf(store, clock, workspaceId);
    for (const toCents of prices) {
      clock.advance(60_000);
      const at = ctx.now().toISOString();
      const cause = { currency: "EUR", source: "api", actor: ctx.actor, ref: null } as const;
      const change = { at, fromCents: null, toCents, ...cause };
      await transact(ctx, (write) => addPriceChange(write, workspaceId, productId, change));
    }
    const { data, nextSince } = await pageOfChanges(ctx, PriceExportQuery.parse({ since }));
    store.kv.close();
    await flushFile(path);
    return { found: data.map(({ toCents }) => toCents), nextSince: nextSince ?? "" };
  };
  const first = await work([1]);
  await Deno.copyFile(path, backup);
  const second = await work([2, 3, 4], first.nextSince);
  assertEquals([first.found, second.found], [[1], [2, 3, 4]]);
  await Deno.copyFile(backup, path);
  // After a restore, changes may be exported twice, but none may be lost.
  const restored = await work([5], second.nextSince);
  assertEquals(restored.found.filter((cents) => cents !== 1), [5]);
  assertEquals((await work([6], restored.nextSince)).found, [6]);
  await Deno.copyFile(backup, path);
  const six = [7, 8, 9, 10, 11, 12];
  assertEquals((await work(six, second.nextSince)).found.slice(-6), six);
});

withApp.test("price changes contain tier and first day of validity as pages, CSV, CSV for Excel and workbook", async (app) => {
  await app.owner.change("/api/settings", { pricesIncludeVat: true });
  const fields = { sku: "00=1", title: "Mixer", tier: "B2B", ourPrice: 1234.5 };
  const { id } = await app.owner.create("/api/products", fields);
  app.clock.advance(24 * 3_600_000);
  await app.owner.change(`/api/products/${id}`, { ourPrice: 999 });
  const yen = { sku: "=B", title: "Sake", currency: "JPY", ourPrice: 1_500 };
  await app.owner.create("/api/products", yen);
  const key = await app.key(["proposals:read"]);
  const page = await key.read(PATH);
  assertEquals(page.pricesIncludeVat, true);
  assertEquals(valuesOf(page.data, "toCents", "tier", "validFrom"), [
    [123_450, "B2B", "2026-03-01T23:00:00.000Z"],
    [99_900, "B2B", "2026-03-02T23:00:00.000Z"],
    [1_500, null, "2026-03-02T23:00:00.000Z"],
  ]);
  const csv = await key.get(`${PATH}?format=csv`);
  assertEquals(csv.headers.get("X-Prices-Include-Vat"), "true");
  const [head, first] = (await csv.text()).split("\r\n");
  assertEquals(
    head,
    '"sku","productId","fromCents","toCents","currency","at","source","ref","tier","validFrom","id"',
  );
  assertEquals(first?.includes(',"api","","B2B","2026-03-01T23:00:00.000Z","'), true, first);

  // A German Excel opens this CSV without an import dialog.
  const text = await (await key.get(`${PATH}?format=csv&dialect=excel`)).text();
  const excel = await app.viewer.get("/api/price-changes?format=csv&dialect=excel");
  // `Response.text()` would drop the byte order mark.
  assertEquals([...(await excel.bytes()).subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  assertEquals(text.trimEnd().split("\r\n"), [
    '"Artikelnummer";"Preisgruppe";"Preis";"Währung";"Gültig ab";"Alter Preis";"Quelle"',
    '"00=1";"B2B";"1234,50";"EUR";"02.03.2026";"";"Eingabe oder API"',
    '"00=1";"B2B";"999,00";"EUR";"03.03.2026";"1234,50";"Eingabe oder API"',
    `"'=B";"";"1500";"JPY";"03.03.2026";"";"Eingabe oder API"`,
  ]);

  const book = await key.get(`${PATH}?format=xlsx`);
  const since = book.headers.get("X-Next-Since") ?? "";
  const table = [
    ["Artikelnummer", "Preisgruppe", "Preis", "Währung", "Gültig ab", "Alter Preis", "Quelle"],
    ["00=1", "B2B", "1234.50", "EUR", "2026-03-02", null, "Eingabe oder API"],
    ["00=1", "B2B", "999.00", "EUR", "2026-03-03", "1234.50", "Eingabe oder API"],
    ["=B", null, "1500", "JPY", "2026-03-03", null, "Eingabe oder API"],
  ];
  assertEquals(await sheetsOf(await book.bytes()), { "1": table });
  const rest = `since=${encodeURIComponent(since)}`;
  const next = await key.get(`${PATH}?format=xlsx&${rest}`);
  assertEquals(await sheetsOf(await next.bytes()), { "1": table.slice(0, 1) });
  const { nextSince, ...empty } = await key.read(`${PATH}?${rest}`);
  assertEquals(empty, { data: [], nextCursor: null, pricesIncludeVat: true, count: 0 });
  assertEquals(typeof nextSince, "string");
  assertEquals(await (await key.get(`${PATH}?format=csv&${rest}`)).text(), `${head}\r\n`);
  const xml = await (await key.get(`${PATH}?format=xml&${rest}`)).text();
  match(xml, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<ITEMS>\n<\/ITEMS>\n$/);
});

const FILE = `<?xml version="1.0" encoding="UTF-8"?><ITEMS><ITEM>
  <SKU>A</SKU><TITLE>Mixer</TITLE><COSTPRICE>50,00</COSTPRICE><TIER>STANDARD</TIER>
  <SALESPRICE><TIER>STANDARD</TIER><PRICE>100,00</PRICE><VALIDFROM>01.01.2026</VALIDFROM></SALESPRICE>
  <SALESPRICE><TIER>STANDARD</TIER><PRICE>90,00</PRICE><MINQTY>10</MINQTY>
    <VALIDFROM>01.01.2026</VALIDFROM></SALESPRICE>
  <SALESPRICE><TIER>B2B</TIER><PRICE>80,00</PRICE><VALIDFROM>01.01.2026</VALIDFROM></SALESPRICE>
</ITEM></ITEMS>`;
const JANUARY = "2025-12-31T23:00:00.000Z";

async function withProduct(app: TestApp): Promise<string> {
  await importXml(await app.key(["products:write"]), FILE);
  app.clock.advance(2 * DAY_MS);
  const { items } = await app.owner.read("/api/products?sku=A");
  return items[0].id;
}

/** `prices[]` of the product, as `[tier, minQty, cents, validFrom]`. */
async function tiersOf(app: TestApp, id: string) {
  const { prices } = await app.owner.read(`/api/products/${id}`);
  return valuesOf(prices, "tier", "minQty", "amountCents", "validFrom");
}

function expected(cents: number, validFrom: string) {
  return [
    ["B2B", 1, 8_000, JANUARY],
    ["STANDARD", 1, cents, validFrom],
    ["STANDARD", 10, 9_000, JANUARY],
  ];
}

async function exportOf(app: TestApp): Promise<string[]> {
  const key = await app.key(["proposals:read"]);
  const xml = await (await key.get("/api/public/v1/price-changes?format=xml")).text();
  const rows = xml.matchAll(/<PRICE>([^<]*)<.*?<VALIDFROM>([^<]*)</g);
  return [...rows].map(([, ...row]) => row.join(" from "));
}

withApp.test("a changed price is valid in its tier from the day of the change in the workspace's zone, also in the export", async (app) => {
  const id = await withProduct(app);
  const change = (body: unknown) => app.owner.change(`/api/products/${id}`, body);
  assertEquals(await tiersOf(app, id), expected(10_000, JANUARY));
  await change({ title: "Rührer", ourPrice: 100 });
  assertEquals(await tiersOf(app, id), expected(10_000, JANUARY), "no other price");
  await change({ ourPrice: 95 });
  assertEquals(await tiersOf(app, id), expected(9_500, "2026-03-03T23:00:00.000Z"));
  assertEquals(await exportOf(app), ["95,00 from 04.03.2026", "90,00 from 01.01.2026"]);
  await change({ tier: "B2B" });
  assertEquals(await exportOf(app), ["95,00 from 04.03.2026"], "not 80,00 of January");
  await app.owner.change("/api/settings", { timeZone: "Pacific/Auckland" });
  // Ten hours after 9:00 UTC on the 4th, it is 8:00 on the 5th in Auckland.
  app.clock.advance(10 * 3_600_000);
  await change({ ourPrice: 94 });
  assertEquals((await tiersOf(app, id))[0], ["B2B", 1, 9_400, "2026-03-04T11:00:00.000Z"]);
  assertEquals(await exportOf(app), ["94,00 from 05.03.2026"]);
});

withApp.test("an approved price, its rollback and a price that a rule applies are valid from their own days", async (app) => {
  const id = await withProduct(app);
  await app.owner.change("/api/settings", { autoApply: true });
  await addRule(app.owner, automatic(5));
  await pushJudged(app, [["A", "acme", 92]]);
  const [open] = await proposals(app.owner, "status=open");
  await app.owner.act(`/api/proposals/${open?.id}/approve`);
  assertEquals(await tiersOf(app, id), expected(9_200, "2026-03-03T23:00:00.000Z"));
  app.clock.advance(DAY_MS);
  await app.owner.act(`/api/proposals/${open?.id}/rollback`);
  assertEquals(await tiersOf(app, id), expected(10_000, "2026-03-04T23:00:00.000Z"));
  app.clock.advance(2 * DAY_MS);
  await pushJudged(app, [["A", "acme", 97]]);
  assertEquals(await tiersOf(app, id), expected(9_700, "2026-03-06T23:00:00.000Z"));
});

withApp.test("the export has the day of the change, too, if no row of the tier has the own price", async (app) => {
  const fields = { sku: "B", title: "Kanne", tier: "STANDARD", ourPrice: 10 };
  const { id } = await app.owner.create("/api/products", fields);
  assertEquals(await exportOf(app), ["10,00 from 02.03.2026"]);
  app.clock.advance(2 * DAY_MS);
  await app.owner.change(`/api/products/${id}`, { title: "Kännchen" });
  assertEquals(await exportOf(app), ["10,00 from 02.03.2026"], "another field is no new price");
  await app.owner.change(`/api/products/${id}`, { ourPrice: 9 });
  assertEquals(await exportOf(app), ["9,00 from 04.03.2026"]);
});

withApp.test("a changed price alone, in the service's own file, is valid from the day of its import", async (app) => {
  const id = await withProduct(app);
  const key = await app.key(["products:write"]);
  const csv = await (await key.get("/api/public/v1/products.csv")).text();
  await importFile(key, csv.replace('"100,00"', '"95,00"'), "text/csv");
  assertEquals(await tiersOf(app, id), expected(9_500, "2026-03-03T23:00:00.000Z"));
});
