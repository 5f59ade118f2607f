import fc from "fast-check";
import { DAY_MS } from "../../src/base/time.ts";
import { beginTerms } from "../../src/catalogue/changes/rewrite_products.ts";
import { bodyOf, refusalOf, refuses, valuesOf } from "../api/answers.ts";
import { importXml, itemsXml } from "../imports/import_calls.ts";
import { extent } from "../proof.ts";
import { addProduct, type RulesApp, withRules } from "../rules/evaluation/market.ts";
import { changeProduct, createProduct } from "../../src/catalogue/changes/change_product.ts";
import { markPrice } from "../../src/catalogue/lists/price_evidence.ts";
import { findLowestPrice } from "../../src/catalogue/lists/find_lowest_price.ts";
import type { PriceHistoryEntry } from "../../src/catalogue/prices/price_rows.ts";
import { findProduct } from "../../src/catalogue/products/product_store.ts";
import { withWorkspace } from "./catalogue_workspace.ts";
import { deepStrictEqual as assertEquals, match, notStrictEqual, ok } from "node:assert/strict";
import { createHash } from "node:crypto";

const WINDOW_MS = 30 * DAY_MS;

const cents = fc.integer({ min: 50, max: 99 });

const kindOf = <const Kind extends string>(kind: Kind) => fc.constant(kind);
const price = fc.record({ kind: kindOf("price"), cents });
const imported = fc.record({ kind: kindOf("import"), cents });
const marked = fc.record({
  kind: fc.constantFrom("never" as const, "error" as const),
  nth: fc.nat(20),
});
const changes = [
  fc.record({ kind: kindOf("gap") }),
  fc.record({ kind: kindOf("export") }),
  fc.record({ kind: kindOf("rate"), pct: fc.constantFrom(7, 19, null) }),
  fc.record({
    kind: kindOf("settings"),
    pct: fc.constantFrom(16, 19, 20.5),
    includes: fc.boolean(),
  }),
] as const;

const actions = fc.record({
  waitMs: fc.oneof(fc.constantFrom(1, 2, DAY_MS, WINDOW_MS - 1, WINDOW_MS), fc.nat(20 * DAY_MS)),
  change: fc.oneof(price, price, price, imported, marked, marked, ...changes),
});
type Action = typeof actions extends fc.Arbitrary<infer T> ? T : never;

const priceAt = (at: number, cents: number | null, isImport: boolean) => (
  { at, cents, isImport, isNever: false, isTold: false }
);

interface Watched {
  readonly id: string;
  readonly sku: string;
  readonly prices: ReturnType<typeof priceAt>[];
  readonly rates: { at: number; pct: number | null }[];
}
interface Terms {
  readonly at: number;
  readonly pct: number | null;
  readonly includes: boolean;
}

const lastAt = <T extends { at: number }>(rows: readonly T[], ms: number) =>
  rows.findLast(({ at }) => at <= ms);

/** Calculates the expected answer: the lowest price with VAT in the 30 days before `at`. */
function oracle({ prices, rates }: Watched, terms: readonly Terms[], at: number): number | null {
  const start = at - WINDOW_MS;
  const seen = prices.filter(({ isNever, isTold }) => !isNever || isTold);
  const moments = [start, ...[...seen, ...rates, ...terms].map((row) => row.at)]
    .filter((ms) => ms >= start && ms < at);
  const paid = moments.flatMap((ms) => {
    const cents = lastAt(seen, ms)?.cents ?? null;
    if (cents === null) return [];
    const { pct, includes } = lastAt(terms, ms) ?? { pct: null, includes: false };
    const rate = lastAt(rates, ms)?.pct ?? pct;
    if (includes) return [cents];
    if (rate === null) throw new Error("A time without a VAT rate");
    // Adds `rate` percent, rounded half up.
    return [Math.floor((2 * cents * (1_000 + Math.round(rate * 10)) + 1_000) / 2_000)];
  });
  return paid.length === 0 ? null : Math.min(...paid);
}

interface Stage {
  readonly app: RulesApp;
  readonly erp: Awaited<ReturnType<RulesApp["key"]>>;
  readonly terms: Terms[];
}

