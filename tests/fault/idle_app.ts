/** An app on a folder that answers requests and works on no jobs: what is asked of it waits in the store. */
import { addUser } from "../../src/identity/add_user.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import { type Caller, signIn } from "../caller.ts";
import { serveApp } from "../harness.ts";
import { OWNER } from "../program.ts";

/** The owner of a new store does `work`; a live server on the folder knows that owner afterwards. */
export async function askIdleApp<T>(
  dataDir: string,
  work: (owner: Caller) => Promise<T>,
  env: Record<string, string> = {},
): Promise<T> {
  const store = await openStore({ kvUrl: null, dataDir }, 60_000);
  try {
    await using served = await serveApp({ store, now: () => new Date(), env });
    await served.app.close();
    await addUser({ store, clockwork: served.app.clockwork }, { ...OWNER, role: "owner" });
    const { caller } = await signIn(served.base, OWNER);
    return await work(caller);
  } finally {
    store.kv.close();
  }
}
