/** Runs the imports of a store until all have ended or this process is killed. */
import { openLeashed, workOff } from "../killed_process.ts";
import { importKinds } from "./import_runner.ts";

await workOff(await openLeashed(Deno.args[0]!, () => new Date()), importKinds());
