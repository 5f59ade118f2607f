/**
 * Fetches a source's file and runs jobs until none is left. If it was killed before, it continues
 * the unfinished fetch or fetches the file again.
 */

import { listWorkspaces } from "../../src/accounts/workspace.ts";
import { readConfig } from "../../src/app/composition/config.ts";
import { Failure } from "../../src/base/failure.ts";
import { beginPull, createPullKind } from "../../src/imports/jobs/pull_kind.ts";
import { createSafeFetch } from "../../src/platform/fetch/safe_fetch.ts";
import { resolveBySystem } from "../../src/platform/fetch/fetch_limits.ts";
import { contextFor } from "../../src/platform/store/context.ts";
import { openLeashed } from "../killed_process.ts";
import { createImportRunner } from "./import_runner.ts";

const [dataDir = "", sourceId = ""] = Deno.args;
const { store, clock } = await openLeashed(dataDir, () => new Date());
const config = readConfig((name) => name === "SCRAPE_ALLOW_PRIVATE" ? "127.0.0.1" : undefined);
const safeFetch = createSafeFetch({
  allowed: config.SCRAPE_ALLOW_PRIVATE,
  ports: config.SCRAPE_ALLOW_PORTS,
  userAgent: "Kurant/1.0",
  resolve: resolveBySystem,
  dial: (address, port) => ({ address, port }),
});
const runner = createImportRunner(store, clock, ({ limits }) => [
  createPullKind({ safeFetch, limits }),
]);
for (const { id } of await listWorkspaces(store)) {
  const actor = { type: "system", id: "import_source", name: "test" } as const;
  const ctx = contextFor({ store, clock, requestId: "test" }, id, actor);
  await beginPull(ctx, sourceId).catch((error: unknown) => {
    // An earlier fetch has not ended, and `runner` continues it.
    if (!(error instanceof Failure) || error.code !== "conflict") throw error;
  });
}
await runner.start();
await runner.drain();
await runner.stop();
store.kv.close();
Deno.exit(0);
