/** Lines whose pages are at shops that nobody has made: told by shop, and all made in one go. */
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { Failure } from "../../base/failure.ts";
import { competitorAudit } from "../../shops/competitor_audit.ts";
import { domainOf } from "../../shops/domain.ts";
import { requireCompetitors } from "../../shops/require_competitors.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { dropLines } from "./drop_lines.ts";
import {
  type MadeShops,
  type MissingShops,
  NEW_SHOPS_MAX,
  type NewShops,
  type StoredCheckLine,
} from "./link_check.ts";
import { walkLines } from "./link_check_store.ts";
import { requireCheck } from "./read_check.ts";
import { startCheck } from "./start_check.ts";

/** Each is dropped here by a check of its row; what goes beyond is offered again. */
const LINES_MAX = 2_000;

/** The shops that open lines wait for. Refuses with `not_found` an unknown check. */
export async function readMissingShops(
  workspace: WorkspaceStore,
  checkId: string,
): Promise<MissingShops> {
  await requireCheck(workspace, checkId);
  const missing = await linesByShop(workspace, checkId);
  return { shops: missing.map(([domain, { length }]) => ({ domain, lines: length })) };
}

/**
 * Makes shops that open lines wait for, and has these lines checked anew. What breaks off has made some of
 * it; said again it goes on. Refuses with `not_found` an unknown check, and with `conflict` one of whose
 * lines none waits for such a shop.
 */
export async function makeShops(
  ctx: Context,
  checkId: string,
  { domains }: NewShops,
): Promise<MadeShops> {
  await requireCheck(ctx, checkId);
  const missing = (await linesByShop(ctx, checkId))
    .filter(([domain]) => domains?.includes(domain) ?? true);
  const lines = missing.flatMap(([, ofShop]) => ofShop);
  if (lines.length === 0) throw new Failure("conflict", "No open line waits for such a shop");
  const wanted = missing.map(([domain]) => ({ domain, name: null }));
  await requireCompetitors(ctx, wanted, (write, competitor) => {
    addAuditRow(write, ctx, competitorAudit("competitor.create", null, competitor));
  });
  const jobId = await startCheck(ctx, {
    lines: lines.map(({ sku, gtin, url, packFactor }) => ({
      ...(gtin === null ? { sku } : { gtin }),
      url,
      ...(packFactor !== null && { packFactor }),
    })),
  });
  // The lines as they were have nothing more to say.
  await dropLines(ctx, checkId, { lines: lines.map(({ line }) => line), dropped: true });
  return { jobId, domains: wanted.map(({ domain }) => domain), lines: lines.length };
}

/** The open lines without a shop by domain, the most lines first. */
async function linesByShop(
  workspace: WorkspaceStore,
  checkId: string,
): Promise<(readonly [domain: string, lines: readonly StoredCheckLine[]])[]> {
  const found = new Map<string, StoredCheckLine[]>();
  let count = 0;
  for await (const { line } of walkLines(workspace, checkId, "wrong")) {
    const { status, errorCode, url } = line;
    const isMissing = status === "open" && errorCode === "unknown_shop";
    const parsed = isMissing ? URL.parse(url.trim()) : null;
    if (parsed === null) continue;
    found.getOrInsertComputed(domainOf(parsed), () => []).push(line);
    if (++count === LINES_MAX) break;
  }
  return [...found].sort(([, a], [, b]) => b.length - a.length).slice(0, NEW_SHOPS_MAX);
}
