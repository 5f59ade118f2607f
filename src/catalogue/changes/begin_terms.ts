import type { WorkspaceStore } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { readTermsBegin, saveTermsBegin } from "../prices/price_terms_store.ts";

/**
 * Says once that changes of VAT and of the prices of tiers are kept from now on: what was before is not
 * known. Done twice it changes nothing.
 */
export async function beginTerms(
  place: WorkspaceStore & { readonly now: () => Date },
): Promise<void> {
  await transact(place, async (write) => {
    const { beganMs, versionstamp } = await readTermsBegin(place);
    if (beganMs !== null) return;
    saveTermsBegin(write, place.workspaceId, place.now().getTime(), versionstamp);
  });
}
