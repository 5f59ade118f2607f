import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { widthsOf } from "../../src/client/parts/table/use_number_room.ts";

Deno.test("widthsOf() takes from texts what numbers need, and no more than they have", () => {
  const columns = [
    { key: "name", width: 200 },
    { key: "price", width: 90, isNumber: true },
    { key: "title", width: 160 },
  ];
  const widths = (
    pricePx: number,
  ) => [...widthsOf(columns, new Map([["price", pricePx]])).values()];
  assertEquals(widths(0), [200, 90, 160]);
  assertEquals(widths(120), [170, 120, 160]);
  assertEquals(widths(160), [140, 160, 150]);
  assertEquals(widths(500), [140, 500, 140]);
});
