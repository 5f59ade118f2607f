import { fromKeys } from "../../src/base/collections.ts";
import type { Finding } from "../../src/imports/files/source_file.ts";
import { bodyOf, column, everyItem, valuesOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { startTestApp } from "../harness.ts";
import { dataTest } from "../sample_data.ts";
import { linksOf } from "../shops/shop.ts";
import { counts, IMPORT, importXml, itemsXml, sendXml } from "./import_calls.ts";
import { requireSoundCatalogue } from "../api/sound_catalogue.ts";
import type { Store } from "../../src/platform/store/kv.ts";
import { until } from "../patience.ts";
import { extent } from "../proof.ts";
import { watchedStore } from "../watched_store.ts";
import { createImportRunner } from "./import_runner.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

interface EdgeItem extends Readonly<Record<string, unknown>> {
  readonly index: number;
  readonly sku: string | null;
  readonly storedSku?: string;
  readonly why: string;
  readonly result: "stored" | "error" | "skipped";
  readonly warnings?: readonly string[];
  readonly errors?: readonly { code: string; field?: string; value?: string; n?: number }[];
}

type EdgeCount = "records" | "stored" | "errorsLost" | "skipped" | "competitorsLinked" | "products";

interface EdgeExpectation {
  readonly stats: Readonly<Record<EdgeCount, number>>;
  readonly items: readonly EdgeItem[];
}

const EDGE = "erp/edge.expected.json";

/** Reads a product, and renames its fields as in the file `EDGE`. */
async function storedValues(key: Caller, sku: string): Promise<Record<string, unknown>> {
  const path = `/api/public/v1/products/sku:${encodeURIComponent(sku)}`;
  const { data } = await key.read(path);
  const { costPrice: costCents, targetPrice: targetCents, prices } = data;
  const single = prices.filter(({ minQty }: { minQty: number }) => minQty <= 1);
  const tierPrices = Object.fromEntries(valuesOf(single, "tier", "amountCents"));
  return { ...data, costCents, targetCents, tierPrices };
}

async function findingsOf(key: Caller, jobId: string): Promise<Map<number | null, Finding[]>> {
  const { data } = await key.read(`${IMPORT}/${jobId}/errors?limit=500`);
  return Map.groupBy<number | null, Finding>(data, ({ index }) => index);
}

dataTest("every record of the edge cases has the expected result", EDGE, async (data) => {
  await using app = await startTestApp();
  const key = await app.key(["products:write"]);
  const { stats, items } = data.json<EdgeExpectation>(EDGE);
  const { data: job, count } = await bodyOf(sendXml(key, data.bytes("erp/edge.xml")), 200);
  assertEquals([job.status, count], ["succeeded", stats.records]);
  const { stored, skipped, errorsLost, competitorsLinked } = stats;
  assertEquals(job.stats, counts(stored, 0, skipped, errorsLost, competitorsLinked));
  assertEquals((await app.owner.read("/api/products")).total, stats.products);

  const findings = await findingsOf(key, job.jobId);
  for (const item of items) {
    const { index, sku, result, warnings = [], errors = [] } = item;
    const where = `${sku}: ${item.why}`;
    const own = findings.get(index) ?? [];
    const codes = [...warnings, ...errors.map(({ code }) => code)];
    assertEquals(new Set(own.map(({ code }) => code)), new Set(codes), where);
    for (const { code, field, value, n } of errors) {
      const same = own.filter((finding) => finding.code === code);
      if (n !== undefined) assertEquals(same.length, n, where);
      if (field !== undefined) {
        assertEquals([same[0]?.field, same[0]?.value], [field, value], where);
      }
    }
    if (result !== "stored" || sku === null) continue;

    const product = await storedValues(key, item.storedSku ?? sku);
    assertEquals(product.ourPriceCents, item.ourPriceCents, where);
    const names = ["costCents", "targetCents", "title", "currency", "tierPrices"];
    for (const name of names.filter((name) => item[name] !== undefined)) {
      assertEquals(product[name], item[name], `${where}: ${name}`);
    }
  }
});

interface SampleItem extends Readonly<Record<string, unknown>> {
  readonly sku: string;
  readonly competitors: readonly Readonly<Record<string, unknown>>[];
  readonly warnings: readonly string[];
}

interface SampleExpectation {
  readonly items: readonly SampleItem[];
  readonly stats: { readonly count: number; readonly competitorsLinked: number };
}

const SAMPLE = "erp";

dataTest("every item of the sample is stored field by field", SAMPLE, async (data) => {
  await using app = await startTestApp();
  const key = await app.key(["products:write"]);
  const expected = data.only(SAMPLE, /^sample-\d+\.expected\.json$/);
  const { items, stats } = data.json<SampleExpectation>(expected);
  const sample = data.bytes(data.only(SAMPLE, /^sample-\d+\.xml$/));
  const { data: job, count } = await bodyOf(sendXml(key, sample), 200);
  assertEquals([job.files[0].encoding, job.files[0].items], ["windows-1252", items.length]);
  assertEquals(count, stats.count);
  assertEquals(job.stats, counts(stats.count, 0, 0, 0, stats.competitorsLinked));
  const findings = await findingsOf(key, job.jobId);
  for (const [index, { competitors, warnings, ...fields }] of items.entries()) {
    const product = await storedValues(key, fields.sku);
    assertEquals(fromKeys(Object.keys(fields), (name) => product[name]), fields);
    assertEquals(column(findings.get(index) ?? [], "code"), warnings, fields.sku);
    const names = ["domain", "url", "enabled"];
    const links = valuesOf(await linksOf(app.owner, `productId=${product.id}`), ...names);
    assertEquals(links.sort(), valuesOf(competitors, ...names).sort(), fields.sku);
  }
});

const KNOWN = extent(3_000, 150);
const NEW = extent(1_000, 50);

const items = (price: string, count = KNOWN) =>
  Array.from({ length: count }, (_, n) => ({ sku: `S-${n}`, title: `Artikel ${n}`, price }));

async function readAll(owner: Caller) {
  const items = await everyItem(owner, "/api/products?limit=200&includeDeleted=true");
  return new Map(items.map((product) => [product.id, product]));
}

Deno.test("an import during PATCH, create, delete and rename loops loses nothing", async () => {
  await using app = await startTestApp({ env: { RATE_LIMIT_PER_MINUTE: "1000000" } });
  const { owner } = app;
  const key = await app.key(["products:write"]);
  await importXml(key, itemsXml(items("1,00")));
  app.clock.advance(60_000);
  await app.app.close();
  const before = await readAll(owner);
  const ids = [...before.keys()];
  const idAt = (n: number) => ids[n % ids.length]!;

  let isOver = false;
  const attributes = new Map<string, string>();
  const renamed = new Map<string, string>();
  const deleted = new Set<string>();
  const created = new Map<string, string>();
  const laps = [0, 0, 0, 0];
  const repeat = async (
    [lap, start, step]: [lap: number, start: number, step: number],
    ask: (n: number) => Promise<Response>,
    note: (n: number, product: { id: string }) => unknown,
  ) => {
    for (let n = start; !isOver; n += step) {
      const answer = await ask(n);
      const body = await answer.json();
      if (answer.ok) note(n, body);
      laps[lap]!++;
    }
  };
  const pathOf = (n: number) => `/api/products/${idAt(n)}`;
  const newSku = (n: number) => `S-${KNOWN + (n * 31) % NEW}`;
  const loops = [
    repeat(
      [0, 0, 7],
      (n) => owner.patch(pathOf(n * 11), { attributes: { n: String(n) } }),
      (n) => attributes.set(idAt(n * 11), String(n)),
    ),
    repeat(
      [1, 1, 13],
      (n) => owner.patch(pathOf(n * 17), { sku: `R-${n}` }),
      (n) => renamed.set(idAt(n * 17), `R-${n}`),
    ),
    repeat([2, 2, 19], (n) => owner.delete(pathOf(n * 23)), (n) => deleted.add(idAt(n * 23))),
    repeat(
      [3, KNOWN, 1],
      (n) => owner.post("/api/products", { sku: newSku(n), title: "Von Hand" }),
      (n, { id }) => created.set(id, newSku(n)),
    ),
  ];
  const hasBegun = () =>
    attributes.size > 20 && renamed.size > 5 && deleted.size > 5 && created.size > 5;
  let commits = 0;
  const watched = watchedStore(app.store, {
    async committing() {
      // Only some commits wait for the other writers, so that the import wins some races.
      if (commits++ % extent(3, 6) > 0) return;
      const before = [...laps];
      const isFurther = () => laps.every((count, n) => count > before[n]!);
      await until("every loop has continued", () => hasBegun() && isFurther());
    },
  });
  const { data, count } = await importBy(watched, "1,50").finally(() => isOver = true);
  await Promise.all(loops);

  assertEquals([data.status, count, data.errorCount], ["succeeded", KNOWN + NEW, 0]);
  const { inserted, updated, skipped } = data.stats;
  assertEquals(inserted + updated + skipped, KNOWN + NEW);
  await requireSoundCatalogue(app.store);

  const products = await readAll(owner);
  for (const [id, n] of attributes) assertEquals(products.get(id)?.attributes.n, n);
  for (const [id, sku] of renamed) assertEquals(products.get(id)?.sku, sku);
  for (const [id, sku] of created) assertEquals(products.get(id)?.sku, sku);
  for (const { id, sku, ourPrice, deletedAt } of products.values()) {
    if (deletedAt !== null) ok(deleted.has(id), `${sku} was never deleted by the test`);
    else if (sku.startsWith("S-") && !created.has(id)) assertEquals(ourPrice, 150, sku);
  }
  const skus = [...products.values()].map(({ sku }) => sku);
  assertEquals(new Set(skus).size, skus.length);
  // If a product was renamed after the import wrote it, its old SKU no longer exists.
  const left = new Set([...renamed.keys()].map((id) => before.get(id)?.sku));
  for (const { sku } of items("", KNOWN + NEW)) {
    ok(skus.includes(sku) || left.has(sku), `${sku} is missing`);
  }
  app.clock.advance(60_000);
  const again = await importBy(app.store, "1,50");
  assertEquals(again.data.stats.errors, 0);
  assertEquals(again.count, KNOWN + NEW);
  await requireSoundCatalogue(app.store);

  async function importBy(store: Store, price: string) {
    const file = itemsXml(items(price, KNOWN + NEW));
    const sent = await bodyOf(sendXml(key, file, "", { Prefer: "respond-async" }), 202);
    const runner = createImportRunner(store, app.app.clock);
    await runner.drain();
    await runner.stop();
    return await key.read(`${IMPORT}/${sent.data.jobId}`);
  }
});
