/** An app on a folder that answers requests but runs no jobs: created jobs wait in the store. */
import { openStore } from "../../src/platform/store/open_store.ts";
import { type Caller, createCaller } from "../caller.ts";
import { serveApp } from "../harness.ts";
import { newOwnerSession } from "../owner_session.ts";

/** Runs `work` as the owner of a new store. A live server on the folder knows that owner afterwards. */
export async function askIdleApp<T>(
  dataDir: string,
  work: (owner: Caller) => Promise<T>,
  env: Record<string, string> = {},
): Promise<T> {
  const store = await openStore({ kvUrl: null, dataDir }, 60_000);
  try {
    await using served = await serveApp({ store, now: () => new Date(), env });
    await served.app.close();
    return await work(createCaller(served.base, { Cookie: await newOwnerSession(store) }));
  } finally {
    store.kv.close();
  }
}
