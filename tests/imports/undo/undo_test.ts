import { DAY_MS } from "../../../src/base/time.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { undoRows } from "../../../src/imports/state/undo_store.ts";
import { column, refusalOf, valuesOf } from "../../api/answers.ts";
import { type TestApp, withApp } from "../../harness.ts";
import { pushed } from "../../shops/observations/history.ts";
import { importXml, type Item, itemsXml, sendXml } from "../import_calls.ts";
import {
  expectedAfterUndo,
  link,
  patch,
  requireSound,
  seen,
  send,
  SOURCE,
  undo,
} from "./undo_scene.ts";
import { withBench } from "../import_bench.ts";

async function warningsOf(app: TestApp, jobId: string): Promise<string[]> {
  const { items } = await app.owner.read(`/api/imports/${jobId}/errors?limit=500`);
  return items.map(({ sku, field, code }: Record<string, unknown>) => `${sku} ${field} ${code}`);
}

const FIRST: Item[] = [
  { sku: "A", title: "Apfel", price: "1,00", more: "<BRAND>Rot</BRAND><EK>0,50</EK>" },
  { sku: "B", title: "Birne", price: "2,00", more: link("https://shop.example/b") },
  { sku: "C", title: "Clementine", price: "3,00" },
  { sku: "D", title: "Dattel", price: "4,00" },
  { sku: "E", title: "Erdbeere" },
];
const SECOND: Item[] = [
  { sku: "A", title: "Apfel, rot", price: "10,00", more: "<BRAND/><EK>5,00</EK>" },
  {
    sku: "B",
    title: "Birne",
    price: "20,00",
    more: link("https://shop.example/b", "N") + link("https://other.example/b"),
  },
  { sku: "C", title: "Clementine", price: "30,00" },
  { sku: "E", title: "Erdbeere", price: "5,00" },
  { sku: "F", title: "Feige", price: "6,00", more: link("https://shop.example/f") },
];

withApp.test("an undo restores everything except times, and reports its counts", async (app) => {
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
  const after = await seen(app.owner);
  const feige = after.get("F");
  assertEquals([feige?.isDeleted, feige?.links], [true, {}]);
  after.delete("F");
  assertEquals(after, before);
  const document = await app.owner.read(`/api/imports/${imported.jobId}`);
  assertEquals([document.undoneBy, document.undoableUntil], [undone.jobId, null]);
  await requireSound(app);
});

withApp.test("an undo is in the price history, and is not reported to the ERP", async (app) => {
  await send(app, FIRST);
  const imported = await send(app, SECOND);
  const undone = await undo(app, imported.jobId);
  const { items } = await app.owner.read("/api/products?q=Apfel");
  const history = await app.owner.read(`/api/products/${items[0].id}/price-history`);
  const rows = valuesOf(history.items, "source", "ref", "fromCents", "toCents");
  assertEquals(rows[0], ["import", undone.jobId, 1_000, 100]);
  const key = await app.key(["proposals:read"]);
  const changes = await key.read("/api/public/v1/price-changes");
  assertEquals(changes.data, []);
  const audit = await app.owner.read("/api/audit-logs?action=import.undo");
  assertEquals(audit.items.length, 1);
  assertEquals(audit.items[0].after.undoes, imported.jobId);
});

withApp.test("changes since the import stay and are listed, and the other fields of the products are restored", async (app) => {
  await send(app, FIRST);
  const before = await seen(app.owner);
  const imported = await send(app, SECOND);
  const left = await seen(app.owner);
  await patch(app, "A", { title: "Apfel, grün" });
  await patch(app, "C", { ourPrice: 33 });
  await patch(app, "F", { brand: "Süd" });
  const now = await seen(app.owner);

  const rehearsal = await undo(app, imported.jobId, "?dryRun=true");
  const undone = await undo(app, imported.jobId);
  for (const { jobId, undone: { kept }, warningCount } of [rehearsal, undone]) {
    // Product C has a fourth warning, because its tier price changes with its own price.
    assertEquals([kept, warningCount], [3, 4]);
    assertEquals((await warningsOf(app, jobId)).sort(), [
      "A title kept_field",
      "C ourPrice kept_price",
      "C prices kept_field",
      "F null kept_product",
    ]);
  }
  assertEquals(await seen(app.owner), expectedAfterUndo(before, left, now));
  await requireSound(app);
});

