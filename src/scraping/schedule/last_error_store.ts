/** Stores the last error of each shop, and since when the shop has not answered. */
import { DAY_MS } from "../../base/time.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import type { Context } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable, type Found } from "../../platform/store/table.ts";
import type { Competitor } from "../../shops/competitor_store.ts";

export interface LastError {
  readonly competitorId: string;
  readonly errorCode: string;
  readonly message: string | null;
  readonly at: string;
  /** Time of the first fetch without an answer; null if the shop answered the last fetch. */
  readonly failingSince: string | null;
  /** Time of the first failed fetch since the last success; null after a success. */
  readonly failedSince: string | null;
  readonly isAnnounced: boolean;
}

export const lastErrors = defineTable<LastError, "competitorId">({
  prefix: "he",
  about: "the last error of a shop, and since when it has not answered; expires after 90 days",
  key: { competitorId: "id" },
  expireInMs: 90 * DAY_MS,
  // Rows of earlier versions of Kurant have no `failedSince`.
  codec: { decode: (value: Partial<LastError>) => ({ failedSince: value.failingSince, ...value }) },
});

/** Ends the outage of a shop that answers, or is no longer visited. */
export function endOutage(
  write: Write,
  ctx: Pick<Context, "store" | "workspaceId" | "now" | "newId">,
  found: Found<LastError>,
  { domain }: Pick<Competitor, "domain">,
): void {
  if (found.row.failedSince === null) return;
  const ended = { failingSince: null, failedSince: null, isAnnounced: false };
  lastErrors.save(write, ctx, found, { ...found.row, ...ended });
  if (found.row.isAnnounced) publish(write, ctx, [{ type: "domain.answering", data: { domain } }]);
}
