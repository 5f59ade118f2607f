import { refuses } from "../api/answers.ts";
import fc from "fast-check";
import { DAY_MS, HOUR_MS } from "../../src/base/time.ts";
import { commandContext } from "../../src/platform/store/context.ts";
import { exportWorkspace } from "../../src/app/workspace_files/export_workspace.ts";
import { importWorkspace } from "../../src/app/workspace_files/import_workspace.ts";
import { idBytes } from "../../src/base/id.ts";
import { checkCatalogue } from "../../src/catalogue/check_catalogue.ts";
import { findLowestPrice, lowestPrice } from "../../src/catalogue/lists/find_lowest_price.ts";
import {
  type PriceChange,
  type PriceHistoryEntry,
  walkPriceRows,
} from "../../src/catalogue/prices/price_rows.ts";
import {
  findProduct,
  listPriceChanges,
  walkPriceChanges,
} from "../../src/catalogue/products/product_store.ts";
import type { Product } from "../../src/catalogue/products/product.ts";
import { toolsOf } from "../accounts/people.ts";
import type { Caller } from "../caller.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { importXml, itemsXml } from "../imports/import_calls.ts";
import { openMemoryStore } from "../memory_store.ts";
import { extent } from "../proof.ts";
import { watchedStore } from "../watched_store.ts";
import { changeProduct, createProduct } from "../../src/catalogue/changes/change_product.ts";
import { grossCents } from "../../src/catalogue/prices/price_terms_store.ts";
import { openTestWorkspace, type TestWorkspace, withWorkspace } from "./catalogue_workspace.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const SKUS = ["A", "B", "C"];

