/** Starts processes that do scraping work, and kills them while they work. */
import type { WorkspaceStore } from "../../src/platform/store/context.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { killOnTheWay } from "../killed_process.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { SCRAPING_ENV } from "./scraping_app.ts";

interface KilledWork<Made> {
  readonly kills: number;
  readonly commitsMax: number;
  readonly env?: Record<string, string>;
  /** The app must be closed before the work is requested; otherwise it would do the work itself. */
  prepare(app: TestApp): Promise<Made>;
  ended(place: WorkspaceStore, made: Made): Promise<void>;
  /** Called when all work is done, with the start times of all requests. */
  after(place: WorkspaceStore, made: Made, starts: readonly number[]): Promise<void>;
}

export async function killOnItsWay<Made>(work: KilledWork<Made>): Promise<void> {
  await using folder = await temporaryFolder();
  const dataDir = folder.path;
  const startsPath = `${dataDir}/starts.txt`;
  const open = () => openStore({ kvUrl: null, dataDir }, 60_000);
  const store = await open();
  const { workspaceId, made } = await prepared(store, work);
  store.kv.close();
  const look = async (does: (place: WorkspaceStore) => Promise<void>) => {
    const opened = await open();
    await does({ store: opened, workspaceId });
    opened.kv.close();
  };
  await Deno.writeTextFile(startsPath, "");
  const env = JSON.stringify({ ...SCRAPING_ENV, ...work.env });
  await killOnTheWay({
    path: new URL("crash_child.ts", import.meta.url).pathname,
    args: [dataDir, env, startsPath],
    kills: work.kills,
    commitsMax: work.commitsMax,
    ended: () => look((place) => work.ended(place, made)),
  });
  const starts = (await Deno.readTextFile(startsPath)).trim().split("\n").map(Number);
  await look((place) => work.after(place, made, starts));
}

/** Returns the median, because a busy machine delays single requests. */
export function usualGapMs(starts: readonly number[]): number {
  const gaps = starts.slice(1).map((at, n) => at - (starts[n] ?? at)).toSorted((a, b) => a - b);
  return gaps[gaps.length >> 1] ?? 0;
}

async function prepared<Made>(store: TestApp["store"], { prepare }: KilledWork<Made>) {
  await using app = await startTestApp({ store, env: SCRAPING_ENV, now: () => new Date() });
  return { workspaceId: app.workspaceId, made: await prepare(app) };
}
