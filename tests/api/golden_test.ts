/*
 * The golden files record both OpenAPI documents, and products in API answers, CSV and exports.
 * `UPDATE_DOCS=1 deno test -A tests/api/golden_test.ts` records an intended change.
 */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { commandContext } from "../../src/platform/store/context.ts";
import { exportWorkspace } from "../../src/app/workspace_files/export_workspace.ts";
import { withApp } from "../harness.ts";
import { importXml } from "../imports/import_calls.ts";
import { bodyOf, column } from "./answers.ts";

const FOLDER = "tests/api/golden";

const CREATED = {
  sku: "KS-300",
  title: "Kühlschrank KS 300",
  brand: "Bosch Größe",
  category: "Kühlen & Gefrieren",
  tier: "B2C",
  ourPrice: 299.99,
  costPrice: "200.00",
  targetPriceCents: 31_000,
  currency: "EUR",
  ean: "4006381333931",
  mpn: "KS300",
  url: "https://shop.example/ks-300",
  vatRatePct: 19,
  attributes: { colour: "weiß", "=1+1": "=2" },
};

const CHANGED = {
  title: "Kühlschrank KS 301",
  brand: "Siemens",
  category: null,
  tier: "B2B",
  ourPrice: 289,
  mpn: "KS301",
  vatRatePct: null,
  attributes: { colour: "rot" },
  priceLocked: true,
  scrapeIntervalHours: 12,
};

const FILE = `<?xml version="1.0" encoding="UTF-8"?><ITEMS>
<ITEM><SKU>WM-7</SKU><TITLE>Waschmaschine</TITLE><BRAND>Miele</BRAND><CATEGORY>Waschen</CATEGORY>
<EAN>4006381333931</EAN><MPN>W7</MPN><CURRENCY>EUR</CURRENCY><COSTPRICE>500,00</COSTPRICE>
<TARGETPRICE>799,00</TARGETPRICE><TIER>B2C</TIER>
<SALESPRICE><TIER>B2C</TIER><PRICE>749,00</PRICE><MINQTY>1</MINQTY></SALESPRICE>
<SALESPRICE><TIER>B2B</TIER><PRICE>699,00</PRICE><VALIDFROM>01.02.2026</VALIDFROM></SALESPRICE>
<COMPETITORS><COMPETITOR><NAME>Elektro</NAME><URL>https://elektro.example/w7</URL></COMPETITOR>
</COMPETITORS></ITEM>
<ITEM><TITLE>Ohne SKU</TITLE><BRAND>Miele</BRAND><CATEGORY>Waschen</CATEGORY><EAN>1</EAN>
<MPN>W8</MPN><CURRENCY>EUR</CURRENCY><COSTPRICE>1,00</COSTPRICE><TARGETPRICE>2,00</TARGETPRICE>
<TIER>B2C</TIER></ITEM>
<ITEM><SKU>NEU-1</SKU><BRAND>Ohne Titel</BRAND><CATEGORY>Waschen</CATEGORY><MPN>N1</MPN>
<EAN>4006381333931</EAN><TIER>B2C</TIER>
<SALESPRICE><TIER>B2C</TIER><PRICE>749,00</PRICE></SALESPRICE></ITEM>
<ITEM><SKU>KS-300</SKU><BRAND/><CATEGORY>Kühlen</CATEGORY><CURRENCY>EUR</CURRENCY>
<TARGETPRICE>305,00</TARGETPRICE></ITEM>
</ITEMS>`;

/** Replaces random ids by `id-1`, `id-2` and so on, so that every run has the same text. */
function createNaming() {
  const names = new Map<string, string>();
  return (text: string) =>
    text.replaceAll(/\b[0-9a-f]{24}\b/g, (id) => {
      const name = names.get(id) ?? `id-${names.size + 1}`;
      names.set(id, name);
      return name;
    }).replaceAll(/\breq_[0-9A-HJKMNP-TV-Z]{26}\b/g, "req")
      .replaceAll(/\b(owner|manager|viewer)-id-\d+@/g, "$1@");
}

/** Splits `value` into parts `depth` levels down; each line is `[...path, part]` as JSON. */
function written(value: unknown, depth: number, path: readonly string[] = []): string {
  if (path.length === depth || typeof value !== "object" || value === null) {
    return `${JSON.stringify([...path, value])}\n`;
  }
  const parts = Object.entries(value);
  return parts.map(([name, part]) => written(part, depth, [...path, name])).join("");
}

