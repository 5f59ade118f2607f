/**
 * Runs a day's work on an imitation of Deno Deploy, which suspends the process between requests.
 * The process is also killed repeatedly, and each effect must happen exactly once. While the test
 * waits, only cron entries are called, so they alone must continue the work.
 */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { stdout } from "node:process";
import { listWorkspaces } from "../../src/accounts/workspace.ts";
import { hasEnded } from "../../src/platform/jobs/job.ts";
import { findJob } from "../../src/platform/jobs/job_store.ts";
import type { Store } from "../../src/platform/store/kv.ts";
import { newSecretKey } from "../../src/platform/store/secret_store.ts";
import { createCaller } from "../caller.ts";
import { newOwnerSession } from "../owner_session.ts";
import { pause, repeatedly, until } from "../patience.ts";
import { findingsOf } from "../program.ts";
import { extent, IS_LONG } from "../proof.ts";
import { inFolderWithDenokv, startDenokv } from "../stores.ts";
import { DeployPlatform } from "./deploy_platform.ts";
import {
  isWorkedOff,
  observationsOf,
  openScene,
  type Prepared,
  PUSHED,
  SCENE_SETTINGS,
} from "./scale_out_scene.ts";

const ITEMS = extent(20_000, 200);
/** Pause between two calls of the cron entries; on Deno Deploy it is a minute. */
const MINUTE_MS = 1_000;
/** Short test runs kill `KILLS` + 1 times, and long test runs kill every `KILL_EVERY_MS`. */
const KILLS = extent(2, 1);
const COMMITS_MAX = 60;
const KILL_EVERY_MS = 30_000;
const MEMORY_MB_MAX = 400;
const PATIENCE_MS = 1_800_000;

inFolderWithDenokv.test("on a platform without disk, Workers, queues and a steady process all work completes, each effect once", async (folder) => {
  await using scene = await openScene(startDenokv);
  const { kv, store } = scene;
  const SECRET_KEY = newSecretKey();
  await using platform = new DeployPlatform(kv, { ...SCENE_SETTINGS, SECRET_KEY });
  const owner = createCaller(platform.url, { Cookie: await newOwnerSession(store) });
  await using minutes = repeatedly(async () => {
    await platform.callEntry();
    await pause(MINUTE_MS);
  });
  const prepared = await scene.prepare(owner, ITEMS);
  const begun = performance.now();
  await push(platform, prepared);
  const kills = await killUntilDone(platform, () => isDone(store, prepared.jobId));
  const seconds = Math.round((performance.now() - begun) / 1_000);
  await minutes[Symbol.asyncDispose]();
  await prepared.requireAnswers(owner);
  assertEquals(await platform.stop(), 0);
  await prepared.requireEffects();
  assertEquals(platform.complaints, []);
  const settings = { KV_URL: kv.url, DENO_KV_ACCESS_TOKEN: kv.token, SECRET_KEY };
  assertEquals(await findingsOf(folder.path, settings), "");
  const { memoryMb, starts, calls } = platform;
  stdout.write(
    `${ITEMS} records in ${seconds} s: ${kills} kills, ${starts} starts, ${calls} calls of the ` +
      `entry answered, at most ${Math.round(memoryMb)} MB\n`,
  );
  ok(memoryMb <= MEMORY_MB_MAX, `${memoryMb} MB`);
});

/** Pushes prices, and repeats the push if the process was killed. */
async function push(platform: DeployPlatform, { pusher }: Prepared): Promise<void> {
  const observations = observationsOf(0, PUSHED, new Date().toISOString());
  for (;;) {
    const answer = await pusher(platform.url).post("/api/public/v1/observations", { observations });
    await answer.body?.cancel();
    if (answer.status === 200) return;
    assertEquals(answer.status, 502);
  }
}

async function isDone(store: Store, jobId: string): Promise<boolean> {
  await pause(MINUTE_MS);
  const [workspace] = await listWorkspaces(store);
  const job = await findJob({ store, workspaceId: workspace?.id ?? "" }, "import", jobId);
  return job !== null && hasEnded(job) && await isWorkedOff(store);
}

async function killUntilDone(platform: DeployPlatform, isDone: () => Promise<boolean>) {
  const done = until("nothing is left to do", isDone, PATIENCE_MS).then(() => true);
  const isDoneBefore = async (next: Promise<unknown>) =>
    await Promise.race([done, next.then(() => false)]);
  let kills = 0;
  while (IS_LONG ? !await isDoneBefore(pause(KILL_EVERY_MS)) : kills < KILLS) {
    await platform.kill(IS_LONG ? null : 1 + Math.ceil(Math.random() * COMMITS_MAX));
    kills++;
    if (!IS_LONG) await isDoneBefore(platform.spent());
  }
  if (!IS_LONG) await platform.kill(null);
  await done;
  return IS_LONG ? kills : kills + 1;
}
