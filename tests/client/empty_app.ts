/** An app without a single user, as it stands after the very first start. */
import { createApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { issueSetupToken } from "../../src/identity/set_up.ts";
import { openStore } from "../../src/platform/store/open_store.ts";

export interface EmptyApp extends AsyncDisposable {
  readonly base: string;
  /** Where the link leads that the start prints. */
  readonly setUpPath: string;
}

export async function startEmptyApp(env: Record<string, string> = {}): Promise<EmptyApp> {
  const dataDir = await Deno.makeTempDir({ prefix: "kurant-test-" });
  const store = await openStore({ kvUrl: null, dataDir }, 5_000);
  const app = await createApp({
    store,
    config: readConfig((name) => env[name]),
    now: () => new Date(),
  });
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request, info) => app.fetch(request, info),
  );
  const token = await issueSetupToken({ store, clockwork: app.clockwork });
  return {
    base: `http://127.0.0.1:${server.addr.port}`,
    setUpPath: `/setup#token=${token}`,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await app.close();
      store.kv.close();
      await Deno.remove(dataDir, { recursive: true });
    },
  };
}
