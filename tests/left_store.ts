/**
 * Opens a store's folder in this process, before or after a test runs other processes on the
 * folder. Starting the app in this process takes a fifth of the time of starting a server.
 */

import { openStoreIn } from "./closing_store.ts";
import { findDisagreements } from "../src/app/commands/check_store.ts";
import { type Caller, createCaller } from "./caller.ts";
import { serveApp, type ServedApp } from "./harness.ts";
import { newOwnerSession } from "./owner_session.ts";

/** Calls `work` with a caller that is signed in as owner. No jobs run meanwhile. */
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

/** Like `askIdleStore()`, but jobs run. Fails if `check-store` then finds a fault in the store. */
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
