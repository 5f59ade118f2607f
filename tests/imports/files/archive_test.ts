import { deepStrictEqual as assertEquals, ok, rejects } from "node:assert/strict";
import { configure, Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from "@zip.js/zip.js";
import { readUpload } from "../../../src/imports/upload/read_upload.ts";
import { partFrom, partOf, readWhole, SETTING, sourceOf } from "../upload_reading.ts";

configure({ useWebWorkers: false });

const ITEM = "<ITEMS><ITEM><SKU>A</SKU><SALESPRICE><PRICE>1,00</PRICE></SALESPRICE></ITEM></ITEMS>";

async function zip(files: Record<string, string | Uint8Array>, options = {}): Promise<Uint8Array> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), options);
  for (const [name, content] of Object.entries(files)) {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await writer.add(name, new Uint8ArrayReader(bytes));
  }
  return await writer.close();
}

async function read(bytes: Uint8Array, setting: Parameters<typeof readWhole>[1] = {}) {
  return await readWhole([partOf("upload.zip", bytes)], setting);
}

Deno.test("an archive skips files other than XML with a warning that names them", async () => {
  const both = await zip({ "note.txt": "hello", "a.xml": ITEM });
  const { refused, warnings, records } = await read(both);
  assertEquals([refused, records.length], [null, 1]);
  assertEquals(warnings.map(({ file }) => file), ["note.txt"]);
});

Deno.test("an archive is refused for a malformed XML file, an inner archive, and a password", async () => {
  const inner = await zip({ "a.xml": ITEM });
  const cases = [
    [await zip({ "a.xml": ITEM, "b.xml": "" }), "malformed_xml", "b.xml"],
    [await zip({ "a.xml": ITEM, "b.xml": inner }), "bad_zip", "b.xml"],
    [await zip({ "a.xml": ITEM }, { password: "secret" }), "bad_zip", "upload.zip"],
  ] as const;
  for (const [bytes, ...expected] of cases) {
    const { refused } = await read(bytes);
    assertEquals([refused?.code, refused?.file], expected);
  }
});

Deno.test("an archive stops at the compression ratio, the unpacked bytes and the number of files", async () => {
  const wide = ITEM.replace("<ITEM>", `${" ".repeat(300_000)}<ITEM>`);
  const packed = await zip({ "a.xml": wide });
  assertEquals((await read(packed, { ratioMax: 10_000 })).refused, null);
  assertEquals((await read(packed)).refused?.code, "too_large");
  const setting = { ratioMax: 10_000, unpackedBytesMax: 400_000 };
  assertEquals((await read(packed, setting)).refused, null, "bytes that are read twice count once");
  const two = await zip({ "a.xml": wide, "b.xml": wide });
  assertEquals((await read(two, setting)).refused?.code, "too_large");
  assertEquals((await read(two, { ratioMax: 10_000, filesMax: 1 })).refused?.code, "too_large");
});

Deno.test("entries that share one stream are refused", async () => {
  const one = await zip({ "a.xml": ITEM });
  const view = new DataView(one.buffer, one.byteOffset, one.length);
  const end = one.length - 22;
  const directory = view.getUint32(end + 16, true);
  const record = one.slice(directory, end);
  const twin = record.slice();
  twin[46] = "b".charCodeAt(0);
  const tail = one.slice(end);
  const tailView = new DataView(tail.buffer);
  tailView.setUint16(8, 2, true);
  tailView.setUint16(10, 2, true);
  tailView.setUint32(12, record.length * 2, true);
  const both = new Uint8Array([...one.slice(0, directory), ...record, ...twin, ...tail]);
  assertEquals((await read(both)).refused?.code, "bad_zip");
});

Deno.test("an archive whose source fails is not reported as damaged", async () => {
  const good = sourceOf(await zip({ "a.xml": ITEM }));
  const source = {
    size: good.size,
    read(offset: number, length: number) {
      if (offset > 0) return Promise.reject(new Error("The disk is gone"));
      return good.read(offset, length);
    },
  };
  await rejects(readWhole([partFrom("a.zip", source)]), /The disk is gone/);
});

Deno.test("an archive that is abandoned in the middle leaves nothing open", async () => {
  const many = "<ITEM><SKU>A</SKU></ITEM>".repeat(100_000);
  const bytes = await zip({ "a.xml": `<ITEMS>${many}</ITEMS>` });
  const events = readUpload([partOf("a.zip", bytes)], { ...SETTING, ratioMax: 10_000 });
  let records = 0;
  for await (const event of events) {
    if (event.kind === "records") records = event.records.length;
    if (records > 0) break;
  }
  ok(records > 0 && records < 100_000);
});
