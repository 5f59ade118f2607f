import type { Job } from "../../platform/jobs/job.ts";
import type { Position } from "./observation.ts";

/** Which competitor is being worked on; within a day that is thinned, how far it is. */
export interface RetentionCursor {
  readonly competitorId: string;
  readonly after: Position | null;
}

export interface RetentionStats {
  readonly packed: number;
  readonly daysThinned: number;
}

/** The job of one workspace and night. */
export type RetentionJob = Job<Record<string, never>, RetentionCursor, RetentionStats>;