const step = fc.record({
  kind: fc.constantFrom("import", "import", "import", "price", "title", "rename", "delete", "link"),
  sku: fc.constantFrom(...SKUS),
  cents: fc.option(fc.integer({ min: 900, max: 1_100 }), { nil: null }),
  hours: fc.integer({ min: 0, max: 700 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const amount = (cents: number) =>
  `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, "0")}`;

function fileOf({ sku, cents, hours }: Step): string {
  const price = cents === null ? {} : { price: amount(cents) };
  return itemsXml([{ sku, title: `T ${hours % 3}`, ...price }]);
}

async function productsOf(owner: Caller): Promise<Map<string, Product>> {
  const { items } = await owner.read("/api/products?includeDeleted=true");
  return new Map(items.map((product: Product) => [product.id, product]));
}

/** A simple model of price histories: one entry per change, built from the API's responses. */
type Oracle = Map<string, PriceChange[]>;

function note(
  oracle: Oracle,
  [before, after]: readonly [Map<string, Product>, Map<string, Product>],
  cause: Partial<PriceChange>,
): void {
  for (const [id, { ourPriceCents: toCents, currency, ...product }] of after) {
    const fromCents = before.get(id)?.ourPriceCents ?? null;
    if (fromCents === toCents) continue;
    const at = product.ourPriceUpdatedAt ?? product.updatedAt;
    const change = { at, fromCents, toCents, currency, ...cause } as PriceChange;
    oracle.set(id, [...oracle.get(id) ?? [], change]);
  }
}

async function take(owner: Caller, key: Caller, one: Step): Promise<Partial<PriceChange>> {
  const { kind, sku, cents, hours } = one;
  if (kind === "import") {
    const { data } = await importXml(key, fileOf(one));
    return { source: "import", ref: data.jobId };
  }
  const { items } = await owner.read(`/api/products?sku=${sku}&includeDeleted=true`);
  const found: Product | undefined = items[0];
  const path = `/api/products/${found?.id}`;
  const patches = {
    price: { ourPrice: cents === null ? null : cents / 100 },
    title: { title: `T ${hours}` },
    rename: { sku: `${sku}${hours}` },
  };
  if (found?.deletedAt !== null) {
    if (found && kind === "delete") await owner.act(`${path}/restore`);
  } else if (kind === "delete") await owner.remove(path);
  else if (kind === "link") {
    const url = `https://shop-${sku.toLowerCase()}.de/${hours}`;
    await owner.create("/api/competitor-products", { productId: found.id, url });
  } else await owner.change(path, patches[kind]);
  return { source: "api", ref: null };
}

const plain = ({ actor: _, ...change }: PriceChange) => change;

async function compare(app: TestApp, oracle: Oracle): Promise<void> {
  const { store, workspaceId } = app;
  const owner = await app.newCaller("owner");
  const products = await productsOf(owner);
  const walked = Map.groupBy(
    await Array.fromAsync(walkPriceChanges({ store, workspaceId })),
    ({ productId }) => productId,
  );
  for (const id of products.keys()) {
    const wanted = oracle.get(id) ?? [];
    const path = `/api/products/${id}/price-history?includeDeleted=true`;
    const read = async (range: string): Promise<PriceChange[]> => {
      const { items } = await owner.read(path + range);
      return items.map(({ mark, vatRatePct, ...change }: PriceHistoryEntry) => {
        assertEquals([mark, vatRatePct], [null, null]);
        return change;
      });
    };
    const all = await read("");
    assertEquals(all.map(plain), wanted.map(plain).toReversed());
    await refuses(owner.get(`${path}&from=2026-01-02&to=2026-01-01`), "validation_failed");
    for (const { actor, source } of all) {
      assertEquals(actor.type, source === "import" ? "api_key" : "user");
    }
    const [first] = wanted;
    if (first) {
      assertEquals((await read(`&to=${first.at}`)).map(plain), [plain(first)]);
      const later = new Date(Date.parse(first.at) + 1).toISOString();
      assertEquals((await read(`&from=${later}`)).length, wanted.length - 1);
    }
    assertEquals((walked.get(id) ?? []).map(({ change }) => plain(change)), wanted.map(plain));
  }
  assertEquals([...walked.keys()].filter((id) => !products.has(id)), []);
  const found = await Array.fromAsync(checkCatalogue(store, workspaceId));
  assertEquals(found, []);
}

async function historyLines(app: TestApp, workspaceId: string) {
  const ctx = commandContext(toolsOf(app), workspaceId);
  const lines = await Array.fromAsync(exportWorkspace(ctx));
  return lines.filter(({ type }) => type === "priceChange");
}

Deno.test("random histories equal those with a row for each change, also in another workspace", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      await using app = await startTestApp();
      const key = await app.key(["products:write"]);
      await app.owner.change("/api/settings", { importHold: null });
      const oracle: Oracle = new Map();
      for (const one of steps) {
        app.clock.advance(1 + one.hours * HOUR_MS);
        const owner = await app.newCaller("owner");
        const before = await productsOf(owner);
        const cause = await take(owner, key, one);
        note(oracle, [before, await productsOf(owner)], cause);
      }
      await compare(app, oracle);
      const lines = await historyLines(app, app.workspaceId);
      const ctx = commandContext(toolsOf(app), app.workspaceId);
      const copy = await importWorkspace(toolsOf(app), exportWorkspace(ctx), "Kopie");
      assertEquals(await historyLines(app, copy.id), lines);
      assertEquals(await Array.fromAsync(checkCatalogue(app.store, copy.id)), []);
    }),
    { numRuns: extent(12, 3) },
  );
});

withApp.test("the price that an import gives a new product has no history row, but is in its history", async (app) => {
  const key = await app.key(["products:write"]);
  const rows = async () => (await Array.fromAsync(app.store.kv.list({ prefix: ["ph"] }))).length;
  const file = (price: string) => itemsXml([{ sku: "A", title: "T", price }]);
  await importXml(key, file("10,00"));
  const [product] = (await productsOf(app.owner)).values();
  const setMs = app.clock.now().getTime();
  for (const [from = 0, before = 0, count] of [[0, 1, 1], [-1, 0, 0], [1, 2, 0]]) {
    const stretch = { fromMs: setMs + from, beforeMs: setMs + before };
    assertEquals((await listPriceChanges(app, product!.id, stretch, 10)).length, count);
  }
  assertEquals(await rows(), 0);
  app.clock.advance(1_000);
  await importXml(key, file("11,00"));
  const told = await Array.fromAsync(walkPriceRows(app));
  const prices = told.map(({ change }) => [change.fromCents, change.toCents, change.source]);
  assertEquals(prices, [[null, 1_000, "import"], [1_000, 1_100, "import"]]);
  assertEquals(await rows(), 1);
});

