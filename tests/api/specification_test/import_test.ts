import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { sendXml } from "../../imports/import_calls.ts";
import { zipSync } from "../../zip.ts";
import { bodyOf, row } from "./rows.ts";

const IMPORT = "/api/public/v1/products/import";
const SCOPES = ["products:write"];

/** An item in the house format, with a past, a current and another tier's price. */
const FILE = `<?xml version="1.0" encoding="ISO-8859-1"?>
<ITEMS>
  <ITEM>
    <SKU>4711-A</SKU><TITLE>Kuehlschrank KS 300</TITLE><BRAND>Bosch</BRAND>
    <CURRENCY>EUR</CURRENCY><COSTPRICE>812,40</COSTPRICE><TIER>STANDARD</TIER>
    <SALESPRICE><TIER>STANDARD</TIER><PRICE>1.299,00</PRICE>
      <VALIDFROM>01.01.2025</VALIDFROM><VALIDUNTIL>31.12.2025</VALIDUNTIL></SALESPRICE>
    <SALESPRICE><TIER>STANDARD</TIER><PRICE>1.234,56</PRICE>
      <VALIDFROM>01.01.2026</VALIDFROM><VALIDUNTIL/></SALESPRICE>
    <SALESPRICE><TIER>B2B</TIER><PRICE>1.150,00</PRICE><VALIDUNTIL></VALIDUNTIL></SALESPRICE>
    <COMPETITORS><COMPETITOR><NAME>MediaMarkt</NAME><DOMAIN>mediamarkt.de</DOMAIN>
      <URL>https://www.mediamarkt.de/p/1.html</URL><ENABLED>J</ENABLED></COMPETITOR></COMPETITORS>
  </ITEM>
</ITEMS>`;

row("§1 an item export in XML is imported, found again by its SKU", async (app) => {
  const key = await app.key(SCOPES);
  await bodyOf(sendXml(key, FILE, "?mode=upsert"), 200);
  await bodyOf(sendXml(key, FILE.replace("KS 300", "KS 400"), "?mode=upsert"), 200);
  const page = await bodyOf(key.get("/api/public/v1/products"), 200);
  assertEquals(page.data.map(({ sku, title }: { sku: string; title: string }) => [sku, title]), [
    ["4711-A", "Kuehlschrank KS 400"],
  ]);
});

row("§2.4 field jobId is an object identifier", async (app) => {
  const { data } = await bodyOf(sendXml(await app.key(SCOPES), FILE), 200);
  match(data.jobId, /^[0-9a-f]{24}$/);
});

row("§2.4 field status", async (app) => {
  const { data } = await bodyOf(sendXml(await app.key(SCOPES), FILE), 200);
  assertEquals(data.status, "succeeded");
});

const STATS: readonly (readonly [field: string, first: number, again: number])[] = [
  ["inserted", 1, 0],
  ["updated", 0, 1],
  ["skipped", 0, 0],
  ["errors", 1, 1],
  ["competitorsLinked", 1, 0],
];

for (const [field, first, again] of STATS) {
  row(`§2.4 field stats.${field}`, async (app) => {
    const key = await app.key(SCOPES);
    const withError = FILE.replace("</ITEMS>", "<ITEM><TITLE>x</TITLE></ITEM></ITEMS>");
    const one = (await bodyOf(sendXml(key, withError), 200)).data.stats;
    const two = (await bodyOf(sendXml(key, withError.replace("KS 300", "KS 400")), 200)).data.stats;
    assertEquals([one[field], two[field]], [first, again]);
  });
}

row("§2.4 the job holds the errors of its records", async (app) => {
  const key = await app.key(SCOPES);
  const { data } = await bodyOf(sendXml(key, "<ITEMS><ITEM><TITLE>x</TITLE></ITEM></ITEMS>"), 200);
  const job = (await bodyOf(key.get(`${IMPORT}/${data.jobId}`), 200)).data;
  assertEquals(job.errors.map(({ code }: { code: string }) => code), ["missing_sku"]);
});

