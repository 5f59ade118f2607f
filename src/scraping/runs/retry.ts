import { z } from "@hono/zod-openapi";
import type { FailingPlace } from "../../shops/offers/failing_offer_store.ts";
import { REPAIR_CAUSES, type RepairCause } from "../../shops/offers/repair_cause.ts";
import { type Job, JOB_STATUSES } from "../../platform/jobs/job.ts";

/** The job that fetches the failing pages of a shop once more. */
export const RETRY_KIND = "retry";

export interface RetryArgs {
  readonly competitorId: string;
  /** Null: whatever is the matter with them. */
  readonly cause: RepairCause | null;
}

/** Where a retry is. */
export interface RetryCursor {
  /** The page up to which all were asked for; null before the first. */
  readonly after: FailingPlace | null;
  /** Runs that were asked for and had not ended when it was looked last. */
  readonly inHand: readonly string[];
  /** The last page was asked for. */
  readonly isAtEnd: boolean;
}

export interface RetryCounts {
  /** How many there were when it was asked for. */
  readonly pages: number;
  readonly asked: number;
}

export type RetryJob = Job<RetryArgs, RetryCursor, RetryCounts>;

const Cause = z.enum(REPAIR_CAUSES);

export const RetryRequest = z.strictObject({
  competitorId: z.string(),
  cause: Cause.nullish().meta({ description: "Null: whatever is the matter with the pages" }),
}).meta({ id: "RetryRequest" });

export type RetryRequest = z.output<typeof RetryRequest>;

/** A retry as people watch it. */
export const Retry = z.object({
  id: z.string(),
  competitorId: z.string(),
  cause: Cause.nullable(),
  status: z.enum(JOB_STATUSES),
  pages: z.int().meta({ description: "Failing pages when it was asked for" }),
  done: z.int().meta({ description: "Those of them that were fetched, whatever came of it" }),
  failing: z.int().meta({ description: "Failing pages of the same kind now" }),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
}).meta({ id: "Retry" });

export type Retry = z.output<typeof Retry>;