Deno.test("a first price is read consistently during a concurrent change", async () => {
  let change: (() => Promise<void>) | null = null;
  const inner = await openMemoryStore();
  using _kv = inner.kv;
  const store = watchedStore(inner, {
    // Changes the price once, while the service is reading the history.
    async listed() {
      if (change === null) return;
      const now = change;
      change = null;
      await now();
    },
  });
  await using app = await startTestApp({ store: inner });
  const key = await app.key(["products:write"]);
  await importXml(key, itemsXml([{ sku: "A", title: "T", price: "10,00" }]));
  const [product] = (await productsOf(app.owner)).values();
  app.clock.advance(1_000);
  change = () => app.owner.change(`/api/products/${product!.id}`, { ourPrice: 11 });
  const place = { store, workspaceId: app.workspaceId };
  const all = { fromMs: 0, beforeMs: Infinity };
  const changes = await listPriceChanges(place, product!.id, all, 10);
  assertEquals(changes.map(({ toCents }) => toCents), [1_100, 1_000]);
});

withApp.test("check-store reports a first price whose source is missing, and the price is still answered", async (app) => {
  const { store, workspaceId } = app;
  const key = await app.key(["products:write"]);
  const { data } = await importXml(key, itemsXml([{ sku: "A", title: "T", price: "10,00" }]));
  for await (const { key } of store.kv.list({ prefix: ["phi"] })) await store.kv.delete(key);
  assertEquals(await Array.fromAsync(checkCatalogue(store, workspaceId)), [
    `The index row of SKU "A" has its price from import ${data.jobId}, whose sender is unknown`,
  ]);
  const [product] = (await productsOf(app.owner)).values();
  const path = `/api/products/${product!.id}/price-history`;
  const told = async () =>
    (await app.owner.read(path)).items
      .map(({ toCents, actor }: PriceChange) => [toCents, actor.type]);
  assertEquals(await told(), [[1_000, "system"]]);
  app.clock.advance(1_000);
  const { data: next } = await importXml(key, itemsXml([{ sku: "A", title: "T", price: "11,00" }]));
  assertEquals(await told(), [[1_100, "api_key"], [1_000, "system"]]);
  await store.kv.delete(["phi", idBytes(workspaceId), idBytes(next.jobId)]);
  assertEquals(await told(), [[1_100, "system"], [1_000, "system"]]);
  const found = await Array.fromAsync(checkCatalogue(store, workspaceId));
  assertEquals(found.map((line) => line.replace(/^.* is of import/, "")), [
    ` ${data.jobId}, whose sender is unknown`,
    ` ${next.jobId}, whose sender is unknown`,
  ]);
});

const actor = { type: "user" as const, id: "u", name: "anna" };
const atDay = (day: number) => Date.parse("2026-01-01T00:00:00Z") + day * DAY_MS;
const ONE_MS = 1 / DAY_MS;
const timeOf = (day: number) => new Date(atDay(day)).toISOString();

Deno.test("lowestPrice() looks at the 30 days before day 40, without the day itself", () => {
  type Price = readonly [day: number, cents: number | null, currency?: string];
  type Lowest = readonly [cents: number | null, sinceDay: number | null, complete: boolean];
  const table: readonly (readonly [string, readonly Price[], Lowest])[] = [
    ["no history", [], [null, null, false]],
    ["in force when the window opens", [[0, 80], [20, 100]], [80, 0, true]],
    ["set exactly at the opening", [[5, 80], [10, 100]], [100, 10, true]],
    ["set exactly at the end", [[0, 100], [40, 50]], [100, 0, true]],
    ["1 ms before the end", [[0, 100], [40 - ONE_MS, 50]], [50, 40 - ONE_MS, true]],
    ["first price inside", [[20, 100], [40, 90]], [100, 20, false]],
    ["first price at the opening", [[10, 100]], [100, 10, true]],
    ["first price 1 ms later", [[10 + ONE_MS, 100]], [100, 10 + ONE_MS, false]],
    ["taken away and given again", [[0, 100], [20, null], [30, 90]], [90, 30, true]],
    ["none before the end", [[50, 100]], [null, null, false]],
    ["twice the lowest", [[0, 90], [15, 80], [20, 90], [25, 80]], [80, 15, true]],
    ["another currency before", [[0, 90], [20, 100, "CHF"]], [100, 20, false]],
  ];
  for (const [name, prices, [cents, sinceDay, isComplete]] of table) {
    const history = prices.map(([day, toCents, currency = "EUR"], n): PriceChange => {
      const fromCents = prices[n - 1]?.[1] ?? null;
      return { at: timeOf(day), fromCents, toCents, currency, source: "api", actor, ref: null };
    });
    const opening = prices.findLastIndex(([day]) => day <= 10);
    const found = lowestPrice(history.slice(Math.max(0, opening)), atDay(40));
    const expected = [cents, sinceDay === null ? null : timeOf(sinceDay), isComplete];
    assertEquals([found.lowestCents, found.since, found.complete], expected, name);
  }
});

