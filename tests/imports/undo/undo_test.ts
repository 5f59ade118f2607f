import fc from "fast-check";
import { DAY_MS } from "../../../src/base/time.ts";
import {
  entryOf,
  packEntry,
  undoRows,
  unpackEntries,
} from "../../../src/imports/state/undo_store.ts";
import { column, refusalOf, refuses, valuesOf } from "../../api/answers.ts";
import type { TestApp } from "../../harness.ts";
import { withCheckedApp } from "../../shops/shop.ts";
import { push } from "../../rules/evaluation/market.ts";
import { importXml, type Item, itemsXml, sendXml, withBench } from "../import_calls.ts";
import { expectedAfterUndo, link, patch, seen, send, SOURCE, undo } from "./undo_scene.ts";
import { MADE_AT, madeProduct } from "../../catalogue/catalogue_workspace.ts";
import { extent } from "../../proof.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { deflateRawSync } from "node:zlib";

async function warningsOf(app: TestApp, jobId: string): Promise<string[]> {
  const { items } = await app.owner.read(`/api/imports/${jobId}/errors?limit=500`);
  return valuesOf(items, "sku", "field", "code").map((values) => values.join(" "));
}

const apple = (price: string, more = ""): Item[] => [{ sku: "A", title: "Apfel", price, more }];
const shop = (n: number | string, enabled?: string) => link(`https://shop.example/${n}`, enabled);

const FIRST: Item[] = [
  ...apple("1,00", "<BRAND>Rot</BRAND><EK>0,50</EK>"),
  { sku: "B", title: "Birne", price: "2,00", more: shop("b") },
  { sku: "C", title: "Clementine", price: "3,00" },
  { sku: "D", title: "Dattel", price: "4,00" },
  { sku: "E", title: "Erdbeere" },
];
const SECOND: Item[] = [
  { sku: "A", title: "Apfel, rot", price: "10,00", more: "<BRAND/><EK>5,00</EK>" },
  { sku: "B", title: "Birne", price: "20,00", more: shop("b", "N") + link("https://b.example/b") },
  { sku: "C", title: "Clementine", price: "30,00" },
  { sku: "E", title: "Erdbeere", price: "5,00" },
  { sku: "F", title: "Feige", price: "6,00", more: shop("f") },
];

async function requireRestored(app: TestApp, before: Map<string, unknown>, sku: string) {
  const after = await seen(app.owner);
  assertEquals([after.get(sku)?.isDeleted, after.get(sku)?.links], [true, {}]);
  after.delete(sku);
  assertEquals(after, before);
}

withCheckedApp.test("an undo restores everything except times, reports its counts, and is in history and audit log but not in the changes for the ERP", async (app) => {
  await send(app, FIRST);
  const before = await seen(app.owner);
  const imported = await send(app, SECOND, "?mode=replace");
  assertEquals([imported.removed, imported.undoneBy], [1, null]);
  const until = new Date(Date.parse(imported.finishedAt) + 7 * DAY_MS).toISOString();
  assertEquals(imported.undoableUntil, until);

  const rehearsal = await undo(app, imported.jobId, "?dryRun=true");
  const counts = { setBack: 4, deleted: 1, restored: 1, prices: 4, links: 3, kept: 0, soldDays: 0 };
  assertEquals([rehearsal.status, rehearsal.dryRun], ["succeeded", true]);
  assertEquals(rehearsal.undone, { entries: 6, ...counts });
  assertEquals([rehearsal.impact.priceChanges, rehearsal.impact.down], [4, 3]);
  assertEquals((await seen(app.owner)).get("A")?.fields["ourPrice"], 1_000);

  const undone = await undo(app, imported.jobId);
  assertEquals([undone.status, undone.undoes, undone.phase], ["succeeded", imported.jobId, "undo"]);
  assertEquals(undone.undone, { entries: 6, ...counts });
  await requireRestored(app, before, "F");
  const document = await app.owner.read(`/api/imports/${imported.jobId}`);
  assertEquals([document.undoneBy, document.undoableUntil], [undone.jobId, null]);
  const { items } = await app.owner.read("/api/products?q=Apfel");
  const history = await app.owner.read(`/api/products/${items[0].id}/price-history`);
  const [row] = valuesOf(history.items, "source", "ref", "fromCents", "toCents");
  assertEquals(row, ["import", undone.jobId, 1_000, 100]);
  const key = await app.key(["proposals:read"]);
  assertEquals((await key.read("/api/public/v1/price-changes")).data, []);
  const audit = await app.owner.read("/api/audit-logs?action=import.undo");
  assertEquals(valuesOf(column(audit.items, "after"), "undoes"), [[imported.jobId]]);
});

