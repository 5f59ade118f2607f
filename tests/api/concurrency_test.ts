import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { type TestApp, withApp } from "../harness.ts";
import { bodyOf, column, everyItem, refusalOf, refuses, statusOf } from "./answers.ts";
import { requireSoundCatalogue } from "./sound_catalogue.ts";

const SAMPLE = { sku: "A", title: "Kabel", brand: "Bosch", category: "Bad", ourPrice: 10 };

interface AuditRow {
  readonly action: string;
  readonly resource: { readonly id: string };
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
}

function times<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, n) => work(n)));
}

function auditOf({ owner }: TestApp, productId: string): Promise<AuditRow[]> {
  return everyItem(owner, `/api/audit-logs?resource=product:${productId}&limit=200`);
}

withApp.test("8 parallel creators of one SKU leave one product, and each loser learns its id", async (app) => {
  for (let round = 0; round < 10; round++) {
    const sku = `S${round}`;
    const answers = await times(8, () => app.owner.post("/api/products", { ...SAMPLE, sku }));
    const winners = answers.filter(({ status }) => status === 201);
    assertEquals(winners.length, 1);
    const { id } = await bodyOf(winners[0]!, 201);
    for (const loser of answers.filter((answer) => answer !== winners[0])) {
      const { code, details } = await refusalOf(loser);
      assertEquals([code, details], ["sku_exists", { productId: id, deleted: false }]);
    }
    const { items } = await app.owner.read(`/api/products?sku=${sku}`);
    assertEquals(items.length, 1);
  }
  await requireSoundCatalogue(app.store);
});

const FIELDS: Record<string, (n: number) => unknown> = {
  title: (n) => `Titel ${n}`,
  brand: (n) => `Marke ${n}`,
  category: (n) => `Gruppe ${n}`,
  tier: (n) => `T${n}`,
  mpn: (n) => `M${n}`,
  url: (n) => `https://shop.example/${n}`,
  vatRatePct: (n) => n / 10,
  ourPriceCents: (n) => 2_001 + n,
  costPriceCents: (n) => 3_001 + n,
  targetPriceCents: (n) => 4_001 + n,
};

withApp.test("100 PATCHes at once on distinct fields: acknowledged changes stay, the others are 409", async (app) => {
  const made = await app.owner.create("/api/products", SAMPLE);
  const path = `/api/products/${made.id}`;
  const names = Object.keys(FIELDS);
  const acknowledged = new Map<string, Set<unknown>>();
  let successes = 0;
  await times(100, async (n) => {
    const name = names[n % names.length]!;
    const value = FIELDS[name]!(n);
    const answer = await app.owner.patch(path, { [name]: value });
    if (answer.status !== 200) {
      await refuses(answer, "conflict");
      return;
    }
    assertEquals((await bodyOf(answer, 200))[name], value);
    acknowledged.set(name, (acknowledged.get(name) ?? new Set()).add(value));
    successes++;
  });
  const product = await app.owner.read(path);
  for (const name of names) {
    const values = acknowledged.get(name) ?? new Set([made[name]]);
    ok(values.has(product[name]), `${name} is ${product[name]}, none of ${[...values]}`);
  }
  const rows = await auditOf(app, made.id);
  assertEquals(rows.length, 1 + successes);
  requireChain(rows, product);
  await requireSoundCatalogue(app.store);
});

/** Each row starts where the previous one ended, and the last one ends at the product. */
function requireChain(rows: readonly AuditRow[], product: Record<string, unknown>): void {
  const state: Record<string, unknown> = { ...rows[0]?.after };
  for (const { before, after } of rows.slice(1)) {
    for (const [name, value] of Object.entries(before ?? {})) {
      if (name in state) assertEquals(value, state[name], name);
    }
    Object.assign(state, after);
  }
  for (const [name, value] of Object.entries(state)) {
    if (name in product) assertEquals(product[name], value, name);
  }
}

withApp.test("parallel changes, renames, deletions and restorations of a product leave it consistent", async (app) => {
  const { id } = await app.owner.create("/api/products", SAMPLE);
  const path = `/api/products/${id}`;
  const work = [
    (n: number) => app.owner.patch(path, { brand: `Marke ${n}`, ourPrice: n + 1 }),
    () => app.owner.delete(path),
    () => app.owner.post(`${path}/restore`),
    (n: number) => app.owner.post("/api/products", { ...SAMPLE, title: `Neu ${n}` }),
    (n: number) => app.owner.patch(path, { sku: `A${n % 2}` }),
  ];
  const statuses = await times(75, (n) => statusOf(work[n % work.length]!(n)));
  assertEquals(statuses.filter((status) => ![200, 201, 404, 409].includes(status)), []);
  await requireSoundCatalogue(app.store);
  assertEquals(await statusOf(app.owner.post(`${path}/restore`)), 200);
  requireChain(await auditOf(app, id), await app.owner.read(path));
});

withApp.test("a bulk change concurrent with renames reaches every product once", async (app) => {
  const make = (n: number) => app.owner.create("/api/products", { ...SAMPLE, sku: `S${n}` });
  const made = await times(150, make);
  const [outcome] = await Promise.all([
    app.owner.act("/api/products/bulk", { filter: {}, set: { priceLocked: true } }),
    times(30, (n) => statusOf(app.owner.patch(`/api/products/${made[n].id}`, { sku: `R${n}` }))),
  ]);
  assertEquals(outcome, { changed: 150, unchanged: 0, missing: [] });
  const { items } = await app.owner.read("/api/products?limit=200");
  assertEquals(column(items, "priceLocked"), Array(150).fill(true));
  await requireSoundCatalogue(app.store);
});

withApp.test("two parallel PATCHes cannot take one SKU, and a freed SKU can be taken", async (app) => {
  const make = (n: number) => app.owner.create("/api/products", { ...SAMPLE, sku: `S${n}` });
  const ids = column(await times(8, make), "id");
  const answers = await Promise.all(
    ids.map((id) => statusOf(app.owner.patch(`/api/products/${id}`, { sku: "ONE" }))),
  );
  assertEquals(answers.sort(), [200, ...Array(7).fill(409)]);
  const key = await app.key([]);
  const { data } = await key.read("/api/public/v1/products/ONE");
  const freed = `S${ids.indexOf(data.id)}`;
  assertEquals(await statusOf(key.get(`/api/public/v1/products/${freed}`)), 404);
  await app.owner.create("/api/products", { ...SAMPLE, sku: freed });
  await requireSoundCatalogue(app.store);
});