Deno.test("grossCents() rounds half up, exactly", () => {
  assertEquals(grossCents(1, 50), 2);
  fc.assert(fc.property(fc.nat(10 ** 12), fc.nat(1_000_000), (net, rate) => {
    const gross = BigInt(grossCents(net, rate / 10_000));
    const exact = BigInt(net) * BigInt(1_000_000 + rate);
    const distance = gross * 1_000_000n - exact;
    return distance > -500_000n && distance <= 500_000n;
  }));
});

type Steps = readonly (readonly [day: number, ourPrice: number, currency?: string])[];

const ANY_CHANGE = { expected: null, allowsLargeChange: true };

/** Creates a product with the first price, and sets each further price on its day. */
async function priced(ctx: TestWorkspace, [first, ...changes]: Steps, more = {}): Promise<string> {
  const { id } = await createProduct(ctx, { sku: "A", title: "T", ourPrice: first?.[1], ...more });
  let today = 0;
  for (const [day, ourPrice, currency = "EUR"] of changes) {
    ctx.advance((day - today) * DAY_MS);
    today = day;
    await changeProduct(ctx, id, { ourPrice, currency }, ANY_CHANGE);
  }
  ctx.advance(DAY_MS);
  return id;
}

async function lowestOf(ctx: TestWorkspace, id: string, atMs: number | null = null) {
  return await findLowestPrice(ctx, (await findProduct(ctx, id))!.product, { atMs });
}

Deno.test("findLowestPrice() looks back from the first of the reductions in a row, otherwise from now", async () => {
  // Name, prices by day, day from which the search looks back (null: now), expected price.
  const table: readonly (readonly [string, Steps, number | null, number, string])[] = [
    ["two reductions", [[0, 100], [10, 120], [35, 90], [36, 80]], 35, 10_000, "EUR"],
    ["a raise after a reduction", [[0, 100], [1, 90], [2, 110]], null, 9_000, "EUR"],
    ["another currency", [[0, 100], [1, 95, "CHF"]], null, 9_500, "CHF"],
    ["a reduction in it", [[0, 100], [1, 95, "CHF"], [2, 90, "CHF"]], 2, 9_500, "CHF"],
  ];
  for (const [name, steps, day, lowestCents, currency] of table) {
    using ctx = await openTestWorkspace();
    const beganMs = ctx.now().getTime();
    const found = await lowestOf(ctx, await priced(ctx, steps));
    const at = day === null ? ctx.now() : new Date(beganMs + day * DAY_MS);
    assertEquals([found.at, found.reduced], [at.toISOString(), day !== null], name);
    assertEquals([found.lowestCents, found.currency], [lowestCents, currency], name);
  }
});

withWorkspace.test("findLowestPrice() gives the price with VAT, since when it held, and whether the past is complete", async (ctx) => {
  const createdAt = ctx.now().toISOString();
  const id = await priced(ctx, [[0, 100], [10, 120], [35, 90]], { vatRatePct: 19 });
  const { at: _, currency: _currency, reduced: _reduced, ...found } = await lowestOf(ctx, id);
  const whole = { lowestCents: 10_000, lowestGrossCents: 11_900, since: createdAt };
  assertEquals(found, { ...whole, complete: true, tier: null, leftOut: [] });
  const earlier = await lowestOf(ctx, id, Date.parse(createdAt) + 5 * DAY_MS);
  assertEquals([earlier.lowestCents, earlier.complete, earlier.reduced], [10_000, false, false]);
});

withWorkspace.test("findLowestPrice() reads a long run of reductions to its start", async (ctx) => {
  const { id } = await createProduct(ctx, { sku: "A", title: "T", ourPrice: 1000 });
  ctx.advance(DAY_MS);
  const startedAt = ctx.now().toISOString();
  // There are more price cuts than one read of the history returns.
  for (let price = 999; price > 480; price--) {
    await changeProduct(ctx, id, { ourPrice: price }, ANY_CHANGE);
    ctx.advance(1_000);
  }
  assertEquals((await lowestOf(ctx, id)).at, startedAt);
});