async function compare(name: string, text: string): Promise<void> {
  const path = `${FOLDER}/${name}.jsonl`;
  if (Deno.env.get("UPDATE_DOCS")) {
    await Deno.mkdir(FOLDER, { recursive: true });
    return await Deno.writeTextFile(path, text);
  }
  assertEquals(text.split("\n"), (await Deno.readTextFile(path)).split("\n"), path);
}

async function textOf(answer: Promise<Response>): Promise<string> {
  const given = await answer;
  const text = await given.text();
  ok(given.ok, text);
  return text;
}

const DOCUMENTS = { openapi: "/api/openapi.json", public_openapi: "/api/public/v1/openapi.json" };

for (const [name, path] of Object.entries(DOCUMENTS)) {
  withApp.test(`${path} equals its recording, in order`, async (app) => {
    const text = await textOf(app.owner.get(path));
    await compare(name, written(JSON.parse(text.replaceAll(app.base, "http://127.0.0.1")), 3));
  });
}

const FILTERS = [
  "brand=SIE",
  "category=hlen",
  "tier=B2B",
  "tier=b2b",
  "brand=mie&category=wa&tier=B2C",
  "brand=mie&tier=B2B",
  "sku=WM-7&brand=mie",
  "q=wasch&brand=miele",
  "updatedSince=2026-03-02T09:03:00Z&category=wa",
  "brand=oss&includeDeleted=true",
] as const;

withApp.test("a product equals its recording in every form that leaves the service, and in its rows", async (app) => {
  const { owner } = app;
  const named = createNaming();
  const created = await owner.create("/api/products", CREATED);
  app.clock.advance(60_000);
  const change = { ...CHANGED, reason: "Listed" };
  const changed = await owner.change(`/api/products/${created.id}`, change);
  const clash = await bodyOf(owner.patch(`/api/products/${created.id}`, { currency: "USD" }), 400);
  const wrong = { ...CREATED, brand: "x".repeat(201), colour: 1, scrapeEnabled: 1 };
  const invalid = await bodyOf(owner.post("/api/products", wrong), 400);
  const sparse = await owner.create("/api/products", { sku: "S", title: "Sparsam" });
  app.clock.advance(60_000);
  const key = await app.key(["products:write"]);
  const imported = await importXml(key, FILE);
  const { jobId } = imported.data;
  app.clock.advance(60_000);
  const set = { priceLocked: false, scrapeEnabled: false, scrapeIntervalHours: 48 };
  const filter = { brand: "miele", tier: "B2C" };
  const bulk = await owner.act("/api/products/bulk", { filter, set });
  await owner.remove(`/api/products/${sparse.id}`);
  const answers = {
    created,
    changed,
    clash,
    invalid,
    sparse,
    imported: imported.data.stats,
    again: (await importXml(key, FILE)).data.stats,
    errors: await key.read(`/api/public/v1/products/import/${jobId}/errors`),
    refusedXml: await textOf(key.get(`/api/public/v1/products/import/${jobId}/errors?format=xml`)),
    bulk,
    one: await owner.read(`/api/products/${created.id}`),
    list: await owner.read("/api/products?includeDeleted=true"),
    publicList: await key.read("/api/public/v1/products"),
    filtered: Object.fromEntries(
      await Promise.all(FILTERS.map(async (query) => {
        const { items } = await owner.read(`/api/products?${query}`);
        return [query, column(items, "sku")];
      })),
    ),
    csv: await textOf(owner.get("/api/products.csv?includeDeleted=true")),
    plainCsv: await textOf(owner.get("/api/products.csv?dialect=rfc4180&includeDeleted=true")),
    audit: await owner.read("/api/audit-logs?limit=200"),
    profiles: await owner.read("/api/import-profiles"),
  };
  const ctx = commandContext({ store: app.store, clock: app.app.clock }, app.workspaceId);
  const lines = (await Array.fromAsync(exportWorkspace(ctx))).filter(({ type }) =>
    type === "product" || type === "priceChange"
  );
  await compare("products", named(written({ answers, lines }, 3)));
});
