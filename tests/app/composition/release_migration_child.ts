/** A child process that migrates the store at a path to the current layout. */
import { MIGRATION_STEPS } from "../../../src/app/commands/store_access.ts";
import { migrateStore, openStoreFile } from "../../../src/platform/store/open_store.ts";
import { leashedStore } from "../../killed_process.ts";

const [path = ""] = Deno.args;
const store = await openStoreFile(path, 5_000, async (older) => {
  const owner = crypto.randomUUID();
  const setup = { owner, now: () => new Date(), backUp: null, say: () => {} };
  await migrateStore(leashedStore(older), { ...setup, steps: MIGRATION_STEPS });
});
store.kv.close();
