/** An import survives the sudden end of its process at any moment, and counts nothing twice. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { bodyOf } from "../api/answers.ts";
import { askIdleApp } from "../fault/idle_app.ts";
import { countCommits, killOnTheWay } from "../killed_process.ts";
import { findingsOf, startLiveServer } from "../program.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import {
  addSilentShops,
  numberedItems,
  requireEachProduct,
  requireExactStats,
} from "./numbered_items.ts";
import { extent } from "../proof.ts";

const ITEMS = extent(20_000, 6_000);
const KILLS = extent(10, 4);

Deno.test(`an import of ${ITEMS} records ends exact after ${KILLS} times kill -9`, async () => {
  await using folder = await temporaryFolder();
  const jobId = await askIdleApp(folder.path, async (owner) => {
    await addSilentShops(owner);
    const headers = { "Content-Type": "application/xml", Prefer: "respond-async" };
    const sent = owner.post("/api/imports", numberedItems(ITEMS), headers);
    return (await bodyOf(sent, 202)).jobId;
  });
  const path = new URL("./crash_child.ts", import.meta.url).pathname;
  const commits = await countCommits(folder.path, (copy) => ({ path, args: [copy] }));
  const commitsMax = Math.floor(commits / (KILLS + 1));
  await killOnTheWay({ path, args: [folder.path], kills: KILLS, commitsMax });
  {
    await using live = await startLiveServer(folder.path);
    await requireExactStats(live.owner, jobId, ITEMS);
    await requireEachProduct(live.owner, ITEMS);
    assertEquals((await live.stop("SIGTERM")).code, 0);
  }
  assertEquals(await findingsOf(folder.path), "");
});
