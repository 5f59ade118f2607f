import { noSuch } from "../base/failure.ts";
import { isId } from "../base/id.ts";
import { findCards } from "../catalogue/products/card_store.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { RuleTerms } from "../engine/pricing/rule.ts";
import type { RuleWarning } from "./rule.ts";
import { findRule, type FoundRule } from "./rule_store.ts";

/** Refuses with `not_found` an id that is malformed, unknown, deleted or of another workspace. */
export async function requireRule(workspace: WorkspaceStore, id: string): Promise<FoundRule> {
  const found = isId(id) ? await findRule(workspace, id) : null;
  if (found) return found;
  throw noSuch("rule", id);
}

/** SKUs that no product has, or only a deleted one: they are kept, because it may come. */
export async function warningsOf(
  workspace: WorkspaceStore,
  { scope }: Pick<RuleTerms, "scope">,
): Promise<RuleWarning[]> {
  if (scope.mode !== "sku") return [];
  const cards = await findCards(workspace, scope.list);
  return scope.list.flatMap((sku) => {
    const card = cards.get(sku);
    if (card && !card.isDeleted) return [];
    const message = card ? "The product with this SKU is deleted" : "No product has this SKU";
    return [{ path: "scope.list", value: sku, message }];
  });
}
