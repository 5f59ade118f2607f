import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { bodyOf, valuesOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { startTestApp } from "../harness.ts";
import { dataTest, type SampleData } from "../sample_data.ts";
import { counts } from "./import_bench.ts";
import { IMPORT, sendXml } from "./import_calls.ts";

interface EdgeItem {
  readonly index: number;
  readonly sku: string | null;
  readonly storedSku?: string;
  readonly why: string;
  readonly result: "stored" | "error" | "skipped";
  readonly ourPriceCents?: number | null;
  readonly costCents?: number;
  readonly targetCents?: number;
  readonly title?: string;
  readonly currency?: string;
  readonly tierPrices?: Readonly<Record<string, number>>;
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

async function productOf(key: Caller, sku: string) {
  const path = `/api/public/v1/products/sku:${encodeURIComponent(sku)}`;
  return (await key.read(path)).data;
}

async function findingsOf(key: Caller, jobId: string): Promise<Map<number, Reported[]>> {
  const { data } = await key.read(`${IMPORT}/${jobId}/errors?limit=500`);
  return Map.groupBy<number, Reported>(data, ({ index }) => index);
}

/** Returns the price of each tier at its smallest quantity. */
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

    const product = await productOf(key, item.storedSku ?? sku);
    assertEquals(product.ourPrice, item.ourPriceCents, where);
    if (item.costCents !== undefined) assertEquals(product.costPrice, item.costCents, where);
    if (item.targetCents !== undefined) assertEquals(product.targetPrice, item.targetCents, where);
    if (item.title !== undefined) assertEquals(product.title, item.title, where);
    if (item.currency !== undefined) assertEquals(product.currency, item.currency, where);
    if (item.tierPrices) assertEquals(tierPricesOf(product), item.tierPrices, where);
  }
});

async function linksOf(owner: Caller, productId: string, ...names: string[]) {
  const path = `/api/competitor-products?limit=200&productId=${productId}`;
  return valuesOf((await owner.read(path)).items, ...names).sort();
}

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
    const product = await productOf(key, fields.sku);
    const stored: Record<string, unknown> = {
      ...product,
      costCents: product.costPrice,
      targetCents: product.targetPrice,
      tierPrices: tierPricesOf(product),
    };
    const found = Object.keys(fields).map((name) => [name, stored[name]]);
    assertEquals(Object.fromEntries(found), fields);
    assertEquals((findings.get(index) ?? []).map(({ code }) => code), warnings, fields.sku);
    const names = ["domain", "url", "enabled"];
    const links = valuesOf(competitors, ...names).sort();
    assertEquals(await linksOf(app.owner, product.id, ...names), links, fields.sku);
  }
});