async function act({ app, erp, terms }: Stage, watched: Watched, { change }: Action) {
  const { id, sku } = watched;
  const boss = await app.newCaller("owner");
  const now = () => app.clock.now().getTime();
  const setPrice = async (ourPrice: number | null, isImport: boolean) => {
    if (isImport) {
      const file = itemsXml([{ sku, title: "T", price: String(ourPrice).replace(".", ",") }]);
      await importXml(erp, file, "?force=true");
    } else {
      const patch = { ourPrice, reason: "A past" };
      await boss.change(`/api/products/${id}?allowLargeChange=true`, patch);
    }
    const product = await boss.read(`/api/products/${id}`);
    const at = Date.parse(product.ourPriceUpdatedAt);
    if (at === watched.prices.at(-1)?.at) return;
    watched.prices.push(priceAt(at, product.ourPriceCents, isImport));
  };
  switch (change.kind) {
    case "price":
    case "import":
      return await setPrice(change.cents / 100, change.kind === "import");
    case "gap":
      return await setPrice(null, false);
    case "rate": {
      const { pct } = change;
      const { updatedAt } = await boss.change(`/api/products/${id}`, { vatRatePct: pct });
      if (watched.rates.at(-1)?.pct !== pct) watched.rates.push({ at: Date.parse(updatedAt), pct });
      return;
    }
    case "settings": {
      const { pct, includes } = change;
      await boss.change("/api/settings", { vatRatePct: pct, pricesIncludeVat: includes });
      terms.push({ at: now(), pct, includes });
      return;
    }
    case "export": {
      const csv = await (await erp.get("/api/public/v1/price-changes?format=csv")).text();
      const last = watched.prices.at(-1);
      if (csv.includes(sku) && last && !last.isImport && last.at <= now()) last.isTold = true;
      // The next change must be later than this export.
      app.clock.advance(1);
      return;
    }
    default: {
      const { nth, kind } = change;
      const price = watched.prices[nth % watched.prices.length];
      if (!price) return;
      const at = new Date(price.at).toISOString();
      const mark = { isError: true, neverShown: kind === "never", reason: "Typo" };
      const answer = await boss.post(`/api/products/${id}/price-history/${at}/mark`, mark);
      if (kind === "never" && price.isTold) {
        assertEquals((await refusalOf(answer)).details.guard, "exported");
        return;
      }
      assertEquals((await bodyOf(answer, 200)).toCents, price.cents);
      price.isNever = kind === "never";
    }
  }
}

withRules.test("the 30-day low is exact for random pasts with gaps, errors, imports, exports and VAT changes", async (app) => {
  const stage = {
    app,
    erp: await app.key(["products:write", "proposals:read"]),
    terms: new Array<Terms>(),
  };
  await app.owner.change("/api/settings", { vatRatePct: 19, pricesIncludeVat: false });
  stage.terms.push({ at: 0, pct: 19, includes: false });
  let products = 0;
  let lefts = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(actions, { minLength: 4, maxLength: 14 }), async (all) => {
      app.clock.advance(DAY_MS);
      const sku = `SKU-${products++}`;
      const id = await addProduct(await app.newCaller("owner"), sku, { ourPrice: 0.9 });
      const made = app.clock.now().getTime();
      const watched: Watched = { id, sku, prices: [priceAt(made, 90, false)], rates: [] };
      for (const action of all) {
        app.clock.advance(action.waitMs);
        await act(stage, watched, action);
      }
      // The service dates simultaneous changes 1 ms apart, so the clock must pass the last date.
      app.clock.advance(20);
      const viewer = await app.newCaller("owner");
      const ends = [...watched.prices, ...watched.rates]
        .flatMap(({ at }) => [at, at + 1, at + WINDOW_MS, at + WINDOW_MS + 1]);
      for (const end of [...ends, app.clock.now().getTime()]) {
        if (end > app.clock.now().getTime()) continue;
        const path = `/api/products/${id}/price-evidence?at=${new Date(end).toISOString()}`;
        const { lowest, rows, pricesIncludeVat } = await viewer.read(path);
        const low = pricesIncludeVat ? lowest.lowestCents : lowest.lowestGrossCents;
        assertEquals(low, oracle(watched, stage.terms, end), `${end} ${JSON.stringify(watched)}`);
        for (const row of rows) {
          const own = watched.prices.find(({ at }) => at === Date.parse(row.at));
          assertEquals(row.isCounted, !own?.isNever || own.isTold);
          assertEquals(row.wasExported, own?.isTold);
          if (!row.isCounted) lefts++;
        }
      }
    }),
    // Limited, because each run advances the clock by some 100 days, and ids end in 2106.
    { numRuns: extent(250, 6), seed: 4711 },
  );
  ok(lefts > 0, "some of them were never shown");
});