withCheckedApp.test("a price that a person changed and changed back since the import stays", async (app) => {
  await send(app, FIRST);
  const { jobId } = await send(app, SECOND);
  for (const ourPrice of [33, 30]) await patch(app, "C", { ourPrice });
  const undone = await undo(app, jobId);
  const kept = ["C ourPrice kept_price", "C prices kept_field"];
  assertEquals((await warningsOf(app, undone.jobId)).sort(), kept);
  assertEquals([undone.undone.kept, undone.warningCount], [1, 2]);
  assertEquals((await seen(app.owner)).get("C")?.fields["ourPrice"], 3_000);
});

withCheckedApp.test("an undo pauses the source only after an automatic import, which would send the same again", async (app) => {
  const paused = async () => (await app.manager.read(SOURCE)).pausedAt !== null;
  const byHand = async (price: string): Promise<string> => {
    app.clock.advance(60_000);
    await app.manager.change(SOURCE, { pausedAt: null });
    const type = { "Content-Type": "application/xml" };
    return (await app.manager.act("/api/imports?force=true", itemsXml(apple(price)), type)).jobId;
  };
  const byKey = async (price: string): Promise<string> => (await send(app, apple(price))).jobId;
  const other = await send(app, [{ sku: "B", title: "Birne", price: "1,00" }]);
  const cases = [
    [byHand, "", false],
    [byHand, "?pause=true", true],
    [byKey, "?pause=false", false],
    [byKey, "", true],
  ] as const;
  for (const [n, [sent, query, pauses]] of cases.entries()) {
    const jobId = await sent(`${n + 2},00`);
    const rehearsal = await undo(app, jobId, "?dryRun=true");
    assertEquals([rehearsal.pausesSource, await paused()], [sent === byKey, false], `${n}`);
    const undone = await undo(app, jobId, query);
    assertEquals([undone.pausesSource, await paused()], [pauses, pauses], `${n}`);
  }
  const changesOf = async () =>
    (await app.owner.read("/api/audit-logs?action=import_source.update")).items;
  const changes = await changesOf();
  const { resource, after } = changes.at(-1);
  assertEquals([resource.id, typeof after.pausedAt], ["default", "string"]);
  await undo(app, other.jobId);
  assertEquals(await changesOf(), changes, "a paused source is not paused again");
});

withBench.test("an import can be undone once, within seven days; a dry run cannot", async ({ app, key }) => {
  // `importXml` imports without `force`, unlike `send`; both imports can be undone.
  const first = (await importXml(await app.key(["products:write"]), itemsXml(FIRST))).data;
  const dry = await send(app, SECOND, "?dryRun=true");
  const same = await send(app, FIRST);
  const refused = async (jobId: string) => {
    const { code, message } = await refusalOf(app.manager.post(`/api/imports/${jobId}/undo`));
    assertEquals(code, "conflict");
    return message;
  };
  match(await refused(dry.jobId), /no changes/);
  match(await refused(same.jobId), /no changes/);
  await undo(app, first.jobId, "?dryRun=true");
  const undone = await key.act(`/api/public/v1/products/import/${first.jobId}/undo`);
  assertEquals([undone.data.undone.deleted, undone.data.status], [5, "succeeded"]);
  match(await refused(first.jobId), /already undone/);
  // An undo pauses the import source, so the next file is refused.
  await refuses(sendXml(key, itemsXml(FIRST)), "conflict");
  match(await refused(undone.data.jobId), /cannot be undone/);

  const late = await send(app, FIRST);
  app.clock.advance(7 * DAY_MS + 1);
  match(await refused(late.jobId), /7 days/);
});

