import { listJobs } from "../../platform/jobs/job_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { IMPORT_KIND, type ImportJob, isUndo, type QueuedImport } from "../state/import_job.ts";

const JOBS_PER_PAGE = 50;

/** The newest import that succeeded for real; null where none ever did. */
export async function findLastImport(workspace: WorkspaceStore): Promise<ImportJob | null> {
  for (let afterId: string | null = null;;) {
    const page: { jobs: QueuedImport[]; nextId: string | null } = await listJobs<QueuedImport>(
      workspace,
      { kind: IMPORT_KIND, limit: JOBS_PER_PAGE, afterId, order: "newest" },
    );
    const found = page.jobs.find((job): job is ImportJob =>
      !isUndo(job) && job.status === "succeeded" && !job.args.isDryRun
    );
    if (found || page.nextId === null) return found ?? null;
    afterId = page.nextId;
  }
}

/** When the import succeeded; one that never came counts from the workspace's beginning. */
export function importedAt(last: ImportJob | null, { createdAt }: { createdAt: string }): string {
  return last ? last.finishedAt ?? last.createdAt : createdAt;
}