async function lowestAt(app: RulesApp, id: string, query = "") {
  return await (await app.newCaller("owner")).read(`/api/products/${id}/lowest-price${query}`);
}

withRules.test("a price of an undone import counts", async (app) => {
  const erp = await app.key(["products:write"]);
  const id = await app.addProduct("A", { ourPrice: 100 });
  app.clock.advance(40 * DAY_MS);
  const file = itemsXml([{ sku: "A", title: "A", price: "60,00" }]);
  const { data: job } = await importXml(erp, file, "?force=true");
  app.clock.advance(60_000);
  const boss = await app.newCaller("owner");
  await boss.act(`/api/imports/${job.jobId}/undo`);
  app.clock.advance(60_000);
  const { ourPriceCents } = await boss.read(`/api/products/${id}`);
  const { lowestCents, complete } = await lowestAt(app, id, `?at=${app.clock.now().toISOString()}`);
  assertEquals([ourPriceCents, lowestCents, complete], [10_000, 6_000, true]);
});

withRules.test("net prices that were gross before are compared as net prices, and the switch itself is no reduction", async (app) => {
  await app.owner.change("/api/settings", { vatRatePct: 19, pricesIncludeVat: true });
  const id = await app.addProduct("A", { ourPrice: 119 });
  app.clock.advance(5 * DAY_MS);
  await app.owner.change("/api/settings", { pricesIncludeVat: false });
  const change = async (ourPrice: number) => {
    app.clock.advance(1_000);
    await app.owner.change(`/api/products/${id}`, { ourPrice });
    app.clock.advance(DAY_MS);
    return await lowestAt(app, id);
  };
  const same = await change(100);
  const dearer = await change(110);
  const reduced = await change(105);
  const lows = valuesOf([same, dearer, reduced], "reduced", "lowestCents", "lowestGrossCents");
  assertEquals(lows, [[false, 10_000, 11_900], [false, 10_000, 11_900], [true, 10_000, 11_900]]);
});

withRules.test("evidence is reproducible: the same past gives the same document and checksum, another one a different one", async (app) => {
  await app.owner.change("/api/settings", { vatRatePct: 19, pricesIncludeVat: false });
  const id = await app.addProduct("A", { ourPrice: 100 });
  app.clock.advance(DAY_MS);
  await app.owner.change(`/api/products/${id}`, { ourPrice: 90 });
  app.clock.advance(DAY_MS);
  const path = `/api/products/${id}/price-evidence`;
  const at = `?at=${app.clock.now().toISOString()}`;
  const first = await app.viewer.read(path + at);
  const { sha256, ...rest } = first;
  assertEquals(sha256, createHash("sha256").update(JSON.stringify(rest)).digest("hex"));
  const rows = valuesOf(first.rows, "toCents", "grossCents", "vatRatePct");
  assertEquals(rows, [[10_000, 11_900, 19], [9_000, 10_710, 19]]);
  app.clock.advance(DAY_MS);
  assertEquals(await app.viewer.read(path + at), first);
  const mark = { isError: true, neverShown: true, reason: "Typo" };
  const markPath = `/api/products/${id}/price-history/${first.rows[1].at}/mark`;
  await app.manager.act(markPath, mark);
  notStrictEqual((await app.viewer.read(path + at)).sha256, sha256);
  const answer = await app.viewer.get(`${path}.csv${at}&dialect=rfc4180`);
  match(answer.headers.get("Content-Disposition") ?? "", /price-evidence-/);
  const [head, ...lines] = (await answer.text()).trim().split("\r\n");
  match(head ?? "", /sku.*windowFrom.*lowestGross.*sha256/);
  assertEquals(lines.length, 2);
  match(lines[1] ?? "", /107\.10.*false.*Typo/);
});

