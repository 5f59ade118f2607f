/** Runs work on a file store in child processes, some of which are killed before the end. */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { findDisagreements } from "../../src/app/commands/check_store.ts";
import type { Store } from "../../src/platform/store/kv.ts";
import { openStoreIn } from "../closing_store.ts";
import { commitsPerKill, countCommits, killOnTheWay } from "../killed_process.ts";

export async function opened<T>(dataDir: string, work: (store: Store) => Promise<T>): Promise<T> {
  using store = await openStoreIn(dataDir);
  return await work(store);
}

interface KilledWork {
  readonly child: URL;
  readonly dataDir: string;
  /** Arguments of the child after the folder of the store. */
  readonly args: readonly string[];
  readonly kills: number;
  /** Checks the store after each kill, and after the work has ended. */
  readonly ended?: (store: Store) => Promise<void>;
}

/** Spreads the kills evenly over the commits of the work, as counted on a copy of the store. */
export async function workAndKill({ child, dataDir, args, kills, ended }: KilledWork) {
  const programOn = (folder: string) => ({ path: child.pathname, args: [folder, ...args] });
  const commits = await countCommits(dataDir, programOn);
  ok(commits > 2 * kills, `${commits} commits`);
  await killOnTheWay({
    ...programOn(dataDir),
    kills,
    commitsMax: commitsPerKill(commits, kills),
    ended: async () => {
      if (ended) await opened(dataDir, ended);
    },
  });
}

export async function assertWhole({ store }: { readonly store: Store }): Promise<void> {
  assertEquals(await Array.fromAsync(findDisagreements(store)), []);
}
