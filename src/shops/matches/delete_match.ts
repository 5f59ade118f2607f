import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { requireVersion } from "../../platform/http/http.ts";
import { matchVersion, requireMatch } from "./find_match.ts";
import { matchAudit, matchLabel } from "./match_audit.ts";
import { saveProductLinks } from "./product_links.ts";
import { putRemoval } from "./remove_match.ts";

/** Deletes a match; its observations stay, and no import brings the URL back. Refuses with `not_found`. */
export async function deleteMatch(
  ctx: Context,
  id: string,
  expected: string | null = null,
): Promise<void> {
  await transact(ctx, async (write) => {
    const found = await requireMatch(ctx, id);
    requireVersion(expected, matchVersion(found));
    const { place, links, match, owner } = found;
    const { competitor } = owner;
    await putRemoval(write, ctx, { place, competitor, by: "person" });
    const after = links.offers.offers.filter(({ matchId }) => matchId !== id);
    await saveProductLinks(write, ctx, links, after);
    const label = matchLabel(links.found.product.sku, competitor);
    addAuditRow(write, ctx, matchAudit(label, match, null));
  });
}
