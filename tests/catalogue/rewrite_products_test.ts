/**
 * If the fields of a stored product change, raise `LAYOUT` (CONTRIBUTING.md). To record the new
 * fields, run this test with `UPDATE_DOCS=1`.
 */
import { withApp } from "../harness.ts";
import { importXml, itemsXml } from "../imports/import_calls.ts";
import { withStore } from "../memory_store.ts";
import {
  addProducts,
  madeProduct,
  openTestWorkspace,
  productOf,
  type TestWorkspace,
} from "./catalogue_workspace.ts";
import { inEachWorkspace } from "../../src/accounts/workspace.ts";
import { checkCatalogue } from "../../src/catalogue/check_catalogue.ts";
import { rewriteProducts } from "../../src/catalogue/changes/rewrite_products.ts";
import { unpackDocument } from "../../src/catalogue/products/product_pack.ts";
import { listDocuments } from "../../src/catalogue/products/product_store.ts";
import type { Store } from "../../src/platform/store/kv.ts";
import {
  LAYOUT,
  migrateStore,
  type MigrationStep,
  PRE_RELEASE_LAYOUT,
} from "../../src/platform/store/open_store.ts";
import { column } from "../api/answers.ts";
import { documentOf } from "../../src/catalogue/products/product.ts";
import { deepStrictEqual as assertEquals, ok, rejects } from "node:assert/strict";

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/**
 * Converts a store to an earlier version, whose products are plain JSON without manufacturer
 * numbers.
 */
async function makeEarlier({ kv }: Store): Promise<void> {
  for (const table of ["p", "px"]) {
    for await (const { key, value } of kv.list<Uint8Array<ArrayBuffer>>({ prefix: [table] })) {
      const [, , id] = key;
      ok(id instanceof Uint8Array);
      const { mpn: _, ...document } = JSON.parse(decoder.decode(unpackDocument(id.toHex(), value)));
      await kv.set(key, encoder.encode(JSON.stringify(document)));
    }
  }
  await kv.set(["schema"], PRE_RELEASE_LAYOUT);
}

const STEP: MigrationStep = {
  what: "products have all fields",
  advance: inEachWorkspace(rewriteProducts),
};

const migrate = (store: Store, step = STEP) =>
  migrateStore(store, {
    steps: [step],
    owner: crypto.randomUUID(),
    now: () => new Date(),
    backUp: null,
    say: () => {},
  });

const disagreements = (store: Store, workspaceId: string) =>
  Array.fromAsync(checkCatalogue(store, workspaceId));

async function addMany(ctx: TestWorkspace, count: number, text: string): Promise<void> {
  const products = Array.from({ length: count }, (_, n) => ({
    ...productOf(ctx, n),
    title: `${n} ${text}`,
    ...(text !== "" && { brand: `${n} ${text}`.slice(0, 200), tier: `${n} ${text}`.slice(0, 64) }),
  }));
  for (let at = 0; at < count; at += 10) await addProducts(ctx, products.slice(at, at + 10));
}

withStore.test("rewriteProducts() adds the missing data in all workspaces, even after an interruption", async (store) => {
  using few = await openTestWorkspace(store);
  using none = await openTestWorkspace(store);
  using many = await openTestWorkspace(store);
  // The products of `many` have long texts, so that 100 of them do not fit into one commit.
  await addMany(few, 7, "");
  await addMany(many, 350, "Größe ".repeat(60));
  const workspaces = [few, none, many].map(({ workspaceId }) => workspaceId);
  for (const id of workspaces) assertEquals(await disagreements(store, id), []);
  const texts = async () => {
    const lists = await Promise.all([few, many].map((ctx) => listDocuments(ctx, null, 1_000)));
    return lists.flat().map(({ bytes }) => decoder.decode(bytes));
  };
  const before = await texts();
  await makeEarlier(store);
  ok((await texts()).every((text) => !text.includes('"mpn"')));

  let commits = 0;
  const breaking: MigrationStep = {
    ...STEP,
    advance(...args) {
      if (++commits === 5) throw new Error("the process dies");
      return STEP.advance(...args);
    },
  };
  await rejects(migrate(store, breaking), /dies/);
  await migrate(store);
  for (const id of workspaces) assertEquals(await disagreements(store, id), []);
  assertEquals(await texts(), before);
});

withApp.test("rewritten products are answered, found and imported like new ones", async (app) => {
  const { owner, store, workspaceId } = app;
  const key = await app.key(["products:write"]);
  const file = itemsXml([{ sku: "A", more: "<TITLE>A</TITLE><TIER>B2C</TIER>" }]);
  await importXml(key, file);
  const { id } = await owner.create("/api/products", { sku: "B", title: "B" });
  await owner.remove(`/api/products/${id}`);
  const { items } = await owner.read("/api/products?includeDeleted=true");
  await makeEarlier(store);
  const lacking = await owner.read("/api/products?includeDeleted=true");
  assertEquals(lacking.items.map((item: object) => "mpn" in item), [false, false]);

  await migrate(store);
  assertEquals(await disagreements(store, workspaceId), []);
  const again = await owner.read("/api/products?includeDeleted=true");
  assertEquals(again.items, items);
  const found = await owner.read("/api/products?tier=B2C");
  assertEquals(column(found.items, "sku"), ["A"]);
  const { data } = await importXml(key, file);
  assertEquals([data.stats.updated, data.stats.skipped], [0, 1]);
});

const RECORDED = "tests/catalogue/product_shapes.json";

interface Shape {
  /** The newest store layout whose products have exactly `fields`. */
  readonly layout: number;
  readonly fields: readonly string[];
}

const today: Shape = { layout: LAYOUT, fields: Object.keys(documentOf(madeProduct())) };

const isSame = (one: Shape | undefined, other: Shape) =>
  JSON.stringify(one?.fields) === JSON.stringify(other.fields);

async function recorded(): Promise<readonly Shape[]> {
  const shapes: readonly Shape[] = JSON.parse(await Deno.readTextFile(RECORDED));
  const last = shapes.at(-1);
  if (!Deno.env.get("UPDATE_DOCS") || last?.layout === LAYOUT) return shapes;
  const next = [...isSame(last, today) ? shapes.slice(0, -1) : shapes, today];
  await Deno.writeTextFile(RECORDED, `${JSON.stringify(next, null, 2)}\n`);
  return next;
}

Deno.test("stored products have the recorded shape of their layout, and new fields come last, because stored documents name their fields by position", async () => {
  const shapes = await recorded();
  assertEquals(shapes.at(-1), today, "tests/catalogue/rewrite_products_test.ts says what to do");
  for (const { fields } of shapes) assertEquals(today.fields.slice(0, fields.length), fields);
});
