import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { zipSync } from "../zip.ts";
import { startTestApp } from "../harness.ts";
import { IMPORT, itemsXml, sendXml, withBench } from "../imports/import_calls.ts";
import { bodyOf, column, refusalOf, refusedField, refuses } from "./answers.ts";

const A = { sku: "A", title: "Äpfel", price: "1,00" };
const B = { sku: "B", title: "Birnen", price: "2,00" };
const encoder = new TextEncoder();

function formOf(...files: (readonly [field: string, name: string, text: string | Uint8Array])[]) {
  const form = new FormData();
  for (const [field, name, content] of files) {
    const bytes = typeof content === "string" ? encoder.encode(content) : content;
    form.append(field, new File([new Uint8Array(bytes)], name));
  }
  return form;
}

withBench.test("POST import accepts XML under both types, ZIP, and reports what it read", async ({ key }) => {
  for (const type of ["application/xml", "text/xml; charset=utf-8", "Application/XML"]) {
    const { data } = await bodyOf(sendXml(key, itemsXml([A]), "", { "Content-Type": type }), 200);
    assertEquals([data.status, data.files[0].encoding], ["succeeded", "utf-8"]);
  }
  const c = itemsXml([{ ...A, sku: "C" }]);
  const zip = zipSync([["a.xml", itemsXml([A])], ["folder/b.XML", itemsXml([B])], ["c", c]]);
  const { data, count } = await key.act(IMPORT, zip, { "Content-Type": "application/zip" });
  assertEquals(column(data.files, "name"), ["a.xml", "folder/b.XML", "c"]);
  assertEquals(data.files[2].bytes, encoder.encode(c).length);
  assertEquals([count, data.stats.inserted, data.stats.skipped], [3, 2, 1]);
});

withBench.test("POST import prefers the charset of a body or part to the file's declaration", async ({ key }) => {
  const latin1 = (text: string) => Uint8Array.from([...text].map((char) => char.charCodeAt(0)));
  const titles = async () =>
    column((await key.read("/api/public/v1/products")).data, "title").sort();
  const typed = { "Content-Type": "text/xml; charset=ISO-8859-1" };
  const raw = await bodyOf(sendXml(key, latin1(itemsXml([A])), "", typed), 200);
  assertEquals([raw.data.status, raw.data.warningCount], ["succeeded", 0]);
  assertEquals(await titles(), ["Äpfel"]);
  // The byte of ¤ in ISO-8859-1 means € in ISO-8859-15.
  const form = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.xml"\r\n' +
    'Content-Type: text/xml;charset="ISO-8859-15"; x=y\r\n\r\n' +
    `${itemsXml([{ ...B, title: "Gutschein 10 \u00a4" }])}\r\n--x--\r\n`;
  const type = { "Content-Type": "multipart/form-data; boundary=x" };
  const { data } = await key.act(IMPORT, latin1(form), type);
  assertEquals([data.files[0].encoding, data.warningCount], ["iso-8859-15", 0]);
  assertEquals(await titles(), ["Gutschein 10 €", "Äpfel"]);
});

withBench.test("POST import accepts a form with any number of files, whatever their fields, names, types and profiles", async ({ key }) => {
  const many = Array.from(
    { length: 30 },
    (_, n) => [`field ${n}`, `f${n}.xml`, itemsXml([{ ...A, sku: `S-${n}` }])] as const,
  );
  const zip = ["archive", "z.zip", zipSync([["in.xml", itemsXml([B])]])] as const;
  const { data, count } = await key.act(IMPORT, formOf(...many, zip));
  assertEquals([data.status, count, data.files.length], ["succeeded", 31, 31]);
  assertEquals(data.files[30].name, "in.xml");
  const packed = zipSync([["x.xml", itemsXml([A])]]);
  const form = formOf(["f", "really.xml", packed], ["f", "really.zip", itemsXml([B])]);
  const { stats } = (await key.act(IMPORT, form)).data;
  assertEquals(stats, { ...data.stats, inserted: 1, skipped: 1 });
  const bmecat = "<BMECAT><T_NEW_CATALOG><ARTICLE><SUPPLIER_AID>B</SUPPLIER_AID></ARTICLE>" +
    "</T_NEW_CATALOG></BMECAT>";
  const formats = formOf(["f", "a.xml", itemsXml([A])], ["f", "b.xml", bmecat]);
  const mixed = await key.act(IMPORT, formats);
  assertEquals(column(mixed.data.files, "profile"), ["erp-default", "bmecat"]);
});