row(
  "§3.3 a finished import has the status succeeded, even if records failed",
  async (app) => {
    const key = await app.key(SCOPES);
    const half = FILE.replace("</ITEMS>", "<ITEM><TITLE>x</TITLE></ITEM></ITEMS>");
    const { data } = await bodyOf(sendXml(key, half), 200);
    assertEquals([data.status, data.hasErrors], ["succeeded", true]);
  },
);

row("§4.4 POST import answers data.jobId, data.status, data.stats and count", async (app) => {
  const body = await bodyOf(sendXml(await app.key(SCOPES), FILE, "?mode=upsert"), 200);
  assertEquals(Object.keys(body), ["data", "count"]);
  const { jobId, status, stats } = body.data;
  assertEquals([typeof jobId, status, body.count], ["string", "succeeded", 1]);
  assertEquals(stats, { inserted: 1, updated: 0, skipped: 0, errors: 0, competitorsLinked: 1 });
});

row("§4.4 POST import takes one or more XML files, or one ZIP, as file uploads", async (app) => {
  const key = await app.key(SCOPES);
  const form = (...files: [string, string | Uint8Array<ArrayBuffer>][]) => {
    const data = new FormData();
    for (const [name, content] of files) data.append("file", new File([content], name));
    return data;
  };
  const other = FILE.replace("4711-A", "4711-B");
  const two = await bodyOf(key.post(IMPORT, form(["a.xml", FILE], ["b.xml", other])), 200);
  assertEquals(two.data.stats.inserted, 2);
  const zip = zipSync([["c.xml", FILE.replace("4711-A", "4711-C")]]);
  const zipped = await bodyOf(key.post(IMPORT, form(["all.zip", zip])), 200);
  assertEquals(zipped.data.stats.inserted, 1);
});

row("§4.4 GET import answers the status, the counts and the errors of the records", async (app) => {
  const key = await app.key(SCOPES);
  const sent = await bodyOf(sendXml(key, FILE), 200);
  const { data, count } = await bodyOf(key.get(`${IMPORT}/${sent.data.jobId}`), 200);
  assertEquals([data.status, data.stats, data.errors, count], [
    "succeeded",
    sent.data.stats,
    [],
    1,
  ]);
});

row(
  "§4.4 German numbers and dates are read; the current price is that of the empty VALIDUNTIL",
  async (app) => {
    const key = await app.key(SCOPES);
    await bodyOf(sendXml(key, FILE), 200);
    const { data } = await bodyOf(key.get("/api/public/v1/products/4711-A"), 200);
    assertEquals([data.ourPrice, data.costPrice, data.tier], [123_456, 81_240, "STANDARD"]);
    const tiers = data.prices.map(({ tier, amountCents, validFrom }: Record<string, unknown>) => [
      tier,
      amountCents,
      validFrom,
    ]);
    assertEquals(tiers, [["B2B", 115_000, null], [
      "STANDARD",
      123_456,
      "2025-12-31T23:00:00.000Z",
    ]]);
  },
);

row("§4.4 competitor links of the file are in competitorPrices", async (app) => {
  const key = await app.key(SCOPES);
  await bodyOf(sendXml(key, FILE), 200);
  const { data } = await bodyOf(key.get("/api/public/v1/products/4711-A"), 200);
  const [link] = data.competitorPrices;
  assertEquals([link.competitor, link.domain, link.url, link.price], [
    "MediaMarkt",
    "mediamarkt.de",
    "https://www.mediamarkt.de/p/1.html",
    null,
  ]);
});

row("§5 an import needs a key with the scope products:write", async (app) => {
  const refused = await bodyOf(sendXml(await app.key([]), FILE), 403);
  assertEquals(refused.error.code, "insufficient_scope");
  assertEquals((await bodyOf(sendXml(app.anyone, FILE), 401)).error.code, "missing_credentials");
});
