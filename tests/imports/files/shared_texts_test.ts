import { deepStrictEqual as assertEquals, ok, throws } from "node:assert/strict";
import { SharedTexts } from "../../../src/imports/files/workbook_parts.ts";

function add(texts: SharedTexts, text: string): void {
  texts.open("si");
  texts.open("t");
  texts.text(text);
  texts.close();
  texts.close();
}

Deno.test("SharedTexts returns the added texts, and holds at most its maximum of bytes", () => {
  const texts = new SharedTexts(1_000_000);
  for (let n = 0; n < 100; n++) add(texts, `Öl ${n} ${"ü".repeat(4_000)}`);
  assertEquals(texts.count, 100);
  assertEquals(texts.at(99)?.slice(0, 7), "Öl 99 ü");
  throws(
    () => {
      for (let n = 0; n < 1_000; n++) add(texts, "ü".repeat(4_000));
    },
    { message: /^The cells of a workbook share at most/ },
  );
  ok(texts.count <= 126);
  assertEquals(texts.at(texts.count), null);
});

Deno.test("SharedTexts returns every text, wherever its byte chunks split it", () => {
  const texts = new SharedTexts();
  const textOf = (n: number) => `${n} ${"äx€😀".repeat((n * 7_919) % 4_001)}`;
  for (let n = 0; n < 700; n++) add(texts, textOf(n));
  // More texts than one list of offsets can hold.
  for (let n = 0; n < 70_000; n++) add(texts, `${n}`);
  add(texts, "");
  assertEquals([texts.count, texts.at(70_700), texts.at(70_701)], [70_701, "", null]);
  for (let n = 0; n < 700; n++) assertEquals(texts.at(n), textOf(n));
  for (const n of [0, 64_835, 64_836, 69_999]) assertEquals(texts.at(700 + n), `${n}`);
});
