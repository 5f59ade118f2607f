import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { fromKeys } from "../../src/base/collections.ts";
import { bodyOf, column, valuesOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { startTestApp } from "../harness.ts";
import { dataTest, type SampleData } from "../sample_data.ts";
import { linksOf } from "../shops/shop.ts";
import { counts } from "./import_bench.ts";
import { IMPORT, sendXml } from "./import_calls.ts";

interface EdgeItem extends Readonly<Record<string, unknown>> {
  readonly index: number;
  readonly sku: string | null;
  readonly storedSku?: string;
  readonly why: string;
  readonly result: "stored" | "error" | "skipped";
  readonly warnings?: readonly string[];
  readonly errors?: readonly { code: string; field?: string; value?: string; n?: number }[];
}

interface EdgeExpectation {
  readonly stats: {
    readonly records: number;
    readonly stored: number;
    readonly errorsLost: number;
    readonly skipped: number;
    readonly competitorsLinked: number;
    readonly products: number;
  };
  readonly items: readonly EdgeItem[];
}

interface Reported {
  readonly index: number;
  readonly code: string;
  readonly field: string | null;
  readonly value: string | null;
}

const EDGE = "erp/edge.expected.json";

/** The values of a stored product, under the names that the expectations have. */
async function storedValues(key: Caller, sku: string): Promise<Record<string, unknown>> {
  const path = `/api/public/v1/products/sku:${encodeURIComponent(sku)}`;
  const { data } = await key.read(path);
  const { costPrice: costCents, targetPrice: targetCents } = data;
  return { ...data, costCents, targetCents, tierPrices: tierPricesOf(data) };
}

async function findingsOf(key: Caller, jobId: string): Promise<Map<number, Reported[]>> {
  const { data } = await key.read(`${IMPORT}/${jobId}/errors?limit=500`);
  return Map.groupBy<number, Reported>(data, ({ index }) => index);
}

/** Returns the price of each tier for one piece. */
function tierPricesOf(
  product: { prices: { tier: string; amountCents: number; minQty: number }[] },
) {
  const single = product.prices.filter(({ minQty }) => minQty <= 1);
  return Object.fromEntries(single.map(({ tier, amountCents }) => [tier, amountCents]));
}

dataTest("every record of the edge cases has the expected result", EDGE, async (data) => {
  await using app = await startTestApp();
  const key = await app.key(["products:write"]);
  const { stats, items } = data.json<EdgeExpectation>(EDGE);
  const { data: job, count } = await bodyOf(sendXml(key, data.bytes("erp/edge.xml")), 200);
  assertEquals([job.status, count], ["succeeded", stats.records]);
  const { stored, skipped, errorsLost, competitorsLinked } = stats;
  assertEquals(job.stats, counts(stored, 0, skipped, errorsLost, competitorsLinked));
  assertEquals((await app.owner.read("/api/products")).total, stats.products);

  const findings = await findingsOf(key, job.jobId);
  for (const item of items) {
    const { index, sku, result, warnings = [], errors = [] } = item;
    const where = `${sku}: ${item.why}`;
    const own = findings.get(index) ?? [];
    const codes = [...warnings, ...errors.map(({ code }) => code)];
    assertEquals(new Set(own.map(({ code }) => code)), new Set(codes), where);
    for (const { code, field, value, n } of errors) {
      const same = own.filter((finding) => finding.code === code);
      if (n !== undefined) assertEquals(same.length, n, where);
      if (field !== undefined) {
        assertEquals([same[0]?.field, same[0]?.value], [field, value], where);
      }
    }
    if (result !== "stored" || sku === null) continue;

    const product = await storedValues(key, item.storedSku ?? sku);
    assertEquals(product.ourPriceCents, item.ourPriceCents, where);
    const names = ["costCents", "targetCents", "title", "currency", "tierPrices"];
    for (const name of names.filter((name) => item[name] !== undefined)) {
      assertEquals(product[name], item[name], `${where}: ${name}`);
    }
  }
});

interface SampleItem extends Readonly<Record<string, unknown>> {
  readonly sku: string;
  readonly competitors: readonly Readonly<Record<string, unknown>>[];
  readonly warnings: readonly string[];
}

interface SampleExpectation {
  readonly items: readonly SampleItem[];
  readonly stats: { readonly count: number; readonly competitorsLinked: number };
}

const SAMPLE = "erp";

function sampleOf(data: SampleData): SampleExpectation & { sample: Uint8Array<ArrayBuffer> } {
  const expected = data.only(SAMPLE, /^sample-\d+\.expected\.json$/);
  const sample = data.bytes(data.only(SAMPLE, /^sample-\d+\.xml$/));
  return { ...data.json<SampleExpectation>(expected), sample };
}

dataTest("every item of the sample is stored field by field", SAMPLE, async (data) => {
  await using app = await startTestApp();
  const key = await app.key(["products:write"]);
  const { sample, items, stats } = sampleOf(data);
  const { data: job, count } = await bodyOf(sendXml(key, sample), 200);
  assertEquals([job.files[0].encoding, job.files[0].items], ["windows-1252", items.length]);
  assertEquals(count, stats.count);
  assertEquals(job.stats, counts(stats.count, 0, 0, 0, stats.competitorsLinked));
  const findings = await findingsOf(key, job.jobId);
  for (const [index, { competitors, warnings, ...fields }] of items.entries()) {
    const product = await storedValues(key, fields.sku);
    assertEquals(fromKeys(Object.keys(fields), (name) => product[name]), fields);
    assertEquals(column(findings.get(index) ?? [], "code"), warnings, fields.sku);
    const names = ["domain", "url", "enabled"];
    const links = valuesOf(await linksOf(app.owner, `productId=${product.id}`), ...names);
    assertEquals(links.sort(), valuesOf(competitors, ...names).sort(), fields.sku);
  }
});
