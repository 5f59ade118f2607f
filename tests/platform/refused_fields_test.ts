import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { z } from "zod";
import { textOf, Title } from "../../src/catalogue/products/product_fields.ts";
import { Name } from "../../src/engine/pricing/field.ts";
import { refusedFieldsOf } from "../../src/platform/http/http.ts";

const Shape = z.strictObject({
  name: z.string().min(1, "Must not be empty").max(3),
  count: z.int().min(1).max(9),
  rows: z.array(z.object({ kind: z.enum(["a", "b"]) })).min(1).max(2),
});

function refused(value: unknown): Record<string, string> {
  const { error } = Shape.safeParse(value);
  const fields = refusedFieldsOf(error?.issues ?? []);
  return Object.fromEntries(
    fields.map((
      { path, kind, limit },
    ) => [path, limit === undefined ? `${kind}` : `${kind} ${limit}`]),
  );
}

Deno.test("refusedFieldsOf() gives the kind of each error, and the violated limit", () => {
  assertEquals(refused({ name: "", count: 0, rows: [] }), {
    name: "too_short 1",
    count: "too_small 1",
    rows: "too_few 1",
  });
  const [one, other] = [{ kind: "a" }, { kind: "c" }];
  assertEquals(refused({ name: "long", count: 10, rows: [one, one, one] }), {
    name: "too_long 3",
    count: "too_large 9",
    rows: "too_many 2",
  });
  assertEquals(refused({ name: "A", count: 1, rows: [other] }), { "rows.0.kind": "not_an_option" });
  assertEquals(refused({ count: "1", typo: 1, rows: [{ kind: "a" }] }), {
    name: "missing",
    count: "wrong_type",
    typo: "unknown",
  });
});

Deno.test("refusedFieldsOf() gives the limit of a text in characters, not in UTF-16 units", () => {
  const shape = z.object({ title: Title, name: Name, brand: textOf(60) });
  const texts = (more: number) => ({
    title: "🛠".repeat(500 + more),
    name: "🛠".repeat(200 + more),
    brand: "🛠".repeat(60 + more),
  });
  const { success, error } = shape.safeParse(texts(1));
  assertEquals([success, shape.safeParse(texts(0)).success], [false, true]);
  const found = refusedFieldsOf(error?.issues ?? []);
  assertEquals(
    found.map(({ path, kind, limit }) => [path, kind, limit]),
    [["title", "too_long", 500], ["name", "too_long", 200], ["brand", "too_long", 60]],
  );
});

Deno.test("refusedFieldsOf() gives no kind for a custom error", () => {
  const { error } = z.object({ ean: z.string().refine(() => false, "Is not an EAN") })
    .safeParse({ ean: "1" });
  assertEquals(refusedFieldsOf(error?.issues ?? []), [{ path: "ean", message: "Is not an EAN" }]);
});
