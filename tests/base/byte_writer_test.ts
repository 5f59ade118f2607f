import fc from "fast-check";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { ByteWriter } from "../../src/base/byte_writer.ts";

const value = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.jsonValue(),
  fc.constantFrom("", "ß", "é€🛠", '"', "\\", "\u001f", "\ud800", "x".repeat(5_000)),
);

Deno.test("ByteWriter writes every value as JSON.stringify does, whatever it wrote before", () => {
  const writer = new ByteWriter();
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
