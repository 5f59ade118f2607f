import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { z } from "zod";
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

Deno.test("refusedFieldsOf() gives no kind for a custom error", () => {
  const { error } = z.object({ ean: z.string().refine(() => false, "Is not an EAN") })
    .safeParse({ ean: "1" });
  assertEquals(refusedFieldsOf(error?.issues ?? []), [{ path: "ean", message: "Is not an EAN" }]);
});
