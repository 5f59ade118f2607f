import { announce } from "../../platform/events/outbox_store.ts";
import type { Context } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { LiveMatch } from "../../shops/matches/competitor_prices.ts";
import { countFetch, findLastError, type LastError, saveLastError } from "./health_store.ts";

const FAILING_MS = 24 * 3_600_000;

/** What says that a shop does not answer; a page without a price is an answer. */
const NO_ANSWER = new Set(["blocked", "http_error", "timeout", "dns_error", "unreachable"]);

/** A fetch that brought no price. */
export interface FailedFetch {
  readonly errorCode: string;
  readonly message: string | null;
  /** False when the shop gave no answer although the code does not say so. */
  readonly isAnswered?: boolean | undefined;
}

/**
 * Counts a fetch for the health of its competitor; `failed` is null after a success. A shop that
 * has answered nothing for 24 h is announced, once until it answers again
 * (docs/decisions/scraping.md).
 */
export async function noteHealth(
  write: Write,
  ctx: Pick<Context, "store" | "workspaceId" | "now" | "newId">,
  live: LiveMatch | null,
  failed: FailedFetch | null,
): Promise<void> {
  if (live === null || isExpected(live, failed)) return;
  const { competitor } = live;
  const now = ctx.now();
  const outcome = failed === null ? "ok" : "failed";
  countFetch(write, ctx.workspaceId, competitor.id, now.getTime(), outcome);
  const stored = await findLastError(ctx, competitor.id);
  const before = stored.error;
  if (failed === null) {
    if (before === null || before.failingSince === null) return;
    const after = { ...before, failingSince: null, isAnnounced: false };
    saveLastError(write, ctx.workspaceId, competitor.id, stored, after);
    return;
  }
  const after = withError(before, failed, now);
  saveLastError(write, ctx.workspaceId, competitor.id, stored, after);
  if (!after.isAnnounced || before?.isAnnounced || after.failingSince === null) return;
  announce(write, ctx, [{
    type: "domain.failing",
    data: { domain: competitor.domain, since: after.failingSince, lastError: failed.message },
  }]);
}

/** A page of which people know that it shows no price. */
function isExpected({ match }: LiveMatch, failed: FailedFetch | null): boolean {
  return match.noPrice === true && failed !== null && isAnswer(failed);
}

function isAnswer({ errorCode, isAnswered = !NO_ANSWER.has(errorCode) }: FailedFetch): boolean {
  return isAnswered;
}

function withError(
  before: LastError | null,
  failed: FailedFetch,
  now: Date,
): LastError {
  const { errorCode, message } = failed;
  const at = now.toISOString();
  const error = { errorCode, message, at };
  if (isAnswer(failed)) return { ...error, failingSince: null, isAnnounced: false };
  const failingSince = before?.failingSince ?? at;
  const isLong = now.getTime() - Date.parse(failingSince) >= FAILING_MS;
  return { ...error, failingSince, isAnnounced: isLong };
}