withCheckedApp.test("the same file can be applied again after its undo, and counts as the last import", async (app) => {
  await send(app, FIRST);
  const imported = await send(app, SECOND);
  const left = await seen(app.owner);
  await undo(app, imported.jobId);
  const again = await send(app, SECOND);
  assertEquals(again.stats.updated, 5);
  assertEquals(await seen(app.owner), left);
  const { last } = (await app.owner.read("/api/overview")).erp;
  assertEquals(last.jobId, again.jobId);
});

withCheckedApp.test("a cancelled undo can be started again, a waiting one cannot be started twice", async (app) => {
  const { jobId } = await send(app, FIRST);
  // Without the app, no job starts, so the undo waits.
  await app.app.close();
  const path = `/api/imports/${jobId}/undo`;
  const later = { Prefer: "respond-async" };
  const first = await app.manager.begin(path, undefined, later);
  await refuses(app.manager.post(path, undefined, later), "conflict");
  await app.manager.act(`/api/imports/${first.jobId}/cancel`);
  const cancelled = await app.owner.read(`/api/imports/${jobId}`);
  assertEquals([cancelled.undoneBy, cancelled.undoableUntil === null], [null, false]);
  const second = await app.manager.begin(path, undefined, later);
  assertEquals([second.status, second.undoes], ["queued", jobId]);
});

withCheckedApp.test("a currency is restored with all of its amounts or not at all", async (app) => {
  const both = (currency: string) =>
    ["A", "B"].map((sku): Item => {
      const more = `<CURRENCY>${currency}</CURRENCY><EK>1,00</EK>`;
      return { sku, title: "Gerät", price: "9,00", more };
    });
  await send(app, both("EUR"));
  const before = await seen(app.owner);
  const imported = await send(app, both("CHF"));
  assertEquals((await seen(app.owner)).get("A")?.fields["currency"], "CHF");
  await patch(app, "B", { costPrice: 2 });
  const undone = await undo(app, imported.jobId);
  assertEquals(await warningsOf(app, undone.jobId), ["B currency kept_field"]);
  const after = await seen(app.owner);
  assertEquals(after.get("A"), before.get("A"));
  const { currency, costPrice, ourPrice } = after.get("B")?.fields ?? {};
  assertEquals([currency, costPrice, ourPrice], ["CHF", 200, 900]);
});

withCheckedApp.test("a link that a person changed stays, and one that the import disabled is enabled again", async (app) => {
  await send(app, apple("1,00", shop(1) + shop(2)));
  const imported = await send(app, apple("1,00", shop(1, "N") + shop(3) + shop(4)));
  const { items } = await app.owner.read("/api/competitor-products");
  const { id } = items.find(({ url }: { url: string }) => url.endsWith("/4"));
  app.clock.advance(1_000);
  await app.owner.change(`/api/competitor-products/${id}`, { packFactor: 6 });
  const undone = await undo(app, imported.jobId);
  assertEquals([undone.undone.links, undone.undone.kept], [2, 1]);
  assertEquals(await warningsOf(app, undone.jobId), ["A competitors kept_link"]);
  const links = [1, 2, 4].map((n) => [`https://shop.example/${n}`, true]);
  assertEquals((await seen(app.owner)).get("A")?.links, Object.fromEntries(links));
});

