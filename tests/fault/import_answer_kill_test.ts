import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { bodyOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { itemsXml } from "../imports/import_calls.ts";
import { numberedItems } from "../imports/numbered_items.ts";
import { until } from "../patience.ts";
import { findingsOf, startLiveServer } from "../program.ts";
import { extent } from "../proof.ts";
import { inFolder } from "../temporary_folder.ts";

/** Enough that their import is still running when the second job appears. */
const FRONT_ITEMS = extent(20_000, 1_500);
const XML = { "Content-Type": "application/xml" };
const KEPT = { ...XML, "Idempotency-Key": "night-1" };
const FILE = itemsXml([{ sku: "ONE", title: "Apfel", price: "1,00" }]);

/** The ids of all jobs, oldest first. */
async function jobIdsOf(owner: Caller): Promise<string[]> {
  const { items } = await bodyOf(owner.get("/api/imports"), 200);
  return items.map(({ jobId }: { jobId: string }) => jobId).reverse();
}

inFolder.test("an import whose process is killed between commit and response is one job when it is sent again", async (folder) => {
  let jobIds: string[] = [];
  {
    await using live = await startLiveServer(folder.path);
    const { owner } = live;
    // The import of the first file delays the response to the second one, whose job exists by then.
    const async = { ...XML, Prefer: "respond-async" };
    await bodyOf(owner.post("/api/imports", numberedItems(FRONT_ITEMS), async), 202);
    const unanswered = owner.post("/api/imports", FILE, KEPT)
      .then((answer) => answer.body?.cancel()).catch(() => {});
    await until("the second job is there", async () => {
      jobIds = await jobIdsOf(owner);
      return jobIds.length === 2;
    });
    await live.crash();
    await unanswered;
  }
  {
    await using live = await startLiveServer(folder.path);
    const { owner } = live;
    for (let times = 0; times < 2; times++) {
      const answer = await owner.post("/api/imports", FILE, KEPT);
      ok([200, 202].includes(answer.status), String(answer.status));
      assertEquals((await answer.json()).jobId, jobIds[1]);
    }
    await until("the second import is over", async () => {
      const { status } = await bodyOf(owner.get(`/api/imports/${jobIds[1]}`), 200);
      ok(["queued", "running", "succeeded"].includes(status), status);
      return status === "succeeded";
    });
    assertEquals(await jobIdsOf(owner), jobIds);
    const { stats } = await bodyOf(owner.get(`/api/imports/${jobIds[1]}`), 200);
    assertEquals([stats.inserted, stats.updated], [1, 0]);
    assertEquals((await live.stop("SIGTERM")).code, 0);
  }
  assertEquals(await findingsOf(folder.path), "");
});
