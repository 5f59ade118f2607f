import { bodyOf, column } from "../api/answers.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { serveHere } from "../local_server.ts";
import { until } from "../patience.ts";
import { withBench } from "./import_bench.ts";
import { importXml, itemsXml, sendXml } from "./import_calls.ts";

const NAME = "Käse „täglich“.xml";
const GOOD = itemsXml([{ sku: "A", title: "Artikel", price: "10,00" }]);
/** A file whose second record is refused. */
const PARTLY = itemsXml([{ sku: "A", title: "Artikel", price: "11,00" }, { title: "ohne Nummer" }]);

async function ended(app: TestApp, jobId: string) {
  const path = `/api/imports/${jobId}`;
  await until("the import has ended", async () => {
    const { status } = await app.viewer.read(path);
    return status !== "queued" && status !== "running";
  });
  return await app.viewer.read(path);
}

/** Uploads a form as the web client does. */
async function upload(app: TestApp, content: string, name = NAME) {
  const form = new FormData();
  form.append("file", new Blob([content]), name);
  return await ended(app, (await app.manager.act("/api/imports", form)).jobId);
}

async function listed(app: TestApp): Promise<string[]> {
  const { items } = await app.viewer.read("/api/imports");
  return column(items, "label");
}

withApp.test("an import has the name of its file in lists, log, timeline, source and downloads", async (app) => {
  await upload(app, GOOD, "gestern.xml");
  app.clock.advance(60_000);
  const { jobId, label } = await upload(app, PARTLY);
  assertEquals([label, await listed(app)], [NAME, [NAME, "gestern.xml"]]);

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
  const formats = {
    rows: "refused.csv",
    xml: "refused.xml",
    csv: "findings.csv",
    xlsx: "findings.xlsx",
  };
  for (const [format, named] of Object.entries(formats)) {
    const [first, ending] = named.split(".");
    const answer = await app.viewer.get(`/api/imports/${jobId}/errors?format=${format}`);
    await answer.body?.cancel();
    assertEquals(
      answer.headers.get("Content-Disposition"),
      `attachment; filename="${first}-K_se _t_glich_.${ending}"; ` +
        `filename*=UTF-8''${first}-${encoded}.${ending}`,
    );
  }
  const undo = await app.owner.act(`/api/imports/${jobId}/undo?dryRun=true`);
  assertEquals((await ended(app, undo.jobId)).label, NAME);
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

// `upload/part_head_test.ts` has all notations of a name.
withBench.test("a raw body has the name in its header, without folders", async ({ app, key }) => {
  for (const [header, name] of [["; filename=../../etc/nacht.xml", "nacht.xml"], ["", "upload"]]) {
    const headers = { "Content-Disposition": `attachment${header}` };
    const { data } = await bodyOf(sendXml(key, GOOD, "", headers), 200);
    assertEquals((await ended(app, data.jobId)).label, name);
  }
  assertEquals((await importXml(key, GOOD)).data.label, "upload");
});

Deno.test("a pulled file has the name in the response's header, else in its URL", async () => {
  let disposition: string | null = 'attachment; filename="artikel.xml"';
  let price = 10;
  await using server = serveHere(() => {
    const items = itemsXml([{ sku: "A", title: "Artikel", price: `${price++},00` }]);
    const headers = new Headers(disposition === null ? {} : { "Content-Disposition": disposition });
    return new Response(items, { headers });
  });
  await using app = await startTestApp({ env: { SCRAPE_ALLOW_PRIVATE: "127.0.0.1" } });
  const pull = { url: `${server.url}/export/nacht?id=7` };
  const source = { name: "ERP", id: "erp", kind: "pull", hold: null, pull };
  await app.manager.create("/api/import-sources", source);
  for (const name of ["artikel.xml", "nacht"]) {
    const { lastPull } = await app.manager.act("/api/import-sources/erp/pull");
    assertEquals((await ended(app, lastPull.jobId)).label, name);
    app.clock.advance(60_000);
    disposition = null;
  }
});
