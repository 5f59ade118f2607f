import { listJobs } from "../../platform/jobs/job_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { IMPORT_KIND, type ImportJob, isUndo, type QueuedImport } from "../state/import_job.ts";

const JOBS_PER_PAGE = 50;

/** The newest import that succeeded for real; null where none ever did. */
export async function findLastImport(workspace: WorkspaceStore): Promise<ImportJob | null> {
  for await (const job of newestImports(workspace, null, JOBS_PER_PAGE)) {
    if (!isUndo(job) && job.status === "succeeded" && !job.args.isDryRun) return job;
  }
  return null;
}

/** Imports behind one of them, or all, newest first; `limit` are read at a time. */
export async function* newestImports(
  workspace: WorkspaceStore,
  behindId: string | null,
  limit: number,
): AsyncGenerator<QueuedImport> {
  for (let afterId = behindId;;) {
    const page = { kind: IMPORT_KIND, limit, afterId, order: "newest" } as const;
    const { jobs, nextId } = await listJobs<QueuedImport>(workspace, page);
    yield* jobs;
    if (nextId === null) return;
    afterId = nextId;
  }
}

/** When the import succeeded; one that never came counts from the workspace's beginning. */
export function importedAt(last: ImportJob | null, { createdAt }: { createdAt: string }): string {
  return last ? last.finishedAt ?? last.createdAt : createdAt;
}
