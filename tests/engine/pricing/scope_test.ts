import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { PricedProduct } from "../../../src/engine/pricing/situation.ts";
import { wireReason } from "../../../src/engine/wording/reason_text.ts";
import { aRule, aSituation, decide } from "./market.ts";

function reasonFor(scope: unknown, product: Partial<PricedProduct> = {}): string | null {
  const { wouldFire, reason } = decide(aRule({ scope }), aSituation([1], { product }));
  return wouldFire ? null : wireReason(reason);
}

const attribute = (matches: unknown) => ({ mode: "attribute", matches });

Deno.test("a scope by attribute ignores case, compares in NFC, and needs every field", () => {
  const rows: [matches: unknown, product: Partial<PricedProduct>, reason: string | null][] = [
    [{ brand: "Sony" }, { brand: "SONY" }, null],
    [{ brand: "küche" }, { brand: "KU\u0308CHE" }, null],
    [{ brand: "Sony" }, { brand: "Sony Europe" }, "out of scope: brand is Sony Europe"],
    [{ brand: { contains: "sony" } }, { brand: "Sony Europe" }, null],
    [{ brand: ["Bose", "Sony"] }, { brand: "Sony" }, null],
    [{ brand: ["Bose"] }, { brand: null }, "out of scope: brand is not set"],
    [{ brand: "Sony", category: "Audio" }, { category: "TV" }, "out of scope: category is TV"],
    [{ tier: "B2C" }, { tier: "b2c" }, null],
    [{ currency: "eur" }, {}, null],
    [{ currency: "CHF" }, {}, "out of scope: currency is EUR"],
  ];
  for (const [matches, product, reason] of rows) {
    assertEquals(reasonFor(attribute(matches), product), reason, JSON.stringify(matches));
  }
});

Deno.test("a scope by SKU compares exactly", () => {
  assertEquals(reasonFor({ mode: "sku", list: ["SKU-1", "x"] }), null);
  // SKUs are normalised as in the catalogue, because pasted text contains invisible characters.
  assertEquals(reasonFor({ mode: "sku", list: ["\u200B SKU-1\u00A0\u200B"] }), null);
  assertEquals(
    reasonFor({ mode: "sku", list: ["sku-1"] }),
    "out of scope: sku SKU-1 is not listed",
  );
});
