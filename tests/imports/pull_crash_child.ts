/**
 * Fetches a source's file and runs jobs until none is left. If it was killed before, it continues
 * the unfinished fetch or fetches the file again.
 */

import { listWorkspaces } from "../../src/accounts/workspace.ts";
import { readConfig } from "../../src/app/composition/config.ts";
import { guardedFetch, importDeps } from "../../src/app/composition/room_deps.ts";
import { Failure } from "../../src/base/failure.ts";
import { beginPull, createPullKind } from "../../src/imports/jobs/pull_kind.ts";
import { contextFor } from "../../src/platform/store/context.ts";
import { openLeashed, workOff } from "../killed_process.ts";
import { importKinds } from "./import_runner.ts";

const [dataDir = "", sourceId = ""] = Deno.args;
const opened = await openLeashed(dataDir, () => new Date());
for (const { id } of await listWorkspaces(opened.store)) {
  const actor = { type: "system", id: "import_source", name: "test" } as const;
  const ctx = contextFor({ ...opened, requestId: "test" }, id, actor);
  await beginPull(ctx, sourceId).catch((error: unknown) => {
    // `conflict` means that an earlier fetch is unfinished; the job of that fetch continues it.
    if (!(error instanceof Failure) || error.code !== "conflict") throw error;
  });
}
const config = readConfig((name) => name === "SCRAPE_ALLOW_PRIVATE" ? "127.0.0.1" : undefined);
const { limits } = importDeps(config, () => {});
const pullKind = createPullKind({ safeFetch: guardedFetch(config, "Kurant/1.0"), limits });
await workOff(opened, [...importKinds(), pullKind]);
