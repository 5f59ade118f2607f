import { addAuditRow } from "../../audit/audit_store.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { requireMatch } from "./find_match.ts";
import { matchAudit, matchLabel } from "./match_audit.ts";
import { saveProductLinks } from "./product_links.ts";
import { putRemoval } from "./remove_match.ts";

/** Deletes a match; its observations stay, and no import brings the URL back. Refuses with `not_found`. */
export async function deleteMatch(ctx: Context, id: string): Promise<void> {
  await transact(ctx, async (write) => {
    const { place, links, match, owner } = await requireMatch(ctx, id);
    const { competitor } = owner;
    await putRemoval(write, ctx, { place, competitor, by: "person" });
    const after = links.offers.offers.filter(({ matchId }) => matchId !== id);
    await saveProductLinks(write, ctx, links, after);
    const label = matchLabel(links.found.product.sku, competitor);
    addAuditRow(write, ctx, matchAudit(label, match, null));
  });
}
