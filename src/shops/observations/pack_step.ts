import type { StepTools } from "../../platform/jobs/job.ts";
import { type CompetitorEntry, listOfCompetitor, listOfProduct } from "./observation_store.ts";
import { removeFromCompetitor, removeFromProduct } from "./observation_store.ts";
import { type BlockChange, insertRows } from "./block_changes.ts";
import { COMPETITOR_PACK, PRODUCT_PACK } from "./pack.ts";
import { markDay, putBlock } from "./pack_store.ts";
import { workOnProducts } from "./product_batch.ts";
import type { RetentionJob } from "./retention_progress.ts";
import { dayOf } from "./retention_limits.ts";

const ENTRIES_PER_STEP = 450;
const ROWS_PER_PRODUCT = 200;

/**
 * Packs the oldest loose entries of a competitor before `limitMs`, and first the observations that
 * they lead to, with all others of their products; so an entry always leads somewhere. Answers how
 * many entries it packed; 0 when there are none left.
 */
export async function packOldest(
  tools: StepTools<RetentionJob>,
  competitorId: string,
  limitMs: number,
): Promise<number> {
  const stretch = { fromMs: 0, toMs: limitMs - 1, order: "asc", after: null } as const;
  const entries = await listOfCompetitor(tools, competitorId, stretch, ENTRIES_PER_STEP);
  if (entries.length === 0) return 0;
  const productIds = entries.map(({ productId }) => productId);
  await workOnProducts(tools, productIds, async (write, productId) => {
    const rows = await listOfProduct(tools, productId, stretch, ROWS_PER_PRODUCT);
    const owner = { pack: PRODUCT_PACK, ownerId: productId };
    const { changes, used } = await insertRows(tools, owner, rows);
    for (const change of changes) putBlock(write, tools.workspaceId, owner, change);
    removeFromProduct(write, tools.workspaceId, productId, rows.slice(0, used));
    return used < rows.length || rows.length === ROWS_PER_PRODUCT;
  }, () => tools.beat());
  const owner = { pack: COMPETITOR_PACK, ownerId: competitorId };
  const { changes, used } = await insertRows(tools, owner, entries);
  moveEntries(tools, competitorId, entries.slice(0, used), changes);
  return used;
}

/** In the step's own commit: its check of the job keeps every other worker away from these blocks. */
function moveEntries(
  { write, workspaceId }: StepTools<RetentionJob>,
  competitorId: string,
  entries: readonly CompetitorEntry[],
  changes: readonly BlockChange<CompetitorEntry>[],
): void {
  const owner = { pack: COMPETITOR_PACK, ownerId: competitorId };
  for (const change of changes) putBlock(write, workspaceId, owner, change);
  removeFromCompetitor(write, workspaceId, competitorId, entries);
  const days = new Set(entries.map(({ atMs }) => dayOf(atMs)));
  for (const dayMs of days) markDay(write, workspaceId, competitorId, dayMs);
}
