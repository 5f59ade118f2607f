import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { bodyOf } from "../api/answers.ts";
import { commitsPerKill, countCommits, killOnTheWay } from "../killed_process.ts";
import { askIdleStore, askLeftStore } from "../left_store.ts";
import { inFolder } from "../temporary_folder.ts";
import { articles, itemsXml } from "./import_calls.ts";
import {
  addSilentShops,
  numberedItems,
  requireEachProduct,
  requireExactStats,
} from "./numbered_items.ts";
import { extent } from "../proof.ts";

const ITEMS = extent(20_000, 300);
const KILLS = extent(10, 1);
const FORMS = { "Content-Type": "application/xml", Prefer: "respond-async" };

async function workKilled(dataDir: string): Promise<void> {
  const path = new URL("./crash_child.ts", import.meta.url).pathname;
  const commits = await countCommits(dataDir, (copy) => ({ path, args: [copy] }));
  const commitsMax = commitsPerKill(commits, KILLS);
  await killOnTheWay({ path, args: [dataDir], kills: KILLS, commitsMax });
}

inFolder.test(`an import of ${ITEMS} records is complete and exact after ${KILLS} times kill -9`, async (folder) => {
  const jobId = await askIdleStore(folder.path, async (owner) => {
    await addSilentShops(owner);
    const sent = owner.post("/api/imports", numberedItems(ITEMS), FORMS);
    return (await bodyOf(sent, 202)).jobId;
  });
  await workKilled(folder.path);
  await askLeftStore(folder.path, async (owner) => {
    await requireExactStats(owner, jobId, ITEMS);
    await requireEachProduct(owner, ITEMS);
  });
});

const PRODUCTS = extent(6_000, 200);
/** One more than the 20 % of prices that an import may change without being held. */
const MOVED = PRODUCTS / 5 + 1;

function file(moved: number): string {
  const others = articles(PRODUCTS - moved, { from: moved });
  const items = [...articles(moved, { price: "1,00" }), ...others];
  return itemsXml([...items, ...items]);
}

inFolder.test(`a held import counts exactly after ${KILLS} times kill -9, and applies nothing`, async (folder) => {
  const jobId = await askIdleStore(folder.path, async (owner) => {
    await owner.begin("/api/imports", file(0), FORMS);
    return (await owner.begin("/api/imports", file(MOVED), FORMS)).jobId;
  });
  await workKilled(folder.path);
  await askLeftStore(folder.path, async (owner) => {
    const job = await owner.read(`/api/imports/${jobId}`);
    assertEquals([job.status, job.error.code], ["failed", "price_guard"]);
    assertEquals([job.hold.products, job.hold.moved], [PRODUCTS, MOVED]);
    assertEquals(job.hold.causes, { price: MOVED, cost: 0, currency: 0 });
    const { items, total } = await owner.read("/api/products?limit=200");
    assertEquals(total, PRODUCTS);
    assertEquals(items.every(({ ourPrice }: { ourPrice: number }) => ourPrice === 10_000), true);
  });
});
