/**
 * The layout number stands for the shape of stored products. If the shape changes, raise `LAYOUT`
 * (CONTRIBUTING.md). After a change of `LAYOUT`, run this test with `UPDATE_DOCS=1`, which records
 * the shape.
 */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { documentOf } from "../../src/catalogue/products/product.ts";
import { madeProduct } from "./made_product.ts";
import { LAYOUT } from "../../src/platform/store/open_store.ts";

const RECORDED = "tests/catalogue/product_shapes.json";

interface Shape {
  /** The newest layout that has this shape. */
  readonly layout: number;
  readonly fields: readonly string[];
}

const today: Shape = { layout: LAYOUT, fields: Object.keys(documentOf(madeProduct())) };

const isSame = (one: Shape | undefined, other: Shape) =>
  JSON.stringify(one?.fields) === JSON.stringify(other.fields);

async function recorded(): Promise<readonly Shape[]> {
  const shapes: readonly Shape[] = JSON.parse(await Deno.readTextFile(RECORDED));
  const last = shapes.at(-1);
  if (!Deno.env.get("UPDATE_DOCS") || last?.layout === LAYOUT) return shapes;
  const next = [...isSame(last, today) ? shapes.slice(0, -1) : shapes, today];
  await Deno.writeTextFile(RECORDED, `${JSON.stringify(next, null, 2)}\n`);
  return next;
}

Deno.test("stored products have the recorded shape of their layout", async () => {
  assertEquals(
    (await recorded()).at(-1),
    today,
    "tests/catalogue/product_shape_test.ts says what to do",
  );
});

Deno.test("new fields come last, because stored documents name their fields by position", async () => {
  for (const { fields } of await recorded()) {
    assertEquals(today.fields.slice(0, fields.length), fields);
  }
});
