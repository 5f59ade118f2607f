/** A process that runs the counting jobs of a store until they end, or it is killed or stopped. */
import { JobRunner } from "../../../src/platform/jobs/job_runner.ts";
import { roomLog } from "../../../src/platform/log.ts";
import { openStore } from "../../../src/platform/store/open_store.ts";
import { leashedStore } from "../../killed_process.ts";
import { countingKind, createTestClock } from "./counting.ts";

const store = leashedStore(await openStore({ kvUrl: null, dataDir: Deno.args[0]! }, 60_000));
const clock = createTestClock();
const appClock = { ...clock, now: () => new Date() };
const kinds = [countingKind()];
const boot = clock.newId();
const runner = new JobRunner({ store, clock: appClock, boot, kinds, log: roomLog("jobs") });
const told = Promise.withResolvers<void>();
Deno.addSignalListener("SIGTERM", () => told.resolve());
await runner.start();
await Promise.race([runner.drain(), told.promise]);
await runner.stop();
store.kv.close();
Deno.exit(0);
