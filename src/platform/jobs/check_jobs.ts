import { isRowRight, listAllJobs, listFollowingRows, listMissingRows } from "./job_store.ts";
import type { Store } from "../store/kv.ts";

/** A row of the jobs that is not as its record says. */
export interface JobDisagreement {
  readonly problem: "missing row" | "stray row";
  readonly key: Deno.KvKey;
  readonly workspaceId: string;
  readonly jobId: string;
}

/**
 * Compares the records of all jobs with their list, ready, lease and turn rows, both ways. Each
 * finding was seen in one read, so that a store at work gives no false one.
 */
export async function* checkJobs(store: Store): AsyncGenerator<JobDisagreement> {
  for await (const stored of listAllJobs(store)) {
    const { workspaceId, jobId } = stored.job;
    for (const key of await listMissingRows(store, stored) ?? []) {
      yield { problem: "missing row", key, workspaceId, jobId };
    }
  }
  for await (const row of listFollowingRows(store)) {
    if (!await isRowRight(store, row)) yield { problem: "stray row", ...row };
  }
}
