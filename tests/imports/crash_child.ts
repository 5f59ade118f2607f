/** A process that runs the imports of a store until all have ended or the process is killed. */
import { createClock } from "../../src/platform/store/context.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import { leashedStore } from "../killed_process.ts";
import { createImportRunner } from "./import_runner.ts";

const store = leashedStore(await openStore({ kvUrl: null, dataDir: Deno.args[0]! }, 60_000));
const runner = createImportRunner(store, await createClock(store, () => new Date()));
await runner.start();
await runner.drain();
await runner.stop();
store.kv.close();
Deno.exit(0);
