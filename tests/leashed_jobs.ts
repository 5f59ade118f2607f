/** Runs jobs in processes that tests kill. */
import { hasEnded } from "../src/platform/jobs/job.ts";
import { JobRunner } from "../src/platform/jobs/job_runner.ts";
import { jobs } from "../src/platform/jobs/job_store.ts";
import { roomLog } from "../src/platform/log.ts";
import { createClock } from "../src/platform/store/context.ts";
import { openStore } from "../src/platform/store/open_store.ts";
import { leashedStore } from "./killed_process.ts";
import { until } from "./patience.ts";

export async function openLeashed(dataDir: string, now: () => Date) {
  const store = leashedStore(await openStore({ kvUrl: null, dataDir }, 60_000));
  return { store, clock: await createClock(store, now) };
}

/** Runs the jobs of these kinds, and ends the process when none is left, or at SIGTERM. */
export async function workOff(
  { store, clock }: Awaited<ReturnType<typeof openLeashed>>,
  kinds: ConstructorParameters<typeof JobRunner>[0]["kinds"],
): Promise<never> {
  const boot = clock.newId();
  const runner = new JobRunner({ store, clock, boot, kinds, log: roomLog("test") });
  const told = Promise.withResolvers<void>();
  Deno.addSignalListener("SIGTERM", () => told.resolve());
  await runner.start();
  const done = until("no job is left", async () => {
    const all = await Array.fromAsync(jobs.walkAll(store));
    return all.every(({ row }) => hasEnded(row) || !kinds.some(({ kind }) => kind === row.kind));
  });
  await Promise.race([done, told.promise]);
  await runner.stop();
  store.kv.close();
  Deno.exit(0);
}
