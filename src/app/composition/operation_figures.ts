/** Figures of /metrics about operating: ages of jobs, backup and restore drill, seals of the audit log. */
import { findLastSeal, oldestUnsealedMs } from "../../accounts/audit/audit_seal_store.ts";
import { eachWorkspace } from "../../accounts/each_workspace.ts";
import { countJobs } from "../../platform/jobs/job_store.ts";
import type { Figure } from "../../platform/metrics.ts";
import type { Store } from "../../platform/store/kv.ts";
import { backupMark, drillMark, readMark } from "./operation_marks.ts";

/** Counting reads each row, so larger queues are not read to their end. */
const QUEUED_MAX = 10_000;

/** `dataDir` is the folder of a store that is a file; without one there is no backup to tell of. */
export function operationFigures(
  store: Store,
  dataDir: string | null,
  now: () => Date,
): readonly Figure[] {
  const ageOf = (atMs: number) => Math.max(0, (now().getTime() - atMs) / 1_000);
  const age = (at: string | undefined) =>
    at === undefined ? [] : [[ageOf(Date.parse(at))] as const];
  return [{
    name: "kurant_job_age_seconds",
    help: "How long the oldest job of a kind has waited beyond its time, or has run",
    labels: ["kind", "status"],
    async read() {
      const counts = await countJobs(store, QUEUED_MAX);
      return counts.map(({ kind, status, sinceMs }) => [kind, status, ageOf(sinceMs)] as const);
    },
  }, {
    name: "kurant_backup_age_seconds",
    help: "Age of the last backup that was checked and found good",
    read: async () => age((await readMark(dataDir, backupMark))?.at),
  }, {
    name: "kurant_drill_age_seconds",
    help: "Age of the last restore drill",
    read: async () => age((await readMark(dataDir, drillMark))?.at),
  }, {
    name: "kurant_drill_sound",
    help: "1 if the last restore drill found a good backup, else 0",
    async read() {
      const mark = await readMark(dataDir, drillMark);
      return mark === null ? [] : [[mark.isSound ? 1 : 0] as const];
    },
  }, {
    name: "kurant_audit_seals",
    help: "Seals of the audit log",
    async read() {
      let count = 0;
      await eachWorkspace(store, "kurant_audit_seals", async (workspace) => {
        count += (await findLastSeal(workspace))?.number ?? 0;
      });
      return count;
    },
  }, {
    name: "kurant_audit_unsealed_seconds",
    help: "Age of the oldest audit row without a seal; 0 if all have one",
    async read() {
      let oldest = 0;
      await eachWorkspace(store, "kurant_audit_unsealed_seconds", async (workspace) => {
        oldest = Math.max(oldest, ageOf(await oldestUnsealedMs(workspace) ?? Infinity));
      });
      return oldest;
    },
  }];
}
