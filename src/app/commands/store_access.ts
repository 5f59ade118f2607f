/** How a command comes to its store; a server also takes the lock, a tool may touch a live file. */
import { createClockwork } from "../../platform/store/create_clockwork.ts";
import { type Config, passStoreToken, readConfig } from "../composition/config.ts";
import type { Tools } from "../../accounts/anonymous.ts";
import { migrationOfTool } from "./migration.ts";
import { openStore, storeFile, type StoreLocation } from "../../platform/store/open_store.ts";
import { asTornFile } from "../../platform/store/store_file.ts";

/** How long a tool waits for a file that a server is writing to (docs/decisions/running.md). */
const TOOL_BUSY_MS = 30_000;

/** A remote store before a file; on Deno Deploy the platform's own store before a file. */
export function storeLocation(config: Config): StoreLocation {
  const hasFile = config.KV_URL === null && config.DENO_DEPLOYMENT_ID === null;
  return { kvUrl: config.KV_URL, dataDir: hasFile ? config.DATA_DIR : null };
}

/**
 * Gives a tool the store that the environment names, with a clock and ids, and closes it
 * afterwards.
 */
export async function withTools<T>(work: (tools: Tools) => Promise<T>): Promise<T> {
  const config = readConfig();
  passStoreToken(config);
  const location = storeLocation(config);
  const store = await openStore(location, TOOL_BUSY_MS, migrationOfTool(location));
  try {
    return await work({ store, clockwork: await createClockwork(store, () => new Date()) });
  } catch (error) {
    throw location.dataDir === null ? error : asTornFile(storeFile(location.dataDir).kvPath, error);
  } finally {
    store.kv.close();
  }
}
