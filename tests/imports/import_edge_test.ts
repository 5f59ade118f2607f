import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { bodyOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { startTestApp } from "../harness.ts";
import { sendXml } from "./import_calls.ts";
import { dataTest, type SampleData } from "../sample_data.ts";
import { pick } from "./import_bench.ts";

interface EdgeItem {
  readonly index: number;
  readonly sku: string | null;
  readonly storedSku?: string;
  readonly result: "stored" | "error" | "skipped";
  readonly ourPriceCents?: number | null;
  readonly costCents?: number;
  readonly targetCents?: number;
  readonly title?: string;
  readonly currency?: string;
  readonly tierPrices?: Readonly<Record<string, number>>;
  readonly warnings?: readonly string[];
  readonly errors?: readonly { readonly code: string; readonly n?: number }[];
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

const EDGE = "erp/edge.expected.json";

async function productOf(key: Caller, sku: string) {
  const path = `/api/public/v1/products/sku:${encodeURIComponent(sku)}`;
  return (await bodyOf(await key.get(path), 200)).data;
}

/** The price of each tier at its smallest quantity. */
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
  const { data: job, count } = await bodyOf(await sendXml(key, data.bytes("erp/edge.xml")), 200);
  assertEquals([job.status, count], ["succeeded", stats.records]);
  assertEquals(job.stats, {
    inserted: stats.stored,
    updated: 0,
    skipped: stats.skipped,
    errors: stats.errorsLost,
    competitorsLinked: stats.competitorsLinked,
  });
  assertEquals((await bodyOf(await app.owner.get("/api/products"), 200)).total, stats.products);

  const findings = [...job.errors, ...job.warnings];
  for (const item of items) {
    const own = findings.filter(({ index }: { index: number }) => index === item.index);
    const codes = pick(own, "code");
    for (const { code, n } of item.errors ?? []) {
      const found = codes.filter((one) => one === code).length;
      ok(n === undefined ? found > 0 : found === n, `${item.sku}: ${code}`);
    }
    if (item.warnings) assertEquals([...new Set(codes)], item.errors ? codes : item.warnings);
    if (item.result !== "stored" || item.sku === null) continue;

    const product = await productOf(key, item.storedSku ?? item.sku);
    assertEquals(product.ourPrice, item.ourPriceCents, item.sku);
    if (item.costCents !== undefined) assertEquals(product.costPrice, item.costCents);
    if (item.targetCents !== undefined) assertEquals(product.targetPrice, item.targetCents);
    if (item.title !== undefined) assertEquals(product.title, item.title);
    if (item.currency !== undefined) assertEquals(product.currency, item.currency);
    if (item.tierPrices) assertEquals(tierPricesOf(product), item.tierPrices, item.sku);
  }
});

dataTest("the links of an edge case become matches, enabled or disabled", EDGE, async (data) => {
  await using app = await startTestApp();
  const key = await app.key(["products:write"]);
  await bodyOf(await sendXml(key, data.bytes("erp/edge.xml")), 200);
  const { id, competitorPrices } = await productOf(key, "E-23");
  const linked = pick(competitorPrices, "domain").sort();
  assertEquals(linked, ["haus-und-hof.example", "preisfuchs.example"]);
  const { items } = await bodyOf(
    await app.owner.get(`/api/competitor-products?productId=${id}`),
    200,
  );
  const off = items.filter(({ enabled }: { enabled: boolean }) => !enabled);
  assertEquals(pick(off, "domain"), ["geraetewelt.example"]);
});

interface SampleExpectation {
  readonly items: readonly {
    readonly sku: string;
    readonly title: string;
    readonly brand: string;
    readonly category: string;
    readonly ean: string;
    readonly mpn: string;
    readonly currency: string;
    readonly costCents: number;
    readonly targetCents: number;
    readonly tier: string;
    readonly ourPriceCents: number | null;
    readonly tierPrices: Readonly<Record<string, number>>;
    readonly competitors: readonly { readonly enabled: boolean }[];
  }[];
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
  const first = await bodyOf(await sendXml(key, sample), 200);
  assertEquals(first.count, stats.count);
  assertEquals(first.data.stats, {
    inserted: stats.count,
    updated: 0,
    skipped: 0,
    errors: 0,
    competitorsLinked: stats.competitorsLinked,
  });
  for (const item of items) {
    const product = await productOf(key, item.sku);
    const { sku, title, brand, category, ean, mpn, currency, tier } = product;
    assertEquals(
      {
        sku,
        title,
        brand,
        category,
        ean,
        mpn,
        currency,
        costCents: product.costPrice,
        targetCents: product.targetPrice,
        tier,
        ourPriceCents: product.ourPrice,
        tierPrices: tierPricesOf(product),
        competitors: product.competitorPrices.length,
      },
      {
        sku: item.sku,
        title: item.title,
        brand: item.brand,
        category: item.category,
        ean: item.ean,
        mpn: item.mpn,
        currency: item.currency,
        costCents: item.costCents,
        targetCents: item.targetCents,
        tier: item.tier,
        ourPriceCents: item.ourPriceCents,
        tierPrices: item.tierPrices,
        competitors: item.competitors.filter(({ enabled }) => enabled).length,
      },
    );
  }
});

dataTest("the same file again skips every record and changes no product", SAMPLE, async (data) => {
  await using app = await startTestApp();
  const key = await app.key(["products:write"]);
  const { sample, stats } = sampleOf(data);
  await bodyOf(await sendXml(key, sample), 200);
  const before = await bodyOf(await key.get("/api/public/v1/products?limit=200"), 200);
  app.clock.advance(3_600_000);
  const again = await bodyOf(await sendXml(key, sample), 200);
  assertEquals(again.data.stats, {
    inserted: 0,
    updated: 0,
    skipped: stats.count,
    errors: 0,
    competitorsLinked: 0,
  });
  const after = await bodyOf(await key.get("/api/public/v1/products?limit=200"), 200);
  assertEquals(after.data, before.data);
});
