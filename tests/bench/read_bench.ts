/**
 * Pass 1 of an import (decode, parse, judge) beside a bare saxes parse of the same bytes, in the same
 * run, so that the ratio holds on any machine. `deno run -A tests/bench/read_bench.ts [megabytes]`
 */
import { argv, memoryUsage } from "node:process";
import { SaxesParser } from "saxes";
import { type ByteSource, chunksOf } from "../../src/imports/files/byte_source.ts";
import { readUpload } from "../../src/imports/upload/read_upload.ts";
import { SETTING } from "../imports/upload_reading.ts";
import { generateItems } from "./erp_items.ts";
import { say } from "./slices.ts";

const ROUNDS = 4;
const megabytes = Number(argv[2] ?? 50);
const SHAPE = { linkedEvery: 4, tiers: () => 2 };
const BYTES_PER_ITEM = 810;

const items = Math.round(megabytes * 1_000_000 / BYTES_PER_ITEM);
const bytes = await new Response(ReadableStream.from(generateItems(items, 1, SHAPE))).bytes();
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