withApp.test("a price that a person changed and changed back since the import stays", async (app) => {
  await send(app, FIRST);
  const { jobId } = await send(app, SECOND);
  for (const ourPrice of [33, 30]) await patch(app, "C", { ourPrice });
  const undone = await undo(app, jobId);
  const kept = ["C ourPrice kept_price", "C prices kept_field"];
  assertEquals((await warningsOf(app, undone.jobId)).sort(), kept);
  assertEquals((await seen(app.owner)).get("C")?.fields["ourPrice"], 3_000);
});

withApp.test("an undo pauses the source only after an automatic import, which would send the same again", async (app) => {
  const paused = async () => (await app.manager.read(SOURCE)).pausedAt !== null;
  const byHand = async (price: string) => {
    app.clock.advance(60_000);
    const file = itemsXml([{ sku: "A", title: "Apfel", price }]);
    const type = { "Content-Type": "application/xml" };
    return (await app.manager.act("/api/imports?force=true", file, type)).jobId;
  };
  const hand = await byHand("1,00");
  assertEquals((await undo(app, hand, "?dryRun=true")).pausesSource, false);
  assertEquals([(await undo(app, hand)).pausesSource, await paused()], [false, false]);
  const stopped = await byHand("2,00");
  assertEquals([(await undo(app, stopped, "?pause=true")).pausesSource, await paused()], [
    true,
    true,
  ]);

  const sent = await send(app, [{ sku: "A", title: "Apfel", price: "3,00" }]);
  assertEquals((await undo(app, sent.jobId, "?dryRun=true")).pausesSource, true);
  assertEquals(await paused(), false);
  assertEquals([(await undo(app, sent.jobId, "?pause=false")).pausesSource, await paused()], [
    false,
    false,
  ]);
  const other = await send(app, [{ sku: "B", title: "Birne", price: "1,00" }]);
  const again = await send(app, [{ sku: "A", title: "Apfel", price: "4,00" }]);
  assertEquals([(await undo(app, again.jobId)).pausesSource, await paused()], [true, true]);
  const changesOf = async () =>
    (await app.owner.read("/api/audit-logs?action=import_source.update")).items;
  const changes = await changesOf();
  const { resource, after } = changes.at(-1);
  assertEquals([resource.id, typeof after.pausedAt], ["default", "string"]);
  await undo(app, other.jobId);
  assertEquals(await changesOf(), changes, "a paused source is not paused again");
});

withBench.test("an import can be undone once, within seven days; a dry run cannot", async ({ app, key }) => {
  // An import without `force` that the hold lets pass can be undone too.
  const first = (await importXml(await app.key(["products:write"]), itemsXml(FIRST))).data;
  const dry = await send(app, SECOND, "?dryRun=true");
  const same = await send(app, FIRST);
  const refused = async (jobId: string) => {
    const answer = await app.manager.post(`/api/imports/${jobId}/undo`);
    assertEquals(answer.status, 409);
    const { code, message } = await refusalOf(answer);
    assertEquals(code, "conflict");
    return message;
  };
  match(await refused(dry.jobId), /no changes/);
  match(await refused(same.jobId), /no changes/);
  await undo(app, first.jobId, "?dryRun=true");
  const undone = await key.act(`/api/public/v1/products/import/${first.jobId}/undo`);
  assertEquals([undone.data.undone.deleted, undone.data.status], [5, "succeeded"]);
  match(await refused(first.jobId), /already undone/);
  // The source is paused, because the next night would bring the same file again.
  const { pausedAt } = await app.manager.read(SOURCE);
  ok(typeof pausedAt === "string");
  assertEquals((await sendXml(key, itemsXml(FIRST))).status, 409);
  match(await refused(undone.data.jobId), /cannot be undone/);

  const late = await send(app, FIRST);
  app.clock.advance(7 * DAY_MS + 1);
  match(await refused(late.jobId), /7 days/);
});

