/**
 * A failing page is a page without the price that it should have. This module stores failing pages
 * and their counts. Each commit that changes offers, for example with the result of a visit, also
 * updates the failing pages and their counts.
 */
import { idText } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import { CAUSE_OF, type Offer, type RepairCause } from "./offer.ts";

export interface FailingGroup {
  readonly competitorId: string;
  readonly cause: RepairCause;
}

export interface FailingPlace {
  readonly cause: RepairCause;
  readonly sinceMs: number;
  readonly matchId: string;
}

export interface FailingPage extends FailingPlace {
  readonly competitorId: string;
  readonly productId: string;
}

export const failingPages = defineTable<FailingPage, "competitorId" | keyof FailingPlace>({
  prefix: "fo",
  about: "a page without a price, by cause and start of the failure",
  key: { competitorId: "id", cause: "text", sinceMs: "number", matchId: "id" },
  codec: {
    encode: ({ productId }) => Uint8Array.fromHex(productId),
    decode: (bytes: Uint8Array) => ({ productId: idText(bytes) }),
  },
});

export const failingCounts = defineTable<CountedGroup, keyof FailingGroup>({
  prefix: "foc",
  about: "u64, the number of a shop's pages without a price, by cause",
  key: { competitorId: "id", cause: "text" },
  value: "pages",
});

type CountedGroup = FailingGroup & { readonly pages: number };

export function putFailing(
  write: Write,
  workspaceId: string,
  productId: string,
  { before, after }: { readonly before: readonly Offer[]; readonly after: readonly Offer[] },
): void {
  const left = new Map(before.map((offer) => [offer.matchId, offer]));
  for (const offer of after) {
    const old = left.get(offer.matchId);
    left.delete(offer.matchId);
    if (old !== offer) putOne(write, workspaceId, productId, old ?? null, offer);
  }
  for (const old of left.values()) putOne(write, workspaceId, productId, old, null);
}

function putOne(
  write: Write,
  workspaceId: string,
  productId: string,
  before: Offer | null,
  after: Offer | null,
): void {
  const was = before && placeOf(before);
  const is = after && placeOf(after);
  if (was?.cause === is?.cause && was?.sinceMs === is?.sinceMs) return;
  if (before && was) {
    const { competitorId } = before;
    failingPages.drop(write, { workspaceId }, { competitorId, ...was });
    write.sum(failingCounts.keyOf({ workspaceId }, { competitorId, cause: was.cause }), -1);
  }
  if (after && is) {
    const { competitorId } = after;
    failingPages.put(write, { workspaceId }, { competitorId, productId, ...is });
    write.sum(failingCounts.keyOf({ workspaceId }, { competitorId, cause: is.cause }), 1);
  }
}

export function placeOf(
  { matchId, enabled, noPrice, status, failingSinceMs: sinceMs, observedAtMs }: PageState,
): FailingPlace | null {
  const cause = CAUSE_OF.get(status ?? "");
  if (!enabled || noPrice || cause === undefined || sinceMs === null) return null;
  const isOther = cause === "nothing_found" && observedAtMs !== null;
  return { cause: isOther ? "layout_changed" : cause, sinceMs, matchId };
}

type PageState = Pick<
  Offer,
  "matchId" | "enabled" | "noPrice" | "status" | "failingSinceMs" | "observedAtMs"
>;

export async function listFailingCounts(
  workspace: WorkspaceStore,
  competitorId: string | null = null,
): Promise<CountedGroup[]> {
  const within = competitorId === null ? {} : { competitorId };
  const found = await failingCounts.list(workspace, { within });
  return found.flatMap(({ row }) => row.pages === 0 ? [] : [row]);
}

export async function countFailingPages(store: Store): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const { row: { cause, pages } } of failingCounts.walkAll(store)) {
    counts.set(cause, (counts.get(cause) ?? 0) + pages);
  }
  return counts;
}

export async function countFailing(
  workspace: WorkspaceStore,
  { competitorId, cause }: { readonly competitorId: string; readonly cause: RepairCause | null },
): Promise<number> {
  const groups = await listFailingCounts(workspace, competitorId);
  return groups.filter((one) => cause === null || one.cause === cause)
    .reduce((sum, { pages }) => sum + pages, 0);
}

/** Lists failing pages, oldest failure first. If `cause` is null, sorts them by cause first. */
export async function listFailing(
  workspace: WorkspaceStore,
  { competitorId, cause }: { readonly competitorId: string; readonly cause: RepairCause | null },
  after: FailingPlace | null,
  limit: number,
): Promise<FailingPage[]> {
  const within = cause === null ? { competitorId } : { competitorId, cause };
  const place = after && { cause: after.cause, sinceMs: after.sinceMs, matchId: after.matchId };
  const found = await failingPages.list(workspace, { within, after: place, limit });
  return found.map(({ row }) => row);
}
