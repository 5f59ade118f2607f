import type { WorkspaceStore } from "../platform/store/context.ts";
import type { TermsStep } from "./prices/price_terms.ts";
import { tierCents } from "./prices/price_terms.ts";
import { walkTermsSteps } from "./prices/price_terms_store.ts";
import { findAnyProduct } from "./products/product_store.ts";

/** One sentence for each product whose steps of terms do not end at what it says now. */
export async function* checkPriceTerms(workspace: WorkspaceStore): AsyncGenerator<string> {
  let productId: string | null = null;
  let steps: TermsStep[] = [];
  for await (const row of walkTermsSteps(workspace)) {
    if (productId !== null && productId !== row.productId) {
      yield* endsWrongly(workspace, productId, steps);
      steps = [];
    }
    productId = row.productId;
    steps.push(row.step);
  }
  if (productId !== null) yield* endsWrongly(workspace, productId, steps);
}

async function* endsWrongly(
  workspace: WorkspaceStore,
  id: string,
  steps: readonly TermsStep[],
): AsyncGenerator<string> {
  const found = await findAnyProduct(workspace, id);
  if (!found) return yield `There are terms of prices of product ${id}, which is none`;
  const { product } = found;
  const rate = steps.findLast(({ vat }) => vat !== null)?.vat;
  if (rate && rate[1] !== product.vatRatePct) {
    yield `Product ${id} has a VAT rate of ${product.vatRatePct}, its past ends at ${rate[1]}`;
  }
  const last = new Map(
    steps.flatMap(({ tiers }) => tiers)
      .filter(([, currency]) => currency === product.currency)
      .map(([tier, , , cents]) => [tier ?? "", cents]),
  );
  for (const [tier, cents] of last) {
    if (tierCents(product, tier) === cents) continue;
    yield `Tier "${tier}" of product ${id} ends in its past at another price than it has`;
  }
}
