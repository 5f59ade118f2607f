import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { openStoreIn } from "../../closing_store.ts";
import { killOnTheWay, timesKilled } from "../../killed_process.ts";
import { handledCounts } from "./outbox.ts";
import { extent } from "../../proof.ts";
import { inFolder } from "../../temporary_folder.ts";

const KILLS = extent(12, 1);
const CAUSES = extent(1_500, 150);
/** Each cause is one commit, so the killed processes together handle only a part of the causes. */
const COMMITS_MAX = 100;

inFolder.test(`a process that is killed ${timesKilled(KILLS)} relays every event once`, async (folder) => {
  const dataDir = folder.path;
  const path = new URL("./crash_child.ts", import.meta.url).pathname;
  const args = [dataDir, String(CAUSES)];
  await killOnTheWay({ path, args, kills: KILLS, commitsMax: COMMITS_MAX });
  using store = await openStoreIn(dataDir);
  const counts = await handledCounts(store);
  const left = await Array.fromAsync(store.kv.list({ prefix: ["nw"] }));
  assertEquals(new Set(counts.values()), new Set([1]), "none doubled");
  assertEquals(counts.size, CAUSES * 131, "none lost");
  assertEquals(left, []);
});
