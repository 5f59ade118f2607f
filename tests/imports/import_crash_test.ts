/** An import survives the sudden end of its process at any moment, and counts nothing twice. */
import { bodyOf } from "../api/answers.ts";
import { countCommits, killOnTheWay } from "../killed_process.ts";
import { askIdleStore, askLeftStore } from "../left_store.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import {
  addSilentShops,
  numberedItems,
  requireEachProduct,
  requireExactStats,
} from "./numbered_items.ts";
import { extent } from "../proof.ts";

const ITEMS = extent(20_000, 2_000);
const KILLS = extent(10, 2);

Deno.test(`an import of ${ITEMS} records ends exact after ${KILLS} times kill -9`, async () => {
  await using folder = await temporaryFolder();
  const jobId = await askIdleStore(folder.path, async (owner) => {
    await addSilentShops(owner);
    const headers = { "Content-Type": "application/xml", Prefer: "respond-async" };
    const sent = owner.post("/api/imports", numberedItems(ITEMS), headers);
    return (await bodyOf(sent, 202)).jobId;
  });
  const path = new URL("./crash_child.ts", import.meta.url).pathname;
  const commits = await countCommits(folder.path, (copy) => ({ path, args: [copy] }));
  const commitsMax = Math.floor(commits / (KILLS + 1));
  await killOnTheWay({ path, args: [folder.path], kills: KILLS, commitsMax });
  await askLeftStore(folder.path, async (owner) => {
    await requireExactStats(owner, jobId, ITEMS);
    await requireEachProduct(owner, ITEMS);
  });
});
