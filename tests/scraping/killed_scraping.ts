/** Work of scraping that processes do which are killed on their way. */
import type { WorkspaceStore } from "../../src/platform/store/context.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { killOnTheWay } from "../killed_process.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { SCRAPING_ENV } from "./scraping_app.ts";

export interface KilledWork<Made> {
  readonly kills: number;
  readonly commitsMax: number;
  /** All jobs of scraping, or automatic links. */
  readonly does?: "jobs" | "links";
  /** Of the processes that are killed. */
  readonly env?: Record<string, string>;
  /** Closes the app before it asks for the work, which its own runner would do else. */
  prepare(app: TestApp): Promise<Made>;
  /** After each kill, and after the end. */
  ended(place: WorkspaceStore, made: Made): Promise<void>;
  /** At the end; `starts` are the times of all requests. */
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
  await killOnTheWay({
    path: new URL("crash_child.ts", import.meta.url).pathname,
    args: [dataDir, JSON.stringify(work.env ?? {}), startsPath, work.does ?? "jobs"],
    kills: work.kills,
    commitsMax: work.commitsMax,
    ended: () => look((place) => work.ended(place, made)),
  });
  const starts = (await Deno.readTextFile(startsPath)).trim().split("\n").map(Number);
  await look((place) => work.after(place, made, starts));
}

/**
 * The median time between requests. The pause of a shop counts from before a request, which a busy machine
 * makes later: a single gap may be shorter, and the next one is longer by as much.
 */
export function usualGapMs(starts: readonly number[]): number {
  const gaps = starts.slice(1).map((at, n) => at - (starts[n] ?? at)).toSorted((a, b) => a - b);
  return gaps[gaps.length >> 1] ?? 0;
}

async function prepared<Made>(store: TestApp["store"], { prepare }: KilledWork<Made>) {
  await using app = await startTestApp({ store, env: SCRAPING_ENV, now: () => new Date() });
  return { workspaceId: app.workspaceId, made: await prepare(app) };
}
