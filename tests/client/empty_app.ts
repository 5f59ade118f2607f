/** An app without a single user, as it stands after the very first start. */
import { issueSetupToken } from "../../src/accounts/set_up.ts";
import { serveApp, type ServedApp } from "../harness.ts";

export interface EmptyApp extends ServedApp {
  /** Where the link leads that the start prints. */
  readonly setUpPath: string;
}

export async function startEmptyApp(env: Record<string, string> = {}): Promise<EmptyApp> {
  const served = await serveApp({ env, now: () => new Date() });
  const token = await issueSetupToken({ store: served.store, clock: served.app.clock });
  return { ...served, setUpPath: `/setup#token=${token}` };
}
