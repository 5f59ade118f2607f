/**
 * Prepares and checks the store of a folder whose programs run in other processes. Starting a
 * server process and hashing a password would take five times as long.
 */

import { openStoreIn } from "./closing_store.ts";
import { findDisagreements } from "../src/app/commands/check_store.ts";
import { type Caller, createCaller } from "./caller.ts";
import { serveApp, type ServedApp } from "./harness.ts";
import { newOwnerSession } from "./owner_session.ts";

/** Runs `work` as the owner of an app that runs no jobs; the test runs them instead. */
export function askIdleStore<T>(
  dataDir: string,
  work: (owner: Caller) => Promise<T>,
  env: Record<string, string> = {},
): Promise<T> {
  return withApp(dataDir, env, async (served) => {
    await served.app.close();
    return await work(await ownerOf(served));
  });
}

/**
 * Runs `work` as the owner of an app that runs jobs, then requires that no rows of the store
 * contradict each other.
 */
export function askLeftStore<T>(
  dataDir: string,
  work: (owner: Caller) => Promise<T>,
  env: Record<string, string> = {},
): Promise<T> {
  return withApp(dataDir, env, async (served) => {
    const answer = await work(await ownerOf(served));
    await served.app.close();
    const found = await Array.fromAsync(findDisagreements(served.store));
    if (found.length > 0) throw new Error(found.join("\n"));
    return answer;
  });
}

async function withApp<T>(
  dataDir: string,
  env: Record<string, string>,
  work: (served: ServedApp) => Promise<T>,
): Promise<T> {
  using store = await openStoreIn(dataDir);
  await using served = await serveApp({ store, now: () => new Date(), env });
  return await work(served);
}

async function ownerOf({ base, store }: ServedApp): Promise<Caller> {
  return createCaller(base, { Cookie: await newOwnerSession(store) });
}