withBench.test("POST import fails as a whole for one bad file of several, and names it", async ({ key }) => {
  const form = formOf(["a", "good.xml", itemsXml([A])], ["b", "bad.xml", "<ITEMS>\n<ITEM>"]);
  const { data } = await key.act(IMPORT, form);
  assertEquals([data.status, data.count, data.errors.length], ["failed", 0, 1]);
  const { code, file, line } = data.errors[0];
  assertEquals([code, file, line], ["malformed_xml", "bad.xml", 2]);
  assertEquals((await key.read("/api/public/v1/products")).count, 0);
});

withBench.test("POST import refuses other types and tells curl users the header", async ({ key }) => {
  for (const type of ["application/x-www-form-urlencoded", "application/pdf", "image/png", ""]) {
    const headers: Record<string, string> = type === "" ? {} : { "Content-Type": type };
    const answer = key.post(IMPORT, encoder.encode(itemsXml([A])), headers);
    const { code, message } = await refusalOf(answer);
    assertEquals(code, "unsupported_media_type");
    match(message, /Content-Type: application\/xml/);
  }
});

withBench.test("POST import accepts a gzip body like its content, and no other coding", async ({ key }) => {
  const [xml, csv] = [itemsXml([A]), "Artikelnummer;Bezeichnung\nB;Birnen\n"];
  const send = (body: Uint8Array | string, type: string, coding: string) =>
    key.post(IMPORT, body, { "Content-Type": type, "Content-Encoding": coding });
  for (const [text, type] of [[xml, "application/xml"], [csv, "text/csv"]] as const) {
    for (const coding of ["gzip", "X-GZIP"]) {
      const { data } = await bodyOf(send(gzipSync(text), type, coding), 200);
      assertEquals([data.status, data.count], ["succeeded", 1], `${type} ${coding}`);
    }
  }
  assertEquals((await bodyOf(send(csv, "text/csv", "identity"), 200)).data.status, "succeeded");
  // A body that is declared as XML must be XML, even inside gzip.
  const { data } = await bodyOf(send(gzipSync(csv), "application/xml", "gzip"), 200);
  assertEquals([data.status, data.error.code], ["failed", "malformed_xml"]);
  for (const coding of ["br", "deflate", "zstd", "gzip, gzip", "compress"]) {
    const { error: { code, message } } = await bodyOf(send(csv, "text/csv", coding), 415);
    assertEquals(code, "unsupported_media_type", coding);
    ok(message.includes('send "gzip"'), message);
  }
  const form = formOf(["file", "a.csv", csv]);
  await bodyOf(key.post(IMPORT, form, { "Content-Encoding": "gzip" }), 415);
});

withBench.test("POST import refuses forms without a file, with options in fields, and malformed ones", async ({ key }) => {
  await refuses(key.post(IMPORT, new FormData()), "validation_failed");
  const withOption = formOf(["file", "a.xml", itemsXml([A])]);
  withOption.append("mode", "insert");
  assertEquals(await refusedField(key.post(IMPORT, withOption)), "mode");
  const type = "multipart/form-data; boundary=x";
  const open = '--x\r\nContent-Disposition: form-data; name="f"; filename="a.xml"\r\n\r\n<ITEMS>';
  for (const body of [open, "", "garbage"]) {
    await refuses(key.post(IMPORT, body, { "Content-Type": type }), "validation_failed", body);
  }
  const noBoundary = { "Content-Type": "multipart/form-data" };
  await refuses(key.post(IMPORT, open, noBoundary), "validation_failed");
  assertEquals((await key.read("/api/public/v1/imports")).count, 0);
});

