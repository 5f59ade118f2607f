import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { currencyExponent } from "../../src/base/money.ts";
import { isGtin } from "../../src/base/codes.ts";
import { dataTest } from "../sample_data.ts";
import { partOf, readWhole } from "./upload_reading.ts";

interface ExpectedPrice {
  readonly type: string;
  readonly written: string;
  readonly decimal: string;
  readonly currency: string | null;
  readonly lowerBound: string | null;
  readonly validFrom: string | null;
}

interface ExpectedFile {
  readonly wellFormed: boolean;
  readonly items: number;
  readonly records: readonly {
    readonly sku: string;
    readonly title: string | null;
    readonly ean: string | null;
    readonly manufacturer: string | null;
    readonly mpn: string | null;
    readonly priceQuantity: string | null;
    readonly prices: readonly ExpectedPrice[];
  }[];
}

const EXPECTATIONS = "xml/expected.json";

/** Returns cents for one piece, rounded half up. Floats are exact enough for these short texts. */
function cents(decimal: string, quantity: string | null): number {
  return Math.round(Number(decimal) * 100 / Number(quantity ?? 1) + 1e-9);
}

dataTest("real BMEcat files are read: items, fields and prices", EXPECTATIONS, async (data) => {
  const { files } = data.json<{ files: Record<string, ExpectedFile> }>(EXPECTATIONS);
  const catalogues = Object.entries(files).filter(([name]) => name.startsWith("bmecat/"));
  assertEquals(catalogues.length, data.isOwn ? 4 : 15);
  for (const [name, expected] of catalogues) {
    const day = expected.records?.[0]?.prices[0]?.validFrom ?? "2026-11-20";
    // One of the files has prices in a withdrawn currency.
    const setting = { today: day, allowsNoPrices: true };
    const upload = await readWhole([partOf(name, data.bytes(`xml/${name}`))], setting);
    const { refused, records, files: infos } = upload;
    if (!expected.wellFormed || expected.items === 0) {
      assertEquals(refused?.code, expected.wellFormed ? "no_items" : "malformed_xml", name);
      continue;
    }
    const { profile, items } = infos[0]!;
    assertEquals([refused, profile, items], [null, "bmecat", expected.items], name);
    for (const [index, wanted] of expected.records.entries()) {
      const { patch, findings } = records[index]!;
      assertEquals([patch?.sku, patch?.title], [wanted.sku, wanted.title], name);
      const made = [patch?.brand ?? null, patch?.mpn ?? null];
      assertEquals(made, [wanted.manufacturer, wanted.mpn], name);
      if (wanted.ean && isGtin(wanted.ean)) assertEquals(patch?.ean, wanted.ean, name);
      else if (wanted.ean) ok(findings.some(({ code }) => code === "invalid_ean"), name);

      const isKnown = ({ currency }: ExpectedPrice) => currencyExponent(currency ?? "EUR") !== null;
      const known = wanted.prices.filter(isKnown).map(({ type, decimal, currency, lowerBound }) =>
        `${type} ${cents(decimal, wanted.priceQuantity)} ${currency} ${lowerBound ?? 1}`
      );
      const rows = (patch?.prices?.rows ?? [])
        .map((row) => `${row.tier} ${row.amountCents} ${row.currency} ${row.minQty}`);
      assertEquals(rows.toSorted(), known.toSorted(), name);
      const unknown = findings.filter(({ code }) => code === "invalid_currency").length;
      assertEquals(known.length + unknown, wanted.prices.length, `${name}: unknown currencies`);
    }
  }
});
