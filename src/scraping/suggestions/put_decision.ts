import type { AuditEntry } from "../../accounts/audit/audit.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { Failure } from "../../base/failure.ts";
import { findProduct } from "../../catalogue/products/product_store.ts";
import type { StoredSuggestion } from "../../shops/discovery/suggestion.ts";
import { changeSuggestion } from "../../shops/discovery/suggestion_store.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";

/** The deed that leads to a status. */
const DEEDS = { accepted: "accept", rejected: "reject", open: "reopen" } as const;

type DecidedStatus = keyof typeof DEEDS;

/** What is said of a suggestion. */
export interface Decision extends Pick<StoredSuggestion, "rejectedAs"> {
  readonly status: DecidedStatus;
}

/**
 * Writes in the caller's commit what is said of a suggestion, and who says it. Refuses with `conflict`
 * one that was decided since it was read.
 */
export async function putDecision(
  write: Write,
  ctx: Context,
  before: StoredSuggestion,
  decision: Decision,
): Promise<void> {
  const { type, id, name } = ctx.actor;
  const after = {
    ...before,
    ...decision,
    ...(decision.status === "open"
      ? { decidedAt: null, decidedBy: null }
      : { decidedAt: ctx.now().toISOString(), decidedBy: { type, id, name } }),
  };
  if (!await changeSuggestion(write, ctx, before, after)) {
    throw new Failure("conflict", "The suggestion was decided just now");
  }
  addAuditRow(write, ctx, await suggestionAudit(ctx, before, after));
}

/** The row that says what became of a suggestion. */
async function suggestionAudit(
  workspace: WorkspaceStore,
  before: StoredSuggestion,
  after: StoredSuggestion & Decision,
): Promise<AuditEntry> {
  const product = await findProduct(workspace, before.productId);
  return {
    action: `match_suggestion.${DEEDS[after.status]}`,
    resource: {
      type: "match_suggestion",
      id: before.id,
      label: `${product?.product.sku ?? ""} ${before.page.url}`.trim().slice(0, 300),
    },
    before: { status: before.status },
    after: {
      status: after.status,
      url: before.page.url,
      ...(after.rejectedAs && { rejectedAs: after.rejectedAs }),
    },
    about: [`product:${before.productId}`],
  };
}