withApp.test("the same file can be applied again after its undo, and counts as the last import", async (app) => {
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

withApp.test("a cancelled undo can be started again, a waiting one cannot be started twice", async (app) => {
  const { jobId } = await send(app, FIRST);
  // No runner takes jobs from here on.
  await app.app.close();
  const path = `/api/imports/${jobId}/undo`;
  const later = { Prefer: "respond-async" };
  const first = await app.manager.begin(path, undefined, later);
  const twice = await app.manager.post(path, undefined, later);
  assertEquals([twice.status, (await refusalOf(twice)).code], [409, "conflict"]);
  await app.manager.act(`/api/imports/${first.jobId}/cancel`);
  const cancelled = await app.owner.read(`/api/imports/${jobId}`);
  assertEquals([cancelled.undoneBy, cancelled.undoableUntil === null], [null, false]);
  const second = await app.manager.begin(path, undefined, later);
  assertEquals([second.status, second.undoes], ["queued", jobId]);
});

withApp.test("a currency is restored with all of its amounts or not at all", async (app) => {
  const eur = { more: "<CURRENCY>EUR</CURRENCY><EK>1,00</EK>", price: "9,00", title: "Gerät" };
  await send(app, [{ ...eur, sku: "A" }, { ...eur, sku: "B" }]);
  const before = await seen(app.owner);
  const chf = { ...eur, more: "<CURRENCY>CHF</CURRENCY><EK>1,00</EK>" };
  const imported = await send(app, [{ ...chf, sku: "A" }, { ...chf, sku: "B" }]);
  assertEquals((await seen(app.owner)).get("A")?.fields["currency"], "CHF");
  await patch(app, "B", { costPrice: 2 });
  const undone = await undo(app, imported.jobId);
  assertEquals(await warningsOf(app, undone.jobId), ["B currency kept_field"]);
  const after = await seen(app.owner);
  assertEquals(after.get("A"), before.get("A"));
  const { currency, costPrice, ourPrice } = after.get("B")?.fields ?? {};
  assertEquals([currency, costPrice, ourPrice], ["CHF", 200, 900]);
  await requireSound(app);
});

withApp.test("a link that a person changed stays, and one that the import disabled is enabled again", async (app) => {
  const a = (links: string): Item[] => [{ sku: "A", title: "Apfel", price: "1,00", more: links }];
  await send(app, a(link("https://shop.example/1") + link("https://shop.example/2")));
  const imported = await send(
    app,
    a(
      link("https://shop.example/1", "N") + link("https://shop.example/3") +
        link("https://shop.example/4"),
    ),
  );
  const { items } = await app.owner.read("/api/competitor-products");
  const { id } = items.find(({ url }: { url: string }) => url.endsWith("/4"));
  app.clock.advance(1_000);
  await app.owner.change(`/api/competitor-products/${id}`, { packFactor: 6 });
  const undone = await undo(app, imported.jobId);
  assertEquals([undone.undone.links, undone.undone.kept], [2, 1]);
  assertEquals(await warningsOf(app, undone.jobId), ["A competitors kept_link"]);
  assertEquals((await seen(app.owner)).get("A")?.links, {
    "https://shop.example/1": true,
    "https://shop.example/2": true,
    "https://shop.example/4": true,
  });
  await requireSound(app);
});

withApp.test("a new product with only observations is deleted, and one linked by a person stays complete", async (app) => {
  const imported = await send(app, [
    { sku: "A", title: "Apfel", price: "1,00", more: link("https://shop.example/a") },
    { sku: "B", title: "Birne", price: "1,00", more: link("https://shop.example/b") },
  ]);
  const { items } = await app.owner.read("/api/products");
  const b = items.find(({ sku }: { sku: string }) => sku === "B");
  app.clock.advance(60_000);
  const observedAt = app.clock.now().toISOString();
  const observations = ["shop.example", "new.example"].map((domain) => ({
    sku: "A",
    url: `https://${domain}/a`,
    price: 2.5,
    currency: "EUR",
    observedAt,
  }));
  const key = await app.key(["observations:write"]);
  assertEquals((await pushed(key, observations)).errors, []);
  const match = { productId: b.id, url: "https://mine.example/b" };
  await app.owner.create("/api/competitor-products", match);

  const { jobId, undone } = await undo(app, imported.jobId);
  assertEquals([undone.deleted, undone.kept], [1, 1]);
  assertEquals(await warningsOf(app, jobId), ["B null kept_product"]);
  const after = await seen(app.owner);
  assertEquals([after.get("A")?.isDeleted, after.get("B")?.isDeleted], [true, false]);
  assertEquals(Object.keys(after.get("B")?.links ?? {}).length, 2);
  await requireSound(app);
});

withApp.test("a restored product is deleted again; a product with more links than a commit holds loses all", async (app) => {
  const [a] = FIRST;
  await send(app, FIRST);
  const products = await app.owner.read("/api/products?q=Apfel");
  await app.owner.remove(`/api/products/${products.items[0].id}`);
  const before = await seen(app.owner);
  const many = Array.from({ length: 95 }, (_, n) => link(`https://shop.example/m/${n}`)).join("");
  const imported = await send(app, [
    { ...a, price: "7,00" },
    { sku: "M", title: "Mango", price: "2,00", more: many },
  ]);
  assertEquals(imported.stats.competitorsLinked, 95);
  const { undone } = await undo(app, imported.jobId);
  assertEquals([undone.deleted, undone.links, undone.kept], [2, 95, 0]);
  const after = await seen(app.owner);
  assertEquals([after.get("M")?.isDeleted, after.get("M")?.links], [true, {}]);
  after.delete("M");
  assertEquals(after, before);
  await requireSound(app);
});

withApp.test("an import can no longer be undone seven days after its end", async (app) => {
  const { jobId } = await send(app, FIRST);
  const rowsOf = async () => (await Array.fromAsync(app.store.kv.list({ prefix: ["jv"] }))).length;
  ok(await rowsOf() > 0);
  const { store, workspaceId } = app;
  const sweepAt = (days: number) =>
    undoRows.sweep(
      { store, workspaceId },
      new Date(app.clock.now().getTime() + (days - 8) * DAY_MS),
    );
  assertEquals(await sweepAt(7), 0);
  ok(await sweepAt(9) > 0);
  assertEquals(await rowsOf(), 0);
  await requireSound(app);
  // A page that was opened earlier may still offer the undo.
  const { status, error } = await undo(app, jobId);
  assertEquals([status, error.code], ["failed", "conflict"]);
});

withApp.test("a person needs a reason to undo prices beyond the bounds of their products", async (app) => {
  await send(app, [
    { sku: "A", title: "Apfel", price: "100,00" },
    { sku: "B", title: "Birne", price: "100,00" },
  ]);
  const { jobId } = await send(app, [
    { sku: "A", title: "Apfel", price: "80,00" },
    { sku: "B", title: "Birne", price: "80,00" },
  ]);
  const ids = new Map<string, string>();
  const { items } = await app.owner.read("/api/products");
  for (const { sku, id } of items) ids.set(sku, id);
  await app.owner.change(`/api/products/${ids.get("A")}`, { maxPrice: 90 });
  const prices = async () => {
    const { items } = await app.owner.read("/api/products?sort=sku");
    return column(items, "ourPriceCents");
  };
  const rehearsal = await undo(app, jobId, "?dryRun=true");
  assertEquals(await warningsOf(app, rehearsal.jobId), ["A ourPrice kept_bound"]);
  const reasoned = await undo(app, jobId, "?dryRun=true&reason=Wrong%20file");
  assertEquals(await warningsOf(app, reasoned.jobId), []);
  const undone = await undo(app, jobId);
  assertEquals([undone.undone.prices, undone.undone.kept], [1, 1]);
  assertEquals(await prices(), [8_000, 10_000]);
  await requireSound(app);
});
