/** Runs work in child processes on a file store, and kills some of them. */
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
  readonly args: readonly string[];
  readonly kills: number;
  /** Called after each kill and at the end, to check the store. */
  readonly ended?: (store: Store) => Promise<void>;
}

/** Counts the work's commits on a copy of the store, then kills it at early and late commits. */
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
