/** A child process that runs jobs: simulating rules, queueing or counting products. */
import { createRejudgeKind } from "../../../src/rules/evaluation/rejudge_job.ts";
import { createSimulationKind } from "../../../src/rules/evaluation/simulation_store.ts";
import { createStandingKind } from "../../../src/rules/evaluation/rule_stats.ts";
import { openLeashed, workOff } from "../../killed_process.ts";

const [dataDir = "", , now = "", perStep = ""] = Deno.args;
await workOff(await openLeashed(dataDir, () => new Date(now)), [
  createSimulationKind(Number(perStep)),
  createRejudgeKind(Number(perStep)),
  createStandingKind(),
]);
