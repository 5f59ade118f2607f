import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { widthsOf } from "../../src/client/parts/table/virtual_rows.ts";

Deno.test("widthsOf() widens numbers at the cost of texts, down to a minimum", () => {
  const columns = [
    { key: "name", width: 240 },
    { key: "price", width: 90, isNumber: true },
    { key: "title", width: 200 },
  ];
  const widths = (
    pricePx: number,
  ) => [...widthsOf(columns, new Map([["price", pricePx]])).values()];
  assertEquals(widths(0), [240, 90, 200]);
  assertEquals(widths(120), [210, 120, 200]);
  assertEquals(widths(160), [180, 160, 190]);
  assertEquals(widths(500), [180, 500, 180]);
});