withCheckedApp.test("a new product with only observations is deleted, and one linked by a person stays complete", async (app) => {
  const imported = await send(app, [
    ...apple("1,00", shop("A")),
    { sku: "B", title: "Birne", price: "1,00", more: shop("B") },
  ]);
  const { items: [b] } = await app.owner.read("/api/products?sku=B");
  app.clock.advance(60_000);
  await push(app, [["A", "shop", 2.5], ["A", "new", 2.5]]);
  const match = { productId: b.id, url: "https://mine.example/b" };
  await app.owner.create("/api/competitor-products", match);

  const { jobId, undone } = await undo(app, imported.jobId);
  assertEquals([undone.deleted, undone.kept], [1, 1]);
  assertEquals(await warningsOf(app, jobId), ["B  kept_product"]);
  const after = await seen(app.owner);
  assertEquals([after.get("A")?.isDeleted, after.get("B")?.isDeleted], [true, false]);
  assertEquals(Object.keys(after.get("B")?.links ?? {}).length, 2);
});

withCheckedApp.test("a restored product is deleted again; a product with more links than a commit holds loses all", async (app) => {
  const [a] = FIRST;
  await send(app, FIRST);
  const products = await app.owner.read("/api/products?q=Apfel");
  await app.owner.remove(`/api/products/${products.items[0].id}`);
  const before = await seen(app.owner);
  const many = Array.from({ length: 95 }, (_, n) => shop(`m/${n}`)).join("");
  const imported = await send(app, [
    { ...a, price: "7,00" },
    { sku: "M", title: "Mango", price: "2,00", more: many },
  ]);
  assertEquals(imported.stats.competitorsLinked, 95);
  const { undone } = await undo(app, imported.jobId);
  assertEquals([undone.deleted, undone.links, undone.kept], [2, 95, 0]);
  await requireRestored(app, before, "M");
});

withCheckedApp.test("an import whose undo data was deleted can no longer be undone", async (app) => {
  const { jobId } = await send(app, FIRST);
  const { store, workspaceId } = app;
  const sweepBefore = (ms: number) =>
    undoRows.sweep({ store, workspaceId }, new Date(app.clock.now().getTime() + ms));
  assertEquals(await sweepBefore(-DAY_MS), 0);
  ok(await sweepBefore(DAY_MS) > 0);
  // A browser page may still offer an undo whose rows have been deleted.
  const { status, error } = await undo(app, jobId);
  assertEquals([status, error.code], ["failed", "conflict"]);
});

withCheckedApp.test("a person needs a reason to undo prices beyond the bounds of their products", async (app) => {
  const both = (price: string) => [...apple(price), { sku: "B", title: "Birne", price }];
  await send(app, both("100,00"));
  const { jobId } = await send(app, both("80,00"));
  await patch(app, "A", { maxPrice: 90 });
  const rehearsal = await undo(app, jobId, "?dryRun=true");
  assertEquals(await warningsOf(app, rehearsal.jobId), ["A ourPrice kept_bound"]);
  const reasoned = await undo(app, jobId, "?dryRun=true&reason=Wrong%20file");
  assertEquals(await warningsOf(app, reasoned.jobId), []);
  const undone = await undo(app, jobId);
  assertEquals([undone.undone.prices, undone.undone.kept], [1, 1]);
  const { items } = await app.owner.read("/api/products?sort=sku");
  assertEquals(column(items, "ourPriceCents"), [8_000, 10_000]);
});

Deno.test("undo entries of earlier versions count as expired", () => {
  const former = '[["69a562ad619accbbbb004711",1767312000000,0,"EUR",[["title","Gerät","Herd"]]]]';
  assertEquals(unpackEntries(former), []);
});

Deno.test("300 products with a price move take at most 20 bytes each", () => {
  const texts = Array.from({ length: 300 }, (_, n) => {
    const id = `69a562ad619accbbbb${(0x4711 + n).toString(16).padStart(6, "0")}`;
    const at = (cents: number, updatedAt: string) => {
      const row = { tier: null, amountCents: cents, currency: "EUR", minQty: 1, validFrom: null };
      return madeProduct({ id, ourPriceCents: cents, updatedAt, prices: [row] });
    };
    const before = at(100 + (n * 7_919) % 90_000, MADE_AT);
    const updatedAt = new Date(1.8e12 + Math.floor(n / 9)).toISOString();
    const after = at(100 + (n * 6_007) % 90_000, updatedAt);
    return packEntry(entryOf(id, { before, after }));
  });
  const bytes = deflateRawSync(new TextEncoder().encode(`[${texts.join()}]`)).length;
  ok(bytes <= 300 * 20, `${bytes / 300} bytes a product`);
});

