/*
 * What a stored product looks like is known by the number of the layout. After a change of it raise
 * `LAYOUT`, add a step with `rewriteProducts` to src/app/composition/migrations.ts, and record the new shape with:
 * UPDATE_DOCS=1 deno test -A tests/catalogue/product_shape_test.ts
 */
import { ok } from "node:assert/strict";
import { INDEXED_NAMES, PRODUCT_FIELDS } from "../../src/catalogue/products/product_field_table.ts";
import { ProductDocument } from "../../src/catalogue/products/product.ts";
import { LAYOUT } from "../../src/platform/store/layout_store.ts";

const RECORDED = "tests/catalogue/product_shapes.json";

interface Shape {
  /** The layout that it came with. */
  readonly layout: number;
  readonly fields: readonly string[];
  /** The indexed fields by their letters, in the order of index rows. */
  readonly indexed: readonly string[];
}

const today: Shape = {
  layout: LAYOUT,
  fields: Object.keys(ProductDocument.shape),
  indexed: INDEXED_NAMES.map((name) => `${PRODUCT_FIELDS[name].filter.index} ${name}`),
};

const isSame = (one: Shape | undefined, other: Shape) =>
  JSON.stringify([one?.fields, one?.indexed]) === JSON.stringify([other.fields, other.indexed]);

async function recorded(): Promise<readonly Shape[]> {
  const shapes: readonly Shape[] = JSON.parse(await Deno.readTextFile(RECORDED));
  const last = shapes.at(-1);
  // A shape that stores have already is never recorded again: they need a step.
  if (!Deno.env.get("UPDATE_DOCS") || isSame(last, today) || last?.layout === LAYOUT) return shapes;
  const next = [...shapes, today];
  await Deno.writeTextFile(RECORDED, `${JSON.stringify(next, null, 2)}\n`);
  return next;
}

Deno.test("products are stored as the layout says: another shape has a layout of its own", async () => {
  const last = (await recorded()).at(-1);
  ok(
    isSame(last, today),
    `Stores of layout ${last?.layout} have products of another shape: tests/catalogue/product_shape_test.ts says what to do`,
  );
});
