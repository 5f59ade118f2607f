/** Multipart uploads: any boundary that RFC 2046 allows is accepted; a longer one is refused. */
import fc from "fast-check";
import { type TestApp, withApp } from "../harness.ts";
import { exchange } from "../raw_http.ts";
import { bodyOf, column, refusalOf, refusedField } from "../api/answers.ts";
import { IMPORT, importXml, itemsXml, sendXml, withBench } from "./import_calls.ts";
import { processMs } from "../processor_time.ts";
import { readMultipart } from "../../src/imports/upload/receive_upload.ts";
import { until } from "../patience.ts";
import { deepStrictEqual as assertEquals, match, ok, rejects } from "node:assert/strict";
import { Buffer } from "node:buffer";

const XML = itemsXml([{ sku: "A", title: "Apfel", price: "1,00" }]);

function formWith(boundary: string): string {
  const head = 'Content-Disposition: form-data; name="file"; filename="a.xml"\r\n\r\n';
  return `--${boundary}\r\n${head}${XML}\r\n--${boundary}--\r\n`;
}

const typeOf = (boundary: string) => `multipart/form-data; boundary=${boundary}`;

withBench.test("POST import reads forms with boundaries of 1 to 70 characters, quoted or not", async ({ key }) => {
  for (const length of [1, 69, 70]) {
    const boundary = "x".repeat(length);
    for (const written of [boundary, `"${boundary}"`]) {
      const headers = { "Content-Type": typeOf(written) };
      const { data } = await key.act(IMPORT, formWith(boundary), headers);
      assertEquals([length, data.status], [length, "succeeded"]);
    }
  }
});

/** Sends only the head of a request, so that the server must answer before it gets the body. */
function askUnsent({ base }: TestApp, path: string, credential: string, type: string) {
  const head = `POST ${path} HTTP/1.1\r\nHost: kurant\r\n${credential}\r\n` +
    `Content-Type: ${type}\r\nContent-Length: 1000000\r\n\r\n`;
  return exchange(base, head);
}

withApp.test("POST import refuses a longer boundary without reading the body, on both interfaces", async (app) => {
  const { text } = await app.newKey(["products:write"]);
  const doors = [
    [IMPORT, `Authorization: Bearer ${text}`],
    ["/api/imports", `Cookie: ${app.ownerCookie}`],
  ] as const;
  for (const [path, credential] of doors) {
    for (const length of [71, 255, 256, 1_000, 50_000]) {
      for (const boundary of ["x".repeat(length), `"${"x ".repeat(length / 2)}x"`]) {
        const refused = askUnsent(app, path, credential, typeOf(boundary));
        assertEquals(await refusedField(refused), "Content-Type", `${length}`);
      }
    }
  }
});

const LONG = 60_000;
const HOSTILE_TYPES = [
  `multipart/form-data;${" ".repeat(LONG)}x`,
  `multipart/form-data${"; ".repeat(LONG / 2)}x`,
  `multipart/form-data; boundary${" ".repeat(LONG)}x`,
  `multipart/form-data; boundary=${" ".repeat(LONG)}x`,
  `multipart/form-data; boundary="${"x".repeat(LONG)}`,
  `multipart/form-data; ${"boundary".repeat(LONG / 8)}`,
  `application/xml; charset${" ".repeat(LONG)}x`,
  `application/xml${";\t".repeat(LONG / 2)}x`,
  `${" ".repeat(10)}${"x".repeat(LONG)}/y`,
];

withApp.test("POST import parses hostile content types in little time", async (app) => {
  const { text } = await app.newKey(["products:write"]);
  for (const type of HOSTILE_TYPES) {
    let leastMs = Infinity;
    for (let round = 0; round < 3; round++) {
      const before = processMs();
      const asked = askUnsent(app, IMPORT, `Authorization: Bearer ${text}`, type);
      const { code } = await refusalOf(asked);
      leastMs = Math.min(leastMs, processMs() - before);
      ok(["validation_failed", "unsupported_media_type"].includes(code), code);
    }
    ok(leastMs < 500, `${Math.round(leastMs)} ms of processor time for ${type.slice(0, 40)}`);
  }
});

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
    else if (event.kind === "file") parts.push({ name: event.file.name, text: "" });
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

const NAME = "Käse „täglich“.xml";
const GOOD = itemsXml([{ sku: "A", title: "Artikel", price: "10,00" }]);
/** A file whose second record is refused. */
const PARTLY = itemsXml([{ sku: "A", title: "Artikel", price: "11,00" }, { title: "ohne Nummer" }]);

async function upload(app: TestApp, content: string, name = NAME) {
  const form = new FormData();
  form.append("file", new Blob([content]), name);
  return await app.manager.act("/api/imports", form);
}

withApp.test("an import has the name of its file in lists, log, timeline, source and downloads", async (app) => {
  await upload(app, GOOD, "gestern.xml");
  app.clock.advance(60_000);
  const { jobId, label } = await upload(app, PARTLY);
  const { items } = await app.viewer.read("/api/imports");
  assertEquals([label, column(items, "label")], [NAME, [NAME, "gestern.xml"]]);

  const source = await app.viewer.read("/api/import-sources/default");
  const { erp } = await app.viewer.read("/api/overview");
  assertEquals([source.lastImport.label, erp.last.label], [NAME, NAME]);
  const log = await app.owner.read(`/api/audit-logs?resource=import:${jobId}`);
  assertEquals(log.items[0].resource.label, NAME);
  const { items: [product] } = await app.viewer.read("/api/products");
  const past = await app.viewer.read(`/api/products/${product.id}/timeline`);
  assertEquals(past.items.find(({ ref }: { ref: string }) => ref === jobId)?.title, NAME);
  const table = await (await app.viewer.get("/api/imports.csv")).text();
  match(table, new RegExp(NAME));

  const encoded = encodeURIComponent(NAME.replace(/\.xml$/, ""));
  const formats = { rows: "refused", xml: "refused", csv: "findings", xlsx: "findings" };
  for (const [format, first] of Object.entries(formats)) {
    const ending = format === "rows" ? "csv" : format;
    const answer = await app.viewer.get(`/api/imports/${jobId}/errors?format=${format}`);
    await answer.body?.cancel();
    assertEquals(
      answer.headers.get("Content-Disposition"),
      `attachment; filename="${first}-K_se _t_glich_.${ending}"; ` +
        `filename*=UTF-8''${first}-${encoded}.${ending}`,
    );
  }
  const undo = await app.owner.act(`/api/imports/${jobId}/undo?dryRun=true`);
  assertEquals(undo.label, NAME);
});

withApp.test("an unreadable file keeps its name", async (app) => {
  const { status, label, files } = await upload(app, "<ITEMS><ITEM>", "abgebrochen.xml");
  assertEquals([status, label, files], ["failed", "abgebrochen.xml", []]);
  await until("an alert names it", async () => {
    const { items } = await app.owner.read("/api/alerts");
    return items.some(({ title }: { title: string }) => title.includes("abgebrochen.xml"));
  });
  match(await (await app.viewer.get("/api/imports.csv")).text(), /abgebrochen\.xml/);
});

withBench.test("a raw body has the name in its header, without folders", async ({ key }) => {
  for (const [header, name] of [["; filename=../../etc/nacht.xml", "nacht.xml"], ["", "upload"]]) {
    const headers = { "Content-Disposition": `attachment${header}` };
    const { data } = await bodyOf(sendXml(key, GOOD, "", headers), 200);
    assertEquals(data.label, name);
  }
  assertEquals((await importXml(key, GOOD)).data.label, "upload");
});