withRules.test("the price of a tier is known from the first night on, and exact from then", async (app) => {
  const erp = await app.key(["products:write"]);
  const put = async (amount: number, sku = "A") => {
    app.clock.advance(DAY_MS);
    const items = [{
      sku,
      title: sku,
      prices: [
        { tier: "B2B", amount },
        { tier: "B2B", amount: amount / 2, minQty: 10 },
        { tier: "B2B", amount: amount / 4, currency: "CHF" },
      ],
    }];
    const { data } = await erp.act("/api/public/v1/products/batch", { items });
    return [String(data[0].id), app.clock.now().toISOString()] as const;
  };
  await put(50, "B");
  const [changedEarlyId, changedAt] = await put(40, "B");
  const [id] = await put(50);
  app.clock.advance(31 * DAY_MS);
  const early = await lowestAt(app, id, "?tier=B2B");
  assertEquals([early.lowestCents, early.complete, early.tier], [5_000, false, "B2B"]);
  await beginTerms({ store: app.store, workspaceId: app.workspaceId, now: app.clock.now });
  app.clock.advance(29 * DAY_MS);
  const [, reducedAt] = await put(40);
  const reduced = await lowestAt(app, id, "?tier=B2B");
  assertEquals([reduced.at, reduced.lowestCents, reduced.complete], [reducedAt, 5_000, true]);
  const justBefore = new Date(Date.parse(reducedAt) - 1).toISOString();
  const short = await lowestAt(app, id, `?tier=B2B&at=${justBefore}`);
  assertEquals([short.lowestCents, short.complete], [5_000, false]);
  const changedEarly = await lowestAt(app, changedEarlyId, "?tier=B2B");
  assertEquals([changedEarly.at, changedEarly.lowestCents], [changedAt, 5_000]);
  const [newId] = await put(30, "C");
  app.clock.advance(1);
  const ofNew = await lowestAt(app, newId, "?tier=B2B");
  assertEquals([ofNew.lowestCents, ofNew.complete], [3_000, false]);
  const now = `?tier=B2B&at=${app.clock.now().toISOString()}`;
  assertEquals((await lowestAt(app, id, now)).lowestCents, 4_000);
  const other = await lowestAt(app, id, "?tier=B2C");
  assertEquals([other.lowestCents, other.complete], [null, false]);
  assertEquals((await lowestAt(app, id)).tier, null);
  const boss = await app.newCaller("owner");
  await refuses(boss.get(`/api/products/${id}/lowest-price?tier=`), "validation_failed");
});

const NEVER = { isError: true, neverShown: true, reason: "Comma forgotten" };

async function setPrice({ manager, clock }: RulesApp, id: string, ourPrice: number) {
  clock.advance(DAY_MS);
  const path = `/api/products/${id}?allowLargeChange=true`;
  const { ourPriceUpdatedAt } = await manager.change(path, { ourPrice, reason: "A past" });
  return String(ourPriceUpdatedAt);
}

const markPath = (id: string, at: string) =>
  `/api/products/${id}/price-history/${encodeURIComponent(at)}/mark`;

async function marksOf({ viewer }: RulesApp, id: string) {
  const { items } = await viewer.read(`/api/products/${id}/price-history`);
  return items.map(({ mark }: PriceHistoryEntry) => mark && [mark.neverShown, mark.reason]);
}

withRules.test("a mistaken price that was never shown is left out of the 30-day low, other mistakes count; the audit log has each mark and its undo", async (app) => {
  const id = await app.addProduct("A");
  const at = await setPrice(app, id, 1);
  await setPrice(app, id, 100);
  assertEquals((await lowestAt(app, id)).lowestCents, 100);
  await app.manager.act(markPath(id, at), { isError: true, reason: "Typo" });
  const still = await lowestAt(app, id);
  assertEquals([still.lowestCents, still.leftOut], [100, []]);
  const marked = await app.manager.act(markPath(id, at), NEVER);
  assertEquals([marked.toCents, marked.mark.neverShown], [100, true]);
  const answer = await lowestAt(app, id);
  assertEquals(answer.lowestCents, 10_000);
  const [left, ...others] = answer.leftOut;
  assertEquals(others, []);
  assertEquals([left.at, left.toCents, left.currency, left.reason], [at, 100, "EUR", NEVER.reason]);
  assertEquals([left.by.type, left.markedAt], ["user", app.clock.now().toISOString()]);
  assertEquals(await marksOf(app, id), [null, [true, NEVER.reason], null]);
  // A repeated mark writes nothing, and the mark can be undone.
  for (let sent = 0; sent < 2; sent++) await app.manager.act(markPath(id, at), NEVER);
  const undone = await app.manager.act(markPath(id, at), { isError: false });
  assertEquals(undone.mark, null);
  assertEquals((await lowestAt(app, id)).lowestCents, 100);
  const { items } = await app.viewer.read("/api/audit-logs?action=product.mark");
  const none = { at, ourPriceCents: 100, isError: false, neverShown: false };
  const [typo, never] = [false, true].map((neverShown) => ({ ...none, isError: true, neverShown }));
  assertEquals(valuesOf(items, "before", "after", "reason", "currency"), [
    [none, typo, "Typo", "EUR"],
    [typo, never, NEVER.reason, "EUR"],
    [never, none, undefined, "EUR"],
  ]);
  assertEquals(items[0].resource, { type: "product", id, label: "A" });
});

