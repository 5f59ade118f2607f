import { type Clockwork, type Context, contextFor } from "../store/context.ts";
import type { Job } from "./job.ts";
import type { Store } from "../store/kv.ts";
import type { roomLog } from "../log.ts";
import type { ThreadShare } from "../thread_share.ts";
import type { JobTiming } from "./job_timing.ts";

/** What the work on a job has from its process. */
export interface RunSetup {
  /** What steps read and write by, until a stop takes it away. */
  readonly store: Store;
  readonly clockwork: Clockwork;
  readonly timing: JobTiming;
  readonly log: ReturnType<typeof roomLog>;
  readonly stopping: AbortSignal;
  /** Steps have their part of it, beside the requests of their workspace. */
  readonly thread: ThreadShare;
  /** True while a workspace that has nothing in hand waits for a slot of the job's kind. */
  isWaitedFor(): boolean;
}

/** What a job works as: who made it, under its own id. */
export function contextOf(
  { store, clockwork }: RunSetup,
  { workspaceId, createdBy, jobId }: Job,
): Context {
  return contextFor({ store, clockwork, requestId: jobId }, workspaceId, createdBy);
}
