/** An import survives the sudden end of its process at any moment, and counts nothing twice. */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { bodyOf } from "../api/answers.ts";
import { temporaryFolder } from "../commands/kurant.ts";
import { findingsOf, type LiveServer, startLiveServer } from "../fault/live_server.ts";
import {
  addSilentShops,
  numberedItems,
  requireEachProduct,
  requireExactStats,
} from "./numbered_items.ts";

const ITEMS = 20_000;
const KILLS = 10;

interface JobState {
  readonly status: string;
  readonly phase: string;
  readonly progress: { readonly processed: number };
}

async function stateOf({ owner }: LiveServer, jobId: string): Promise<JobState> {
  return await bodyOf(owner.get(`/api/imports/${jobId}`), 200);
}

/** Kills the server when the job has come a random step further. */
async function killOnTheWay(live: LiveServer, jobId: string): Promise<string> {
  const begin = await stateOf(live, jobId);
  const further = Math.random() * (ITEMS / KILLS);
  for (;;) {
    const state = await stateOf(live, jobId);
    const isFurther = state.progress.processed - begin.progress.processed >= further;
    const isOver = state.status !== "running" && state.status !== "queued";
    if (!isFurther && !isOver && state.phase === begin.phase) continue;
    await live.server.crash();
    return state.status;
  }
}

Deno.test(`an import of ${ITEMS} records ends exact after ${KILLS} times kill -9`, async () => {
  await using folder = await temporaryFolder();
  let jobId = "";
  let kills = 0;
  for (let status = "queued"; kills < KILLS && (status === "queued" || status === "running");) {
    await using live = await startLiveServer(folder.path);
    if (jobId === "") {
      await addSilentShops(live.owner);
      const headers = { "Content-Type": "application/xml", Prefer: "respond-async" };
      ({ jobId } = await bodyOf(
        live.owner.post("/api/imports", numberedItems(ITEMS), headers),
        202,
      ));
    }
    status = await killOnTheWay(live, jobId);
    kills++;
  }
  ok(kills > KILLS / 2, `only ${kills} kills hit the import`);
  {
    await using live = await startLiveServer(folder.path);
    let job = await stateOf(live, jobId);
    while (job.status === "queued" || job.status === "running") job = await stateOf(live, jobId);
    await requireExactStats(live.owner, jobId, ITEMS);
    await requireEachProduct(live.owner, ITEMS);
    assertEquals((await live.server.stop("SIGTERM")).code, 0);
  }
  assertEquals(await findingsOf(folder.path), "");
});
