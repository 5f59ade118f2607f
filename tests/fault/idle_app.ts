/** An app on a folder that answers requests and works on no jobs: what is asked of it waits in the store. */
import { createApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { addUser } from "../../src/identity/add_user.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import type { Caller } from "../harness.ts";
import { EMAIL, PASSWORD, signIn } from "./live_server.ts";

/** The owner of a new store does `work`; a live server on the folder knows that owner afterwards. */
export async function askIdleApp<T>(
  dataDir: string,
  work: (owner: Caller) => Promise<T>,
): Promise<T> {
  const store = await openStore({ kvUrl: null, dataDir }, 60_000);
  const config = readConfig(() => undefined);
  const app = await createApp({ store, config, now: () => new Date() });
  await app.close();
  const user = { email: EMAIL, password: PASSWORD, role: "owner" } as const;
  await addUser({ store, clockwork: app.clockwork }, user);
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request, info) => app.fetch(request, info),
  );
  try {
    const { owner } = await signIn(`http://127.0.0.1:${server.addr.port}`);
    return await work(owner);
  } finally {
    await server.shutdown();
    store.kv.close();
  }
}
