import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { DAY_MS } from "../../../src/base/time.ts";
import { valuesOf } from "../../api/answers.ts";
import { type TestApp, withApp } from "../../harness.ts";
import { importFile, importXml } from "../../imports/import_calls.ts";
import { sheetsOf } from "../../read_table.ts";
import { addRule, automatic, proposals, pushJudged } from "../../rules/evaluation/market.ts";

const PATH = "/api/public/v1/price-changes";

async function withChanges(app: TestApp): Promise<void> {
  await app.owner.change("/api/settings", { pricesIncludeVat: true });
  const fields = { sku: "00=1", title: "Mixer", tier: "B2B", ourPrice: 1234.5 };
  const { id } = await app.owner.create("/api/products", fields);
  app.clock.advance(24 * 3_600_000);
  await app.owner.change(`/api/products/${id}`, { ourPrice: 999 });
  const yen = { sku: "=B", title: "Sake", currency: "JPY", ourPrice: 1_500 };
  await app.owner.create("/api/products", yen);
}

withApp.test("price changes contain tier and first day of validity as pages, CSV, CSV for Excel and workbook", async (app) => {
  await withChanges(app);
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
  const shown = await app.viewer.get("/api/price-changes?format=xlsx");
  assertEquals(await sheetsOf(await shown.bytes()), { "1": table });
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

/** Two price tiers; in STANDARD, the price is lower from ten pieces on. */
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

withApp.test("PATCH of a price: its tier is valid from the day of the change, also in the export", async (app) => {
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
});

withApp.test("PATCH of a price: the day is that of the workspace's zone, also after midnight there", async (app) => {
  await app.owner.change("/api/settings", { timeZone: "Pacific/Auckland" });
  const id = await withProduct(app);
  // Ten hours after 9:00 UTC on the 4th, it is 8:00 on the 5th in Auckland.
  app.clock.advance(10 * 3_600_000);
  await app.owner.change(`/api/products/${id}`, { ourPrice: 95 });
  assertEquals((await tiersOf(app, id))[1]?.[3], "2026-03-04T11:00:00.000Z");
  assertEquals((await exportOf(app))[0], "95,00 from 05.03.2026");
});

withApp.test("an approved proposal and its rollback are valid from their own days", async (app) => {
  const id = await withProduct(app);
  await addRule(app.owner);
  await pushJudged(app, [["A", "acme", 92]]);
  const [open] = await proposals(app.owner, "status=open");
  await app.owner.act(`/api/proposals/${open?.id}/approve`);
  assertEquals(await tiersOf(app, id), expected(9_200, "2026-03-03T23:00:00.000Z"));
  app.clock.advance(DAY_MS);
  await app.owner.act(`/api/proposals/${open?.id}/rollback`);
  assertEquals(await tiersOf(app, id), expected(10_000, "2026-03-04T23:00:00.000Z"));
});

withApp.test("a price that a rule applies is valid from that day", async (app) => {
  const id = await withProduct(app);
  await app.owner.change("/api/settings", { autoApply: true });
  await addRule(app.owner, automatic(20));
  await pushJudged(app, [["A", "acme", 92]]);
  assertEquals(await tiersOf(app, id), expected(9_200, "2026-03-03T23:00:00.000Z"));
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
