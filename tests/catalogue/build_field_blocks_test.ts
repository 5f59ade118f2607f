/** A store of layout 2, which had index rows and counts, gets blocks of fields. */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { startTestApp } from "../harness.ts";
import { bodyOf } from "../api/answers.ts";
import { openMemoryStore } from "../memory_store.ts";
import { testOnEveryStore } from "../stores.ts";
import { openTestWorkspace, type TestWorkspace } from "./catalogue_workspace.ts";
import { addProducts, productOf } from "./random_products.ts";
import { deleteProduct } from "../../src/catalogue/changes/delete_product.ts";
import { checkCatalogue } from "../../src/catalogue/check_catalogue.ts";
import { filterFieldsOf } from "../../src/catalogue/products/filter_fields.ts";
import { listDocuments } from "../../src/catalogue/products/product_store.ts";
import { parseProduct } from "../../src/catalogue/products/product_wire.ts";
import { MIGRATIONS } from "../../src/app/composition/migrations.ts";
import type { WorkspaceStore } from "../../src/platform/store/context.ts";
import type { Store } from "../../src/platform/store/kv.ts";
import { migrateStore, type Migration } from "../../src/platform/store/migrate.ts";

const FORMER_TABLES = ["pb", "pc", "pt", "pu", "dv"];

/** The rows that a program of layout 2 would have left in place of the blocks. */
async function makeEarlier(store: Store, ...workspaces: WorkspaceStore[]): Promise<void> {
  const { kv } = store;
  for (const table of ["pf", "pfv"]) {
    const rows = kv.list({ start: [table], end: [`${table}\u0000`] });
    for await (const { key } of rows) await kv.delete(key);
  }
  for (const { workspaceId } of workspaces) {
    const w = Uint8Array.fromHex(workspaceId);
    for (const { bytes } of await listDocuments({ store, workspaceId }, null, 10_000)) {
      const product = parseProduct(bytes);
      const [id, fields] = [Uint8Array.fromHex(product.id), filterFieldsOf(product)];
      for (const [position, letter] of ["b", "c", "t"].entries()) {
        const value = fields[position] ?? null;
        if (value === null) continue;
        await kv.set([`p${letter}`, w, value, id], fields);
        await kv.atomic().sum(["d", w, letter, value], 1n).commit();
      }
      await kv.set(["pu", w, Date.parse(product.updatedAt), id], new Uint8Array());
    }
    await kv.set(["dv", w], new Uint8Array());
  }
  await kv.set(["schema"], 2);
}

const migrate = (store: Store, migrations: readonly Migration[] = MIGRATIONS) =>
  migrateStore(store, {
    migrations,
    owner: crypto.randomUUID(),
    now: () => new Date(),
    backUp: null,
    say: () => {},
  });

const disagreements = ({ ctx }: TestWorkspace) =>
  Array.fromAsync(checkCatalogue(ctx.store, ctx.workspaceId));

async function formerRows({ kv }: Store): Promise<Deno.KvKey[]> {
  const keys: Deno.KvKey[] = [];
  for (const table of [...FORMER_TABLES, "d"]) {
    const rows = kv.list({ start: [table], end: [`${table}\u0000`] });
    for await (const { key } of rows) if (table !== "d" || key.length > 3) keys.push(key);
  }
  return keys;
}

/** Steps that break off after each commit, as if the process died there. */
function breakingAt(commit: number): Migration[] {
  return MIGRATIONS.map((step) => {
    let commits = 0;
    return {
      ...step,
      advance(...args) {
        if (step.to === 3 && commits++ === commit) throw new Error("the process dies");
        return step.advance(...args);
      },
    };
  });
}

Deno.test("blocks are built for every workspace, wherever the process dies on the way", async () => {
  const store = await openMemoryStore();
  using few = await openTestWorkspace(store);
  using none = await openTestWorkspace(store);
  using many = await openTestWorkspace(store);
  const workspaces = [few, none, many];
  await addProducts(few.ctx, Array.from({ length: 7 }, (_, n) => productOf(few.ctx, n)));
  const long = Array.from({ length: 450 }, (_, n) => ({
    ...productOf(many.ctx, n),
    brand: `${n} ${"Größe ".repeat(60)}`.slice(0, 200),
  }));
  for (let at = 0; at < long.length; at += 10) await addProducts(many.ctx, long.slice(at, at + 10));
  for (const { id } of long.slice(0, 5)) await deleteProduct(many.ctx, id, null);
  await makeEarlier(store, ...workspaces.map(({ ctx }) => ctx));
  ok((await disagreements(many)).length > 0);
  let broken = 0;
  // Each time it gets one commit further, and begins the next one in vain.
  for (let isDone = false; !isDone; broken++) {
    try {
      await migrate(store, breakingAt(1));
      isDone = true;
    } catch (error) {
      if (!String(error).includes("dies")) throw error;
    }
  }
  ok(broken > 8, `${broken} times`);
  for (const workspace of workspaces) assertEquals(await disagreements(workspace), []);
  assertEquals(await formerRows(store), []);
  store.kv.close();
});

testOnEveryStore("a store of layout 2 is led to blocks", async (store) => {
  using workspace = await openTestWorkspace(store);
  const { ctx } = workspace;
  const products = Array.from({ length: 120 }, (_, n) => productOf(ctx, n));
  await addProducts(ctx, products);
  await makeEarlier(store, ctx);
  await migrate(store);
  assertEquals(await disagreements(workspace), []);
  assertEquals(await formerRows(store), []);
});

Deno.test("products of layout 2 are found as before", async () => {
  await using app = await startTestApp();
  const { owner, store, workspaceId } = app;
  for (const [sku, brand] of [["A", "Bosch"], ["B", "Miele"], ["C", "bosch"]]) {
    await bodyOf(owner.post("/api/products", { sku, title: sku, brand }), 201);
  }
  await makeEarlier(store, { store, workspaceId });
  await migrate(store);
  const { items } = await bodyOf(owner.get("/api/products?brand=BOSCH"), 200);
  assertEquals(items.map(({ sku }: { sku: string }) => sku), ["A", "C"]);
  const { total } = await bodyOf(owner.get("/api/products"), 200);
  assertEquals(total, 3);
});
