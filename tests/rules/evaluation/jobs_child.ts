/**
 * A process that runs three kinds of jobs: simulations, counts for each rule, and jobs that queue
 * products. It ends when no job is left, or is killed.
 */
import { createClock } from "../../../src/platform/store/context.ts";
import { createRejudgeKind } from "../../../src/rules/evaluation/rejudge_job.ts";
import { createSimulationKind } from "../../../src/rules/evaluation/simulation_store.ts";
import { createStandingKind } from "../../../src/rules/evaluation/standing_job.ts";
import { hasEnded } from "../../../src/platform/jobs/job.ts";
import { JobRunner } from "../../../src/platform/jobs/job_runner.ts";
import { jobs } from "../../../src/platform/jobs/job_store.ts";
import { roomLog } from "../../../src/platform/log.ts";
import { openStore } from "../../../src/platform/store/open_store.ts";
import { leashedStore } from "../../killed_process.ts";
import { until } from "../../patience.ts";

const [dataDir = "", , now = "", perStep = ""] = Deno.args;
const opened = await openStore({ kvUrl: null, dataDir }, 60_000);
const clock = await createClock(opened, () => new Date(now));
const runner = new JobRunner({
  store: leashedStore(opened),
  clock,
  boot: clock.newId(),
  kinds: [
    createSimulationKind(Number(perStep)),
    createRejudgeKind(Number(perStep)),
    createStandingKind(),
  ],
  log: roomLog("test"),
});
await runner.start();
await until("no job is left", async () => {
  const all = await Array.fromAsync(jobs.walkAll(opened));
  const kinds = ["simulation", "rejudge", "rule_standing"];
  return all.filter(({ row: { kind } }) => kinds.includes(kind)).every(({ row }) => hasEnded(row));
});
await runner.stop();
opened.kv.close();
Deno.exit(0);
