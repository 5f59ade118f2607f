import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { RecordPatch } from "../../src/imports/records/record_patch.ts";
import { dataTest } from "../sample_data.ts";
import { partOf, readWhole } from "./upload_reading.ts";

interface EdgeCase {
  readonly sku: string | null;
  readonly storedSku?: string;
  readonly why: string;
  readonly result: "stored" | "error" | "skipped";
  readonly ourPriceCents?: number | null;
  readonly costCents?: number;
  readonly targetCents?: number;
  readonly currency?: string;
  readonly title?: string;
  readonly tierPrices?: Readonly<Record<string, number>>;
  readonly warnings?: readonly string[];
  readonly errors?: readonly { code: string; field?: string; value?: string; n?: number }[];
}

/** Codes that depend on the store. */
const NEEDS_A_STORE = ["missing_title", "duplicate_sku"];

const tierPrices = ({ prices }: RecordPatch) =>
  Object.fromEntries(
    (prices?.rows ?? []).filter(({ minQty }) => minQty === 1)
      .map(({ tier, amountCents }) => [tier, amountCents]),
  );

dataTest(
  "readUpload() judges every generated ERP item as expected by its generator",
  "erp",
  async (data) => {
    const sample = data.only("erp", /^sample-\d+\.xml$/);
    const { records, refused, files } = await readWhole([partOf("sample.xml", data.bytes(sample))]);
    assertEquals([refused, files[0]?.encoding], [null, "windows-1252"]);
    assertEquals(files[0]?.items, data.isOwn ? 6 : 200);
    const judged = records.map(({ patch, findings }) => ({
      sku: patch?.sku,
      title: patch?.title,
      brand: patch?.brand,
      category: patch?.category,
      ean: patch?.ean,
      mpn: patch?.mpn,
      currency: patch?.currency,
      costCents: patch?.costPriceCents,
      targetCents: patch?.targetPriceCents,
      tier: patch?.tier,
      ourPriceCents: patch?.ourPriceCents ?? null,
      tierPrices: patch && tierPrices(patch),
      competitors: (patch?.links ?? []).map(({ domain, url, enabled }) => ({
        domain,
        url,
        enabled,
      })),
      warnings: findings.map(({ code }) => code),
    }));
    assertEquals(
      judged,
      data.json<{ items: unknown }>(data.only("erp", /^sample-\d+\.expected\.json$/)).items,
    );
  },
);

dataTest(
  "readUpload() judges every hand-written edge case as its comment says",
  "erp/edge.xml",
  async (data) => {
    const { records, refused } = await readWhole([partOf("edge.xml", data.bytes("erp/edge.xml"))]);
    const { items: expectations } = data.json<{ items: EdgeCase[] }>("erp/edge.expected.json");
    assertEquals([refused, records.length], [null, expectations.length]);
    for (const [index, expected] of expectations.entries()) {
      const { patch, sku, findings } = records[index]!;
      const where = `${expected.sku}: ${expected.why}`;
      assertEquals(sku, expected.storedSku ?? expected.sku, where);
      const codes = [...new Set(findings.map(({ code }) => code))];
      const known = (code: string) => !NEEDS_A_STORE.includes(code);
      const errors = expected.errors ?? [];
      const expectedCodes = [...(expected.warnings ?? []), ...errors.map(({ code }) => code)];
      assertEquals(codes, expectedCodes.filter(known), where);
      for (const { code, field, value, n } of errors.filter(({ code }) => known(code))) {
        const same = findings.filter((finding) => finding.code === code);
        if (n !== undefined) assertEquals(same.length, n, where);
        if (field !== undefined) {
          assertEquals([same[0]?.field, same[0]?.value], [field, value], where);
        }
      }
      if (expected.result !== "stored" || !patch) continue;
      assertEquals(patch.ourPriceCents ?? null, expected.ourPriceCents, where);
      if (expected.costCents) assertEquals(patch.costPriceCents, expected.costCents, where);
      if (expected.targetCents) assertEquals(patch.targetPriceCents, expected.targetCents, where);
      if (expected.currency) assertEquals(patch.currency, expected.currency, where);
      if (expected.title) assertEquals(patch.title, expected.title, where);
      if (expected.tierPrices) assertEquals(tierPrices(patch), expected.tierPrices, where);
    }
    assertEquals(records.filter(({ patch }) => patch === null).length, 1, "no SKU");
  },
);
