import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { changeProduct } from "../../src/catalogue/changes/change_product.ts";
import { listDocuments } from "../../src/catalogue/products/product_store.ts";
import { checkMarket } from "../../src/market/check_market.ts";
import { checkpointHeads, countCheckpointParts } from "../../src/market/current/checkpoint.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import type { Store } from "../../src/platform/store/kv.ts";
import { seedOffers } from "../bench/seed_offers.ts";
import { openTestWorkspace } from "../catalogue/catalogue_workspace.ts";
import { killOnTheWay, runToTheEnd } from "../killed_process.ts";
import { extent } from "../proof.ts";
import { pause } from "../patience.ts";
import { inFolder } from "../temporary_folder.ts";
import { openMarketCache, saidByStore, statementAuthor } from "./market_reader.ts";

const KILLS = extent(40, 2);
/** Fewer commits than replacing a checkpoint needs. */
const COMMITS_MAX = 4;

inFolder.test(`killed ${KILLS} times during a checkpoint: every start knows what the store knows`, async (folder) => {
  const open = () => openStore({ kvUrl: null, dataDir: folder.path }, 60_000);
  const begun = await open();
  const ctx = await openTestWorkspace(begun);
  await seedOffers(ctx, { products: extent(5_000, 600), shops: 3 });
  const id = (await listDocuments(ctx, null, 1))[0]!.id;
  begun.kv.close();
  // The store's clock continues from the time of the seeded offers, at real speed.
  const lateMs = Date.now() - ctx.now().getTime();
  const now = () => new Date(Date.now() - lateMs);
  const child = {
    path: new URL("checkpoint_child.ts", import.meta.url).pathname,
    args: [folder.path, ctx.workspaceId, String(lateMs)],
  };
  assertEquals(await runToTheEnd(child), 0);
  let ourPrice = 10;
  let isRead = false;
  const look = async (store: Store) => {
    const reader = { store, workspaceId: ctx.workspaceId, now };
    const options = { expected: null, allowsLargeChange: true, reason: "As drawn" };
    await changeProduct({ ...ctx, store }, id, { ourPrice: ourPrice++ }, options);
    const cache = openMarketCache(undefined, { smallMax: 0 });
    const [said, expected] = [statementAuthor(await cache.read(reader)), await saidByStore(reader)];
    // Compared as text, because a diff of thousands of products is unreadable.
    ok(JSON.stringify(said) === JSON.stringify(expected));
    isRead ||= await checkpointHeads.find(reader, {}) !== null;
    await cache.close();
    assertEquals(await Array.fromAsync(checkMarket(store, ctx.workspaceId)), []);
  };
  await killOnTheWay({
    ...child,
    kills: KILLS,
    commitsMax: COMMITS_MAX,
    // Ids of different processes are in order only if they were made in different seconds.
    beforeTheLast: () => pause(1_000),
    async ended() {
      const store = await open();
      await look(store);
      store.kv.close();
    },
  });
  ok(isRead);
  const store = await open();
  const left = await countCheckpointParts({ store, workspaceId: ctx.workspaceId });
  assertEquals(left.size, 1);
  store.kv.close();
});
