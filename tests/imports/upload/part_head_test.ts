import { deepStrictEqual as assertEquals, rejects } from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { readMultipart } from "../../../src/imports/upload/receive_upload.ts";

const FILE_NAMES = [
  ['form-data; name="file"; filename="Käse.xml"', "Käse.xml"],
  ["form-data; name=file; filename=a.xml", "a.xml"],
  ['Form-Data; Name="file"; FileName="a;b.xml"', "a;b.xml"],
  [String.raw`form-data; name="file"; filename="C:\data\a.xml"`, "a.xml"],
  [String.raw`form-data; name="file"; filename="a \"b\".xml"`, 'a "b".xml'],
  ['form-data; name="file"; filename="../../etc/a.xml"', "a.xml"],
  [`form-data; name="file"; filename="K.xml"; filename*=UTF-8''K%C3%A4se.xml`, "Käse.xml"],
  [`form-data; name="file"; filename="K.xml"; filename*=UTF-8''K%C3.xml`, "K.xml"],
  ['form-data; name="file"', "file"],
] as const;

async function partsOf(form: string, cuts: readonly number[]) {
  const bytes = Buffer.from(form);
  const places = [0, ...cuts.map((cut) => cut % bytes.length), bytes.length].sort((a, b) => a - b);
  async function* chunks() {
    for (const [n, to] of places.entries()) yield bytes.subarray(places[n - 1] ?? 0, to);
  }
  const parts: { name: string; text: string }[] = [];
  for await (const event of readMultipart("x", chunks(), ["mode"])) {
    if (event.kind === "field") parts.push(event);
    else if (event.kind === "file") parts.push({ name: event.name, text: "" });
    else parts.at(-1)!.text += Buffer.from(event.bytes).toString("latin1");
  }
  return parts.map(({ name, text }) => [name, text]);
}

Deno.test("the name of a form's file is read in every notation, without folders", async () => {
  const formOf = (disposition: string) =>
    `--x\r\nContent-Disposition: ${disposition}\r\nContent-Type: text/xml\r\n\r\n\r\n--x--\r\n`;
  for (const [disposition, name] of FILE_NAMES) {
    assertEquals(await partsOf(formOf(disposition), []), [[name, ""]], disposition);
  }
  assertEquals(await partsOf(formOf('attachment; filename="a.xml"'), []), []);
});

const FORM = "of no matter\r\n--x\r\nContent-Disposition: form-data; name=mode\r\n\r\ninsert\r\n" +
  "--x\r\nContent-Disposition: form-data;\r\n name=f; filename=a\r\n\r\n-\r\n--\r\n-x\r\n\r\n" +
  "--x \r\nContent-Disposition: form-data; filename=b\r\n\r\n\r\n" +
  "--x\r\nX: y\r\n\r\nno part of a form\r\n--x--\r\nof no matter";

Deno.test("a form is read however it is chunked, except with an early end or endless heads", async () => {
  const expected = [["mode", "insert"], ["a", "-\r\n--\r\n-x\r\n"], ["b", ""]];
  await fc.assert(fc.asyncProperty(fc.array(fc.nat(1_000), { maxLength: 30 }), async (cuts) => {
    assertEquals(await partsOf(FORM, cuts), expected);
  }));
  await rejects(partsOf(FORM.slice(0, FORM.indexOf("--x--")), []), /before its last boundary/);
  await rejects(partsOf(`--x\r\n${"A: b\r\n".repeat(5_000)}`, []), /too long/);
  await rejects(partsOf("--x\r\n\r\n\r\n".repeat(1_001), []), /parts/);
});
