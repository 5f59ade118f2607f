import fc from "fast-check";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { JsonWriter } from "../../src/base/json_writer.ts";

const value = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.jsonValue(),
  fc.constantFrom("", "ß", "é€🛠", '"', "\\", "\u001f", "\ud800", "x".repeat(5_000)),
);

Deno.test("JsonWriter writes every value as JSON.stringify does, whatever it wrote before", () => {
  const writer = new JsonWriter();
  fc.assert(fc.property(fc.array(value), (values) => {
    writer.begin();
    for (const one of values) {
      writer.byte(0x2c);
      writer.json(one);
    }
    const written = new TextDecoder().decode(writer.end());
    assertEquals(written, values.map((one) => `,${JSON.stringify(one)}`).join(""));
  }));
});
