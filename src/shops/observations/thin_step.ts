import type { StepTools } from "../../platform/jobs/job.ts";
import { comparePositions, type PlacedObservation, type Position } from "./observation.ts";
import { withoutRows } from "./block_changes.ts";
import { COMPETITOR_PACK, PRODUCT_PACK } from "./pack.ts";
import { findBlocks, listPacked, putBlock, removeDay } from "./pack_store.ts";
import { workOnProducts } from "./product_batch.ts";
import type { RetentionJob } from "./retention_progress.ts";
import { endOfDay } from "./retention_limits.ts";

const ENTRIES_PER_STEP = 1_000;

/** A competitor's day, and how far it is thinned. */
export interface ThinnedDay {
  readonly competitorId: string;
  readonly dayMs: number;
  readonly after: Position | null;
}

/**
 * Leaves the lowest observation of each match on a competitor's day, and the entries that lead to
 * one. Answers where to go on, or null when the day is done.
 */
export async function thinDay(
  tools: StepTools<RetentionJob>,
  { competitorId, dayMs, after }: ThinnedDay,
): Promise<Position | null> {
  const { write, workspaceId } = tools;
  const owner = { pack: COMPETITOR_PACK, ownerId: competitorId };
  const day = { fromMs: dayMs, toMs: endOfDay(dayMs) };
  const stretch = { ...day, order: "asc", after } as const;
  const entries = await listPacked(tools, owner, stretch, ENTRIES_PER_STEP);
  const kept = await thinProducts(tools, entries.map(({ productId }) => productId), {
    competitorId,
    day,
  });
  const looked = new Set(entries.map(({ id }) => id));
  const [first, last] = [entries[0], entries.at(-1)];
  if (first && last) {
    const blocks = await findBlocks(tools, owner, { fromMs: first.atMs, toMs: last.atMs });
    const changes = withoutRows(blocks, ({ id }) => looked.has(id) && !kept.has(id));
    for (const change of changes) putBlock(write, workspaceId, owner, change);
  }
  if (last && entries.length === ENTRIES_PER_STEP) return { atMs: last.atMs, id: last.id };
  removeDay(write, workspaceId, competitorId, dayMs);
  return null;
}

interface Day {
  readonly competitorId: string;
  readonly day: { readonly fromMs: number; readonly toMs: number };
}

/** The ids of what is left of the products' day. */
async function thinProducts(
  tools: StepTools<RetentionJob>,
  productIds: readonly string[],
  { competitorId, day }: Day,
): Promise<Set<string>> {
  const kept = new Set<string>();
  await workOnProducts(tools, productIds, async (write, productId) => {
    const owner = { pack: PRODUCT_PACK, ownerId: productId };
    const blocks = await findBlocks(tools, owner, day);
    const isOfDay = ({ atMs, observation }: PlacedObservation) =>
      atMs >= day.fromMs && atMs <= day.toMs && observation.competitorId === competitorId;
    const rows = blocks.flatMap((block) => block.rows.filter(isOfDay));
    const lowest = new Set(lowestOfMatches(rows).map(({ id }) => id));
    for (const id of lowest) kept.add(id);
    const changes = withoutRows(blocks, (row) => isOfDay(row) && !lowest.has(row.id));
    for (const change of changes) putBlock(write, tools.workspaceId, owner, change);
    return false;
  }, () => tools.beat());
  return kept;
}

/**
 * One of each match: the lowest price, and the first of several (docs/decisions/competitors.md).
 */
export function lowestOfMatches(rows: readonly PlacedObservation[]): PlacedObservation[] {
  const byMatch = new Map<string, PlacedObservation>();
  for (const row of rows.toSorted(comparePositions)) {
    const { matchId, priceCents } = row.observation;
    const known = byMatch.get(matchId);
    if (!known || priceCents < known.observation.priceCents) byMatch.set(matchId, row);
  }
  return [...byMatch.values()];
}