const field = fc.record({
  title: fc.constantFrom("Apfel", "Birne", "Äpfel & Birnen"),
  price: fc.constantFrom(undefined, "1,00", "2,50", "19,99"),
  brand: fc.constantFrom("", "<BRAND/>", "<BRAND>Rot</BRAND>", "<BRAND>Blau</BRAND>"),
  cost: fc.constantFrom("", "<EK/>", "<EK>0,50</EK>", "<EK>0,75</EK>"),
  tiers: fc.constantFrom(
    "",
    "<SALESPRICE><TIER>B2B</TIER><PRICE>3,00</PRICE></SALESPRICE>",
    "<SALESPRICE><TIER>B2B</TIER></SALESPRICE>",
    "<SALESPRICE><TIER>AKTION</TIER><PRICE>4,00</PRICE><MINQTY>10</MINQTY></SALESPRICE>",
  ),
  link: fc.constantFrom("", "J", "N"),
});

const file = fc.uniqueArray(fc.tuple(fc.nat(7), field), {
  selector: ([n]) => n,
  minLength: 1,
  maxLength: 8,
}).map((records) =>
  records.map(([n, { title, price, brand, cost, tiers, link: enabled }]): Item => ({
    sku: `S-${n}`,
    title,
    ...(price === undefined ? {} : { price }),
    more: brand + cost + tiers +
      (enabled === "" ? "" : link(`https://shop.example/${n}`, enabled)),
  }))
);

/** A first file, a second file whose import is undone, and often a third file. */
const files = fc.tuple(file, file, fc.option(file));

const patches = fc.array(
  fc.record({
    n: fc.nat(7),
    fields: fc.constantFrom<Record<string, unknown>>(
      { title: "Von Hand" },
      { ourPrice: 77 },
      { costPrice: 1 },
      { brand: null },
      { brand: "Eigen", mpn: "X" },
      { priceLocked: true },
    ),
  }),
  { maxLength: 3 },
);

withCheckedApp.test("after an undo of a random import, also of an older one, each field has its value before the import, or that of a later change", async (app) => {
  const drawn = fc.tuple(files, patches, fc.boolean());
  const property = fc.asyncProperty(drawn, async ([[one, two, later], changes, isFull]) => {
    const marker = `R${app.clock.now().getTime()}`;
    const renamed = (items: Item[]) =>
      items.map((item) => ({ ...item, sku: `${marker}-${item.sku}` }));
    await send(app, renamed(one));
    const before = await seen(app.owner);
    const imported = await send(app, renamed(two), isFull ? "?mode=replace" : "");
    const left = await seen(app.owner);
    // SKUs of products that a person changed, even if a later file restores their values.
    const changed = new Set<string>();
    for (const { n, fields } of changes) {
      const sku = `${marker}-S-${n}`;
      const product = left.get(sku);
      if (product?.isDeleted !== false) continue;
      app.clock.advance(1_000);
      const path = `/api/products/${product.fields["id"]}`;
      const { updatedAt } = await app.owner.change(path, fields);
      if (Date.parse(updatedAt) >= app.clock.now().getTime()) changed.add(sku);
    }
    if (later) await send(app, renamed(later));
    const now = await seen(app.owner);
    if (imported.undoableUntil === null) return assertEquals(left, before);
    // With a reason, an undo may also change the prices of locked products.
    const { status } = await undo(app, imported.jobId, "?reason=Test");
    assertEquals(status, "succeeded");
    assertEquals(await seen(app.owner), expectedAfterUndo(before, left, now, changed));
  });
  await fc.assert(property, { numRuns: extent(200, 25) });
});
