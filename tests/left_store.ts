/**
 * Prepares and inspects the store of a folder whose programs run in other processes. No server is started
 * and no password is hashed, which would take five times as long.
 */

import { chooseWorkspace } from "../src/accounts/add_user.ts";
import { SESSION_COOKIE } from "../src/accounts/sessions/session.ts";
import { beginSession } from "../src/accounts/sessions/sign_in.ts";
import { addUserRows } from "../src/accounts/users/user.ts";
import { findDisagreements } from "../src/app/commands/check_store.ts";
import { transact } from "../src/platform/store/kv.ts";
import { openStore } from "../src/platform/store/open_store.ts";
import { type Caller, createCaller } from "./caller.ts";
import { serveApp, type ServedApp } from "./harness.ts";

const BUSY_TIMEOUT_MS = 60_000;

/** Runs `work` as the owner with an app that answers requests but runs no jobs. */
export function askIdleStore<T>(
  dataDir: string,
  work: (owner: Caller) => Promise<T>,
  env: Record<string, string> = {},
): Promise<T> {
  return withApp(dataDir, env, async (served) => {
    await served.app.close();
    return await work(await newOwner(served));
  });
}

/** Runs `work` as the owner with an app that also runs jobs, then requires a consistent store. */
export function askLeftStore<T>(
  dataDir: string,
  work: (owner: Caller) => Promise<T>,
  env: Record<string, string> = {},
): Promise<T> {
  return withApp(dataDir, env, async (served) => {
    const answer = await work(await newOwner(served));
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
  const store = await openStore({ kvUrl: null, dataDir }, BUSY_TIMEOUT_MS);
  try {
    await using served = await serveApp({ store, now: () => new Date(), env });
    return await work(served);
  } finally {
    store.kv.close();
  }
}

/** Adds an owner to the existing workspace, or to a first one. */
async function newOwner({ base, store, app: { clock } }: ServedApp): Promise<Caller> {
  const token = await transact({ store }, async (write) => {
    const id = clock.newId();
    const user = {
      id,
      workspaceId: (await chooseWorkspace({ store, clock }, write, undefined)).id,
      email: `owner-${id}@shop.example`,
      role: "owner",
      passwordHash: "unusable",
      sessionGeneration: 0,
      createdAt: clock.now().toISOString(),
    } as const;
    addUserRows(write, user);
    return beginSession(write, user, clock.now());
  });
  return createCaller(base, { Cookie: `${SESSION_COOKIE}=${token}` });
}
