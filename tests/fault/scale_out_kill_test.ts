import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { Store } from "../../src/platform/store/kv.ts";
import { bodyOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { errorLines, findingsOf, type LiveServer, startLiveServer } from "../program.ts";
import { inFolderWithDenokv } from "../stores.ts";
import {
  isWorkedOff,
  ITEMS,
  observationsOf,
  openScene,
  type Prepared,
  PUSHED,
  SCENE_SETTINGS,
} from "./scale_out_scene.ts";
import { type ComposedServer, composedStore } from "./compose_services.ts";
import { extent } from "../proof.ts";
import { pause, until } from "../patience.ts";

/** An even number, so that both servers are killed equally often. */
const KILLS = extent(6, 2);
/** Before each kill, the import reads up to this many further records. */
const FURTHER_MAX = ITEMS / 10;
const RHYTHM_MS = 10_000;
const POLL_MS = 50;
/** The wait is long: a job of a killed server continues only when its lease has expired. */
const END_POLL_MS = 1_000;
const PATIENCE_MS = 1_800_000;

inFolderWithDenokv.test(`the two servers of deploy/compose.yaml on one store, each killed ${KILLS / 2} times in the middle of an import, a scrape and an evaluation, cause every effect once`, async (folder) => {
  const { servers, startKv } = await composedStore(folder.path);
  await using scene = await openScene(startKv);
  const { kv, store } = scene;
  const settings = { KV_URL: kv.url, DENO_KV_ACCESS_TOKEN: kv.token };
  await using started = new AsyncDisposableStack();
  const start = async (server: ComposedServer) => {
    const all = { ...server.settings, ...settings, ...SCENE_SETTINGS };
    return { server, live: started.use(await startLiveServer(folder.path, all, server.launch)) };
  };
  const [one, other] = servers;
  assertEquals(servers.length, 2);
  let [victim, survivor] = [await start(one!), await start(other!)];
  const prepared = await scene.prepare(survivor.live.owner, ITEMS);
  const errors: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    await untilFurther(survivor.live.owner, prepared.jobId);
    errors.push(...await killWhilePushing(victim.live, survivor.live, prepared, kill));
    // The servers swap roles: the restarted one survives the next round.
    [victim, survivor] = [survivor, await start(victim.server)];
  }
  const { owner } = survivor.live;
  await untilDone(store, owner, prepared.jobId);
  await prepared.requireAnswers(owner);
  for (const { live } of [victim, survivor]) {
    const { code, err } = await live.stop("SIGTERM");
    assertEquals(code, 0, err);
    errors.push(...errorLines(err));
  }
  assertEquals(errors, []);
  await prepared.requireEffects();
  assertEquals(await findingsOf(folder.path, { ...one?.settings, ...settings }), "");
});

/**
 * Kills the victim while it receives a push of prices. If it does not answer, the survivor gets the
 * push. Returns the victim's log lines with errors.
 */
async function killWhilePushing(
  victim: LiveServer,
  survivor: LiveServer,
  prepared: Prepared,
  round: number,
): Promise<string[]> {
  const share = PUSHED / KILLS;
  const now = new Date().toISOString();
  const observations = observationsOf(round * share, (round + 1) * share, now);
  const push = async (url: string) => {
    const answer = prepared.pusher(url).post("/api/public/v1/observations", { observations });
    assertEquals((await bodyOf(answer, 200)).data.rejected, 0);
  };
  const pushed = push(victim.url).then(() => true, (error) => {
    if (error instanceof TypeError) return false;
    throw error;
  });
  const { err } = await victim.crash();
  if (!await pushed) await push(survivor.url);
  return errorLines(err);
}

async function untilFurther(owner: Caller, jobId: string): Promise<void> {
  const begin = (await jobOf(owner, jobId)).progress.processed;
  const further = Math.random() * FURTHER_MAX;
  const nextAt = performance.now() + RHYTHM_MS;
  while (performance.now() < nextAt) {
    const { progress: { processed } } = await jobOf(owner, jobId);
    if (processed - begin >= further) return;
    await pause(POLL_MS);
  }
}

const jobOf = (owner: Caller, jobId: string) => owner.read(`/api/imports/${jobId}`);

async function untilDone(store: Store, owner: Caller, jobId: string): Promise<void> {
  const isDone = async () => {
    await pause(END_POLL_MS);
    const { status } = await jobOf(owner, jobId);
    return status !== "queued" && status !== "running" && await isWorkedOff(store);
  };
  await until("nothing is left to do", isDone, PATIENCE_MS);
}
