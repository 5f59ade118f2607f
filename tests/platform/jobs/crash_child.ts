/** A process that runs the counting jobs of a store until they end, or it is killed or stopped. */
import { openLeashed, workOff } from "../../leashed_jobs.ts";
import { countingKind } from "./counting.ts";

await workOff(await openLeashed(Deno.args[0]!, () => new Date()), [countingKind()]);
