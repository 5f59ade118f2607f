/** An app without any user, as after the first start. */
import { issueSetupToken } from "../../src/accounts/set_up.ts";
import { serveApp } from "../harness.ts";

export async function startEmptyApp(env: Record<string, string> = {}) {
  const served = await serveApp({ env, now: () => new Date() });
  const token = await issueSetupToken({ store: served.store, clock: served.app.clock });
  return { ...served, setUpPath: `/setup#token=${token}` };
}
