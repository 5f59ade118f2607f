import { Rewrites } from "../../src/catalogue/lists/catalogue_cache.ts";
import { bodyOf } from "../api/answers.ts";
import { withBench } from "./import_bench.ts";
import { itemsXml, sendXml } from "./import_calls.ts";
import { createImportRunner } from "./import_runner.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

withBench.test("an applying import marks its catalogue as being rewritten, until some seconds later", async ({ app, key }) => {
  // After this, only the runner of the test takes jobs.
  await app.app.close();
  let nowMs = 0;
  const rewrites = new Rewrites(() => nowMs);
  const isOngoingAfter = async (query: string) => {
    await bodyOf(sendXml(key, itemsXml([{ sku: "A" }]), query, { Prefer: "respond-async" }), 202);
    const runner = createImportRunner(app.store, app.app.clock, rewrites);
    await runner.drain();
    await runner.stop();
    return rewrites.isOngoing(app.workspaceId);
  };
  assertEquals(await isOngoingAfter("?dryRun=true"), false);
  assertEquals(await isOngoingAfter(""), true);
  assertEquals(rewrites.isOngoing("another"), false);
  nowMs = 5_000;
  assertEquals(rewrites.isOngoing(app.workspaceId), false);
});
