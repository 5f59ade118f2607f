/** Offers that an earlier version stored learn of which type their match is. */
import { deepStrictEqual as assertEquals, match, ok, rejects } from "node:assert/strict";
import { rewriteOfferTypes } from "../../../src/shops/matches/rewrite_offers.ts";
import { findOffers, walkOffers } from "../../../src/shops/offers/offer_store.ts";
import type { Store } from "../../../src/platform/store/kv.ts";
import { LAYOUT } from "../../../src/platform/store/layout_store.ts";
import { migrateStore, type Migration } from "../../../src/platform/store/migrate.ts";
import { startTestApp, type TestApp } from "../../harness.ts";
import { addMatch, addProduct, disagreements } from "../shop.ts";

const STEP: Migration = { to: LAYOUT, what: "offers are typed", advance: rewriteOfferTypes };
/** Places of an offer's row before offers knew the type of their match. */
const FORMER_PLACES = 13;

async function makeEarlier({ kv }: Store): Promise<void> {
  for await (const { key, value } of kv.list<Uint8Array>({ prefix: ["o"] })) {
    const rows: unknown[][] = JSON.parse(new TextDecoder().decode(value));
    const former = rows.map((row) => row.slice(0, FORMER_PLACES));
    await kv.set(key, new TextEncoder().encode(JSON.stringify(former)));
  }
  await kv.set(["schema"], LAYOUT - 1);
}

const migrate = (store: Store, step = STEP) =>
  migrateStore(store, {
    migrations: [step],
    owner: crypto.randomUUID(),
    now: () => new Date(),
    backUp: null,
    say: () => {},
  });

const offersOf = (app: TestApp) => Array.fromAsync(walkOffers(app));

Deno.test("rewriteOfferTypes() gives every offer the type of its match, a break-off included", async () => {
  await using app = await startTestApp();
  for (let n = 0; n < 330; n++) {
    const id = await addProduct(app.manager, `A-${n}`);
    const matchType = n % 3 === 0 ? "equivalent" : "exact";
    await addMatch(app.manager, id, `https://shop.de/${n}`, { matchType });
    if (n % 50 === 0) await addMatch(app.manager, id, `https://other.de/${n}`);
  }
  const before = await offersOf(app);
  const rowsBefore = await Array.fromAsync(app.store.kv.list({ prefix: ["o"] }));
  await makeEarlier(app.store);
  match((await disagreements(app)).join("\n"), /is missing or says something else/);

  let commits = 0;
  const breaking: Migration = {
    ...STEP,
    advance(...args) {
      if (++commits === 2) throw new Error("the process dies");
      return rewriteOfferTypes(...args);
    },
  };
  await rejects(migrate(app.store, breaking), /dies/);
  await migrate(app.store);
  const contents = (rows: typeof before) =>
    rows.map(({ productId, offers }) => [productId, offers]);
  assertEquals(contents(await offersOf(app)), contents(before));
  assertEquals(await disagreements(app), []);
  const rows = await Array.fromAsync(app.store.kv.list({ prefix: ["o"] }));
  assertEquals(rows.map(({ value }) => value), rowsBefore.map(({ value }) => value));
});

Deno.test("a change of the type of a match is in the offers row with it", async () => {
  await using app = await startTestApp();
  const productId = await addProduct(app.manager, "A");
  const made = await addMatch(app.manager, productId, "https://shop.de/1");
  const typeOf = async () => (await findOffers(app, productId)).offers[0]?.matchType;
  assertEquals(await typeOf(), "exact");
  const path = `/api/competitor-products/${made.id}`;
  ok((await app.manager.patch(path, { matchType: "equivalent" })).ok);
  assertEquals(await typeOf(), "equivalent");
  assertEquals(await disagreements(app), []);
});
