/** A process that works on the counting jobs of a store until they are done, it is killed, or told to stop. */
import { createJobRunner } from "../../../src/platform/job_runner.ts";
import { roomLog } from "../../../src/platform/log.ts";
import { openStore } from "../../../src/platform/open_store.ts";
import { countingKind, createTestClock } from "./counting.ts";

const store = await openStore({ kvUrl: null, dataDir: Deno.args[0]! }, 5_000);
const clock = createTestClock();
const clockwork = { ...clock, now: () => new Date() };
const kind = countingKind({ slotsPerWorkspace: 4 }, ({ args, cursor }) => {
  if (args.poisonAt !== null && args.poisonAt === cursor) Deno.kill(Deno.pid, "SIGKILL");
});
const boot = clock.newId();
const runner = createJobRunner({ store, clockwork, boot, kinds: [kind], log: roomLog("jobs") });
Deno.addSignalListener("SIGTERM", async () => {
  await runner.stop();
  store.kv.close();
  Deno.exit(0);
});
await runner.start();
Deno.stdout.writeSync(new TextEncoder().encode("working\n"));
await runner.drain();
await runner.stop();
store.kv.close();
Deno.exit(0);
