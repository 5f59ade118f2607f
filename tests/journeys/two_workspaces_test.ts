import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { bodyOf, refusalOf, statusOf } from "../api/answers.ts";
import { filled, listOperations, UNKNOWN_ID } from "../api/operations.ts";
import { requireSoundCatalogue } from "../api/sound_catalogue.ts";
import { KEY_SCOPE_NAMES } from "../../src/accounts/roles.ts";
import { type Caller, createCaller } from "../caller.ts";
import { type TestApp, withApp } from "../harness.ts";

const SKUS = ["4711-A", "4711-B", "4711-C"];
const NIGHTLY = { "Idempotency-Key": "nightly" };

/** A retailer with data; every text of theirs contains `mark`. */
interface Retailer {
  readonly mark: keyof typeof CURRENCIES;
  readonly owner: Caller;
  readonly key: Caller;
  readonly productIds: string[];
  readonly keyId: string;
  readonly userId: string;
  /** The cursor of the second page of their product list. */
  readonly cursor: string;
}

const CURRENCIES = { ALPHA: "EUR", BETA: "CHF" } as const;

async function open(app: TestApp, owner: Caller, mark: keyof typeof CURRENCIES): Promise<Retailer> {
  await owner.change("/api/settings", { name: `Shop ${mark}`, currency: CURRENCIES[mark] });
  const productIds: string[] = [];
  for (const sku of SKUS) {
    const product = { sku, title: `Kabel ${mark}`, brand: `Bosch ${mark}`, ourPrice: 10 };
    const made = await owner.post("/api/products", product, {
      "Idempotency-Key": `${NIGHTLY["Idempotency-Key"]} ${sku}`,
    });
    assertEquals(made.headers.get("Idempotent-Replayed"), null);
    productIds.push((await bodyOf(made, 201)).id);
  }
  await owner.change(`/api/products/${productIds[0]}`, { category: `Bad ${mark}` });
  await owner.remove(`/api/products/${productIds[2]}`);
  const newKey = { name: `ERP ${mark}`, scopes: [...KEY_SCOPE_NAMES] };
  const { key, id: keyId } = await owner.create("/api/keys", newKey);
  const person = { email: `${mark.toLowerCase()}@shop.example`, role: "viewer" };
  const { id: userId } = await owner.create("/api/users", person);
  const { nextCursor } = await owner.read("/api/products?limit=1");
  const caller = createCaller(app.base, { Authorization: `Bearer ${key}` });
  return { mark, owner, key: caller, productIds, keyId, userId, cursor: nextCursor };
}

withApp.test("two workspaces: neither can read anything about the other, or change anything of the other", async (app) => {
  const alpha = await open(app, app.owner, "ALPHA");
  const beta = await open(app, await app.strangerOwner(), "BETA");
  const operations = await listOperations(app);
  const reads = operations.filter(({ method, credentials }) =>
    method === "GET" && credentials.length > 0
  );
  for (const [me, other] of [[alpha, beta], [beta, alpha]] as const) {
    let isOwnSeen = 0;
    for (const operation of reads) {
      const caller = operation.isExternal ? me.key : me.owner;
      // `tests/api/full_workspace_test.ts` reads by the ids of another workspace.
      const ids = [me.productIds[0] ?? "", ...(/idOrSku/.test(operation.path) ? SKUS : [])];
      for (const path of new Set(ids.map((id) => filled(operation, id)))) {
        const text = await (await caller.get(path)).text();
        ok(!text.includes(other.mark), `${path} tells ${me.mark}: ${text.slice(0, 300)}`);
        if (text.includes(me.mark)) isOwnSeen++;
      }
    }
    ok(isOwnSeen >= 8, `${me.mark} sees their own: ${isOwnSeen}`);
    for (const search of [`q=${other.mark}`, `brand=${other.mark}`, `category=${other.mark}`]) {
      assertEquals((await me.owner.read(`/api/products?${search}`)).count, 0);
    }
    const totals = await me.owner.read("/api/products");
    assertEquals([totals.total, totals.count], [2, 2]);
    const currencies = totals.items.map(({ currency }: { currency: string }) => currency);
    assertEquals(new Set(currencies), new Set([CURRENCIES[me.mark]]));
  }
  // Reading price changes adds an event to the timeline; everything was read once above.
  const before = await pictureOf(app, alpha);
  const bulk = { ids: alpha.productIds, set: { priceLocked: true } };
  const { changed, missing } = await beta.owner.act("/api/products/bulk", bulk);
  assertEquals([changed, missing.length], [0, alpha.productIds.length]);
  const all = { filter: {}, set: { priceLocked: true } };
  assertEquals((await beta.owner.act("/api/products/bulk", all)).changed, 2);
  const cursor = await refusalOf(beta.owner.get(`/api/products?limit=1&cursor=${alpha.cursor}`));
  assertEquals(cursor.code, "invalid_cursor");
  for (const sku of SKUS) await statusOf(beta.key.get(`/api/public/v1/products/sku:${sku}`));
  assertEquals(await pictureOf(app, alpha), before);
  await requireSoundCatalogue(app.store);
});

/** Everything the owner can read, except values that change by reading. */
async function pictureOf(app: TestApp, { owner, productIds }: Retailer): Promise<string[]> {
  const reads = (await listOperations(app)).filter(({ method, isExternal, credentials }) =>
    method === "GET" && !isExternal && credentials.length > 0
  );
  const texts: string[] = [];
  for (const operation of reads) {
    const ids = operation.path.includes("{") ? [...productIds, UNKNOWN_ID] : [""];
    for (const id of ids) {
      const text = await (await owner.get(filled(operation, id))).text();
      texts.push(`${operation.path} ${text.replace(/req_\w+/, "")}`);
    }
  }
  return texts;
}
