/** Runs the imports of a store until all have ended or this process is killed. */
import { openLeashed } from "../killed_process.ts";
import { createImportRunner } from "./import_runner.ts";

const { store, clock } = await openLeashed(Deno.args[0]!, () => new Date());
const runner = createImportRunner(store, clock);
await runner.start();
await runner.drain();
await runner.stop();
store.kv.close();
Deno.exit(0);
