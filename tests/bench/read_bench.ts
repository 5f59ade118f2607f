/**
 * Pass 1 of an import (decode, parse, judge) beside a bare saxes parse of the same bytes, in the same
 * run, so that the ratio holds on any machine. `deno run -A tests/bench/read_bench.ts [megabytes]`
 */
import { argv, memoryUsage, stdout } from "node:process";
import { SaxesParser } from "saxes";
import { type ByteSource, chunksOf } from "../../src/imports/files/byte_source.ts";
import { readUpload } from "../../src/imports/upload/read_upload.ts";
import { SETTING } from "../imports/upload_reading.ts";

const ROUNDS = 4;
const megabytes = Number(argv[2] ?? 50);

const { bytes, items } = erpFile(megabytes * 1_000_000);
const source: ByteSource = {
  size: bytes.length,
  read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
};
say(
  `${items} items, ${(bytes.length / 1e6).toFixed(1)} MB, ${
    Math.round(bytes.length / items)
  } B each`,
);
for (let round = 1; round <= ROUNDS; round++) {
  const bareMs = await timed(bareParse);
  const readMs = await timed(passOne);
  const rate = (ms: number) =>
    `${Math.round(items / ms * 1000)} items/s, ${(bytes.length / ms / 1000).toFixed(1)} MB/s`;
  const peakMb = Math.round(memoryUsage().rss / 1e6);
  say(
    `saxes ${rate(bareMs)} | pass 1 ${rate(readMs)} | ratio ${
      (bareMs / readMs).toFixed(2)
    } | ${peakMb} MB`,
  );
}

async function bareParse(): Promise<void> {
  const parser = new SaxesParser({ xmlns: false, position: true });
  let events = 0;
  parser.on("opentag", () => void events++);
  parser.on("closetag", () => void events++);
  parser.on("text", () => void events++);
  const decoder = new TextDecoder();
  for await (const chunk of chunksOf(source)) parser.write(decoder.decode(chunk, { stream: true }));
  parser.close();
}

async function passOne(): Promise<void> {
  let records = 0;
  const parts = [{ name: "bench.xml", charset: null, isXml: false, source }];
  for await (const event of readUpload(parts, SETTING)) {
    if (event.kind === "refused") throw new Error(event.finding.message);
    if (event.kind !== "records") continue;
    // Pass 1 writes each patch as JSON, so this belongs to what is measured.
    for (const { patch } of event.records) records += JSON.stringify(patch).length > 0 ? 1 : 0;
  }
  if (records !== items) throw new Error(`${records} records of ${items} items`);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function erpFile(size: number): { bytes: Uint8Array; items: number } {
  const parts = ['<?xml version="1.0" encoding="UTF-8"?>\n<ITEMS>\n'];
  let length = 0;
  let count = 0;
  for (; length < size; count++) {
    const item = erpItem(count);
    parts.push(item);
    length += item.length;
  }
  parts.push("</ITEMS>\n");
  return { bytes: new TextEncoder().encode(parts.join("")), items: count };
}

function erpItem(n: number): string {
  const euros = 10 + n % 1_990;
  const until = n % 3 === 0 ? "" : "<VALIDUNTIL/>";
  const link = n % 4 === 0
    ? `<COMPETITORS><COMPETITOR><NAME>Preisfuchs</NAME><URL>https://www.preisfuchs.example/p/${n}.html</URL><ENABLED>J</ENABLED></COMPETITOR></COMPETITORS>`
    : "";
  return `<ITEM><SKU>KG-${n}</SKU><TITLE>Übelacker Rührgerät KG ${n} grün</TITLE>` +
    `<BRAND>Übelacker</BRAND><CATEGORY>Küche &gt; Kleingeräte</CATEGORY><MPN>KG${n}</MPN>` +
    `<CURRENCY>EUR</CURRENCY><COSTPRICE>${euros},75</COSTPRICE><TIER>STANDARD</TIER>` +
    `<SALESPRICE><TIER>STANDARD</TIER><PRICE>${euros},99</PRICE><VALIDFROM>21.11.2023</VALIDFROM>${until}</SALESPRICE>` +
    `<SALESPRICE><TIER>B2B</TIER><PRICE>${euros},49</PRICE><VALIDFROM>17.08.2023</VALIDFROM><VALIDUNTIL>03.11.2023</VALIDUNTIL></SALESPRICE>` +
    `<SALESPRICE><TIER>B2B</TIER><PRICE>1.0${
      euros % 90 + 10
    },99</PRICE><VALIDFROM>14.02.2024</VALIDFROM>${until}</SALESPRICE>` +
    `${link}</ITEM>\n`;
}

function say(line: string): void {
  stdout.write(line + "\n");
}