withRules.test("a mark of no known change or without a reason is refused", async (app) => {
  const id = await app.addProduct("A");
  const at = await setPrice(app, id, 90);
  for (const unknown of ["2026-01-01T00:00:00.000Z", "yesterday"]) {
    await refuses(app.manager.post(markPath(id, unknown), NEVER), "not_found", unknown);
  }
  await refuses(app.manager.post(markPath("0".repeat(24), at), NEVER), "not_found");
  const unexplained = [undefined, "  "].map((reason) => ({ ...NEVER, reason }));
  for (const body of [{}, ...unexplained, { ...NEVER, isError: false }]) {
    await refuses(app.manager.post(markPath(id, at), body), "validation_failed");
  }
});

withRules.test("the price that an import gave a new product can be marked, and keeps its mark", async (app) => {
  const key = await app.key(["products:write"]);
  await importXml(key, itemsXml([{ sku: "A", title: "A", price: "1.00" }]));
  const { items: [{ id, ourPriceUpdatedAt: at }] } = await app.viewer.read("/api/products");
  await app.manager.act(markPath(id, at), NEVER);
  assertEquals(await marksOf(app, id), [[true, NEVER.reason]]);
  await setPrice(app, id, 50);
  app.clock.advance(DAY_MS);
  assertEquals(await marksOf(app, id), [null, [true, NEVER.reason]]);
  const { lowestCents, complete } = await lowestAt(app, id);
  assertEquals([lowestCents, complete], [5_000, false]);
});

const ANY_CHANGE = { expected: null, allowsLargeChange: true };

withWorkspace.test("a price that was never shown begins no reduction and ends none", async (ctx) => {
  const { id } = await createProduct(ctx, { sku: "A", title: "A", ourPrice: 100 });
  const set = async (ourPrice: number) => {
    ctx.advance(DAY_MS);
    await changeProduct(ctx, id, { ourPrice }, ANY_CHANGE);
    return ctx.now().toISOString();
  };
  const reducedAt = await set(90);
  const errorAt = await set(200);
  await set(80);
  const product = (await findProduct(ctx, id))!.product;
  const startOf = async () => (await findLowestPrice(ctx, product, { atMs: null })).at;
  assertEquals(await startOf(), ctx.now().toISOString());
  await markPrice(ctx, id, errorAt, NEVER);
  assertEquals(await startOf(), reducedAt);
});

withWorkspace.test("prices that were never shown reveal the earlier price, and are listed if they lie in the 30 days, newest first", async (ctx) => {
  const beganMs = ctx.now().getTime();
  const { id } = await createProduct(ctx, { sku: "A", title: "A", ourPrice: 100 });
  for (const [days, ourPrice] of [[9, 3], [41, 80]] as const) {
    ctx.advance(days * DAY_MS);
    await changeProduct(ctx, id, { ourPrice }, ANY_CHANGE);
    await markPrice(ctx, id, ctx.now().toISOString(), NEVER);
  }
  const product = (await findProduct(ctx, id))!.product;
  const table = [[9], [10, 9], [39, 9], [45, 9], [50, 9], [51, 50, 9], [80, 50]];
  for (const [day, ...wanted] of table) {
    const atMs = beganMs + Number(day) * DAY_MS;
    const { lowestCents, complete, leftOut } = await findLowestPrice(ctx, product, { atMs });
    const days = leftOut.map(({ at }) => (Date.parse(at) - beganMs) / DAY_MS);
    assertEquals([lowestCents, complete, days], [10_000, Number(day) >= 30, wanted], `${day}`);
  }
});
