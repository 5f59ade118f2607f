/**
 * The two servers of `deploy/compose.yaml` share a KV Connect store and are killed in turn while they
 * work: each effect happens once.
 */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { Store } from "../../src/platform/store/kv.ts";
import { bodyOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { requireEachProduct, requireExactStats } from "../imports/numbered_items.ts";
import { testNeeding } from "../needing.ts";
import { findingsOf, type LiveServer, startLiveServer } from "../program.ts";
import { MISSING_DENOKV } from "../stores.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import {
  isWorkedOff,
  requireEachEvent,
  requireEachRowOnce,
  requireEachRun,
} from "./scale_out_checks.ts";
import {
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
/** The maximum random progress of the import before the next kill. */
const FURTHER_MAX = ITEMS / 10;
const RHYTHM_MS = 10_000;
const POLL_MS = 50;
/** Polls the end more rarely, because a killed server's job continues only after its lease. */
const END_POLL_MS = 1_000;
const PATIENCE_MS = 1_800_000;

testNeeding(MISSING_DENOKV, {
  name: `two servers on one store, each killed ${KILLS / 2} times in the middle of an import, ` +
    "a scrape and an evaluation, cause every effect once",
  async fn() {
    await using folder = await temporaryFolder();
    const { servers, startKv } = await composedStore(folder.path);
    await using scene = await openScene(startKv);
    const { kv, store, receiver } = scene;
    const settings = { KV_URL: kv.url, DENO_KV_ACCESS_TOKEN: kv.token };
    await using pair = new Pair(folder.path, { ...settings, ...SCENE_SETTINGS });
    await pair.start(servers);
    const prepared = await scene.prepare(pair.survivor.owner, ITEMS);
    for (let kill = 0; kill < KILLS; kill++) await killInRound(pair, prepared, kill);
    await untilDone(store, pair.survivor.owner, prepared.jobId);
    await requireExactStats(pair.survivor.owner, prepared.jobId, ITEMS);
    await requireEachProduct(pair.survivor.owner, ITEMS);
    await requireEachRun(pair.survivor.owner);
    assertEquals(await pair.stop(), []);
    await requireEachRowOnce(store);
    requireEachEvent(receiver, prepared.jobId);
    const found = await findingsOf(folder.path, { ...servers[0]?.settings, ...settings });
    assertEquals(found, "");
  },
});

interface Member {
  readonly server: ComposedServer;
  readonly live: LiveServer;
}

/** Two servers; one is killed while the other goes on. */
class Pair implements AsyncDisposable {
  readonly #begin: (server: ComposedServer) => Promise<Member>;
  readonly #complaints: string[] = [];
  #members: readonly Member[] = [];

  constructor(folder: string, more: Record<string, string>) {
    this.#begin = async (server) => {
      const { settings, launch } = server;
      return { server, live: await startLiveServer(folder, { ...settings, ...more }, launch) };
    };
  }

  async start(servers: readonly ComposedServer[]): Promise<void> {
    for (const server of servers) this.#members = [...this.#members, await this.#begin(server)];
    assertEquals(this.#members.length, 2);
  }

  get victim(): LiveServer {
    return this.#members[0]!.live;
  }

  get survivor(): LiveServer {
    return this.#members[1]!.live;
  }

  /** Kills the victim and starts it again. It is the survivor of the next round. */
  async killVictim(): Promise<void> {
    const [victim, survivor] = this.#members;
    const { err } = await victim!.live.crash();
    this.#listen(err);
    this.#members = [survivor!, await this.#begin(victim!.server)];
  }

  /** Stops both normally; returns all error lines of all logs. */
  async stop(): Promise<readonly string[]> {
    for (const { live } of this.#members) {
      const { code, err } = await live.stop("SIGTERM");
      assertEquals(code, 0, err);
      this.#listen(err);
    }
    this.#members = [];
    return this.#complaints;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { live } of this.#members) await live[Symbol.asyncDispose]();
  }

  #listen(log: string): void {
    this.#complaints.push(...log.split("\n").filter((line) => line.includes('"level":"error"')));
  }
}

/** Pushes prices to the server that is then killed, and again to the other one if there was no response. */
async function killInRound(pair: Pair, prepared: Prepared, round: number): Promise<void> {
  const share = PUSHED / KILLS;
  const now = new Date().toISOString();
  const observations = observationsOf(round * share, (round + 1) * share, now);
  const push = async (url: string) => {
    const answer = prepared.pusher(url).post("/api/public/v1/observations", { observations });
    assertEquals((await bodyOf(answer, 200)).data.rejected, 0);
  };
  const { survivor, victim } = pair;
  await untilFurther(survivor.owner, prepared.jobId);
  const pushed = push(victim.url).then(() => true, (error) => {
    // A killed server gives no response; any other error fails the test.
    if (error instanceof TypeError) return false;
    throw error;
  });
  await pair.killVictim();
  if (!await pushed) await push(survivor.url);
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

function jobOf(owner: Caller, jobId: string) {
  return owner.read(`/api/imports/${jobId}`);
}

/** Waits for the import, and until no visit, event, evaluation or delivery is left. */
async function untilDone(store: Store, owner: Caller, jobId: string): Promise<void> {
  const isDone = async () => {
    await pause(END_POLL_MS);
    const { status } = await jobOf(owner, jobId);
    return status !== "queued" && status !== "running" && await isWorkedOff(store);
  };
  await until("nothing is left to do", isDone, PATIENCE_MS);
}
