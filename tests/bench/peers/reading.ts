/**
 * Processor time in which Kurant only reads the ERP's file: `records` from bytes to checked
 * records, `xml` only decoding and parsing. Prints milliseconds for all products. `deno run -A
 * tests/bench/peers/reading.ts records|xml products`
 */
import { argv, stdout } from "node:process";
import { decideEncoding } from "../../../src/engine/xml/encoding.ts";
import { XmlReader } from "../../../src/engine/xml/reader.ts";
import { chunksOf, parseChunks } from "../../../src/imports/files/source_file.ts";
import { readUpload } from "../../../src/imports/upload/read_upload.ts";
import { partOf, SETTING } from "../../imports/upload_reading.ts";
import { processMs } from "../../processor_time.ts";
import { articleOf, erpFile } from "./article.ts";

const products = Number(argv[3]);
const articles = Array.from({ length: products }, (_, n) => articleOf(n, 1));
const part = partOf(
  "items.xml",
  await new Response(ReadableStream.from(erpFile(articles))).bytes(),
);
const work = argv[2] === "xml" ? readXml : readRecords;
const usedMs = processMs();
const items = await work();
stdout.write(`${processMs() - usedMs}\n`);
if (items !== products) throw new Error(`${items} of ${products} items`);

async function readXml(): Promise<number> {
  let items = 0;
  const reader = new XmlReader({
    open(name) {
      if (name === "ITEM") items++;
    },
    text() {},
    close() {},
  });
  const decided = decideEncoding(new Uint8Array(), "utf-8");
  if (!("encoding" in decided)) throw new Error(`Unknown: ${decided.unknown}`);
  const file = { ...part, chunks: () => chunksOf(part.source) };
  await Array.fromAsync(parseChunks(file, decided.encoding, reader), () => {});
  return items;
}

async function readRecords(): Promise<number> {
  let records = 0;
  for await (const event of readUpload([part], SETTING)) {
    if (event.kind === "refused") throw new Error(event.finding.message);
    if (event.kind !== "records") continue;
    // An import stores records as JSON.
    for (const { patch } of event.records) records += JSON.stringify(patch).length > 0 ? 1 : 0;
  }
  return records;
}
