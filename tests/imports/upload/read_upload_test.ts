import { deepStrictEqual as assertEquals, ok, rejects } from "node:assert/strict";
import { readUpload } from "../../../src/imports/upload/read_upload.ts";
import { partFrom, partOf, readWhole, SETTING, sourceOf } from "../upload_reading.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const items = (...skus: string[]) =>
  `<ITEMS>${skus.map((sku) => `<ITEM><SKU>${sku}</SKU></ITEM>`).join("")}</ITEMS>`;

Deno.test("readUpload() gives the same however the source chunks its bytes", async () => {
  const bytes = utf8(items("ä€😀", "B"));
  const whole = await readWhole([partOf("a.xml", bytes)]);
  const source = sourceOf(bytes, 1);
  assertEquals(await readWhole([partFrom("a.xml", source)]), whole);
});

Deno.test("readUpload() reads a file with one invalid byte near the end as windows-1252 from the start", async () => {
  const many = Array.from({ length: 40_000 }, (_, n) => `S-${n}`);
  const priced = "<SALESPRICE><PRICE>1,00</PRICE></SALESPRICE></ITEM></ITEMS>";
  const xml = items("\xdc", ...many, "\xe4").replace(/<\/ITEM><\/ITEMS>$/, priced);
  const { records, files, warnings } = await readWhole([partOf("a.xml", latin1(xml))]);
  assertEquals([records[0]?.sku, records.at(-1)?.sku, records.length], ["Ü", "ä", 40_002]);
  assertEquals(files[0]?.encoding, "windows-1252");
  const guessed = ["encoding_guessed", "a.xml", "warning"];
  assertEquals(warnings.map(({ code, file, severity }) => [code, file, severity]), [guessed]);
});

Deno.test("readUpload() recognises a web page named like a table, and says how to save it", async () => {
  const rows = "<tr><th>Artikelnummer<th>Preis<tr><td>A<td>1,00</table>";
  const pages = [
    "<html><body><table></table></body></html>",
    `<table>${"<tr><td>A</td></tr>"}</table>`,
    `<TABLE border=1>${rows}`,
    `<meta http-equiv="content-type" content="text/html; charset=utf-8"><table>${rows}`,
    `<!DOCTYPE html>\n<html lang=de><meta charset=utf-8><table>${rows}`,
    `\r\n<!doctype html><title>Artikel</title><table>${rows}`,
  ];
  for (const page of pages) {
    for (const name of ["artikel.xls", "artikel.XLSX"]) {
      const { refused, records } = await readWhole([partOf(name, utf8(page))]);
      assertEquals([refused?.code, refused?.file, records.length], ["unknown_format", name, 0]);
      ok(refused?.message.includes("save it as .xlsx"), page);
    }
  }
  const codes = async (name: string, text: string) =>
    (await readWhole([partOf(name, utf8(text))])).refused?.code;
  assertEquals(await codes("artikel.xml", `<TABLE border=1>${rows}`), "malformed_xml");
  assertEquals(await codes("artikel.xml", "<table></table>"), "no_items");
  assertEquals(await codes("artikel.xls", "<tables a=1>"), "malformed_xml");
});

Deno.test("readUpload() accepts a file without items next to one with items", async () => {
  const empty = partOf("empty.xml", utf8("<ITEMS/>"));
  assertEquals((await readWhole([empty])).refused?.code, "no_items");
  const both = await readWhole([empty, partOf("a.xml", utf8(items("A")))]);
  assertEquals([both.refused, both.files.map((file) => file.items)], [null, [0, 1]]);
});

Deno.test("readUpload() rethrows a failure of the source instead of blaming the file", async () => {
  const source = { size: 10, read: () => Promise.reject(new Error("The disk is gone")) };
  await rejects(readWhole([partFrom("a.xml", source)]), /The disk is gone/);
});

Deno.test("readUpload() reads only as far as it is asked", async () => {
  const block = utf8("<ITEM><SKU>A</SKU></ITEM>".repeat(10_000));
  let readTo = 0;
  const source = {
    size: block.length * 100,
    read(offset: number, length: number) {
      readTo = Math.max(readTo, offset + length);
      const start = latin1('<?xml version="1.0" encoding="latin1"?><ITEMS>');
      return Promise.resolve(offset === 0 ? start : block.slice(0, length));
    },
  };
  for await (const event of readUpload([partFrom("a.xml", source)], SETTING)) {
    if (event.kind === "records" && event.records.length > 0) break;
  }
  ok(readTo < 2 * block.length, `${readTo} bytes`);
});

Deno.test("readUpload() reports progress often enough for a heartbeat, even before the first record", async () => {
  const bytes = utf8(items(...Array.from({ length: 60_000 }, (_, n) => `S-${n}`)));
  let eventsBefore = 0;
  let bytesMax = 0;
  for await (const event of readUpload([partOf("a.xml", bytes)], SETTING)) {
    if (event.kind === "progress") eventsBefore += 1;
    if ("bytes" in event) bytesMax = Math.max(bytesMax, event.bytes);
  }
  ok(eventsBefore >= 5, `${eventsBefore} events`);
  ok(bytesMax <= 262_144, `${bytesMax} bytes at once`);
});

Deno.test("readUpload() looks for unread prices only until it has kept a megabyte of unread text", async () => {
  const long = `<TEXT>${"x".repeat(60_000)}</TEXT>`;
  const warnedWith = async (texts: number) => {
    const item = `<ITEM><SKU>A</SKU>${long.repeat(texts)}<UVP>9,00</UVP></ITEM>`;
    const { warnings } = await readWhole([partOf("a.xml", utf8(`<ITEMS>${item}</ITEMS>`))]);
    return warnings.filter(({ code }) => code === "columns_ignored").map(({ value }) => value);
  };
  assertEquals([await warnedWith(10), await warnedWith(20)], [["UVP"], []]);
});