Deno.test("POST import refuses a body above the limit, declared or counted", async () => {
  await using app = await startTestApp({ env: { IMPORT_MAX_BODY_BYTES: "2000" } });
  const key = await app.key(["products:write"]);
  const large = encoder.encode(itemsXml([{ ...A, more: `<MPN>${"x".repeat(3_000)}</MPN>` }]));
  const declared = await refusalOf(sendXml(key, large));
  assertEquals([declared.code, declared.details.bytesMax], ["payload_too_large", 2_000]);
  const { text } = await app.newKey(["products:write"]);
  const chunked = await fetch(app.base + IMPORT, {
    method: "POST",
    body: ReadableStream.from([large.slice(0, 1_500), large.slice(1_500)]),
    headers: { "Content-Type": "application/xml", Authorization: `Bearer ${text}` },
  });
  await refuses(chunked, "payload_too_large");
  assertEquals((await key.read("/api/public/v1/imports")).count, 0);
});

Deno.test("POST import fails a job beyond the limits of files, items, depth and text", async () => {
  const limits = [
    [{ IMPORT_MAX_FILES: "1" }, [itemsXml([A]), itemsXml([B])], "too_large"],
    [{ IMPORT_MAX_ITEMS: "1" }, [itemsXml([A, B])], "too_large"],
    [{ IMPORT_MAX_DEPTH: "2" }, [itemsXml([A])], "too_deep"],
    [{ IMPORT_MAX_TEXT_CHARS: "20" }, [itemsXml([{ ...A, title: "x".repeat(30) }])], "too_large"],
  ] as const;
  for (const [env, files, code] of limits) {
    await using app = await startTestApp({ env });
    const key = await app.key(["products:write"]);
    const form = formOf(...files.map((text, n) => ["f", `${n}.xml`, text] as const));
    const { data } = await key.act(IMPORT, form);
    assertEquals([data.status, data.error.code], ["failed", code]);
  }
});

withBench.test("POST import with Prefer: respond-async answers 202 with the job's address", async ({ key }) => {
  const answer = await sendXml(key, itemsXml([A]), "", { Prefer: "wait=5, respond-async" });
  const location = answer.headers.get("Location");
  const status = answer.headers.get("X-Job-Status");
  const { data } = await bodyOf(answer, 202);
  assertEquals([location, status], [`${IMPORT}/${data.jobId}`, data.status]);
  ok(["queued", "running", "succeeded"].includes(data.status));
});

withBench.test("POST import with an Idempotency-Key creates one job, whatever its form's boundary; a refused request leaves the key free", async ({ key }) => {
  const again = { "Idempotency-Key": "nightly-1" };
  const send = (price: string) =>
    key.post(IMPORT, formOf(["f", "a.xml", itemsXml([{ ...A, price }])]), again);
  const first = await bodyOf(send("1,00"), 200);
  const repeated = await send("1,00");
  assertEquals(repeated.headers.get("Idempotent-Replayed"), "true");
  assertEquals(repeated.headers.get("X-Job-Status"), "succeeded");
  assertEquals(await bodyOf(repeated, 200), first);
  await refuses(send("2,00"), "idempotency_key_reused");
  assertEquals((await key.read("/api/public/v1/imports")).count, 1);
  const other = { "Idempotency-Key": "k" };
  await refusalOf(key.post(IMPORT, new FormData(), other));
  await bodyOf(sendXml(key, itemsXml([A]), "", other), 200);
  const long = { "Idempotency-Key": "k".repeat(256) };
  await refuses(sendXml(key, itemsXml([A]), "", long), "validation_failed");
});
