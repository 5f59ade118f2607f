import type { AuditEntry } from "../../audit/audit.ts";
import { findProduct } from "../../catalogue/products/product_store.ts";
import type { StoredSuggestion } from "../../competitors/discovery/suggestion.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";

/** The deed that leads to a status. */
const DEEDS = { accepted: "accept", rejected: "reject", open: "reopen" } as const;

export type DecidedStatus = keyof typeof DEEDS;

/** The row that says what became of a suggestion. */
export async function suggestionAudit(
  workspace: WorkspaceStore,
  before: StoredSuggestion,
  after: StoredSuggestion & { readonly status: DecidedStatus },
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
